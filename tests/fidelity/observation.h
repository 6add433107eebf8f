// What is observed of a simulated run, in the terms of a recording.
#ifndef GROUPSIM_TESTS_FIDELITY_OBSERVATION_H_
#define GROUPSIM_TESTS_FIDELITY_OBSERVATION_H_

#include <cstdint>

#include "scenarios/schema/scenario.pb.h"
#include "tests/fidelity/recording.h"
#include "tests/fidelity/script.h"

namespace groupsim {

// Runs the scenario that a script was made into, and looks at its facts.
Observation Observe(const Script& script, const Scenario& scenario,
                    uint64_t seed);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_OBSERVATION_H_
