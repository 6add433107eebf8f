// What became of each message: delivered, again, skipped, late.
#ifndef GROUPSIM_SCENARIOS_MEASURE_DELIVERY_H_
#define GROUPSIM_SCENARIOS_MEASURE_DELIVERY_H_

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
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
    int64_t skipped = 0;          // Below a committed offset, never delivered.
    int64_t consumed_before = 0;  // Committed before the run began.
    int64_t not_yet_delivered = 0;  // None of these.
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
  // What became of one queue for one group.
  struct QueueResult {
    Counts counts;
    int64_t max_offset = 0;  // One beyond the last message.
    int64_t committed = -1;  // -1 for nothing.
  };
  // In the order of the group's queues.
  std::vector<QueueResult> QueueResults(GroupIndex group) const;
  // Messages in a queue, however old.
  int64_t stored_in(QueueIndex queue) const {
    const QueueState& state = queues_[static_cast<size_t>(queue)];
    return state.first < 0 ? 0 : state.end - state.first;
  }
  // What one consumer did.
  struct ConsumerResult {
    int64_t deliveries = 0;
    int64_t duplicates = 0;
    int64_t finished = 0;
  };
  const ConsumerResult& consumer(ConsumerIndex consumer) const {
    return consumers_[static_cast<size_t>(consumer)];
  }
  // Sent and acknowledged, but not stored anywhere any more.
  int64_t lost(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].lost;
  }
  // Acknowledged to producers, of the group's topics.
  int64_t sent(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].sent;
  }
  // From the store of a message to the end of its first finished delivery.
  // Messages stored before the run are left out.
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
  // The lag integrated over time, in message-nanoseconds.
  __int128 lag_area(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].lag_area;
  }
  // Time in which two consumers or more ran listener calls for messages of one
  // queue, summed over queues.
  Duration processed_twice(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].processed_twice;
  }
  // What happened in each column of the run: messages stored in the group's
  // queues, deliveries, duplicates.
  struct Flow {
    int64_t stored = 0;
    int64_t deliveries = 0;
    int64_t duplicates = 0;
  };
  const std::vector<Flow>& flow(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)].flow;
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
    int64_t consumed_before = 0;  // Committed before time zero.
    int64_t known = 0;            // Messages delivered, in the window or not.
    // Consumers with listener calls under way, and how many.
    struct Active {
      ConsumerIndex consumer;
      int64_t calls;
    };
    absl::InlinedVector<Active, 2> active;
    Instant twice_since;  // While two or more are active.
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
    explicit GroupState(Columns columns) : lag_columns(std::move(columns)) {}

    Counts counts;
    Histogram latency;
    int64_t sent = 0;
    int64_t lost = 0;
    int64_t lag = 0;
    int64_t peak_lag = 0;
    Instant lag_since;
    __int128 lag_area = 0;
    Duration processed_twice;
    std::vector<Flow> flow;
    Columns lag_columns;
    Watch duplicates_watch;
  };

  void OnSent(const SeenFact& seen);
  void OnStored(const SeenFact& seen);
  void OnDelivered(const SeenFact& seen);
  void OnFinished(const SeenFact& seen);
  void OnCommitted(const SeenFact& seen);
  // The chunk of an offset; null once it was given back.
  Chunk* ChunkOf(QueueState& queue, int64_t offset);
  void Release(QueueState& queue);
  void BeginCall(QueueGroup& group, ConsumerIndex consumer, Instant now);
  void EndCall(QueueGroup& group, ConsumerIndex consumer, Instant now);
  void EndAllCalls(ConsumerIndex consumer, Instant now);
  Flow& FlowAt(GroupState& group, Instant now);
  void AddLag(GroupIndex group, int64_t change, Instant now);
  QueueGroup* Find(QueueState& queue, GroupIndex group, size_t* slot);
  void Settle(QueueState& queue, QueueIndex index, size_t slot, Instant end);

  const Subjects& subjects_;
  const Window window_;
  Audit* const audit_;
  std::vector<QueueState> queues_;  // By QueueIndex.
  std::vector<GroupState> groups_;
  std::vector<ConsumerResult> consumers_;  // By ConsumerIndex.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_DELIVERY_H_
