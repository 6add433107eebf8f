// What is wrong with the traffic of producers beyond single values.
#ifndef GROUPSIM_SCENARIOS_READER_TRAFFIC_RULES_H_
#define GROUPSIM_SCENARIOS_READER_TRAFFIC_RULES_H_

#include "scenarios/reader/judge.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Rates by points in time, keys, tables of the latency-fault strategy, and more
// than one way of choosing a queue.
void CheckTraffic(const Scenario& scenario, Judge& judge);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_TRAFFIC_RULES_H_
