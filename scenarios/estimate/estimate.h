// What a run will cost, without running it.
#ifndef GROUPSIM_SCENARIOS_ESTIMATE_ESTIMATE_H_
#define GROUPSIM_SCENARIOS_ESTIMATE_ESTIMATE_H_

#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// About how much, by formulas that fit the scenarios of the catalog within a
// factor of two.
struct Estimate {
  double messages = 0;    // Stored beforehand and sent.
  double deliveries = 0;  // To all groups.
  double events = 0;      // Fired by the engine.
  double memory_bytes = 0;
  // Of one core of an ordinary machine, which it cannot know.
  double seconds = 0;
};

// Of a scenario that is complete and valid.
Estimate EstimateRun(const Scenario& scenario);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_ESTIMATE_ESTIMATE_H_
