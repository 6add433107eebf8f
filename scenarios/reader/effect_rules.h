// Settings without effect.
#ifndef GROUPSIM_SCENARIOS_READER_EFFECT_RULES_H_
#define GROUPSIM_SCENARIOS_READER_EFFECT_RULES_H_

#include "scenarios/reader/judge.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// What is written and changes nothing, because of something else that is
// written or left out. The scenario is complete.
void CheckEffects(const Scenario& scenario, Judge& judge);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_EFFECT_RULES_H_
