// How long frames travel.
#ifndef GROUPSIM_SIM_NETWORK_NETWORK_SETTINGS_H_
#define GROUPSIM_SIM_NETWORK_NETWORK_SETTINGS_H_

#include <vector>

#include "model/base/name.h"
#include "sim/random/distribution.h"

namespace groupsim {

// The latency from one machine room to another, in that direction only; both
// rooms may be the same one. In nanoseconds.
struct RoomLink {
  Name from;
  Name to;
  Distribution latency;
};

// One-way latencies in nanoseconds, by where the two ends stand. Rooms are
// names; hosts without a room are all in one, the nameless.
struct NetworkSettings {
  Distribution loopback = Distribution::Constant(20'000).value();
  Distribution same_room = Distribution::Constant(250'000).value();
  Distribution cross_room = Distribution::Constant(1'000'000).value();
  // Go before the three above, except for loopback. One per pair and direction.
  std::vector<RoomLink> links;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_NETWORK_NETWORK_SETTINGS_H_
