// Connections of the simulated network.
#ifndef GROUPSIM_SIM_NETWORK_CONNECTION_H_
#define GROUPSIM_SIM_NETWORK_CONNECTION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/runtime/transport.h"
#include "sim/network/link.h"

namespace groupsim {

class HostTransport;

// Which end of a connection: who asked for it, or who was asked.
enum class Side : uint32_t { kOpener = 0, kAcceptor = 1 };
constexpr Side OtherSide(Side side) {
  return side == Side::kOpener ? Side::kAcceptor : Side::kOpener;
}

// One end of a connection and what is on the way from it to the other end.
struct ConnectionEnd {
  enum class State : uint8_t {
    kAbsent,      // The acceptor, before it accepts.
    kConnecting,  // The opener, until it hears from the other end.
    kOpen,
    kClosed,  // The other end knows, or is being told.
    kSilent,  // Its host vanished; the other end was not told.
  };

  bool live() const {
    return state == State::kConnecting || state == State::kOpen;
  }

  State state = State::kAbsent;
  // What is sent from here waits for a retransmission (Network::Stall).
  bool stalled = false;
  // A middle box forgot the connection: nothing sent from here gets through.
  bool forgotten = false;
  HostTransport* host = nullptr;  // Null where no host has the address.
  ConnectionListener* listener = nullptr;  // While live.
  Link* link = nullptr;                    // To the other end.
  // There, of what was sent last from here.
  Instant last_arrival = Instant::FromNanos(INT64_MIN);
  uint32_t first_sent = 0;  // Segments under way to the other end, in order;
  uint32_t last_sent = 0;   // 0 for none.
};

struct Connection {
  ConnectionEnd& end(Side side) { return ends[static_cast<uint32_t>(side)]; }

  uint64_t serial = 0;  // Counts all connections; 0 while unused.
  Name address;         // That the opener asked for.
  std::array<ConnectionEnd, 2> ends;
};

// Connections by number. An id tells number, side and serial; ids of later
// connections are greater, so that they can serve as an order.
class ConnectionTable {
 public:
  static constexpr int kNumberBits = 23;
  static constexpr int kSerialBits = 64 - 1 - kNumberBits;

  static uint32_t NumberOf(ConnectionId id) {
    return static_cast<uint32_t>(id >> 1) & kNumberMask;
  }
  static Side SideOf(ConnectionId id) { return static_cast<Side>(id & 1); }

  // The id of one end of the connection at `number`.
  ConnectionId IdOf(uint32_t number, Side side) const {
    return At(number).serial << (kNumberBits + 1) |
           static_cast<uint64_t>(number) << 1 | static_cast<uint64_t>(side);
  }

  // A fresh connection.
  uint32_t Add() {
    uint32_t number = 0;
    if (unused_.empty()) {
      CHECK_LE(used_, kNumberMask);
      number = used_++;
      if (number % kBlockSize == 0) {
        blocks_.push_back(std::make_unique<Connection[]>(kBlockSize));
      }
    } else {
      number = unused_.back();
      unused_.pop_back();
    }
    ++serial_;
    CHECK(serial_ >> kSerialBits == 0) << "too many connections in a run";
    At(number).serial = serial_;
    return number;
  }

  // Its address stays valid as the table grows.
  Connection& At(uint32_t number) {
    return blocks_[number / kBlockSize][number % kBlockSize];
  }
  const Connection& At(uint32_t number) const {
    return blocks_[number / kBlockSize][number % kBlockSize];
  }

  // The connection of an id; null if it is over for both ends.
  Connection* Find(ConnectionId id) {
    const uint32_t number = NumberOf(id);
    if (number >= used_) return nullptr;
    Connection& connection = At(number);
    const bool same = connection.serial == id >> (kNumberBits + 1) && id != 0;
    return same ? &connection : nullptr;
  }

  // Forgets a connection once neither end is live and nothing is under way.
  void ReleaseIfOver(uint32_t number) {
    Connection& connection = At(number);
    if (connection.serial == 0) return;
    for (const ConnectionEnd& end : connection.ends) {
      if (end.live() || end.first_sent != 0) return;
    }
    connection = Connection();
    unused_.push_back(number);
  }

  // Connections in use.
  size_t size() const { return used_ - unused_.size(); }

 private:
  static constexpr uint32_t kNumberMask = (uint32_t{1} << kNumberBits) - 1;
  static constexpr uint32_t kBlockSize = 64;

  std::vector<std::unique_ptr<Connection[]>> blocks_;
  uint32_t used_ = 0;  // Numbers below it have been used.
  std::vector<uint32_t> unused_;
  uint64_t serial_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_NETWORK_CONNECTION_H_
