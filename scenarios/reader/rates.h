// Rates from the words of a scenario, which are valid.
#ifndef GROUPSIM_SCENARIOS_READER_RATES_H_
#define GROUPSIM_SCENARIOS_READER_RATES_H_

#include "scenarios/reader/arrivals.h"
#include "scenarios/schema/producer.pb.h"

namespace groupsim {

// Sets how many messages arrive per which time, and whether at random. Begin
// and end of the plan must be set: a ramp may last from one to the other.
void ApplyRate(const schema::Rate& rate, ArrivalPlan& plan);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_RATES_H_
