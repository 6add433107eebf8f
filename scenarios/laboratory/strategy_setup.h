// Strategies of the catalogue, set up for an experiment.
#ifndef GROUPSIM_SCENARIOS_LABORATORY_STRATEGY_SETUP_H_
#define GROUPSIM_SCENARIOS_LABORATORY_STRATEGY_SETUP_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/group_adapter.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/room_resolver.h"
#include "scenarios/laboratory/group_plan.h"

namespace groupsim {

// A queue that by_config gives to a member.
struct ConfiguredQueue {
  std::string member;  // Its name.
  QueuePlan queue;
  std::string topic = {};  // Empty: in every topic that has it.
};

// What strategies cannot learn from the group.
struct StrategySettings {
  // Configured queues and the resolver of rooms are not looked at.
  StrategyParameters parameters;
  std::vector<ConfiguredQueue> configured;
  // Makes the strategy as a client has it, in place of that of the catalogue
  // and of by_config's lists. May be empty.
  std::function<absl::StatusOr<AllocationStrategyPtr>(
      std::shared_ptr<const RoomResolver>)>
      as_in_client;
  // Whether a strategy sees one topic at a time, as in RocketMQ's clients, or,
  // if it can, all at once.
  bool topic_by_topic = false;
};

// The rooms that by_machine_room serves: those set, or else all in which the
// members are; in order, each once.
std::vector<std::string> MachineRoomsOf(const StrategySettings& settings,
                                        const GroupView& view);

// Rooms are those of the experiment: machine_room_nearby looks everybody up in
// it, and by_machine_room, unless told otherwise, serves all rooms in which
// members are. by_config gives every member a list of its own. InvalidArgument,
// in words, where a setting is out of range, or where by_config names what is
// not there or one queue twice.
absl::StatusOr<GroupStrategyPtr> SetUp(const StrategyEntry& strategy,
                                       const StrategySettings& settings,
                                       const NamedExperiment& experiment);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LABORATORY_STRATEGY_SETUP_H_
