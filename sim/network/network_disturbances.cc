// What goes wrong in the network: cuts, loss, resets, forgotten connections,
// and processes that do not take in what comes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "model/base/ratio.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/transport.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "sim/engine/engine.h"
#include "sim/network/connection.h"
#include "sim/network/link.h"
#include "sim/network/link_rules.h"
#include "sim/network/network.h"
#include "sim/network/segment_pool.h"

namespace groupsim {
namespace {

// Linux: TCP_RTO_MIN, TCP_TIMEOUT_INIT, TCP_RTO_MAX.
constexpr Duration kFirstWait = 200ms;
constexpr Duration kFirstWaitOfOpening = 1s;
constexpr Duration kLongestWait = 120s;
// Time-outs in a row at which it gives up: one more than tcp_retries2,
// tcp_orphan_retries and tcp_syn_retries.
constexpr int kTimeoutsOfLive = 16;
constexpr int kTimeoutsOfClosed = 9;
constexpr int kTimeoutsOfOpening = 7;

}  // namespace

// ---- Sending again

bool Network::HoldBack(uint32_t number, Side sender, uint32_t taken) {
  const ConnectionEnd& end = connections_.At(number).end(sender);
  if (end.stalled) return true;
  if (!end.forgotten && end.link->Passes()) return false;
  BeginStall(number, sender, taken);
  return true;
}

void Network::BeginStall(uint32_t number, Side sender, uint32_t taken) {
  connections_.At(number).end(sender).stalled = true;
  Stall& stall = stalls_[connections_.IdOf(number, sender)];
  stall.first_held = taken;
  stall.wait = IsOpening(number, stall) ? kFirstWaitOfOpening : kFirstWait;
  ArmRetransmission(number, sender, stall);
}

void Network::ArmRetransmission(uint32_t number, Side sender, Stall& stall) {
  Retransmission event;
  event.connection = number;
  event.sender = sender;
  stall.timer = engine_.After(stall.wait, retransmission_, event,
                              connections_.IdOf(number, sender));
}

bool Network::IsOpening(uint32_t number, const Stall& stall) {
  switch (segments_.At(stall.first_held).kind) {
    case Segment::Kind::kSyn:
    case Segment::Kind::kSynAck:
      return true;
    case Segment::Kind::kReset:  // A refusal, or an answer to later segments.
      return connections_.At(number).end(Side::kOpener).state ==
             State::kConnecting;
    default:
      return false;
  }
}

int Network::TimeoutLimit(uint32_t number, Side sender, const Stall& stall) {
  if (IsOpening(number, stall)) return kTimeoutsOfOpening;
  // A reset is sent again as often as what it answers.
  if (segments_.At(stall.first_held).kind == Segment::Kind::kReset) {
    return kTimeoutsOfLive;
  }
  return connections_.At(number).end(sender).live() ? kTimeoutsOfLive
                                                    : kTimeoutsOfClosed;
}

void Network::OnRetransmission(const Retransmission& event) {
  const uint32_t number = event.connection;
  const Side sender = event.sender;
  Stall& stall = stalls_.at(connections_.IdOf(number, sender));
  ++stall.timeouts;
  if (stall.timeouts >= TimeoutLimit(number, sender, stall)) {
    GiveUp(number, sender);
    return;
  }
  const ConnectionEnd& end = connections_.At(number).end(sender);
  if (!end.forgotten && end.link->Passes()) {
    EndStall(number, sender);
    return;
  }
  stall.wait = std::min(stall.wait * 2, kLongestWait);
  ArmRetransmission(number, sender, stall);
}

void Network::EndStall(uint32_t number, Side sender) {
  const auto stall = stalls_.find(connections_.IdOf(number, sender));
  uint32_t taken = stall->second.first_held;
  stalls_.erase(stall);
  ConnectionEnd& end = connections_.At(number).end(sender);
  end.stalled = false;
  Depart(number, sender, segments_.At(taken).latency);
  for (taken = segments_.At(taken).next; taken != 0;
       taken = segments_.At(taken).next) {
    if (!end.link->Passes()) {
      BeginStall(number, sender, taken);
      return;
    }
    Depart(number, sender, segments_.At(taken).latency);
  }
}

void Network::DropHeld(uint32_t number, Side sender) {
  const auto stall = stalls_.find(connections_.IdOf(number, sender));
  if (stall == stalls_.end()) return;
  engine_.Cancel(stall->second.timer);
  uint32_t taken = stall->second.first_held;
  stalls_.erase(stall);
  ConnectionEnd& end = connections_.At(number).end(sender);
  end.stalled = false;

  // What left before stays.
  if (end.first_sent == taken) {
    end.first_sent = end.last_sent = 0;
  } else {
    uint32_t before = end.first_sent;
    while (segments_.At(before).next != taken) {
      before = segments_.At(before).next;
    }
    segments_.At(before).next = 0;
    end.last_sent = before;
  }
  while (taken != 0) {
    const uint32_t next = segments_.At(taken).next;
    segments_.At(taken).frame = Frame();
    segments_.Free(taken);
    taken = next;
  }
}

void Network::GiveUp(uint32_t number, Side sender) {
  const ConnectionId id = connections_.IdOf(number, sender);
  const Segment::Kind kind = segments_.At(stalls_.at(id).first_held).kind;
  DropHeld(number, sender);
  ConnectionEnd& end = connections_.At(number).end(sender);
  if (end.state == State::kClosed) end.state = State::kSilent;
  TellBroken(id);
  // Both wait for an answer to the other one's segment.
  if (kind == Segment::Kind::kSynAck || kind == Segment::Kind::kReset) {
    TellBroken(id ^ 1);
  }
  if (connections_.Find(id) != nullptr) connections_.ReleaseIfOver(number);
}

void Network::TellBroken(ConnectionId id) {
  Connection* connection = connections_.Find(id);
  if (connection == nullptr) return;
  ConnectionEnd& end = connection->end(ConnectionTable::SideOf(id));
  if (!end.live()) return;
  if (end.host->gate_.closed()) {
    end.host->gate_.Hold(breaks_, id);
  } else {
    Break(id);
  }
}

void Network::Break(ConnectionId id) {
  Connection* connection = connections_.Find(id);
  if (connection == nullptr) return;
  const Side side = ConnectionTable::SideOf(id);
  ConnectionEnd& end = connection->end(side);
  if (!end.live()) return;
  const uint32_t number = ConnectionTable::NumberOf(id);
  const bool opening = end.state == State::kConnecting;
  const CloseReason reason =
      opening ? CloseReason::kTimeout : CloseReason::kUnacknowledged;
  ConnectionListener* listener = end.listener;
  MarkClosed(number, side, reason);
  if (!opening) end.state = State::kSilent;
  listener->OnClosed(id, reason);
  connections_.ReleaseIfOver(number);
}

// ---- Paused processes

void Network::Arrivals::OnReleased(uint64_t id) {
  Arrival arrival;
  arrival.connection = ConnectionTable::NumberOf(id);
  arrival.sender = ConnectionTable::SideOf(id);
  network.Deliver(arrival);
}

bool Network::HoldArrival(const Arrival& arrival) {
  const uint32_t number = arrival.connection;
  const Side side = OtherSide(arrival.sender);
  Connection& connection = connections_.At(number);
  ConnectionEnd& receiver = connection.end(side);
  HostTransport& host = *receiver.host;
  Segment& segment = segments_.At(connection.end(arrival.sender).first_sent);
  if (segment.kind == Segment::Kind::kSyn) {
    const auto found = host.listeners_.find(connection.address);
    if (found == host.listeners_.end()) return false;
    segment.kind = Segment::Kind::kGranted;
    receiver.state = State::kOpen;
    receiver.listener = found->second;
    host.live_.insert(connections_.IdOf(number, side));
    Post(number, side, Segment::Kind::kSynAck);
  } else if (!receiver.live()) {
    return false;
  }
  host.gate_.Hold(arrivals_, connections_.IdOf(number, arrival.sender));
  return true;
}

// ---- Rules for directions

LinkScope Network::ScopeOf(Hosts from, Hosts to) {
  const auto numbers_of = [](Hosts hosts) {
    std::vector<size_t> numbers;
    for (const HostTransport* host : hosts) numbers.push_back(host->number_);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  };
  LinkScope scope;
  scope.from = numbers_of(from);
  scope.to = numbers_of(to);
  return scope;
}

Network::Disturbance Network::Cut(Hosts from, Hosts to) {
  return AddRule({ScopeOf(from, to), LinkCut{true}});
}

int64_t Network::Heal(Hosts from, Hosts to) {
  const LinkScope scope = ScopeOf(from, to);
  const std::vector<LinkState> before = StatesOf(scope);
  rules_.Replace({scope, LinkCut{false}});
  return Refresh(scope, before);
}

int64_t Network::HealAll() {
  int64_t healed = 0;
  for (const LinkRules::Id id : rules_.Cuts()) healed += Undo(id);
  return healed;
}

Network::Disturbance Network::ChangeLatency(Hosts from, Hosts to,
                                            const Distribution& latency) {
  return AddRule({ScopeOf(from, to), latency});
}

Network::Disturbance Network::SetLoss(Hosts from, Hosts to, Ratio loss) {
  CHECK(loss.numerator >= 0 && loss.numerator <= loss.denominator);
  return AddRule({ScopeOf(from, to), loss});
}

Network::Disturbance Network::AddRule(LinkRules::Rule rule) {
  const LinkScope scope = rule.scope;
  const std::vector<LinkState> before = StatesOf(scope);
  Disturbance disturbance;
  disturbance.id = rules_.Add(std::move(rule));
  disturbance.directions = Refresh(scope, before);
  return disturbance;
}

int64_t Network::Undo(LinkRules::Id id) {
  const LinkRules::Rule* rule = rules_.Find(id);
  if (rule == nullptr) return 0;
  const LinkScope scope = rule->scope;
  const std::vector<LinkState> before = StatesOf(scope);
  rules_.Remove(id);
  return Refresh(scope, before);
}

std::vector<LinkState> Network::StatesOf(const LinkScope& scope) const {
  std::vector<LinkState> states;
  states.reserve(scope.from.size() * scope.to.size());
  for (const size_t from : scope.from) {
    for (const size_t to : scope.to) {
      states.push_back(rules_.StateOf(from, to));
      states.back().latency = nullptr;  // It may die before the state does.
    }
  }
  return states;
}

int64_t Network::Refresh(const LinkScope& scope,
                         const std::vector<LinkState>& before) {
  for (Link& link : links_) {
    const Link::Ends& ends = link.ends();
    if (!scope.Contains(ends.from_number, ends.to_number)) continue;
    link.SetState(rules_.StateOf(ends.from_number, ends.to_number));
  }

  struct Peers {
    size_t last = 0;
    int64_t count = 0;
  };
  const std::vector<LinkState> after = StatesOf(scope);
  size_t place = 0;
  int64_t changed = 0;
  for (const size_t from : scope.from) {
    Peers cut;
    Peers healed;
    Peers other;
    for (const size_t to : scope.to) {
      const LinkState& then = before[place];
      const LinkState& now = after[place];
      ++place;
      if (then == now) continue;
      Peers& peers = then.cut == now.cut ? other : now.cut ? cut : healed;
      peers.last = to;
      ++peers.count;
      ++changed;
    }
    EmitForPeers(FactKind::LINK_CUT, from, cut.last, cut.count);
    EmitForPeers(FactKind::LINK_HEALED, from, healed.last, healed.count);
    EmitForPeers(FactKind::LINK_CHANGED, from, other.last, other.count);
  }
  return changed;
}

void Network::EmitForPeers(FactKind kind, size_t host, size_t peer,
                           int64_t peers) {
  if (peers == 0) return;
  Fact fact;
  fact.kind = kind;
  fact.host = hosts_[host].host_.name.id();
  fact.count = peers;
  if (peers == 1) fact.value = hosts_[peer].host_.name.id();
  facts_.Emit(fact);
}

// ---- Requests

Network::DropId Network::DropRequests(Hosts from, Hosts to, RequestDrop drop) {
  CHECK(drop.share.numerator > 0 &&
        drop.share.numerator <= drop.share.denominator);
  drops_.push_back({++last_drop_, ScopeOf(from, to), std::move(drop), {}});
  return last_drop_;
}

void Network::StopDropping(DropId id) {
  std::erase_if(drops_, [id](const Drop& drop) { return drop.id == id; });
}

bool Network::Draw(Drop& drop, const Link::Ends& ends) const {
  const Ratio& share = drop.what.share;
  if (share.numerator == share.denominator) return true;
  const auto key = std::pair(ends.from_number, ends.to_number);
  auto draws = drop.draws.find(key);
  if (draws == drop.draws.end()) {
    draws = drop.draws
                .emplace(key, CounterStream(StreamKey::For(
                                  seed_, ends.from.text(),
                                  absl::StrCat("requests to ", ends.to.text(),
                                               ", ", drop.what.purpose))))
                .first;
  }
  return draws->second.Below(static_cast<uint64_t>(share.denominator)) <
         static_cast<uint64_t>(share.numerator);
}

bool Network::Drops(const ConnectionEnd& end, const Frame& frame) {
  const auto* request = std::get_if<Request>(&frame.content);
  if (request == nullptr || end.link == nullptr) return false;
  const Link::Ends& ends = end.link->ends();
  bool dropped = false;
  for (Drop& drop : drops_) {
    const std::vector<RequestCode>& codes = drop.what.codes;
    if (std::find(codes.begin(), codes.end(), request->code) != codes.end() &&
        drop.scope.Contains(ends.from_number, ends.to_number)) {
      dropped |= Draw(drop, ends);  // Each draws, whatever the others do.
    }
  }
  return dropped;
}

// ---- Connections

std::vector<uint32_t> Network::ConnectionsBetween(Hosts a, Hosts b) {
  const LinkScope scope = ScopeOf(a, b);
  absl::btree_set<ConnectionId> openers;  // By the id of their opener's end.
  for (const Hosts hosts : {a, b}) {
    for (const HostTransport* host : hosts) {
      for (const ConnectionId id : host->live_) {
        const Side side = ConnectionTable::SideOf(id);
        const HostTransport* peer =
            connections_.Find(id)->end(OtherSide(side)).host;
        if (peer == nullptr) continue;
        if (scope.Contains(host->number_, peer->number_) ||
            scope.Contains(peer->number_, host->number_)) {
          openers.insert(side == Side::kOpener ? id : id ^ 1);
        }
      }
    }
  }
  std::vector<uint32_t> numbers;
  for (const ConnectionId id : openers) {
    numbers.push_back(ConnectionTable::NumberOf(id));
  }
  return numbers;
}

int64_t Network::ResetConnections(Hosts a, Hosts b) {
  int64_t hits = 0;
  for (const uint32_t number : ConnectionsBetween(a, b)) {
    Connection& connection = connections_.At(number);
    // Nobody on the way knows of it yet.
    if (connection.end(Side::kAcceptor).state == State::kAbsent) continue;
    ++hits;
    for (const Side sender : {Side::kOpener, Side::kAcceptor}) {
      DropHeld(number, sender);
      ConnectionEnd& end = connection.end(sender);
      Append(end, Segment::Kind::kReset);
      Depart(number, sender, end.link->NextLatency());
    }
  }
  return hits;
}

int64_t Network::ForgetConnections(Hosts a, Hosts b) {
  int64_t hits = 0;
  for (const uint32_t number : ConnectionsBetween(a, b)) {
    Connection& connection = connections_.At(number);
    const bool known = connection.end(Side::kOpener).state == State::kOpen &&
                       connection.end(Side::kAcceptor).state == State::kOpen &&
                       !connection.end(Side::kOpener).forgotten;
    if (!known) continue;
    ++hits;
    for (const Side side : {Side::kOpener, Side::kAcceptor}) {
      connection.end(side).forgotten = true;
      Emit(FactKind::CONNECTION_FORGOTTEN, connection, side, 0);
    }
  }
  return hits;
}

}  // namespace groupsim
