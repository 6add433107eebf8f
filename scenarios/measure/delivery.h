// What became of each message: delivered, again, skipped, late.
#ifndef GROUPSIM_SCENARIOS_MEASURE_DELIVERY_H_
#define GROUPSIM_SCENARIOS_MEASURE_DELIVERY_H_

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/audit.h"
#include "scenarios/measure/columns.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"

namespace groupsim {

// Follows every message of every queue for every group that subscribes it.
//
// Memory: one byte per message and group and eight per message, in chunks of
// 4,096 offsets that are given back once every group has committed past them
// and has had all of their messages.
class DeliveryMeasure {
 public:
  // Totals of one group, or of one group on one queue.
  struct Counts {
    int64_t stored = 0;      // Messages in its queues.
    int64_t deliveries = 0;  // Listener calls, a batch counting per message.
    int64_t distinct = 0;    // First deliveries of messages.
    int64_t duplicates = 0;  // Deliveries after a message's first.
    int64_t retries = 0;     // Deliveries that the broker scheduled.
    int64_t finished = 0;    // Messages with a result that counted.
    // After Finish:
    int64_t skipped = 0;  // Below a committed offset, never delivered.
    int64_t not_yet_delivered = 0;  // Neither skipped nor delivered.
    int64_t at_risk = 0;  // Finished above the committed offset at the end.
    int64_t lag_at_end = 0;
  };

  DeliveryMeasure(const Subjects& subjects, Window window, Duration total,
                  int columns, Audit* audit);

  void OnFact(const SeenFact& seen);
  void Finish(Instant end);

  // ---- Results; complete after Finish ----

  const Counts& counts(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].counts;
  }
  // In the order of the group's queues.
  std::vector<Counts> QueueCounts(GroupIndex group) const;
  // Sent and acknowledged, but not stored anywhere any more.
  int64_t lost() const { return lost_; }
  int64_t sent() const { return sent_; }
  int64_t send_failed() const { return send_failed_; }
  int64_t stored() const { return stored_; }
  // From the store of a message to the end of its first finished delivery.
  const Histogram& latency(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].latency;
  }
  // Sum over the queues of stored maximum less committed offset. A queue
  // without committed offset counts from its first message.
  int64_t lag(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].lag;
  }
  int64_t peak_lag(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].peak_lag;
  }
  const Columns& lag_columns(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].lag_columns;
  }
  int64_t deliveries_of(ConsumerIndex consumer) const {
    return deliveries_of_[static_cast<size_t>(consumer)];
  }

  Watch& duplicates_watch(GroupIndex group) {
    return groups_[static_cast<size_t>(group)].duplicates_watch;
  }

 private:
  static constexpr int64_t kChunk = 4'096;
  static constexpr uint8_t kDelivered = 1;
  static constexpr uint8_t kFinished = 2;

  struct GroupChunk {
    std::array<uint8_t, kChunk> state{};
    int64_t delivered = 0;
  };
  struct Chunk {
    std::array<int64_t, kChunk> stored{};  // Nanoseconds.
    std::vector<GroupChunk> groups;        // As QueueState::groups.
  };
  struct QueueGroup {
    GroupIndex group = kNoSubject;
    int64_t committed = -1;  // At the broker; -1 for none.
    int64_t max_committed = -1;
    int64_t known = 0;  // Messages delivered, in the window or not.
    Counts counts;
  };
  struct QueueState {
    int64_t first = -1;  // Offset of the first message; -1 if none.
    int64_t end = 0;     // One past the last message.
    int64_t first_chunk = 0;
    std::deque<std::unique_ptr<Chunk>> chunks;
    std::vector<QueueGroup> groups;
  };
  struct GroupState {
    Counts counts;
    Histogram latency;
    int64_t lag = 0;
    int64_t peak_lag = 0;
    Columns lag_columns;
    Watch duplicates_watch;
  };

  void OnStored(const SeenFact& seen);
  void OnDelivered(const SeenFact& seen);
  void OnFinished(const SeenFact& seen);
  void OnCommitted(const SeenFact& seen);
  // The chunk of an offset; null once it was given back.
  Chunk* ChunkOf(QueueState& queue, int64_t offset);
  void Release(QueueState& queue);
  void AddLag(GroupIndex group, int64_t change, Instant now);
  QueueGroup* Find(QueueState& queue, GroupIndex group, size_t* slot);
  void Settle(QueueState& queue, QueueIndex index, size_t slot, Instant end);

  const Subjects& subjects_;
  const Window window_;
  Audit* const audit_;
  std::vector<QueueState> queues_;  // By QueueIndex.
  std::vector<GroupState> groups_;
  std::vector<int64_t> deliveries_of_;  // By ConsumerIndex.
  int64_t sent_ = 0;
  int64_t send_failed_ = 0;
  int64_t stored_ = 0;
  int64_t lost_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_DELIVERY_H_
