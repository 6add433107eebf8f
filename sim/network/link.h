// One direction between two hosts.
#ifndef GROUPSIM_SIM_NETWORK_LINK_H_
#define GROUPSIM_SIM_NETWORK_LINK_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "model/base/name.h"
#include "model/base/ratio.h"
#include "model/base/time.h"
#include "sim/network/link_rules.h"
#include "sim/random/distribution.h"
#include "sim/random/stream.h"

namespace groupsim {

// Shared by all connections between the two, which draw from it in the order
// in which they send. Its streams are named for the hosts and for the purpose:
// other hosts do not move its draws, nor does loss move those of latency.
class Link {
 public:
  struct Ends {
    Name from;
    Name to;
    size_t from_number = 0;  // Of the hosts, in the network.
    size_t to_number = 0;
  };

  Link(uint64_t seed, const Ends& ends, const Distribution& latency)
      : seed_(seed),
        ends_(ends),
        usual_latency_(latency),
        stream_(StreamKey::For(seed, ends.from.text(),
                               absl::StrCat("latency to ", ends.to.text()))) {
    SetLatency(latency);
  }

  const Ends& ends() const { return ends_; }

  // How long the next segment travels; drawn once for each, when it is sent for
  // the first time.
  Duration NextLatency() {
    return fixed_ ? first_ : Duration::Nanos(latency_.Sample(stream_));
  }

  // Whether Passes() may say no.
  bool disturbed() const { return disturbed_; }

  // Whether what is sent now gets through; drawn for each attempt.
  bool Passes() {
    if (state_.cut) return false;
    if (state_.loss.numerator == 0) return true;
    if (!losses_.has_value()) {
      losses_.emplace(StreamKey::For(
          seed_, ends_.from.text(), absl::StrCat("loss to ", ends_.to.text())));
    }
    return losses_->Below(static_cast<uint64_t>(state_.loss.denominator)) >=
           static_cast<uint64_t>(state_.loss.numerator);
  }

  // How it is from now on.
  void SetState(const LinkState& state) {
    SetLatency(state.latency == nullptr ? usual_latency_ : *state.latency);
    state_ = state;
    state_.latency = nullptr;
    disturbed_ = state.cut || state.loss.numerator != 0;
  }

 private:
  void SetLatency(const Distribution& latency) {
    latency_ = latency;
    fixed_ = latency.draws() == 0;
    first_ = Duration::Nanos(fixed_ ? latency_.Sample(stream_) : 0);
  }

  const uint64_t seed_;
  const Ends ends_;
  const Distribution usual_latency_;
  Distribution latency_;
  CounterStream stream_;
  bool fixed_ = false;
  bool disturbed_ = false;
  Duration first_;  // Of every segment, if fixed_.
  LinkState state_;
  std::optional<CounterStream> losses_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_NETWORK_LINK_H_
