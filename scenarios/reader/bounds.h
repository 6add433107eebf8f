// Checks the expectations of a scenario.
#ifndef GROUPSIM_SCENARIOS_READER_BOUNDS_H_
#define GROUPSIM_SCENARIOS_READER_BOUNDS_H_

#include "scenarios/reader/judge.h"
#include "scenarios/reader/names.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Each has a bound, its bounds and its window make sense, and it is asked of
// something that it can be asked of; its metric and its queues exist. The
// scenario is complete.
void CheckExpectations(const Scenario& scenario, ScenarioNames& names,
                       Judge& judge);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_BOUNDS_H_
