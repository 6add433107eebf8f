// Connections between the hosts of one loop.
#ifndef GROUPSIM_TESTS_SUPPORT_LOOP_RUNTIME_LOOP_NETWORK_H_
#define GROUPSIM_TESTS_SUPPORT_LOOP_RUNTIME_LOOP_NETWORK_H_

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/runtime/transport.h"
#include "tests/support/loop_runtime/loop.h"

namespace groupsim {

class LoopNetwork;

// The network as one host sees it.
class LoopTransport final : public Transport {
 public:
  LoopTransport(LoopNetwork& network, Name host, std::vector<Name> addresses);

  void Listen(Name address, ConnectionListener* listener) override;
  void StopListening(Name address) override;
  ConnectionId Open(Name address, ConnectionListener* listener) override;
  void Send(ConnectionId id, Frame frame) override;
  void Close(ConnectionId id) override;

  // The process is gone; its peers are told, its listeners are not.
  void CloseAll();
  // The host is gone; nobody is told.
  void GoDark();
  void ComeUp() { up_ = true; }

 private:
  friend class LoopNetwork;

  LoopNetwork& network_;
  const Name host_;
  const std::vector<Name> addresses_;
  bool up_ = true;
  std::map<uint32_t, ConnectionListener*> listeners_;  // By id of the address.
};

// Everything sent takes `latency`; order is kept.
class LoopNetwork {
 public:
  LoopNetwork(Loop& loop, Duration latency) : loop_(loop), latency_(latency) {}

  LoopTransport& AddHost(Name host, std::vector<Name> addresses);

 private:
  friend class LoopTransport;

  enum class State { kAbsent, kConnecting, kOpen, kEnded, kSilent };
  struct End {
    State state = State::kAbsent;
    LoopTransport* host = nullptr;
    ConnectionListener* listener = nullptr;
  };
  // Its ends have the ids 2 n + 2 (the opener) and 2 n + 3, n its number.
  struct Connection {
    Name address;
    std::array<End, 2> ends;
  };

  static ConnectionId IdOf(size_t number, int side) {
    return 2 * number + 2 + static_cast<uint64_t>(side);
  }
  // The live end with this id, if it is one of `host`.
  End* Find(ConnectionId id, const LoopTransport& host);
  LoopTransport* HostOf(Name address);
  void Open(size_t number);
  void Deliver(ConnectionId to, Frame frame);
  // Tells an end that is still live that the connection ended.
  void Finish(ConnectionId id, CloseReason reason);
  void Later(absl::AnyInvocable<void()> event) {
    loop_.At(loop_.Now() + latency_, std::move(event));
  }

  Loop& loop_;
  const Duration latency_;
  std::deque<LoopTransport> hosts_;
  std::deque<Connection> connections_;  // All that there ever were.
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SUPPORT_LOOP_RUNTIME_LOOP_NETWORK_H_
