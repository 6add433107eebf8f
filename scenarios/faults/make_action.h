// From the scenario's words to events of a timeline.
#ifndef GROUPSIM_SCENARIOS_FAULTS_MAKE_ACTION_H_
#define GROUPSIM_SCENARIOS_FAULTS_MAKE_ACTION_H_

#include <memory>

#include "model/base/time.h"
#include "scenarios/faults/action.h"
#include "scenarios/faults/cast.h"
#include "scenarios/faults/timeline.h"
#include "scenarios/schema/timeline.pb.h"

namespace groupsim {

// The event is valid and `cast` complete. `end` is the end of the run.
Timeline::Plan MakePlan(const schema::Event& event, Instant end, Cast& cast);

// What an event does; never null.
std::unique_ptr<TimelineAction> MakeAction(const schema::Event& event,
                                           Cast& cast);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_MAKE_ACTION_H_
