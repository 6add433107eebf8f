// Checks what a scenario means as a whole, and completes it.
#ifndef GROUPSIM_SCENARIOS_READER_MEANING_H_
#define GROUPSIM_SCENARIOS_READER_MEANING_H_

#include "scenarios/reader/finding.h"
#include "scenarios/reader/judge.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Writes down what the scenario leaves out: seed, duration, cpus, the one
// broker and the one topic, queues and brokers of topics, names and topics of
// producers, their times, subscriptions, groups of rolling restarts. Where a
// thing cannot be guessed, that is a finding.
void CompleteScenario(Scenario& scenario, Judge& judge);

// Names are unique, references lead somewhere, bounds and times fit each other,
// the limits of the whole are kept. The scenario is complete; what its rules
// forbid is passed over, since it has been told.
void CheckMeaning(const Scenario& scenario, Judge& judge);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_MEANING_H_
