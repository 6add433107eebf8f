// What listeners that do not succeed cost a run.
#ifndef GROUPSIM_SCENARIOS_ESTIMATE_FAILING_H_
#define GROUPSIM_SCENARIOS_ESTIMATE_FAILING_H_

#include "model/broker/delay_levels.h"
#include "scenarios/reader/growth.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// On the average, of one message, within the run.
struct Failing {
  double retries = 0;       // Deliveries after the first,
  double dead_letters = 0;  // and how often it is given up.
  double rest_seconds = 0;  // For which its queue rests; only where orderly.
  double held_seconds = 0;  // By which its calls are longer.
  double stuck = 0;         // How often a call never ends.
};

// The group of a listener.
struct FailingGround {
  const Scenario* scenario = nullptr;
  const Growth* growth = nullptr;  // Of the scenario.
  const schema::Group* group = nullptr;
  double length = 0;  // Of the run, in seconds.
  // How much of the run is left when a message arrives, from least to most.
  double least_left = 0;
  double most_left = 0;
  const DelayLevels* levels = nullptr;  // Of the brokers.
};

// Of the consumers of a block. The scenario is complete and valid.
Failing FailingOf(const FailingGround& ground, const schema::Consumer& block);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_ESTIMATE_FAILING_H_
