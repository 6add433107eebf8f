// Messages that were acknowledged and will never be consumed.
#ifndef GROUPSIM_SCENARIOS_MEASURE_LOSSES_H_
#define GROUPSIM_SCENARIOS_MEASURE_LOSSES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/inlined_vector.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/delivery.h"
#include "scenarios/measure/retrying.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"

namespace groupsim {

// Finds at the end of a run what nobody can have any more, and counts it in the
// measure of deliveries, dated to when that became so:
//
// - messages never delivered, neither passed by nor consumed before the run,
//   whose broker is down, whose queue may not be read, or which were deleted,
//   since then; but not those that a consumer pulled which still runs and did
//   not drop the queue;
// - messages that failed and were not finished, of which a broker kept nothing,
//   or whose only copies wait at brokers that are down.
//
// A message that no producer got acknowledged is not lost, nor is a dead
// letter.
class LossMeasure {
 public:
  // `delivery` and `retrying` outlive it.
  LossMeasure(const Subjects& subjects, Window window,
              DeliveryMeasure* delivery, RetryMeasure* retrying);

  // From here on this is the window; it begins now or later.
  void SetWindow(Window window) { window_ = window; }

  // Lives of processes, TOPIC_CHANGED, PULLED, QUEUE_DROPPED, LOG_DELETED.
  void OnFact(const SeenFact& seen);
  // The run ended, for the other measures too.
  void Finish();

 private:
  // What a consumer has pulled of a queue: all below the end.
  struct Pulled {
    GroupIndex group = kNoSubject;
    ConsumerIndex consumer = kNoSubject;
    int64_t life = 0;  // Of the consumer's: which one.
    int64_t end = 0;
  };
  // What was deleted of a queue at a time: all below the end.
  struct Deleted {
    int64_t end = 0;
    Instant since;
  };
  // By ConsumerIndex.
  struct Life {
    int64_t number = 0;
    bool runs = false;
  };

  void OnPulled(const SeenFact& seen);
  void OnDropped(const SeenFact& seen);
  void OnLife(const SeenFact& seen);
  // Below this, somebody in the group has the messages of a queue.
  int64_t HeldBelow(size_t queue, GroupIndex group) const;
  // Since when a queue cannot be read; nothing where it can.
  std::optional<Instant> GoneSince(size_t queue) const;

  const Subjects& subjects_;
  Window window_;
  DeliveryMeasure& delivery_;
  RetryMeasure& retrying_;
  // Brokers that are down, by name id, and since when.
  absl::btree_map<uint32_t, Instant> down_;
  // By QueueIndex: since when it may not be read, and who has pulled how far.
  std::vector<std::optional<Instant>> closed_;
  std::vector<absl::InlinedVector<Pulled, 1>> pulled_;
  std::vector<std::vector<Deleted>> deleted_;  // In time.
  std::vector<Life> lives_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_LOSSES_H_
