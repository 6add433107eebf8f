// What a scenario adds up to, and whether its distributions can be sampled.
#ifndef GROUPSIM_SCENARIOS_READER_TOTALS_H_
#define GROUPSIM_SCENARIOS_READER_TOTALS_H_

#include <cstdint>
#include <string>

#include "scenarios/reader/judge.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// The queues, subscribed queues and messages of a complete scenario keep the
// limits that its schema states. Consumers are counted with their names.
void CheckTotals(const Scenario& scenario, Judge& judge);

// The parameters of each distribution fit each other.
void CheckDistributions(const Scenario& scenario, Judge& judge);

// The fewest messages that are stored beforehand in any of `queues` of a
// complete topic; "" is all of them.
int64_t FewestStoredBefore(const schema::Topic& topic,
                           const std::string& queues);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_TOTALS_H_
