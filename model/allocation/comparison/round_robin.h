// Kafka's round-robin assignor: queues of all topics dealt out like cards.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_ROUND_ROBIN_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_ROUND_ROBIN_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// All queues, in order of topic and queue, go one by one to the next member in
// turn that subscribes to the topic (RoundRobinAssignor). The turn is not reset
// between topics, unlike averagely by circle's: while all members subscribe to
// the same topics, sizes differ by at most one in total. With differing
// subscriptions they are not bounded. A change of membership moves nearly every
// queue. Members with a static instance id come first; topics that do not exist
// are passed over.
class RoundRobin final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "round_robin"; }
  StrategyNeeds needs() const override { return {}; }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kEvenInTotal};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_ROUND_ROBIN_H_
