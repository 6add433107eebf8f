// Rates packed into as few members as can bear them.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_WORST_FIT_PACKING_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_WORST_FIT_PACKING_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// Modified worst fit (after Landau et al.). A queue's load is its rate, a
// member's weight the rate that it can bear. How many members get queues is a
// result: the others are not needed.
//
// 1. Members who own queues, the largest total rate first, of equal ones the
//    first by id: each tries to put its queues, the smallest rate first, into a
//    member treated before it, the one with the most room of those in which the
//    queue fits, and stops at the first that fits nowhere. What is left it
//    keeps, the largest first, as far as it fits; the rest is free.
// 2. Free queues, the largest first, go to the member in use with the most room
//    in which they fit, or else open the first unused member, by id, in which
//    they fit.
// 3. A queue that fits nowhere goes to the subscriber with the most room left,
//    used or not, and overloads it.
//
// Equal rates are taken in order of queue, equal rooms in order of id.
class WorstFitPacking final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "worst_fit_packing"; }
  StrategyNeeds needs() const override {
    return {StrategyNeed::kPreviousAssignment, StrategyNeed::kLoads,
            StrategyNeed::kWeights};
  }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kByCapacity,
            .stickiness = StickinessPromise::kBestEffort};
  }
  // InvalidArgument if a topic with queues has no loads.
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_WORST_FIT_PACKING_H_
