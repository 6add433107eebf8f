#include "sim/network/network.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/transport.h"
#include "model/wire/command.h"
#include "sim/engine/engine.h"
#include "sim/network/connection.h"
#include "sim/network/link.h"
#include "sim/network/segment_pool.h"

namespace groupsim {

Network::Network(Engine& engine, FactSink& facts, uint64_t seed)
    : engine_(engine),
      facts_(facts),
      seed_(seed),
      arrival_(engine.Register<&Network::OnArrival>("network.arrival", this)),
      retransmission_(engine.Register<&Network::OnRetransmission>(
          "network.retransmission", this)),
      release_(PauseGate::RegisterEvent(engine)) {}

void Network::Configure(NetworkSettings settings) {
  CHECK(links_.empty()) << "the network is in use";
  settings_ = std::move(settings);
}

HostTransport& Network::AddHost(NetworkHost host) {
  for (const HostTransport& other : hosts_) {
    CHECK(other.host().name != host.name) << "two hosts named " << host.name;
  }
  HostTransport& transport =
      hosts_.emplace_back(*this, std::move(host), hosts_.size());
  for (const Name address : transport.host().addresses) {
    CHECK(!address.empty()) << "host " << transport.host().name;
    CHECK(by_address_.emplace(address, &transport).second)
        << "two hosts with the address " << address;
  }
  return transport;
}

ConnectionId Network::Open(HostTransport& from, Name address,
                           ConnectionListener* listener) {
  CHECK(listener != nullptr);
  CHECK(from.up_) << "a process runs on the dark host " << from.host_.name;
  const uint32_t number = connections_.Add();
  Connection& connection = connections_.At(number);
  const ConnectionId id = connections_.IdOf(number, Side::kOpener);
  connection.address = address;
  ConnectionEnd& opener = connection.end(Side::kOpener);
  opener.state = State::kConnecting;
  opener.host = &from;
  opener.listener = listener;
  from.live_.insert(id);
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return id;  // Hangs.

  ConnectionEnd& acceptor = connection.end(Side::kAcceptor);
  acceptor.host = found->second;
  opener.link = LinkBetween(from, *acceptor.host);
  acceptor.link = LinkBetween(*acceptor.host, from);
  Post(number, Side::kOpener, Segment::Kind::kSyn);
  return id;
}

void Network::Send(HostTransport& from, ConnectionId id, Frame&& frame) {
  Connection* connection = connections_.Find(id);
  if (connection == nullptr) return;
  const Side side = ConnectionTable::SideOf(id);
  const ConnectionEnd& end = connection->end(side);
  if (end.state != State::kOpen) return;
  CHECK(end.host == &from) << from.host_.name << " sends on a connection of "
                           << end.host->host_.name;
  if (!drops_.empty() && Drops(end, frame)) [[unlikely]] {
    Emit(FactKind::REQUEST_DROPPED, *connection, side,
         static_cast<int64_t>(std::get<Request>(frame.content).code));
    return;
  }
  Post(ConnectionTable::NumberOf(id), side, Segment::Kind::kFrame).frame =
      std::move(frame);
}

void Network::Close(HostTransport& from, ConnectionId id) {
  Connection* connection = connections_.Find(id);
  if (connection == nullptr) return;
  const Side side = ConnectionTable::SideOf(id);
  const ConnectionEnd& end = connection->end(side);
  if (!end.live()) return;
  CHECK(end.host == &from) << from.host_.name << " closes a connection of "
                           << end.host->host_.name;
  const uint32_t number = ConnectionTable::NumberOf(id);
  const bool unheard = end.state == State::kConnecting && end.stalled;
  MarkClosed(number, side, CloseReason::kLocal);
  if (unheard) {
    DropHeld(number, side);  // Nobody knows that it wanted to connect.
  } else if (end.link != nullptr) {
    Post(number, side, Segment::Kind::kFin);
  }
  connections_.ReleaseIfOver(number);
}

void Network::CloseAll(HostTransport& host) {
  host.listeners_.clear();
  const std::vector<ConnectionId> live(host.live_.begin(), host.live_.end());
  for (const ConnectionId id : live) Close(host, id);
  host.gate_.Clear();
}

void Network::GoDark(HostTransport& host) {
  host.up_ = false;
  host.listeners_.clear();
  for (const ConnectionId id : host.live_) {
    const uint32_t number = ConnectionTable::NumberOf(id);
    ConnectionEnd& end =
        connections_.At(number).end(ConnectionTable::SideOf(id));
    end.state = State::kSilent;
    end.listener = nullptr;
    connections_.ReleaseIfOver(number);
  }
  host.live_.clear();
  host.gate_.Clear();
  std::vector<ConnectionId> stalled;  // Also by processes of the past.
  for (const auto& [id, stall] : stalls_) {
    const uint32_t number = ConnectionTable::NumberOf(id);
    const Side side = ConnectionTable::SideOf(id);
    if (connections_.At(number).end(side).host == &host) stalled.push_back(id);
  }
  for (const ConnectionId id : stalled) {
    DropHeld(ConnectionTable::NumberOf(id), ConnectionTable::SideOf(id));
    connections_.ReleaseIfOver(ConnectionTable::NumberOf(id));
  }
}

Segment& Network::Post(uint32_t number, Side sender, Segment::Kind kind) {
  ConnectionEnd& end = connections_.At(number).end(sender);
  const Duration latency = end.link->NextLatency();
  const uint32_t taken = Append(end, kind);
  Segment& segment = segments_.At(taken);
  if (end.stalled || end.forgotten || end.link->disturbed()) [[unlikely]] {
    segment.latency = latency;
    if (HoldBack(number, sender, taken)) return segment;
  }
  Depart(number, sender, latency);
  return segment;
}

uint32_t Network::Append(ConnectionEnd& end, Segment::Kind kind) {
  const uint32_t taken = segments_.Take();
  Segment& segment = segments_.At(taken);
  segment.kind = kind;
  segment.next = 0;
  if (end.first_sent == 0) {
    end.first_sent = taken;
  } else {
    segments_.At(end.last_sent).next = taken;
  }
  end.last_sent = taken;
  return taken;
}

void Network::Depart(uint32_t number, Side sender, Duration latency) {
  ConnectionEnd& end = connections_.At(number).end(sender);
  // What was sent later does not arrive earlier; that of one instant is kept in
  // order by the list.
  const Instant arrives =
      CheckedAdd(engine_.now(), latency).value_or(Instant::Max());
  end.last_arrival = std::max(end.last_arrival, arrives);
  Arrival arrival;
  arrival.connection = number;
  arrival.sender = sender;
  engine_.At(end.last_arrival, arrival_, arrival,
             connections_.IdOf(number, sender));
}

void Network::OnArrival(const Arrival& arrival) {
  const ConnectionEnd& receiver =
      connections_.At(arrival.connection).end(OtherSide(arrival.sender));
  if (receiver.host->gate_.closed()) [[unlikely]] {
    if (HoldArrival(arrival)) return;
  }
  Deliver(arrival);
}

void Network::Deliver(const Arrival& arrival) {
  const uint32_t number = arrival.connection;
  const Side side = OtherSide(arrival.sender);
  ConnectionEnd& sender = connections_.At(number).end(arrival.sender);
  const uint32_t taken = sender.first_sent;
  Segment& segment = segments_.At(taken);
  sender.first_sent = segment.next;
  const bool handed_over = connections_.At(number).end(side).host->up_ &&
                           Arrive(number, side, segment);
  if (!handed_over) segment.frame = Frame();
  segments_.Free(taken);
  connections_.ReleaseIfOver(number);
}

bool Network::Arrive(uint32_t number, Side side, Segment& segment) {
  Connection& connection = connections_.At(number);
  ConnectionEnd& end = connection.end(side);
  switch (segment.kind) {
    case Segment::Kind::kSyn:
      Accept(number, connection);
      return false;
    case Segment::Kind::kSynAck:
      if (AnsweredByReset(number, side) || end.state != State::kConnecting) {
        return false;
      }
      end.state = State::kOpen;
      Emit(FactKind::CONNECTION_OPENED, connection, side, 0);
      end.listener->OnOpened(connections_.IdOf(number, side));
      return false;
    case Segment::Kind::kFrame:
      if (AnsweredByReset(number, side) || end.state != State::kOpen) {
        return false;
      }
      end.listener->OnFrame(connections_.IdOf(number, side),
                            std::move(segment.frame));
      return true;
    case Segment::Kind::kFin:
      if (end.live()) End(number, side, CloseReason::kRemote);
      return false;
    case Segment::Kind::kReset:
      if (end.stalled) DropHeld(number, side);
      if (!end.live()) return false;
      End(number, side,
          end.state == State::kConnecting ? CloseReason::kRefused
                                          : CloseReason::kReset);
      return false;
    case Segment::Kind::kGranted:
      if (!end.live()) return false;
      end.listener->OnAccepted(connections_.IdOf(number, side),
                               PeerOf(connection, side));
      return false;
  }
  CHECK(false);
  return false;
}

void Network::Accept(uint32_t number, Connection& connection) {
  ConnectionEnd& acceptor = connection.end(Side::kAcceptor);
  const auto found = acceptor.host->listeners_.find(connection.address);
  if (found == acceptor.host->listeners_.end()) {
    acceptor.state = State::kClosed;
    Post(number, Side::kAcceptor, Segment::Kind::kReset);
    return;
  }
  acceptor.state = State::kOpen;
  acceptor.listener = found->second;
  const ConnectionId id = connections_.IdOf(number, Side::kAcceptor);
  acceptor.host->live_.insert(id);
  Post(number, Side::kAcceptor, Segment::Kind::kSynAck);
  acceptor.listener->OnAccepted(id, PeerOf(connection, Side::kAcceptor));
}

bool Network::AnsweredByReset(uint32_t number, Side side) {
  if (connections_.At(number).end(side).state != State::kSilent) return false;
  Post(number, side, Segment::Kind::kReset);
  return true;
}

void Network::End(uint32_t number, Side side, CloseReason reason) {
  ConnectionListener* listener = connections_.At(number).end(side).listener;
  const ConnectionId id = connections_.IdOf(number, side);
  MarkClosed(number, side, reason);
  listener->OnClosed(id, reason);
}

void Network::MarkClosed(uint32_t number, Side side, CloseReason reason) {
  Connection& connection = connections_.At(number);
  ConnectionEnd& end = connection.end(side);
  end.state = State::kClosed;
  end.listener = nullptr;
  end.host->live_.erase(connections_.IdOf(number, side));
  Emit(FactKind::CONNECTION_CLOSED, connection, side,
       static_cast<int64_t>(reason));
}

Link* Network::LinkBetween(const HostTransport& from, const HostTransport& to) {
  Link*& link = links_by_hosts_[{from.number_, to.number_}];
  if (link == nullptr) {
    Link::Ends ends;
    ends.from = from.host_.name;
    ends.to = to.host_.name;
    ends.from_number = from.number_;
    ends.to_number = to.number_;
    link = &links_.emplace_back(seed_, ends, LatencyBetween(from, to));
    if (!rules_.empty()) {
      link->SetState(rules_.StateOf(from.number_, to.number_));
    }
  }
  return link;
}

const Distribution& Network::LatencyBetween(const HostTransport& from,
                                            const HostTransport& to) const {
  if (&from == &to) return settings_.loopback;
  for (const RoomLink& link : settings_.links) {
    if (link.from == from.host_.room && link.to == to.host_.room) {
      return link.latency;
    }
  }
  return from.host_.room == to.host_.room ? settings_.same_room
                                          : settings_.cross_room;
}

Name Network::PeerOf(Connection& connection, Side side) const {
  const HostTransport* peer = connection.end(OtherSide(side)).host;
  return peer == nullptr ? connection.address : peer->host_.name;
}

void Network::Emit(FactKind kind, Connection& connection, Side side,
                   int64_t count) {
  Fact fact;
  fact.kind = kind;
  fact.host = connection.end(side).host->host_.name.id();
  fact.count = count;
  fact.value = PeerOf(connection, side).id();
  facts_.Emit(fact);
}

HostTransport::HostTransport(Network& network, NetworkHost host, size_t number)
    : network_(network),
      host_(std::move(host)),
      number_(number),
      gate_(network.engine_, network.release_, host_.name.id()) {}

void HostTransport::Listen(Name address, ConnectionListener* listener) {
  CHECK(listener != nullptr);
  const auto found = network_.by_address_.find(address);
  CHECK(found != network_.by_address_.end() && found->second == this)
      << host_.name << " has no address " << address;
  CHECK(listeners_.emplace(address, listener).second)
      << "two listeners at " << address;
}

void HostTransport::StopListening(Name address) { listeners_.erase(address); }

ConnectionId HostTransport::Open(Name address, ConnectionListener* listener) {
  return network_.Open(*this, address, listener);
}

void HostTransport::Send(ConnectionId id, Frame frame) {
  network_.Send(*this, id, std::move(frame));
}

void HostTransport::Close(ConnectionId id) { network_.Close(*this, id); }

void HostTransport::CloseAll() { network_.CloseAll(*this); }

void HostTransport::GoDark() { network_.GoDark(*this); }

}  // namespace groupsim
