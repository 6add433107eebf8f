#include "model/client/orderly_step.h"

#include <cstdint>

namespace groupsim {

OrderlyStep NextOrderlyStep(const ProcessQueue& queue,
                            const OrderlyLimits& limits, int64_t began_millis,
                            int64_t now_millis) {
  if (queue.dropped()) return OrderlyStep::kDropped;
  if (!queue.locked()) return OrderlyStep::kNotLocked;
  if (queue.IsLockExpired(now_millis, limits.lock_max_live_time)) {
    return OrderlyStep::kLockExpired;
  }
  if (now_millis - began_millis >
      limits.max_time_consume_continuously.millis()) {
    return OrderlyStep::kYield;
  }
  return OrderlyStep::kConsume;
}

bool AsksToSuspend(ConsumeStatus status) {
  switch (status) {
    case ConsumeStatus::kReconsumeLater:
    case ConsumeStatus::kException:
    case ConsumeStatus::kNull:
      return true;
    case ConsumeStatus::kSuccess:
    case ConsumeStatus::kCommit:
    case ConsumeStatus::kRollback:
      break;
  }
  return false;
}

OrderlyOutcome OutcomeOf(ConsumeStatus status, bool auto_commit, bool again) {
  using Taken = OrderlyOutcome::Taken;
  if (AsksToSuspend(status)) {
    if (again) return {Taken::kAgain, false};
    return {auto_commit ? Taken::kCommit : Taken::kStay, true};
  }
  if (auto_commit || status == ConsumeStatus::kCommit) {
    return {Taken::kCommit, true};
  }
  if (status == ConsumeStatus::kRollback) return {Taken::kRollback, false};
  return {Taken::kStay, true};
}

}  // namespace groupsim
