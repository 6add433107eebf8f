// The network between the hosts of a world.
//
//   Network network(engine, trace, seed);
//   HostTransport& broker = network.AddHost({name, room, {address}});
//   // Hand `broker` to the process, as its Transport.
//
// Connections behave as TCP's do, seen from the processes. Opening takes one
// round trip: the acceptor hears of it after half of it, the opener after all.
// It is refused, after a round trip, where the host is up and nobody listens;
// it hangs where no host has the address or the host is dark. Nothing is lost
// on the way, and what one end sends arrives in order.
//
// A process that ends closes its connections; the other ends are told after one
// latency and after all that was sent before. A host that goes dark tells
// nobody: what is sent to it disappears. Once it is up again, it answers what
// still comes in on an old connection by a reset.
#ifndef GROUPSIM_SIM_NETWORK_NETWORK_H_
#define GROUPSIM_SIM_NETWORK_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/transport.h"
#include "sim/engine/engine.h"
#include "sim/network/connection.h"
#include "sim/network/link.h"
#include "sim/network/network_settings.h"
#include "sim/network/segment_pool.h"

namespace groupsim {

class Network;

// A host as the network knows it.
struct NetworkHost {
  Name name;  // Also that of its process, in facts.
  Name room;
  std::vector<Name> addresses;  // That its process may listen at.
};

// The network as the processes of one host see it, one after the other.
class HostTransport final : public Transport {
 public:
  HostTransport(Network& network, NetworkHost host, size_t number);

  void Listen(Name address, ConnectionListener* listener) override;
  void StopListening(Name address) override;
  ConnectionId Open(Name address, ConnectionListener* listener) override;
  void Send(ConnectionId id, Frame frame) override;
  void Close(ConnectionId id) override;

  // ---- For whoever runs the host, between turns ----

  // The process is gone: nobody listens any more, and every connection closes.
  // No listener is called again.
  void CloseAll();

  // The host is gone, with its process: as CloseAll, but nobody is told.
  void GoDark();

  // The host is back. Hosts are up from the start.
  void ComeUp() { up_ = true; }

  bool up() const { return up_; }
  const NetworkHost& host() const { return host_; }
  // Connections of which this end is open or being opened.
  size_t live_connections() const { return live_.size(); }

 private:
  friend class Network;

  Network& network_;
  const NetworkHost host_;
  const size_t number_;
  bool up_ = true;
  absl::btree_set<ConnectionId> live_;  // In order of opening.
  absl::flat_hash_map<Name, ConnectionListener*> listeners_;  // By address.
};

class Network {
 public:
  // `engine` and `facts` must outlive the network.
  Network(Engine& engine, FactSink& facts, uint64_t seed);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // Latencies from now on; before the first connection.
  void Configure(NetworkSettings settings);

  // Adds a host, whose name and addresses no other one may have. The transport
  // lives as long as the network.
  HostTransport& AddHost(NetworkHost host);

  // Frames, and other segments, that are under way.
  int64_t in_flight() const { return segments_.taken(); }
  // Connections that are not over for both ends.
  size_t connections() const { return connections_.size(); }

 private:
  friend class HostTransport;
  using State = ConnectionEnd::State;

  // Something arrives that was sent from this side.
  struct Arrival {
    uint32_t connection;
    Side sender;
  };

  ConnectionId Open(HostTransport& from, Name address,
                    ConnectionListener* listener);
  void Send(HostTransport& from, ConnectionId id, Frame&& frame);
  void Close(HostTransport& from, ConnectionId id);
  void CloseAll(HostTransport& host);
  void GoDark(HostTransport& host);

  // Sends one segment from a side; the frame goes into it afterwards.
  Segment& Post(uint32_t number, Side sender, Segment::Kind kind);
  void OnArrival(const Arrival& arrival);
  // A segment comes in at a side whose host is up: at most one call of a
  // listener, and that the last thing done. Whether its frame went there.
  bool Arrive(uint32_t number, Side side, Segment& segment);
  void Accept(uint32_t number, Connection& connection);
  // Answers for a host that vanished and came back.
  bool AnsweredByReset(uint32_t number, Side side);
  // Ends a live end because of what arrived, and tells its listener.
  void End(uint32_t number, Side side, CloseReason reason);
  // Marks a live end as ended, and says so in a fact.
  void MarkClosed(uint32_t number, Side side, CloseReason reason);

  Link* LinkBetween(const HostTransport& from, const HostTransport& to);
  const Distribution& LatencyBetween(const HostTransport& from,
                                     const HostTransport& to) const;
  // Who is at the other end, for facts and listeners.
  Name PeerOf(Connection& connection, Side side) const;
  void Emit(FactKind kind, Connection& connection, Side side, int64_t count);

  Engine& engine_;
  FactSink& facts_;
  const uint64_t seed_;
  NetworkSettings settings_;
  const EventType arrival_;

  std::deque<HostTransport> hosts_;  // Addresses stay valid as it grows.
  absl::flat_hash_map<Name, HostTransport*> by_address_;
  std::deque<Link> links_;
  absl::flat_hash_map<std::pair<size_t, size_t>, Link*> links_by_hosts_;
  ConnectionTable connections_;
  SegmentPool segments_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_NETWORK_NETWORK_H_
