// Random scenarios of everything that the language can say.
#ifndef GROUPSIM_TESTS_SWARM_SWARM_H_
#define GROUPSIM_TESTS_SWARM_SWARM_H_

#include <cstdint>

#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// The scenario with this number: always the same one, valid, half a minute to
// three minutes long, small enough to run in a fraction of a second.
Scenario SwarmScenario(uint64_t number);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SWARM_SWARM_H_
