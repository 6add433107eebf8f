// Checks the allocation strategies that a scenario chooses.
#ifndef GROUPSIM_SCENARIOS_READER_STRATEGIES_H_
#define GROUPSIM_SCENARIOS_READER_STRATEGIES_H_

#include "scenarios/reader/judge.h"
#include "scenarios/reader/names.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// The settings of each strategy fit, and the scenario says what the strategy
// has to know: queues, or machine rooms. The scenario is complete.
void CheckStrategies(const Scenario& scenario, ScenarioNames& names,
                     Judge& judge);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_STRATEGIES_H_
