// The consumers of a scenario as a run names and numbers them.
#ifndef GROUPSIM_SCENARIOS_RUNNER_CONSUMERS_OF_H_
#define GROUPSIM_SCENARIOS_RUNNER_CONSUMERS_OF_H_

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// The address of a consumer; consumers of all groups are numbered in the order
// of declaration, with those that a block has later on. The order of addresses
// as texts is that of numbers: consumers sort each other by them.
std::string ConsumerAddress(size_t number);

// A consumer that a group has from the beginning.
struct FirstConsumer {
  std::string name;       // Of the process.
  std::string client_id;  // From its start until it is started anew.
  const schema::Consumer* block;
};

// In the order of their numbers. The scenario is complete and valid; `group` is
// one of its groups.
std::vector<FirstConsumer> FirstConsumersOf(const Scenario& scenario,
                                            const schema::Group& group);

// The client id of a consumer that joined the scenario's ones at its beginning,
// as the nth more, counted from 0.
std::string ClientIdOfJoiner(const Scenario& scenario, size_t n);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_CONSUMERS_OF_H_
