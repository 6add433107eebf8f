// The network between the hosts of a world.
//
//   Network network(engine, trace, seed);
//   HostTransport& broker = network.AddHost({name, room, {address}});
//   // Hand `broker` to the process, as its Transport.
//
// Connections behave as TCP's do, seen from the processes. Opening takes one
// round trip: the acceptor hears of it after half of it, the opener after all.
// It is refused, after a round trip, where the host is up and nobody listens;
// it hangs where no host has the address or the host is dark. What one end
// sends arrives in order.
//
// A process that ends closes its connections; the other ends are told after one
// latency and after all that was sent before. A host that goes dark tells
// nobody: what is sent to it disappears. Once it is up again, it answers what
// still comes in on an old connection by a reset.
//
// Directions between hosts can be disturbed. A segment that does not get
// through, because its direction is cut or because chance would have it, is
// sent again as Linux sends it: after 200 ms, then after twice as long each
// time, but at most 120 s; what was sent after it on the connection waits
// behind it. When it gets through at last, the others follow at once. So
// nothing is lost while a connection lives, but
//  - at the sixteenth time-out in a row, 924.6 s after the segment was first
//    sent (tcp_retries2 = 15), the sender's end is closed as kUnacknowledged;
//    of a connection closed by its process the rest is given up at the ninth,
//    after 102.2 s. The other end is not told; whatever it sends later is
//    answered by a reset.
//  - opening is tried again after 1 s, 3 s, 7 s, 15 s, 31 s and 63 s and given
//    up after 127 s as kTimeout (tcp_syn_retries = 6), whether the way there or
//    the way back is cut.
// Acknowledgements are not modelled, nor round trips in the time-out, nor fast
// retransmission: where only the way from A to B is cut, what B sends arrives
// at A as if nothing were wrong, and what A sends waits. What is on the way
// when a direction is cut has passed already.
//
// The process of a host may be paused; its host is not. Connections are granted
// for it, what comes in waits, and ends that were reset or given up meanwhile
// it hears of afterwards, all in order.
#ifndef GROUPSIM_SIM_NETWORK_NETWORK_H_
#define GROUPSIM_SIM_NETWORK_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "model/base/name.h"
#include "model/base/ratio.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/transport.h"
#include "model/wire/codes.h"
#include "sim/engine/engine.h"
#include "sim/network/connection.h"
#include "sim/network/link.h"
#include "sim/network/link_rules.h"
#include "sim/network/network_settings.h"
#include "sim/network/pause_gate.h"
#include "sim/network/segment_pool.h"
#include "sim/random/stream.h"

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
  // Closed while the process is paused. Closes of the transport clear it.
  PauseGate& gate() { return gate_; }
  const PauseGate& gate() const { return gate_; }
  const NetworkHost& host() const { return host_; }
  // Connections of which this end is open or being opened.
  size_t live_connections() const { return live_.size(); }

 private:
  friend class Network;

  Network& network_;
  const NetworkHost host_;
  const size_t number_;
  bool up_ = true;
  PauseGate gate_;
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

  // ---- Disturbances, from now on; given between turns

  using Hosts = absl::Span<HostTransport* const>;

  // What a disturbance hit, and how to take it back.
  struct Disturbance {
    LinkRules::Id id = 0;
    int64_t directions = 0;  // From one host to one other.
  };

  // Nothing gets through any more from each of `from` to each of `to`. Hits the
  // directions that were not cut.
  Disturbance Cut(Hosts from, Hosts to);
  // The directions are cut no longer, whatever cut them, until they are cut
  // anew. Returns how many were.
  int64_t Heal(Hosts from, Hosts to);
  // The same for all directions.
  int64_t HealAll();
  // The latencies of what is sent; also between hosts that share a room.
  Disturbance ChangeLatency(Hosts from, Hosts to, const Distribution& latency);
  // The share of segments that are lost, each for itself, those that are sent
  // again included; at most 1. Hits the directions that lost others.
  Disturbance SetLoss(Hosts from, Hosts to, Ratio loss);
  // Somebody on the way throws away a share of the requests with these codes,
  // each for itself, and acknowledges what he throws away: they are not sent
  // again, and their connections live on.
  struct RequestDrop {
    std::vector<RequestCode> codes;
    Ratio share;          // More than 0, at most 1.
    std::string purpose;  // Names its random numbers.
  };
  using DropId = uint64_t;  // 0 is none.
  DropId DropRequests(Hosts from, Hosts to, RequestDrop drop);
  // Ends one of these; nothing if it has ended.
  void StopDropping(DropId id);
  // Takes one of the others back: what was before, or was changed since, holds.
  // Returns how many directions that changes; those that a later one is about
  // stay as they are.
  int64_t Undo(LinkRules::Id id);

  // Somebody on the way resets all connections between each of `a` and each of
  // `b`: both ends hear of it after one latency, and after what is on the way
  // already. Returns how many connections that hits.
  int64_t ResetConnections(Hosts a, Hosts b);
  // Somebody on the way forgets the open connections between each of `a` and
  // each of `b`: nothing that is sent on them gets through any more, in either
  // direction, and nobody is told. Connections made later work. Returns how
  // many connections that hits.
  int64_t ForgetConnections(Hosts a, Hosts b);

  // Frames, and other segments, that are under way or wait to be sent again.
  int64_t in_flight() const { return segments_.taken(); }
  // Ends whose segments wait to be sent again.
  size_t stalled() const { return stalls_.size(); }
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
  // The time-out of the first segment that waits at this side.
  struct Retransmission {
    uint32_t connection;
    Side sender;
  };
  // Segments of one end that were not sent, or not with success.
  struct Stall {
    uint32_t first_held = 0;  // The others follow in the end's list.
    int timeouts = 0;         // In a row.
    Duration wait;            // The present one.
    EventHandle timer;
  };

  // Requests that are thrown away.
  struct Drop {
    DropId id = 0;
    LinkScope scope;
    RequestDrop what;
    // By direction; only where chance decides.
    absl::flat_hash_map<std::pair<size_t, size_t>, CounterStream> draws;
  };

  // What a paused process has to wait for.
  struct Arrivals final : PauseGate::Source {
    explicit Arrivals(Network& n) : network(n) {}
    void OnReleased(uint64_t id) override;
    void OnDropped(uint64_t id) override { OnReleased(id); }
    Network& network;
  };
  struct Breaks final : PauseGate::Source {
    explicit Breaks(Network& n) : network(n) {}
    void OnReleased(uint64_t id) override { network.Break(id); }
    void OnDropped(uint64_t /*id*/) override {}
    Network& network;
  };

  ConnectionId Open(HostTransport& from, Name address,
                    ConnectionListener* listener);
  void Send(HostTransport& from, ConnectionId id, Frame&& frame);
  void Close(HostTransport& from, ConnectionId id);
  void CloseAll(HostTransport& host);
  void GoDark(HostTransport& host);

  // Sends one segment from a side; the frame goes into it afterwards.
  Segment& Post(uint32_t number, Side sender, Segment::Kind kind);
  // Puts a new segment at the end of what is on the way from an end.
  uint32_t Append(ConnectionEnd& end, Segment::Kind kind);
  // A segment leaves an end now and will arrive.
  void Depart(uint32_t number, Side sender, Duration latency);
  void OnArrival(const Arrival& arrival);
  // Keeps what arrived at a paused process; false if the process has no part in
  // it.
  bool HoldArrival(const Arrival& arrival);
  void Deliver(const Arrival& arrival);
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

  // Whether a segment, the last one sent from an end, has to wait.
  bool HoldBack(uint32_t number, Side sender, uint32_t taken);
  void BeginStall(uint32_t number, Side sender, uint32_t taken);
  void ArmRetransmission(uint32_t number, Side sender, Stall& stall);
  void OnRetransmission(const Retransmission& event);
  // Whether the first segment that waits at an end belongs to the opening of
  // the connection.
  bool IsOpening(uint32_t number, const Stall& stall);
  int TimeoutLimit(uint32_t number, Side sender, const Stall& stall);
  // The first segment that waits got through.
  void EndStall(uint32_t number, Side sender);
  // Forgets what waits at an end.
  void DropHeld(uint32_t number, Side sender);
  void GiveUp(uint32_t number, Side sender);
  // Tells an end, if it is live, that TCP gave up; now, or once it can hear.
  void TellBroken(ConnectionId id);
  void Break(ConnectionId id);

  // Whether somebody throws this frame away.
  bool Drops(const ConnectionEnd& end, const Frame& frame);
  // Whether this one is thrown away, which might be.
  bool Draw(Drop& drop, const Link::Ends& ends) const;

  static LinkScope ScopeOf(Hosts from, Hosts to);
  Disturbance AddRule(LinkRules::Rule rule);
  // The directions of a scope, by `from`, then by `to`. Latencies are left out.
  std::vector<LinkState> StatesOf(const LinkScope& scope) const;
  // Has the links of a scope obey the rules, and says in facts what changed
  // since. Returns how many directions did.
  int64_t Refresh(const LinkScope& scope, const std::vector<LinkState>& before);
  void EmitForPeers(FactKind kind, size_t host, size_t peer, int64_t peers);
  // Connections between the two sets of which an end is live, in the order in
  // which they were opened.
  std::vector<uint32_t> ConnectionsBetween(Hosts a, Hosts b);

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
  const EventType retransmission_;
  const EventType release_;  // Of gates.

  std::deque<HostTransport> hosts_;  // Addresses stay valid as it grows.
  absl::flat_hash_map<Name, HostTransport*> by_address_;
  std::deque<Link> links_;
  absl::flat_hash_map<std::pair<size_t, size_t>, Link*> links_by_hosts_;
  ConnectionTable connections_;
  SegmentPool segments_;
  LinkRules rules_;
  std::vector<Drop> drops_;
  DropId last_drop_ = 0;
  absl::btree_map<ConnectionId, Stall> stalls_;  // By end.
  Arrivals arrivals_{*this};
  Breaks breaks_{*this};
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_NETWORK_NETWORK_H_
