// The name servers and brokers of a scenario, on hosts of a world.
#ifndef GROUPSIM_SCENARIOS_RUNNER_RAISE_CLUSTER_H_
#define GROUPSIM_SCENARIOS_RUNNER_RAISE_CLUSTER_H_

#include <cstdint>
#include <vector>

#include "model/base/name.h"
#include "scenarios/faults/cast.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Adds the name servers to the cast; returns their addresses.
std::vector<Name> RaiseNameServers(const Scenario& scenario, Cast& cast);

// Adds the brokers, with the topics and groups that they know of.
void RaiseBrokers(const Scenario& scenario,
                  const std::vector<Name>& name_servers, Cast& cast);

// Puts the messages and offsets of the past on the disks of the brokers, and
// tells of them. Returns how many messages each topic got.
std::vector<int64_t> StoreThePast(const Scenario& scenario, Cast& cast);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_RAISE_CLUSTER_H_
