// Lags evened out: the largest first, each to whoever has least.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_LARGEST_LAG_FIRST_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_LARGEST_LAG_FIRST_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// Queues of all topics by lag, the largest first, each to the subscriber with
// the smallest total lag so far, of several to the one with the fewest queues,
// then the first by id (longest processing time first). While all members
// subscribe to the same topics, no member's total exceeds another's by more
// than the smallest lag that it was given. How many queues a member gets is not
// bounded. Works on a snapshot of lags: members who look at different ones
// disagree.
class LargestLagFirst final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "largest_lag_first"; }
  StrategyNeeds needs() const override { return {StrategyNeed::kLoads}; }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kByLoad};
  }
  // InvalidArgument if a topic with queues has no loads.
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_LARGEST_LAG_FIRST_H_
