#include "scenarios/laboratory/group_of_scenario.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "model/allocation/room_resolver.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"
#include "scenarios/faults/cluster_actions.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/runner/consumers_of.h"
#include "scenarios/runner/queues_of.h"
#include "scenarios/strategies/strategy_of.h"

namespace groupsim {
namespace {

const schema::Topic& TopicOf(const Scenario& scenario,
                             const std::string& name) {
  const auto found = std::find_if(
      scenario.topic().begin(), scenario.topic().end(),
      [&](const schema::Topic& topic) { return topic.name() == name; });
  return *found;  // The reader has made sure of it.
}

// Whether clients may read from the broker at the beginning.
bool MayBeRead(const Scenario& scenario, const std::string& name) {
  for (const schema::Broker& broker : scenario.broker()) {
    if (broker.name() != name) continue;
    schema::BrokerSettings settings = scenario.broker_defaults();
    settings.MergeFrom(broker.settings());
    return !settings.has_broker_permission() ||
           (settings.broker_permission() & kPermRead) != 0;
  }
  return true;
}

// The queues that consumers see in the routes.
void ReadTopics(const Scenario& scenario, const schema::Group& group,
                GroupPlan* plan) {
  for (const schema::Subscription& subscription : group.subscribe()) {
    const schema::Topic& topic = TopicOf(scenario, subscription.topic());
    TopicPlan topic_plan;
    topic_plan.name = topic.name();
    if ((PermissionBits(topic.permission()) & kPermRead) != 0) {
      for (const std::string& broker : topic.broker()) {
        if (!MayBeRead(scenario, broker)) continue;
        for (int32_t i = 0; i < topic.read_queues(); ++i) {
          topic_plan.queues.push_back({broker, i});
        }
      }
    }
    plan->topics.push_back(std::move(topic_plan));
  }
}

// The lists of consumers that have by_config.
void ReadConfigured(const Scenario& scenario, const schema::Group& group,
                    const std::vector<FirstConsumer>& consumers,
                    std::vector<ConfiguredQueue>* configured) {
  const Growth growth(scenario);
  NameTable names;
  for (const FirstConsumer& consumer : consumers) {
    const schema::Strategy& strategy = StrategyOf(group, *consumer.block);
    if (!strategy.has_by_config()) continue;
    const schema::ByConfig& config = strategy.by_config();
    const std::string& topic =
        config.topic().empty() ? group.subscribe(0).topic() : config.topic();
    for (const MessageQueue& queue :
         QueuesOf(scenario, growth, topic, config.queues(), names)) {
      configured->push_back({.member = consumer.name,
                             .queue = {queue.broker.text(), queue.queue_id},
                             .topic = topic});
    }
  }
}

}  // namespace

ScenarioGroup GroupOfScenario(const Scenario& scenario,
                              const schema::Group& group) {
  ScenarioGroup read;
  ReadTopics(scenario, group, &read.plan);
  for (const schema::Broker& broker : scenario.broker()) {
    if (broker.has_room()) {
      read.plan.broker_rooms.push_back({broker.name(), broker.room()});
    }
  }
  const std::vector<FirstConsumer> consumers =
      FirstConsumersOf(scenario, group);
  for (const FirstConsumer& consumer : consumers) {
    read.plan.members.push_back({.id = consumer.client_id,
                                 .room = consumer.block->room(),
                                 .name = consumer.name});
  }
  read.has_rooms =
      !read.plan.broker_rooms.empty() &&
      std::all_of(read.plan.members.begin(), read.plan.members.end(),
                  [](const MemberPlan& m) { return !m.room.empty(); });
  read.settings.topic_by_topic = true;
  ReadConfigured(scenario, group, consumers, &read.settings.configured);
  return read;
}

absl::StatusOr<const StrategyEntry*> OwnStrategyOf(const Scenario& scenario,
                                                   const schema::Group& group,
                                                   StrategySettings* settings) {
  const std::vector<FirstConsumer> consumers =
      FirstConsumersOf(scenario, group);
  const schema::Strategy& own = StrategyOf(group, *consumers[0].block);
  for (const FirstConsumer& consumer : consumers) {
    const schema::Strategy& other = StrategyOf(group, *consumer.block);
    // Lists of by_config are meant to differ.
    if (own.has_by_config() && other.has_by_config()) continue;
    if (SameStrategy(own, other)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the consumers ", consumers[0].name, " and ",
                     consumer.name, " do not run the same strategy"));
  }
  const StrategyEntry* const entry = FindStrategy(StrategyName(own));
  if (own.has_by_config()) return entry;
  settings->as_in_client = [own](std::shared_ptr<const RoomResolver> rooms) {
    StrategyGround ground;
    ground.rooms = std::move(rooms);
    return MakeStrategy(own, ground);
  };
  // For explanations.
  StrategyParameters& parameters = settings->parameters;
  const schema::Strategy& ring =
      own.has_machine_room_nearby() ? own.machine_room_nearby().within() : own;
  if (ring.consistent_hash().has_virtual_nodes()) {
    parameters.virtual_nodes = ring.consistent_hash().virtual_nodes();
  }
  if (own.has_machine_room_nearby()) parameters.inner = StrategyName(ring);
  if (own.has_by_machine_room()) {
    parameters.machine_rooms.emplace(own.by_machine_room().room().begin(),
                                     own.by_machine_room().room().end());
  }
  return entry;
}

}  // namespace groupsim
