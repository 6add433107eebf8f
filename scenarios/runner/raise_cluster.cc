#include "scenarios/runner/raise_cluster.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/broker/broker.h"
#include "model/broker/broker_config.h"
#include "model/namesrv/name_server.h"
#include "model/runtime/env.h"
#include "scenarios/faults/cluster_actions.h"
#include "scenarios/runner/profiles.h"
#include "scenarios/runner/queues_of.h"
#include "scenarios/runner/settings_map.h"

namespace groupsim {
namespace {

std::string BrokerAddress(size_t number) {
  return absl::StrCat("10.0.", 1 + number / 100, ".", 100 + number % 100,
                      ":10911");
}

TopicConfig ConfigOf(const schema::Topic& topic, NameTable& names) {
  TopicConfig config;
  config.topic = names.Intern(topic.name());
  config.read_queue_nums = topic.read_queues();
  config.write_queue_nums = topic.write_queues();
  config.perm = PermissionBits(topic.permission());
  return config;
}

SubscriptionGroupConfig ConfigOf(const schema::Group& group, NameTable& names) {
  const schema::SubscriptionGroup& from = group.subscription_group();
  SubscriptionGroupConfig config;
  config.group_name = names.Intern(group.name());
  if (from.has_consume_enable()) {
    config.consume_enable = from.consume_enable();
  }
  if (from.has_retry_queue_nums()) {
    config.retry_queue_nums = from.retry_queue_nums();
  }
  if (from.has_retry_max_times()) {
    config.retry_max_times = from.retry_max_times();
  }
  if (from.has_consume_broadcast_enable()) {
    config.consume_broadcast_enable = from.consume_broadcast_enable();
  }
  if (from.has_notify_consumer_ids_changed_enable()) {
    config.notify_consumer_ids_changed_enable =
        from.notify_consumer_ids_changed_enable();
  }
  return config;
}

int64_t StoreMessages(const schema::StoredMessages& past,
                      const MessageQueue& queue, Cast& cast) {
  World& world = cast.world();
  const int64_t size =
      past.has_body_size() ? Valid(ParseSize(past.body_size())) : 1'024;
  MessageStore& store = cast.BrokerNamed(queue.broker.text()).disk.store;
  StoredQueue& log = store.FindOrCreate(queue.topic, queue.queue_id);
  MessageStore::NewMessage message;
  message.born = world.now();
  message.body_size = static_cast<int32_t>(size);
  for (int64_t i = 0; i < past.messages(); ++i) {
    Fact fact = QueueFact(FactKind::STORED, Name(), queue);
    fact.host = queue.broker.id();
    fact.offset = store.Append(log, message, world.now());
    fact.count = size;
    world.trace().Emit(fact);
  }
  store.Recover();
  return past.messages();
}

}  // namespace

std::vector<Name> RaiseNameServers(const Scenario& scenario, Cast& cast) {
  World& world = cast.world();
  NameTable& names = world.names();
  const schema::NameServers& spec = scenario.name_server();
  const std::vector<std::string> processes =
      spec.has_count() ? ProcessNames(spec.name(), spec.count())
                       : ProcessNames(spec.name());
  std::vector<Name> addresses;
  for (size_t i = 0; i < processes.size(); ++i) {
    NameServerConfig config;
    config.address = names.Intern(absl::StrCat("10.0.0.", 100 + i, ":9876"));
    config.profile = ProfileOf(scenario);
    config.settings = NameServerSettingsOf(config.profile);
    ApplySettings(spec.settings(), config.settings);
    addresses.push_back(config.address);
    HostSpec host;
    host.name = names.Intern(processes[i]);
    host.room = names.Intern(spec.room());
    host.cpus = scenario.cpus();
    host.addresses = {config.address};
    host.role = ProcessRole::kNameServer;
    Cast::NameServerPart& part = cast.AddNameServer();
    host.factory = [config, &part](Env& env) {
      auto made = std::make_unique<NameServer>(env, config);
      part.process = made.get();
      ++part.lives;
      return made;
    };
    part.host = &world.AddHost(std::move(host));
  }
  return addresses;
}

void RaiseBrokers(const Scenario& scenario,
                  const std::vector<Name>& name_servers, Cast& cast) {
  World& world = cast.world();
  NameTable& names = world.names();
  for (int i = 0; i < scenario.broker_size(); ++i) {
    const schema::Broker& spec = scenario.broker(i);
    BrokerConfig config;
    config.cluster = names.Intern("DefaultCluster");
    config.broker = names.Intern(spec.name());
    config.address = names.Intern(BrokerAddress(static_cast<size_t>(i)));
    config.name_servers = name_servers;
    config.profile = ProfileOf(scenario, spec);
    config.settings = BrokerSettingsOf(config.profile);
    ApplySettings(scenario.broker_defaults(), config.settings);
    ApplySettings(spec.settings(), config.settings);
    for (const schema::Topic& topic : scenario.topic()) {
      if (std::find(topic.broker().begin(), topic.broker().end(),
                    spec.name()) != topic.broker().end()) {
        config.topics.push_back(ConfigOf(topic, names));
      }
    }
    for (const schema::Group& group : scenario.group()) {
      if (group.has_subscription_group()) {
        config.groups.push_back(ConfigOf(group, names));
      }
    }
    Cast::BrokerPart& part = cast.AddBroker();
    config.disturbance = &part.disturbance;
    for (const TopicConfig& topic : config.topics) {
      part.topics.push_back(topic.topic);
    }
    HostSpec host;
    host.name = config.broker;
    host.room = names.Intern(spec.room());
    host.cpus = scenario.cpus();
    host.addresses = {config.address};
    host.role = ProcessRole::kBroker;
    host.factory = [config, &part](Env& env) {
      auto made = std::make_unique<Broker>(env, part.disk, config);
      part.process = made.get();
      return made;
    };
    part.host = &world.AddHost(std::move(host));
  }
}

std::vector<int64_t> StoreThePast(const Scenario& scenario, Cast& cast) {
  World& world = cast.world();
  std::vector<int64_t> stored;
  const Growth growth(scenario);
  for (const schema::Topic& topic : scenario.topic()) {
    stored.push_back(0);
    for (const schema::StoredMessages& past : topic.stored()) {
      for (const MessageQueue& queue : QueuesOf(scenario, growth, topic.name(),
                                                past.queues(), world.names())) {
        stored.back() += StoreMessages(past, queue, cast);
      }
    }
  }
  for (const schema::Group& group : scenario.group()) {
    // Consumers that broadcast have their offsets themselves.
    if (group.message_model() == schema::Group::BROADCASTING) continue;
    const Name name = world.names().Intern(group.name());
    for (const schema::CommittedOffset& past : group.committed()) {
      for (const MessageQueue& queue : QueuesOf(scenario, growth, past.topic(),
                                                past.queues(), world.names())) {
        BrokerDisk& disk = cast.BrokerNamed(queue.broker.text()).disk;
        StoredQueue& log = disk.store.FindOrCreate(queue.topic, queue.queue_id);
        Fact fact = QueueFact(FactKind::COMMITTED, name, queue);
        fact.host = queue.broker.id();
        fact.offset = past.offset();
        fact.count = disk.offsets.Commit(log.index(), name, past.offset());
        world.trace().Emit(fact);
      }
    }
  }
  return stored;
}

}  // namespace groupsim
