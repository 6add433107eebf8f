// Strategies of the catalogue, set up for an experiment.
#ifndef GROUPSIM_SCENARIOS_LABORATORY_STRATEGY_SETUP_H_
#define GROUPSIM_SCENARIOS_LABORATORY_STRATEGY_SETUP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/group_strategy.h"
#include "scenarios/laboratory/group_plan.h"

namespace groupsim {

// A queue that by_config gives to a member, in every topic that has it.
struct ConfiguredQueue {
  std::string member;
  QueuePlan queue;
};

// What strategies cannot learn from the group.
struct StrategySettings {
  int32_t virtual_nodes = 10;
  std::string inner = "averagely";  // Of machine_room_nearby.
  std::vector<ConfiguredQueue> configured;
};

// Rooms are those of the experiment: machine_room_nearby looks everybody up in
// it, and by_machine_room serves all rooms in which members are. by_config
// gives every member a list of its own. InvalidArgument, in words, where a
// setting is out of range.
absl::StatusOr<GroupStrategyPtr> SetUp(const StrategyEntry& strategy,
                                       const StrategySettings& settings,
                                       const NamedExperiment& experiment);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LABORATORY_STRATEGY_SETUP_H_
