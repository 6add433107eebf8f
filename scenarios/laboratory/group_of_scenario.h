// A scenario's group for the laboratory.
#ifndef GROUPSIM_SCENARIOS_LABORATORY_GROUP_OF_SCENARIO_H_
#define GROUPSIM_SCENARIOS_LABORATORY_GROUP_OF_SCENARIO_H_

#include "absl/status/statusor.h"
#include "model/allocation/catalogue.h"
#include "scenarios/laboratory/group_plan.h"
#include "scenarios/laboratory/strategy_setup.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// A group as a run has it once all its first consumers are there.
struct ScenarioGroup {
  GroupPlan plan;  // Without changes.
  // Topic by topic; with the lists of consumers that have by_config.
  StrategySettings settings;
  // Whether some broker and all consumers have one.
  bool has_rooms = false;
};

// The scenario is complete and valid; `group` is one of its groups.
ScenarioGroup GroupOfScenario(const Scenario& scenario,
                              const schema::Group& group);

// The one strategy that the group's consumers run; its settings are added to
// `settings`. InvalidArgument, in words, if they run several.
absl::StatusOr<const StrategyEntry*> OwnStrategyOf(const Scenario& scenario,
                                                   const schema::Group& group,
                                                   StrategySettings* settings);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LABORATORY_GROUP_OF_SCENARIO_H_
