// What is observed of a simulated run, in the terms of a recording.
#ifndef GROUPSIM_TESTS_FIDELITY_OBSERVATION_H_
#define GROUPSIM_TESTS_FIDELITY_OBSERVATION_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scenarios/schema/scenario.pb.h"
#include "tests/fidelity/recording.h"

namespace groupsim {

struct Observation {
  uint64_t seed = 0;
  std::map<std::string, std::vector<std::string>> allocations;
  std::map<Quantity, double> ms;
  std::vector<StaleSubscription> stale;
};

// Runs a scenario of one topic and one group, with brokers "broker-a" and so
// on, and looks at its facts.
Observation Observe(const Scenario& scenario, uint64_t seed);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_OBSERVATION_H_
