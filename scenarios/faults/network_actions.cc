#include "scenarios/faults/network_actions.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/base/ratio.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/schema/rule.pb.h"
#include "sim/host/host.h"
#include "sim/host/world.h"

namespace groupsim {
namespace {

std::vector<HostTransport*> TransportsAt(const Sides::Places& places,
                                         Cast& cast) {
  std::vector<HostTransport*> transports;
  for (const std::string& place : places) {
    for (Host* host : cast.HostsAt(place)) {
      transports.push_back(&host->transport());
    }
  }
  return transports;
}

std::vector<HostTransport*> EverybodyBut(
    const std::vector<HostTransport*>& some, Cast& cast) {
  const absl::flat_hash_set<HostTransport*> left_out(some.begin(), some.end());
  std::vector<HostTransport*> others;
  for (Host& host : cast.world().hosts()) {
    if (!left_out.contains(&host.transport())) {
      others.push_back(&host.transport());
    }
  }
  return others;
}

template <class Message>
Sides SidesOf(const Message& message, Cast& cast) {
  return Sides(message.from(), message.to(), cast);
}

}  // namespace

std::unique_ptr<TimelineAction> MakeNetworkAction(const schema::Event& event,
                                                  Cast& cast) {
  switch (event.action_case()) {
    case schema::Event::kPartition: {
      const schema::Partition& from = event.partition();
      return std::make_unique<PartitionAction>(SidesOf(from, cast),
                                               from.one_way());
    }
    case schema::Event::kHeal: {
      const schema::Heal& from = event.heal();
      const bool all = from.from().empty() && from.to().empty();
      return std::make_unique<HealAction>(SidesOf(from, cast), all);
    }
    case schema::Event::kLinkChange: {
      const schema::LinkChange& from = event.link_change();
      absl::StatusOr<Distribution> latency =
          MakeDistribution(from.latency(), FieldRule::DURATION);
      CHECK(latency.ok()) << latency.status().ToString();
      return std::make_unique<LinkChangeAction>(
          SidesOf(from, cast), from.one_way(), *std::move(latency));
    }
    case schema::Event::kLoss: {
      const schema::Loss& from = event.loss();
      return std::make_unique<LossAction>(SidesOf(from, cast), from.one_way(),
                                          from.per_mille());
    }
    case schema::Event::kDrop: {
      const schema::RequestDrop& from = event.drop();
      std::vector<RequestCode> codes;
      for (const std::string& request : from.request()) {
        codes.push_back(RequestCodeOf(request));
      }
      return std::make_unique<RequestDropAction>(
          SidesOf(from, cast), std::move(codes),
          from.has_per_mille() ? from.per_mille() : 1'000);
    }
    case schema::Event::kConnectionReset:
      return std::make_unique<ConnectionResetAction>(
          SidesOf(event.connection_reset(), cast));
    case schema::Event::kHalfOpen:
      return std::make_unique<HalfOpenAction>(SidesOf(event.half_open(), cast));
    default:
      return nullptr;
  }
}

void SetLinks(const schema::Network& network, Cast& cast) {
  for (const schema::Link& link : network.link()) {
    if (link.has_latency()) {
      absl::StatusOr<Distribution> latency =
          MakeDistribution(link.latency(), FieldRule::DURATION);
      CHECK(latency.ok()) << latency.status().ToString();
      LinkChangeAction(SidesOf(link, cast), link.one_way(), *std::move(latency))
          .Apply();
    }
    if (link.has_loss_per_mille()) {
      LossAction(SidesOf(link, cast), link.one_way(), link.loss_per_mille())
          .Apply();
    }
  }
}

// ---- Sides

Sides::Sides(const Places& from, const Places& to, Cast& cast)
    : network_(cast.world().network()),
      from_text_(from.empty() ? "everybody" : absl::StrJoin(from, ", ")),
      to_text_(to.empty() ? "everybody else" : absl::StrJoin(to, ", ")) {
  from_ = from.empty() ? EverybodyBut({}, cast) : TransportsAt(from, cast);
  if (!to.empty()) {
    to_ = TransportsAt(to, cast);
  } else {
    to_ = EverybodyBut(from.empty() ? std::vector<HostTransport*>() : from_,
                       cast);
  }
}

int64_t Sides::Directions() const {
  const absl::flat_hash_set<const HostTransport*> from(from_.begin(),
                                                       from_.end());
  const absl::flat_hash_set<const HostTransport*> to(to_.begin(), to_.end());
  int64_t own = 0;
  for (const HostTransport* host : to) own += from.contains(host) ? 1 : 0;
  return static_cast<int64_t>(from.size() * to.size()) - own;
}

std::string Sides::Words(absl::string_view between) const {
  return absl::StrCat(from_text_, between, to_text_);
}

// ---- Disturbances

DisturbanceAction::DisturbanceAction(Sides sides, bool one_way)
    : sides_(std::move(sides)), one_way_(one_way) {}

int64_t DisturbanceAction::Apply() {
  std::vector<LinkRules::Id> before;
  before.swap(done_);
  const Network::Disturbance there = Disturb(sides_.from(), sides_.to());
  done_.push_back(there.id);
  int64_t hits = there.directions;
  if (!one_way_) {
    const Network::Disturbance back = Disturb(sides_.to(), sides_.from());
    done_.push_back(back.id);
    hits += back.directions;
  }
  // What it did before lies beneath that, and would never be taken back.
  for (const LinkRules::Id id : before) sides_.network().Undo(id);
  return hits;
}

void DisturbanceAction::Undo() {
  for (const LinkRules::Id id : done_) sides_.network().Undo(id);
  done_.clear();
}

PartitionAction::PartitionAction(Sides sides, bool one_way)
    : DisturbanceAction(std::move(sides), one_way) {}

std::string PartitionAction::Describe() const {
  return one_way() ? absl::StrCat("partition from ", sides().Words(" to "))
                   : absl::StrCat("partition of ", sides().Words(" and "));
}

Network::Disturbance PartitionAction::Disturb(Network::Hosts from,
                                              Network::Hosts to) {
  return sides().network().Cut(from, to);
}

LinkChangeAction::LinkChangeAction(Sides sides, bool one_way,
                                   Distribution latency)
    : DisturbanceAction(std::move(sides), one_way),
      latency_(std::move(latency)) {}

std::string LinkChangeAction::Describe() const {
  return one_way()
             ? absl::StrCat("change the way from ", sides().Words(" to "))
             : absl::StrCat("change the ways between ", sides().Words(" and "));
}

Network::Disturbance LinkChangeAction::Disturb(Network::Hosts from,
                                               Network::Hosts to) {
  return sides().network().ChangeLatency(from, to, latency_);
}

LossAction::LossAction(Sides sides, bool one_way, int64_t per_mille)
    : DisturbanceAction(std::move(sides), one_way), per_mille_(per_mille) {}

std::string LossAction::Describe() const {
  const std::string much = per_mille_ == 0
                               ? "lose nothing"
                               : absl::StrCat("lose ", per_mille_, " in 1000");
  return one_way() ? absl::StrCat(much, " from ", sides().Words(" to "))
                   : absl::StrCat(much, " between ", sides().Words(" and "));
}

Network::Disturbance LossAction::Disturb(Network::Hosts from,
                                         Network::Hosts to) {
  return sides().network().SetLoss(from, to, Ratio::PerMille(per_mille_));
}

// ---- The others

RequestDropAction::RequestDropAction(Sides sides,
                                     std::vector<RequestCode> codes,
                                     int64_t per_mille)
    : sides_(std::move(sides)),
      codes_(std::move(codes)),
      per_mille_(per_mille) {}

std::string RequestDropAction::Describe() const {
  const std::string kinds =
      absl::StrJoin(codes_, ", ", [](std::string* out, RequestCode code) {
        absl::StrAppend(out, NameOf(code));
      });
  const std::string share =
      per_mille_ == 1'000 ? "" : absl::StrCat(per_mille_, " in 1000 ");
  return absl::StrCat("drop ", share, kinds, " from ", sides_.Words(" to "));
}

int64_t RequestDropAction::Apply() {
  // What it did before goes on with the numbers that it has drawn.
  if (done_ == 0) {
    done_ = sides_.network().DropRequests(
        sides_.from(), sides_.to(),
        {codes_, Ratio::PerMille(per_mille_), Describe()});
  }
  return sides_.Directions();
}

void RequestDropAction::Undo() {
  sides_.network().StopDropping(std::exchange(done_, 0));
}

HealAction::HealAction(Sides sides, bool all)
    : sides_(std::move(sides)), all_(all) {}

std::string HealAction::Describe() const {
  return all_ ? "heal all partitions"
              : absl::StrCat("heal ", sides_.Words(" and "));
}

int64_t HealAction::Apply() {
  Network& network = sides_.network();
  if (all_) return network.HealAll();
  const int64_t there = network.Heal(sides_.from(), sides_.to());
  const int64_t back = network.Heal(sides_.to(), sides_.from());
  return there + back;
}

ConnectionResetAction::ConnectionResetAction(Sides sides)
    : sides_(std::move(sides)) {}

std::string ConnectionResetAction::Describe() const {
  return absl::StrCat("reset the connections between ", sides_.Words(" and "));
}

int64_t ConnectionResetAction::Apply() {
  return sides_.network().ResetConnections(sides_.from(), sides_.to());
}

HalfOpenAction::HalfOpenAction(Sides sides) : sides_(std::move(sides)) {}

std::string HalfOpenAction::Describe() const {
  return absl::StrCat("forget the connections between ", sides_.Words(" and "));
}

int64_t HalfOpenAction::Apply() {
  return sides_.network().ForgetConnections(sides_.from(), sides_.to());
}

}  // namespace groupsim
