// What goes wrong between processes: partitions, slow and lossy links, middle
// boxes that reset or forget connections.
#ifndef GROUPSIM_SCENARIOS_FAULTS_NETWORK_ACTIONS_H_
#define GROUPSIM_SCENARIOS_FAULTS_NETWORK_ACTIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "model/base/ratio.h"
#include "model/wire/codes.h"
#include "scenarios/faults/action.h"
#include "scenarios/faults/cast.h"
#include "scenarios/schema/cluster.pb.h"
#include "scenarios/schema/timeline.pb.h"
#include "sim/network/network.h"
#include "sim/random/distribution.h"

namespace groupsim {

// The action of an event if it is one of this room, else null.
std::unique_ptr<TimelineAction> MakeNetworkAction(const schema::Event& event,
                                                  Cast& cast);

// Has the network's links be as the scenario declares them, from now on and
// beneath what the timeline changes; of those about one direction the last one
// counts.
void SetLinks(const schema::Network& network, Cast& cast);

// Two sides of the network.
class Sides {
 public:
  using Places = google::protobuf::RepeatedPtrField<std::string>;

  // By names of places; `to` without any is everybody who is not at `from`, and
  // `from` without any is everybody.
  Sides(const Places& from, const Places& to, Cast& cast);

  Network& network() const { return network_; }
  const std::vector<HostTransport*>& from() const { return from_; }
  const std::vector<HostTransport*>& to() const { return to_; }

  // How many there are from a host of the first side to one of the second.
  int64_t Directions() const;

  // "from pod-1, pod-2 to broker-a", or with another word for "to".
  std::string Words(absl::string_view between) const;

 private:
  Network& network_;
  std::vector<HostTransport*> from_;
  std::vector<HostTransport*> to_;
  std::string from_text_;
  std::string to_text_;
};

// Disturbs the ways between two sides, or only those from the first one.
class DisturbanceAction : public TimelineAction {
 public:
  // Hits the directions between two hosts for which it is a change.
  int64_t Apply() final;
  void Undo() final;

 protected:
  DisturbanceAction(Sides sides, bool one_way);

  const Sides& sides() const { return sides_; }
  bool one_way() const { return one_way_; }

 private:
  virtual Network::Disturbance Disturb(Network::Hosts from,
                                       Network::Hosts to) = 0;

  const Sides sides_;
  const bool one_way_;
  std::vector<LinkRules::Id> done_;  // By the last Apply.
};

// Nothing gets through any more.
class PartitionAction final : public DisturbanceAction {
 public:
  PartitionAction(Sides sides, bool one_way);
  std::string Describe() const override;

 private:
  Network::Disturbance Disturb(Network::Hosts from, Network::Hosts to) override;
};

// The time on the way is another.
class LinkChangeAction final : public DisturbanceAction {
 public:
  // `latency` in nanoseconds.
  LinkChangeAction(Sides sides, bool one_way, Distribution latency);
  std::string Describe() const override;

 private:
  Network::Disturbance Disturb(Network::Hosts from, Network::Hosts to) override;

  const Distribution latency_;
};

// Packets get lost.
class LossAction final : public DisturbanceAction {
 public:
  LossAction(Sides sides, bool one_way, int64_t per_mille);
  std::string Describe() const override;

 private:
  Network::Disturbance Disturb(Network::Hosts from, Network::Hosts to) override;

  const int64_t per_mille_;
};

// Requests of some kinds are thrown away on their way from the first side to
// the second. Hits these directions.
class RequestDropAction final : public TimelineAction {
 public:
  RequestDropAction(Sides sides, std::vector<RequestCode> codes,
                    int64_t per_mille);
  std::string Describe() const override;
  int64_t Apply() override;
  void Undo() override;

 private:
  const Sides sides_;
  const std::vector<RequestCode> codes_;
  const int64_t per_mille_;
  Network::DropId done_ = 0;  // What it does now.
};

// Ends partitions, between two sides or all. Hits directions that were cut.
class HealAction final : public TimelineAction {
 public:
  HealAction(Sides sides, bool all);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const Sides sides_;
  const bool all_;
};

// Resets the connections between two sides, which it hits.
class ConnectionResetAction final : public TimelineAction {
 public:
  explicit ConnectionResetAction(Sides sides);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const Sides sides_;
};

// Leaves the open connections between two sides half open: what is sent on them
// disappears. Hits those that did work.
class HalfOpenAction final : public TimelineAction {
 public:
  explicit HalfOpenAction(Sides sides);
  std::string Describe() const override;
  int64_t Apply() override;

 private:
  const Sides sides_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_FAULTS_NETWORK_ACTIONS_H_
