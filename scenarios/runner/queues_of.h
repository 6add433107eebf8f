// Queues of a scenario's topics.
#ifndef GROUPSIM_SCENARIOS_RUNNER_QUEUES_OF_H_
#define GROUPSIM_SCENARIOS_RUNNER_QUEUES_OF_H_

#include <string>
#include <vector>

#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Queues of a topic that a list in the scenario's notation means, in the order
// written; for "" all that it has at the beginning.
std::vector<MessageQueue> QueuesOf(const Scenario& scenario,
                                   const Growth& growth,
                                   const std::string& topic,
                                   const std::string& queues, NameTable& names);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_QUEUES_OF_H_
