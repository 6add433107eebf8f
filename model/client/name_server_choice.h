// Which name server a client asks.
#ifndef GROUPSIM_MODEL_CLIENT_NAME_SERVER_CHOICE_H_
#define GROUPSIM_MODEL_CLIENT_NAME_SERVER_CHOICE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/runtime/random.h"

namespace groupsim {

// A server is kept as long as the channel to it is open; then the next one of a
// list that was shuffled at the start is taken, one for each attempt
// (NettyRemotingClient.updateNameServerAddressList and
// getAndCreateNameserverChannel, 5.3.3).
class NameServerChoice {
 public:
  // `servers` has at least one. The list is shuffled and its starting point
  // drawn.
  NameServerChoice(std::vector<Name> servers, RandomStream& random)
      : servers_(std::move(servers)) {
    CHECK(!servers_.empty()) << "a client without name servers";
    for (size_t i = servers_.size(); i > 1; --i) {
      const size_t j = random.Below(i);
      std::swap(servers_[i - 1], servers_[j]);
    }
    index_ = random.Below(999);
  }

  // The server for the next call. `is_active` tells whether the channel to a
  // server is open.
  template <class IsActive>
  Name Choose(IsActive is_active) {
    if (!chosen_.empty() && is_active(chosen_)) return chosen_;
    ++index_;
    chosen_ = servers_[index_ % servers_.size()];
    return chosen_;
  }

 private:
  std::vector<Name> servers_;
  uint64_t index_;
  Name chosen_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_NAME_SERVER_CHOICE_H_
