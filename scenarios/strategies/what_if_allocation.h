// Strategies that need the previous assignment, as if somebody knew it.
#ifndef GROUPSIM_SCENARIOS_STRATEGIES_WHAT_IF_ALLOCATION_H_
#define GROUPSIM_SCENARIOS_STRATEGIES_WHAT_IF_ALLOCATION_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// One for all members of a group: a coordinator that costs nothing, answers at
// once and remembers, for each topic, what it assigned last. No client of
// RocketMQ has that; it answers what such a strategy would be worth.
//
// A view that it has not seen is a change, assigned from what was assigned last
// (in as many rounds as the strategy takes, with only the last one handed out);
// one that it has seen gets what it got then, so that members who look at
// different moments agree where they see the same.
//
// It changes while it is asked, so it belongs to one world.
class WhatIfAllocation final : public AllocationStrategy {
 public:
  // One whose only need is the previous assignment.
  explicit WhatIfAllocation(GroupStrategyPtr strategy);

  absl::string_view name() const override { return strategy_->name(); }
  AllocationPlanPtr Prepare(const AllocationView& view) const override;

 private:
  struct Topic {
    // By member, of the assignment made last.
    absl::flat_hash_map<Name, std::vector<MessageQueue>> owned;
    int64_t generation = 0;
    // Of every view seen: members, then queues.
    std::map<std::pair<std::vector<Name>, std::vector<MessageQueue>>,
             AllocationPlanPtr>
        plans;
  };

  AllocationPlanPtr Assign(const AllocationView& view, Topic& topic) const;

  const GroupStrategyPtr strategy_;
  mutable absl::flat_hash_map<Name, Topic> topics_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_STRATEGIES_WHAT_IF_ALLOCATION_H_
