// One direction between two hosts.
#ifndef GROUPSIM_SIM_NETWORK_LINK_H_
#define GROUPSIM_SIM_NETWORK_LINK_H_

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "sim/random/distribution.h"
#include "sim/random/stream.h"

namespace groupsim {

// Shared by all connections between the two, which draw from it in the order
// in which they send. Its stream is named for the hosts: other hosts do not
// move its draws.
class Link {
 public:
  Link(uint64_t seed, Name from, Name to, const Distribution& latency)
      : latency_(latency),
        stream_(StreamKey::For(seed, from.text(),
                               absl::StrCat("latency to ", to.text()))),
        fixed_(latency.draws() == 0),
        first_(Duration::Nanos(fixed_ ? latency_.Sample(stream_) : 0)) {}

  // How long the next frame travels.
  Duration NextLatency() {
    return fixed_ ? first_ : Duration::Nanos(latency_.Sample(stream_));
  }

 private:
  const Distribution latency_;
  CounterStream stream_;
  const bool fixed_;
  const Duration first_;  // Of every frame, if fixed_.
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_NETWORK_LINK_H_
