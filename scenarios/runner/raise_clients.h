// The producers and consumers of a scenario, on hosts of a world.
#ifndef GROUPSIM_SCENARIOS_RUNNER_RAISE_CLIENTS_H_
#define GROUPSIM_SCENARIOS_RUNNER_RAISE_CLIENTS_H_

#include <memory>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "scenarios/faults/cast.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/schema/scenario.pb.h"
#include "scenarios/workload/scenario_listener.h"

namespace groupsim {

// Adds the producers and their traffic to the cast.
void RaiseProducers(const Scenario& scenario,
                    const std::vector<Name>& name_servers, Cast& cast);

// Gives the consumers that broadcast the offsets that they have before the run.
// What is stored beforehand is there.
void WriteOwnOffsets(const Scenario& scenario, Cast& cast);

// A consumer and when it starts by itself; never, if it starts only when its
// block grows, or was scaled away before.
struct ConsumerStart {
  const Cast::ConsumerPart* consumer = nullptr;
  Instant time;
};

// Adds the groups with all consumers that there may ever be. Queues, groups and
// consumers become subjects, in the order of the scenario. `listeners` must
// outlive the processes.
std::vector<ConsumerStart> RaiseGroups(
    const Scenario& scenario, const std::vector<Name>& name_servers, Cast& cast,
    Subjects& subjects,
    std::vector<std::unique_ptr<ScenarioListener>>& listeners);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_RAISE_CLIENTS_H_
