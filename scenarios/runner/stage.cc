#include "scenarios/runner/stage.h"

#include <utility>
#include <vector>

#include "scenarios/faults/make_action.h"
#include "scenarios/faults/network_actions.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/runner/queues_of.h"
#include "scenarios/runner/raise_cluster.h"
#include "sim/network/network_settings.h"
#include "sim/random/stream.h"

namespace groupsim {
namespace {

// A latency, if one is given.
Distribution Or(bool given, const schema::Distribution& law,
                Distribution otherwise) {
  return given ? Valid(MakeDistribution(law, FieldRule::DURATION)) : otherwise;
}

}  // namespace

Stage::Stage(const Scenario& scenario, World& world)
    : scenario_(scenario), world_(world), cast_(world), timeline_(world) {
  NameEverything();
  SetNetwork();
  const std::vector<Name> name_servers = RaiseNameServers(scenario_, cast_);
  RaiseBrokers(scenario_, name_servers, cast_);
  RaiseProducers(scenario_, name_servers, cast_);
  consumer_starts_ =
      RaiseGroups(scenario_, name_servers, cast_, subjects_, listeners_);
}

Stage::~Stage() = default;

// Brokers and groups first: their numbers are narrow.
void Stage::NameEverything() {
  NameTable& names = world_.names();
  for (const auto& broker : scenario_.broker()) names.Intern(broker.name());
  for (const auto& group : scenario_.group()) names.Intern(group.name());
  for (const auto& topic : scenario_.topic()) names.Intern(topic.name());
}

void Stage::SetNetwork() {
  NetworkSettings settings;
  const schema::Network& network = scenario_.network();
  settings.same_room =
      Or(network.has_same_room(), network.same_room(), settings.same_room);
  settings.cross_room =
      Or(network.has_cross_room(), network.cross_room(), settings.cross_room);
  world_.SetNetwork(std::move(settings));
}

// A time before the run, drawn for the process.
Duration Stage::Earlier(Name process, Duration earliest,
                        Duration latest) const {
  CounterStream draws(
      StreamKey::For(world_.seed(), process.text(), "start before the run"));
  return draws.Between(latest, earliest);
}

void Stage::StartEverything() {
  const auto start = [this](auto& parts, Duration earliest, Duration latest) {
    for (auto& part : parts) {
      Host* host = part.host;
      world_.At(Instant::Start() - Earlier(host->name(), earliest, latest),
                [host] { host->Start(); });
    }
  };
  start(cast_.name_servers(), 59s, 50s);
  start(cast_.brokers(), 49s, 19s);
  start(cast_.producers(), 15s, 5s);
  for (const ConsumerStart& start : consumer_starts_) {
    const Cast::ConsumerPart* consumer = start.consumer;
    world_.At(start.time, [consumer] {
      if (consumer->wanted) consumer->host->Start();
    });
  }
}

void Stage::Begin() {
  SetLinks(scenario_.network(), cast_);
  stored_before_ = StoreThePast(scenario_, cast_);
  WriteOwnOffsets(scenario_, cast_);
  StartEverything();
  const Instant end = TimeOf(scenario_.duration());
  for (const schema::Event& event : scenario_.at()) {
    timeline_.Add(MakePlan(event, end, cast_));
  }
  for (Cast::ProducerPart& producer : cast_.producers()) {
    producer.workload->Begin();
  }
}

}  // namespace groupsim
