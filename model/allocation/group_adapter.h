// Turns a strategy for one client and topic into one for a whole group, and the
// other way round.
#ifndef GROUPSIM_MODEL_ALLOCATION_GROUP_ADAPTER_H_
#define GROUPSIM_MODEL_ALLOCATION_GROUP_ADAPTER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/strategy.h"

namespace groupsim {

using AllocationStrategyPtr = std::shared_ptr<const AllocationStrategy>;

// An AllocationStrategy asked for every member and topic, as clients do when
// all see the same lists: sorted queues, sorted ids of those that subscribe. A
// member's share has the topics in the order of their names, and within a topic
// the order of the strategy. Topics without queues or subscribers are passed
// over; what the strategy refuses is refused for the group.
class PerClientGroupStrategy final : public GroupStrategy {
 public:
  // Takes the name, needs and promises from here, as the strategy has none.
  PerClientGroupStrategy(std::string name, AllocationStrategyPtr strategy,
                         StrategyNeeds needs, StrategyPromises promises);

  absl::string_view name() const override { return name_; }
  StrategyNeeds needs() const override { return needs_; }
  StrategyPromises promises() const override { return promises_; }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;

 private:
  const std::string name_;
  const AllocationStrategyPtr strategy_;
  const StrategyNeeds needs_;
  const StrategyPromises promises_;
};

// A GroupStrategy that needs nothing, as each client of a group computes it for
// itself, topic by topic. A client id that occurs twice in the list counts
// once. One that needs something refuses every client, and says what it needs.
class GroupAllocation final : public AllocationStrategy {
 public:
  explicit GroupAllocation(GroupStrategyPtr strategy);

  // The name of the strategy.
  absl::string_view name() const override;
  AllocationPlanPtr Prepare(const AllocationView& view) const override;

 private:
  const GroupStrategyPtr strategy_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_GROUP_ADAPTER_H_
