// What became of messages that failed: tried again, and when; given up.
#ifndef GROUPSIM_SCENARIOS_MEASURE_RETRYING_H_
#define GROUPSIM_SCENARIOS_MEASURE_RETRYING_H_

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/audit.h"
#include "scenarios/measure/delivery.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"

namespace groupsim {

// Follows the copies of messages that were sent back. It keeps something of
// failed messages only.
class RetryMeasure {
 public:
  struct GroupResult {
    int64_t failed = 0;     // Listener calls that failed, by message.
    int64_t sent_back = 0;  // Taken by a broker.
    int64_t send_backs_failed = 0;
    int64_t resent = 0;             // Sent to the retry topic by the consumer.
    int64_t resubmitted = 0;        // Kept since they could not be sent.
    int64_t expired = 0;            // Sent back while the listener had them.
    int64_t dropped = 0;            // Taken back, and nothing kept.
    int64_t given_up = 0;           // Forgotten, where the group broadcasts.
    Histogram retry_delay;          // End of a failed call to the next call.
    Histogram time_to_dead_letter;  // First delivery to the dead letters.
  };

  // `subjects`, `delivery` and `audit` outlive it.
  RetryMeasure(const Subjects& subjects, Window window,
               DeliveryMeasure* delivery, Audit* audit);

  // From here on this is the window; it begins now or later.
  void SetWindow(Window window) { window_ = window; }

  // DELIVERED, FINISHED and SETTLED, and the kinds from SENT_BACK on. Those of
  // a subject's queue may be left out where nothing IsOpen(), but for results
  // that are not a success.
  void OnFact(const SeenFact& seen);
  // Whether a message that failed may be finished yet.
  bool IsOpen() const { return open_ > 0; }

  const GroupResult& group(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)];
  }

  using MessageId = DeliveryMeasure::MessageId;
  // A message that failed, was acknowledged, and cannot come again.
  struct Stranded {
    MessageId id;
    Instant since;
  };
  // `down`: brokers that are down, by name id, and since when. In order of
  // group, queue and offset.
  std::vector<Stranded> FindStranded(
      const absl::btree_map<uint32_t, Instant>& down) const;

 private:
  // What is remembered of a message that failed.
  struct Failed {
    DeliveryMeasure::MessageTimes first;  // As they were at the first failure.
    std::optional<Instant> failed;  // Since when it waits for the next try.
    bool finished = false;
    bool dead = false;  // Given up.
    // Since when nothing is kept of it.
    std::optional<Instant> dropped;
    // Name ids of the brokers that have copies which were not delivered yet.
    absl::InlinedVector<uint32_t, 2> kept_at;

    bool open() const { return !finished && !dead; }
  };
  // Where a copy is: group, queue, offset.
  using CopyPlace = std::tuple<GroupIndex, uint64_t, int64_t>;
  struct Copy {
    MessageId message;
    Instant delivered;
  };

  bool Broadcasts(GroupIndex group) const;
  static CopyPlace PlaceOf(const SeenFact& seen);
  // The message that a fact of its queue, or of a copy in a listener, is about.
  std::optional<MessageId> Identify(const SeenFact& seen) const;
  Failed& Remember(const MessageId& id, Instant now);
  void Conclude(Failed& message, bool Failed::*how);
  // What its producer said may have come since the message failed.
  void Refresh(Failed& message, const MessageId& id) const;
  void OnDelivered(const SeenFact& seen);
  void OnFinished(const SeenFact& seen);
  void FinishOpen(const MessageId& id);
  void OnSettled(const SeenFact& seen);
  void OnExpired(const SeenFact& seen);
  void OnDropped(const SeenFact& seen);
  void OnCopyDelivered(const SeenFact& seen);
  void OnCopyStored(const SeenFact& seen);
  void EndWait(Failed& message, const SeenFact& seen);

  const Subjects& subjects_;
  Window window_;
  DeliveryMeasure& delivery_;
  Audit& audit_;
  std::vector<GroupResult> groups_;
  absl::btree_map<MessageId, Failed> messages_;
  int64_t open_ = 0;                             // Of these.
  absl::flat_hash_map<CopyPlace, Copy> copies_;  // In listeners.
  // Of the DELIVERED before.
  CopyPlace last_delivered_{kNoSubject, 0, 0};
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_RETRYING_H_
