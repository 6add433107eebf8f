// What the events of a timeline must be beyond the rules of their fields.
#ifndef GROUPSIM_SCENARIOS_READER_TIMELINE_MEANING_H_
#define GROUPSIM_SCENARIOS_READER_TIMELINE_MEANING_H_

#include "scenarios/reader/growth.h"
#include "scenarios/reader/judge.h"
#include "scenarios/reader/names.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Fills in the topic or group of actions that leave it out, where there is only
// one; a finding where there are several.
void CompleteTimeline(Scenario& scenario, Judge& judge);

// The scenario is complete.
void CheckTimeline(const Scenario& scenario, const Growth& growth,
                   ScenarioNames& names, Judge& judge);

// What is wrong with the expression of a subscription.
void CheckExpression(const schema::Subscription& subscription,
                     const std::string& path, Judge& judge);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_TIMELINE_MEANING_H_
