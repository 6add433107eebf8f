#include "scenarios/runner/raise_clients.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "model/client/client_id.h"
#include "model/client/consumer_disk.h"
#include "model/client/lite_pull_consumer.h"
#include "model/client/producer.h"
#include "model/client/pull_consumer.h"
#include "model/client/push_consumer.h"
#include "model/client/subscriptions.h"
#include "model/runtime/env.h"
#include "model/wire/route.h"
#include "scenarios/faults/cluster_actions.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/inherited.h"
#include "scenarios/reader/rates.h"
#include "scenarios/reader/roster.h"
#include "scenarios/runner/consumers_of.h"
#include "scenarios/runner/profiles.h"
#include "scenarios/runner/queues_of.h"
#include "scenarios/runner/settings_map.h"
#include "scenarios/runner/strategy_choice.h"
#include "scenarios/workload/from_schema.h"
#include "sim/random/distribution.h"
#include "sim/random/weighted_choice.h"

namespace groupsim {
namespace {

ConsumeFromWhere Model(schema::ConsumeFromWhere where) {
  switch (where) {
    case schema::CONSUME_FROM_FIRST_OFFSET:
      return ConsumeFromWhere::kFirstOffset;
    case schema::CONSUME_FROM_TIMESTAMP:
      return ConsumeFromWhere::kTimestamp;
    default:
      return ConsumeFromWhere::kLastOffset;
  }
}

SendMode ModeOf(schema::Producer::SendMode mode) {
  switch (mode) {
    case schema::Producer::ASYNC:
      return SendMode::kAsync;
    case schema::Producer::ONEWAY:
      return SendMode::kOneway;
    default:
      return SendMode::kSync;
  }
}

ProducerWorkload::Plan::Keys KeysOf(const schema::Key& key) {
  ProducerWorkload::Plan::Keys keys;
  keys.count = key.keys();
  keys.selects_queue = key.selects_queue();
  if (key.has_uniform()) {
    keys.law = Valid(Distribution::Uniform({.min = 1, .max = key.keys()}));
  } else if (key.has_zipf()) {
    Distribution::ZipfLaw law;
    law.n = key.keys();
    if (key.zipf().has_exponent_per_mille()) {
      law.exponent_per_mille = key.zipf().exponent_per_mille();
    }
    keys.law = Valid(Distribution::Zipf(law));
  }
  return keys;
}

void AddTags(const schema::Producer& spec, NameTable& names,
             ProducerWorkload::Plan& plan) {
  std::vector<int64_t> weights;
  for (const schema::Tag& tag : spec.tag()) {
    plan.tags.push_back(names.Intern(tag.name()));
    weights.push_back(tag.has_weight() ? tag.weight() : 1);
  }
  if (!weights.empty()) plan.tag_choice = Valid(WeightedChoice::Of(weights));
}

ProducerWorkload::Plan TrafficOf(const Scenario& scenario, const Growth& growth,
                                 const schema::Producer& spec, Name process,
                                 NameTable& names) {
  ProducerWorkload::Plan plan;
  plan.process = process;
  plan.topic = names.Intern(spec.topic());
  plan.arrivals.from = TimeOf(spec.from());
  plan.arrivals.until = TimeOf(spec.until());
  ApplyRate(spec.rate(), plan.arrivals);
  if (spec.has_messages()) plan.arrivals.limit = spec.messages();
  plan.body_size =
      spec.has_body_size()
          ? Valid(MakeDistribution(spec.body_size(), FieldRule::SIZE))
          : Valid(Distribution::Constant(1'024));
  if (spec.has_key()) plan.keys = KeysOf(spec.key());
  AddTags(spec, names, plan);
  if (spec.has_hot_queue()) {
    plan.hot_queues = QueuesOf(scenario, growth, spec.topic(),
                               spec.hot_queue().queues(), names);
    plan.hot_share = Ratio::PerMille(spec.hot_queue().per_mille());
  }
  plan.random_queue = spec.random_queue();
  return plan;
}

PushConsumerConfig ConfigOf(const Scenario& scenario,
                            const schema::Group& group,
                            const schema::Consumer& consumer, NameTable& names,
                            size_t number) {
  PushConsumerConfig config;
  config.profile = ProfileOf(scenario, group, consumer);
  config.group = names.Intern(group.name());
  config.client_id = names.Intern(consumer.client_id());
  config.origin.client_ip = ConsumerAddress(number);
  for (const schema::Subscription& subscription :
       SubscriptionsOf(group, consumer)) {
    config.topics.push_back(
        {names.Intern(subscription.topic()), subscription.expression()});
  }
  config.consume_from_where = Model(group.consume_from_where());
  if (group.has_consume_timestamp()) {
    config.consume_timestamp =
        kWallEpochMillis + Parsed(group.consume_timestamp()).millis();
  }
  if (group.message_model() == schema::Group::BROADCASTING) {
    config.message_model = MessageModel::kBroadcasting;
  }
  ApplySettings(ConsumeOf(group, consumer), config.settings);
  config.orderly = IsOrderly(group, consumer);
  ApplySettings(ClientOf(group, consumer), config.client);
  return config;
}

// What consumers of another kind have in common with a push consumer.
template <class Config>
Config CommonWith(const PushConsumerConfig& push) {
  Config config;
  config.group = push.group;
  config.client_id = push.client_id;
  config.origin = push.origin;
  config.name_servers = push.name_servers;
  const std::vector<PushConsumerConfig::Topic>& own = push.topics;
  for (const PushConsumerConfig::Topic& topic : own) {
    config.topics.push_back({topic.topic, topic.expression});
  }
  config.message_model = push.message_model;
  config.strategy = push.strategy;
  config.client = push.client;
  config.profile = push.profile;
  return config;
}

LitePullConsumerConfig LitePullConfigOf(const Scenario& scenario,
                                        const schema::Group& group,
                                        const schema::Consumer& consumer,
                                        const PushConsumerConfig& push,
                                        NameTable& names) {
  auto config = CommonWith<LitePullConsumerConfig>(push);
  const Growth growth(scenario);
  for (const schema::AssignedQueues& assigned : consumer.assign()) {
    for (const MessageQueue& queue : QueuesOf(
             scenario, growth, assigned.topic(), assigned.queues(), names)) {
      config.queues.push_back(queue);
    }
  }
  config.consume_from_where = push.consume_from_where;
  config.consume_timestamp = push.consume_timestamp;
  ApplySettings(ConsumeOf(group, consumer).lite_pull(), config.settings);
  return config;
}

PullConsumerConfig PullConfigOf(const schema::Group& group,
                                const schema::Consumer& consumer,
                                const PushConsumerConfig& push) {
  auto config = CommonWith<PullConsumerConfig>(push);
  ApplySettings(ConsumeOf(group, consumer).pull(), config.settings);
  return config;
}

using ProcessFactory = decltype(HostSpec::factory);

// What makes a consumer's process, whatever its kind; `part` knows it then.
template <class Consumer, class Config>
ProcessFactory FactoryOf(Config config, Cast::ConsumerPart& part,
                         Consumer* Cast::ConsumerPart::*process) {
  return [config = std::move(config), &part, process](Env& env) {
    auto made = std::make_unique<Consumer>(env, config, &part.disk);
    part.*process = made.get();
    return made;
  };
}

ProcessFactory FactoryOf(const Scenario& scenario, const schema::Group& group,
                         const schema::Consumer& block,
                         const PushConsumerConfig& config, NameTable& names,
                         Cast::ConsumerPart& part) {
  using Part = Cast::ConsumerPart;
  if (IsLitePull(group, block)) {
    return FactoryOf<LitePullConsumer>(
        LitePullConfigOf(scenario, group, block, config, names), part,
        &Part::lite_pull);
  }
  if (IsPull(group, block)) {
    return FactoryOf<PullConsumer>(PullConfigOf(group, block, config), part,
                                   &Part::pull);
  }
  return FactoryOf<PushConsumer>(config, part, &Part::process);
}

Name RoomOf(const Scenario& scenario, const std::string& broker,
            NameTable& names) {
  for (const schema::Broker& spec : scenario.broker()) {
    if (spec.name() == broker) return names.Intern(spec.room());
  }
  return Name();
}

bool MayBeRead(const schema::Topic& topic) {
  return (PermissionBits(topic.permission()) & kPermRead) != 0;
}

// All queues that there may ever be, in the order of topics, then brokers.
void AddQueues(const Scenario& scenario, NameTable& names, Subjects& subjects) {
  const Growth growth(scenario);
  for (const schema::Topic& topic : scenario.topic()) {
    for (const std::string& broker : topic.broker()) {
      MessageQueue queue;
      queue.topic = names.Intern(topic.name());
      queue.broker = names.Intern(broker);
      const Name room = RoomOf(scenario, broker, names);
      const int64_t most = growth.MostQueues(topic, broker);
      for (queue.queue_id = 0; queue.queue_id < most; ++queue.queue_id) {
        subjects.AddQueue(
            queue, room,
            MayBeRead(topic) && queue.queue_id < topic.read_queues());
      }
    }
  }
}

bool HasConsumer(const schema::Group& group, const Growth& growth,
                 const std::string& name) {
  for (const schema::Consumer& consumer : group.consumer()) {
    const auto names = growth.AllNamesOf(consumer);
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  }
  return false;
}

// The topics that the group, or one of its consumers, ever subscribes to.
absl::flat_hash_set<std::string> TopicsOf(const Scenario& scenario,
                                          const schema::Group& group,
                                          const Growth& growth) {
  absl::flat_hash_set<std::string> topics;
  for (const schema::Subscription& subscription : group.subscribe()) {
    topics.insert(subscription.topic());
  }
  for (const schema::Event& event : scenario.at()) {
    if (event.change_subscription().subscribe_size() == 0) continue;
    const auto& consumers = event.change_subscription().consumer();
    if (std::none_of(consumers.begin(), consumers.end(),
                     [&](const std::string& name) {
                       return HasConsumer(group, growth, name);
                     })) {
      continue;
    }
    for (const auto& one : event.change_subscription().subscribe()) {
      topics.insert(one.topic());
    }
  }
  return topics;
}

void SubscribeTo(const absl::flat_hash_set<std::string>& topics,
                 GroupIndex index, Subjects& subjects) {
  for (size_t q = 0; q < subjects.queues().size(); ++q) {
    if (!topics.contains(subjects.queues()[q].queue.topic.text())) continue;
    subjects.Subscribe(index, static_cast<QueueIndex>(q));
  }
}

void Want(ConsumerIndex consumer, Name topic, const std::string& expression,
          NameTable& names, Subjects& subjects) {
  subjects.Want(consumer, topic,
                BuildSubscription(topic, expression, 0, names).tags);
}

// What the timeline makes consumers of the group subscribe to.
void WantLater(const Scenario& scenario, GroupIndex group, NameTable& names,
               Subjects& subjects) {
  for (const schema::Event& event : scenario.at()) {
    const schema::ChangeSubscription& change = event.change_subscription();
    for (const std::string& consumer : change.consumer()) {
      const Name process = names.Intern(consumer);
      for (const ConsumerIndex index :
           subjects.groups()[static_cast<size_t>(group)].consumers) {
        const Subjects::Consumer& subject =
            subjects.consumers()[static_cast<size_t>(index)];
        if (subject.process != process) continue;
        for (const schema::Subscription& one : change.subscribe()) {
          Want(index, names.Intern(one.topic()), one.expression(), names,
               subjects);
        }
      }
    }
  }
}

}  // namespace

void RaiseProducers(const Scenario& scenario,
                    const std::vector<Name>& name_servers, Cast& cast) {
  World& world = cast.world();
  NameTable& names = world.names();
  const Growth growth(scenario);
  for (const schema::Producer& spec : scenario.producer()) {
    for (const std::string& process : NamesOf(spec)) {
      const size_t number = cast.producers().size();
      ProducerConfig config;
      config.producer_group = names.Intern(absl::StrCat(spec.name(), "-group"));
      config.origin.client_ip =
          absl::StrCat("10.2.", 100 + number / 100, ".", 100 + number % 100);
      config.name_servers = name_servers;
      config.mode = ModeOf(spec.send_mode());
      if (spec.has_queues()) {
        config.queues =
            QueuesOf(scenario, growth, spec.topic(), spec.queues(), names);
      }
      config.delay_level = spec.delay_level();
      config.profile = ProfileOf(scenario, spec);
      config.settings = ProducerSettingsOf(config.profile);
      ApplySettings(spec.settings(), config.settings);
      ApplySettings(spec.client(), config.client);

      Cast::ProducerPart& part = cast.AddProducer();
      const ProducerWorkload::Plan plan =
          TrafficOf(scenario, growth, spec, names.Intern(process), names);
      part.block = spec.name();
      part.workload = std::make_unique<ProducerWorkload>(world, plan);
      HostSpec host;
      host.name = plan.process;
      host.room = names.Intern(spec.room());
      host.cpus = scenario.cpus();
      host.role = ProcessRole::kProducer;
      host.factory = [config, &part](Env& env) {
        auto made = std::make_unique<Producer>(env, config);
        part.process = made.get();
        part.workload->SetProducer(made.get());
        return made;
      };
      part.host = &world.AddHost(std::move(host));
      part.workload->SetHost(part.host);
    }
  }
}

void WriteOwnOffsets(const Scenario& scenario, Cast& cast) {
  World& world = cast.world();
  NameTable& names = world.names();
  const Growth growth(scenario);
  for (const schema::Group& group : scenario.group()) {
    if (group.message_model() != schema::Group::BROADCASTING) continue;
    const Name name = names.Intern(group.name());
    for (Cast::ConsumerPart* part : cast.ConsumersOf(group.name())) {
      for (const schema::CommittedOffset& past : group.committed()) {
        for (const MessageQueue& queue :
             QueuesOf(scenario, growth, past.topic(), past.queues(), names)) {
          std::optional<OffsetFile>& file =
              part->disk.offset_files[{part->client_id, name}].file;
          if (!file.has_value()) file.emplace();
          const auto place = file->offsets.try_emplace(queue, -1).first;
          Fact fact = QueueFact(FactKind::COMMITTED, name, queue);
          fact.host = part->host->name().id();
          fact.offset = past.offset();
          fact.count = std::exchange(place->second, past.offset());
          world.trace().Emit(fact);
        }
      }
    }
  }
}

std::vector<ConsumerStart> RaiseGroups(
    const Scenario& scenario, const std::vector<Name>& name_servers, Cast& cast,
    Subjects& subjects,
    std::vector<std::unique_ptr<ScenarioListener>>& listeners) {
  World& world = cast.world();
  NameTable& names = world.names();
  StrategyChoice strategies(scenario, names);
  std::vector<ConsumerStart> starts;
  const Growth growth(scenario);
  AddQueues(scenario, names, subjects);
  const std::vector<RosterEntry> roster = RosterOf(scenario, growth);
  auto entry = roster.begin();
  for (int g = 0; g < scenario.group_size(); ++g) {
    const schema::Group& group = scenario.group(g);
    const GroupIndex index =
        subjects.AddGroup(names.Intern(group.name()),
                          group.message_model() == schema::Group::BROADCASTING);
    SubscribeTo(TopicsOf(scenario, group, growth), index, subjects);
    const auto make_listener = [&](const schema::Listener& listener) {
      const ListenerDraws draws{group.name(), world.seed()};
      listeners.push_back(MakeListener(listener, draws, names));
      return listeners.back().get();
    };
    ScenarioListener* const shared = make_listener(group.listener());
    ScenarioListener* listener = shared;
    for (; entry != roster.end() && entry->group == g; ++entry) {
      const schema::Consumer& block = group.consumer(entry->block);
      if (entry->in_block == 0) {
        listener = block.has_listener()
                       ? make_listener(ListenerOf(group, block))
                       : shared;
      }
      const Name process = names.Intern(entry->name);
      PushConsumerConfig config =
          ConfigOf(scenario, group, block, names, cast.consumers().size());
      // With a threshold for the topic, that of a queue changes with the
      // number of queues.
      const bool pushes = !ApplicationPulls(group, block);
      const ConsumerIndex subject = subjects.AddConsumer(
          process, index, names.Intern(block.room()),
          pushes && config.settings.pull_threshold_for_topic == -1
              ? config.settings.pull_threshold_for_queue
              : 0);
      const std::vector<PushConsumerConfig::Topic>& own = config.topics;
      for (const PushConsumerConfig::Topic& topic : own) {
        Want(subject, topic.topic, topic.expression, names, subjects);
      }
      config.name_servers = name_servers;
      config.strategy = strategies.For(group, block, config.origin.client_ip);

      Cast::ConsumerPart& part = cast.AddConsumer();
      part.group = config.group;
      if (config.message_model == MessageModel::kBroadcasting) {
        part.client_id =
            config.client_id.empty()
                ? names.Intern(
                      IsLitePull(group, block)
                          ? LastingStreamClientId(config.origin.client_ip)
                          : LastingClientId(config.origin.client_ip))
                : config.client_id;
      }
      part.block = block.name();
      part.wanted = entry->at_first;
      part.listener.SetUsual(listener);
      HostSpec host;
      host.name = process;
      host.room = names.Intern(block.room());
      host.cpus = block.has_cpus() ? block.cpus() : scenario.cpus();
      host.role = ProcessRole::kConsumer;
      host.group = config.group;
      host.listeners = &part.listener;
      host.factory = FactoryOf(scenario, group, block, config, names, part);
      part.host = &world.AddHost(std::move(host));
      if (part.wanted) {
        starts.push_back({&part, Instant::Start() + entry->start});
      }
    }
    WantLater(scenario, index, names, subjects);
  }
  return starts;
}

}  // namespace groupsim
