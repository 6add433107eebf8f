// Listeners from the words of a scenario, which are valid.
#ifndef GROUPSIM_SCENARIOS_WORKLOAD_FROM_SCHEMA_H_
#define GROUPSIM_SCENARIOS_WORKLOAD_FROM_SCHEMA_H_

#include <cstdint>
#include <memory>
#include <string>

#include "model/base/name.h"
#include "scenarios/schema/group.pb.h"
#include "scenarios/workload/scenario_listener.h"

namespace groupsim {

// Chances are drawn with the seed, for `drawer`: listeners of one drawer fail
// for the same messages.
struct ListenerDraws {
  std::string drawer;
  uint64_t seed = 0;
};
std::unique_ptr<ScenarioListener> MakeListener(const schema::Listener& listener,
                                               const ListenerDraws& draws,
                                               NameTable& names);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_WORKLOAD_FROM_SCHEMA_H_
