// What a scenario's timeline makes larger while the run goes on.
//
// All that there may ever be is known beforehand: consumers and queues have
// their numbers before the run begins.
#ifndef GROUPSIM_SCENARIOS_READER_GROWTH_H_
#define GROUPSIM_SCENARIOS_READER_GROWTH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// How often an event takes place at most. Of times that cannot be read, 1.
int64_t MostTimes(const schema::Event& event, const Scenario& scenario);

// The most consumers that a block ever has.
int32_t LargestCount(const schema::Consumer& block, const Scenario& scenario);

// The names of all these consumers, also of those that start later.
std::vector<std::string> AllNamesOf(const schema::Consumer& block,
                                    const Scenario& scenario);

// The queues that a topic has on a broker at most, 0 to the result - 1. The
// topic has its number of queues.
int64_t MostQueues(const schema::Topic& topic, const std::string& broker,
                   const Scenario& scenario);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_GROWTH_H_
