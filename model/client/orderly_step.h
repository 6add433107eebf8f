// What orderly consumption of one queue does next.
#ifndef GROUPSIM_MODEL_CLIENT_ORDERLY_STEP_H_
#define GROUPSIM_MODEL_CLIENT_ORDERLY_STEP_H_

#include <cstdint>

#include "model/base/time.h"
#include "model/client/process_queue.h"
#include "model/facts/causes.h"

namespace groupsim {

// What may be done with a queue before the next messages are taken
// (ConsumeMessageOrderlyService.ConsumeRequest.run, 5.3.3).
enum class OrderlyStep {
  kConsume,
  kDropped,      // The queue is lost: its task ends.
  kNotLocked,    // A renewal of its lock was refused.
  kLockExpired,  // Its lock was not renewed for too long.
  kYield,        // It was consumed long enough at a stretch.
};
struct OrderlyLimits {
  Duration lock_max_live_time;
  Duration max_time_consume_continuously;
};
// The first that holds, in the order dropped, not locked, lock expired, yield.
// `began_millis` is when the task got its thread. Times are wall-clock
// milliseconds.
OrderlyStep NextOrderlyStep(const ProcessQueue& queue,
                            const OrderlyLimits& limits, int64_t began_millis,
                            int64_t now_millis);

// Whether the listener asked for the queue to rest: it said so, threw or
// returned null.
bool AsksToSuspend(ConsumeStatus status);

// What becomes of the messages of a call, and whether the task goes on
// (ConsumeMessageOrderlyService.processConsumeResult).
struct OrderlyOutcome {
  enum class Taken {
    kStay,      // They stay taken until a later call commits.
    kCommit,    // Everything taken is consumed, that of earlier calls, too.
    kAgain,     // The messages of this call come again.
    kRollback,  // Everything taken comes again.
  };
  Taken taken = Taken::kStay;
  bool goes_on = true;  // Otherwise the queue rests.

  friend bool operator==(const OrderlyOutcome&,
                         const OrderlyOutcome&) = default;
};
// `again` says, where the listener asked to suspend, whether at least one of
// the messages has attempts left. With auto_commit, COMMIT and ROLLBACK are
// illegal and count as SUCCESS.
OrderlyOutcome OutcomeOf(ConsumeStatus status, bool auto_commit, bool again);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_ORDERLY_STEP_H_
