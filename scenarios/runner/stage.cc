#include "scenarios/runner/stage.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/allocation/averagely.h"
#include "model/base/check.h"
#include "model/broker/broker.h"
#include "model/broker/broker_config.h"
#include "model/namesrv/name_server.h"
#include "model/runtime/env.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/values.h"
#include "scenarios/runner/settings_map.h"
#include "sim/network/network_settings.h"
#include "sim/random/stream.h"

namespace groupsim {
namespace {

// Everything was validated before; a failure here is a fault of the reader.
template <class T>
T Valid(absl::StatusOr<T> value) {
  CHECK(value.ok()) << value.status().ToString();
  return *std::move(value);
}

Duration Parsed(const std::string& text) { return Valid(ParseDuration(text)); }

Instant At(const std::string& text) { return Instant::Start() + Parsed(text); }

// Addresses whose order as texts is the order of declaration: consumers sort
// each other by them.
std::string ClientIp(size_t number) {
  return absl::StrCat("10.1.", 100 + number / 100, ".", 100 + number % 100);
}

std::string BrokerAddress(size_t number) {
  return absl::StrCat("10.0.", 1 + number / 100, ".", 100 + number % 100,
                      ":10911");
}

// A latency, if one is given.
Distribution Or(bool given, const schema::Distribution& law,
                Distribution otherwise) {
  return given ? Valid(MakeDistribution(law, FieldRule::DURATION)) : otherwise;
}

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

}  // namespace

Stage::Stage(const Scenario& scenario, World& world)
    : scenario_(scenario),
      world_(world),
      averagely_(std::make_shared<AllocateAveragely>()),
      timeline_(std::make_unique<Timeline>(world)) {
  NameEverything();
  SetNetwork();
  AddNameServers();
  AddBrokers();
  AddProducers();
  AddGroups();
}

Stage::~Stage() = default;

// Brokers and groups first: their numbers are narrow.
void Stage::NameEverything() {
  for (const auto& broker : scenario_.broker()) Intern(broker.name());
  for (const auto& group : scenario_.group()) Intern(group.name());
  for (const auto& topic : scenario_.topic()) Intern(topic.name());
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

Host& Stage::FindHost(absl::string_view name) const {
  Host* host = world_.FindHost(world_.names().Intern(name));
  CHECK(host != nullptr) << "no process " << std::string(name);
  return *host;
}

void Stage::AddNameServers() {
  const schema::NameServers& spec = scenario_.name_server();
  const std::vector<std::string> names =
      spec.has_count() ? ProcessNames(spec.name(), spec.count())
                       : ProcessNames(spec.name());
  for (size_t i = 0; i < names.size(); ++i) {
    NameServerConfig config;
    config.address = Intern(absl::StrCat("10.0.0.", 100 + i, ":9876"));
    ApplySettings(spec.settings(), config.settings);
    name_server_addresses_.push_back(config.address);
    HostSpec host;
    host.name = Intern(names[i]);
    host.room = Intern(spec.room());
    host.cpus = scenario_.cpus();
    host.addresses = {config.address};
    host.role = ProcessRole::kNameServer;
    host.factory = [config](Env& env) {
      return std::make_unique<NameServer>(env, config);
    };
    name_servers_.push_back(&world_.AddHost(std::move(host)));
  }
}

void Stage::AddBrokers() {
  for (int i = 0; i < scenario_.broker_size(); ++i) {
    const schema::Broker& spec = scenario_.broker(i);
    BrokerConfig config;
    config.cluster = Intern("DefaultCluster");
    config.broker = Intern(spec.name());
    config.address = Intern(BrokerAddress(static_cast<size_t>(i)));
    config.name_servers = name_server_addresses_;
    ApplySettings(scenario_.broker_defaults(), config.settings);
    ApplySettings(spec.settings(), config.settings);
    for (const schema::Topic& topic : scenario_.topic()) {
      if (std::find(topic.broker().begin(), topic.broker().end(),
                    spec.name()) == topic.broker().end()) {
        continue;
      }
      TopicConfig topic_config;
      topic_config.topic = Intern(topic.name());
      topic_config.read_queue_nums = topic.queues_per_broker();
      topic_config.write_queue_nums = topic.queues_per_broker();
      config.topics.push_back(topic_config);
    }
    for (const schema::Group& group : scenario_.group()) {
      if (!group.has_subscription_group()) continue;
      const schema::SubscriptionGroup& from = group.subscription_group();
      SubscriptionGroupConfig group_config;
      group_config.group_name = Intern(group.name());
      if (from.has_consume_enable()) {
        group_config.consume_enable = from.consume_enable();
      }
      if (from.has_retry_queue_nums()) {
        group_config.retry_queue_nums = from.retry_queue_nums();
      }
      if (from.has_notify_consumer_ids_changed_enable()) {
        group_config.notify_consumer_ids_changed_enable =
            from.notify_consumer_ids_changed_enable();
      }
      config.groups.push_back(group_config);
    }
    BrokerDisk& disk = disks_.emplace_back();
    HostSpec host;
    host.name = config.broker;
    host.room = Intern(spec.room());
    host.cpus = scenario_.cpus();
    host.addresses = {config.address};
    host.role = ProcessRole::kBroker;
    host.factory = [config, &disk](Env& env) {
      return std::make_unique<Broker>(env, disk, config);
    };
    brokers_.push_back(&world_.AddHost(std::move(host)));
  }
}

void Stage::AddProducers() {
  for (int i = 0; i < scenario_.producer_size(); ++i) {
    const schema::Producer& spec = scenario_.producer(i);
    ProducerConfig config;
    config.producer_group = Intern(absl::StrCat(spec.name(), "-group"));
    config.origin.client_ip =
        absl::StrCat("10.2.", 100 + i / 100, ".", 100 + i % 100);
    config.name_servers = name_server_addresses_;
    config.mode = spec.send_mode() == schema::Producer::ASYNC ? SendMode::kAsync
                                                              : SendMode::kSync;
    if (spec.has_queues())
      config.queues = QueuesOf(spec.topic(), spec.queues());
    ApplySettings(spec.settings(), config.settings);
    ApplySettings(spec.client(), config.client);

    ProducerWorkload::Plan plan;
    plan.process = Intern(spec.name());
    plan.topic = Intern(spec.topic());
    const schema::Rate& rate = spec.rate();
    if (rate.has_every()) {
      plan.arrivals.per = Parsed(rate.every());
    } else {
      plan.arrivals.messages = rate.per_second();
    }
    plan.arrivals.poisson = rate.arrivals() == schema::Rate::POISSON;
    plan.arrivals.from = At(spec.from());
    plan.arrivals.until = At(spec.until());
    if (spec.has_messages()) plan.arrivals.limit = spec.messages();
    plan.body_size =
        spec.has_body_size()
            ? Valid(MakeDistribution(spec.body_size(), FieldRule::SIZE))
            : Valid(Distribution::Constant(1'024));
    ProducerSlot slot;
    slot.process = plan.process;
    slot.workload = std::make_unique<ProducerWorkload>(world_, plan);

    HostSpec host;
    host.name = plan.process;
    host.room = Intern(spec.room());
    host.cpus = scenario_.cpus();
    host.role = ProcessRole::kProducer;
    ProducerWorkload* workload = slot.workload.get();
    host.factory = [config, workload](Env& env) {
      auto producer = std::make_unique<Producer>(env, config);
      workload->SetProducer(producer.get());
      return producer;
    };
    producers_.push_back(std::move(slot));
    producer_hosts_.push_back(&world_.AddHost(std::move(host)));
    workload->SetHost(producer_hosts_.back());
  }
}

ListenerBehaviour* Stage::MakeListener(const schema::Listener& listener) {
  Distribution service_time =
      listener.has_service_time()
          ? Valid(
                MakeDistribution(listener.service_time(), FieldRule::DURATION))
          : Valid(Distribution::Constant(1'000'000));
  std::vector<ScenarioListener::Hang> hangs;
  for (const schema::Hang& from : listener.hang()) {
    ScenarioListener::Hang hang;
    hang.topic = Intern(from.topic());
    for (const QueueRange& range : Valid(ParseQueues(from.queues()))) {
      const bool all = range.last == QueueRange::kAllQueues;
      hang.queues.push_back({Intern(range.broker), all ? 0 : range.first,
                             all ? INT32_MAX : range.last});
    }
    hang.offsets.assign(from.offset().begin(), from.offset().end());
    if (from.has_times()) hang.times = from.times();
    hangs.push_back(std::move(hang));
  }
  listeners_.push_back(std::make_unique<ScenarioListener>(
      std::move(service_time), std::move(hangs)));
  return listeners_.back().get();
}

void Stage::AddGroups() {
  // Queues in the order of topics, then brokers.
  for (const schema::Topic& topic : scenario_.topic()) {
    for (const MessageQueue& queue : QueuesOf(topic.name(), "")) {
      subjects_.AddQueue(queue);
    }
  }
  for (const schema::Group& group : scenario_.group()) {
    const GroupIndex index = subjects_.AddGroup(Intern(group.name()));
    for (size_t q = 0; q < subjects_.queues().size(); ++q) {
      const std::string& topic = subjects_.queues()[q].queue.topic.text();
      const bool subscribed =
          std::any_of(group.subscribe().begin(), group.subscribe().end(),
                      [&](const schema::Subscription& subscription) {
                        return subscription.topic() == topic;
                      });
      if (subscribed) subjects_.Subscribe(index, static_cast<QueueIndex>(q));
    }
    ListenerBehaviour* shared = MakeListener(group.listener());
    for (const schema::Consumer& consumer : group.consumer()) {
      ListenerBehaviour* listener = shared;
      if (consumer.has_listener()) {
        schema::Listener merged = group.listener();
        merged.MergeFrom(consumer.listener());
        listener = MakeListener(merged);
      }
      const std::vector<std::string> names =
          consumer.has_count() ? ProcessNames(consumer.name(), consumer.count())
                               : ProcessNames(consumer.name());
      Instant start = Instant::Start();
      if (consumer.has_start_at()) start = At(consumer.start_at());
      const Duration stagger =
          consumer.has_stagger() ? Parsed(consumer.stagger()) : Duration();
      for (const std::string& name : names) {
        subjects_.AddConsumer(Intern(name), index);
        AddConsumer(group, consumer, name, start, listener);
        start += stagger;
      }
    }
  }
}

void Stage::AddConsumer(const schema::Group& group,
                        const schema::Consumer& consumer,
                        const std::string& process, Instant start,
                        ListenerBehaviour* listener) {
  const size_t number = consumers_.size();
  PushConsumerConfig config;
  config.group = Intern(group.name());
  config.client_id = Intern(consumer.client_id());
  config.origin.client_ip = ClientIp(number);
  config.name_servers = name_server_addresses_;
  for (const schema::Subscription& subscription : group.subscribe()) {
    PushConsumerConfig::Topic topic;
    topic.topic = Intern(subscription.topic());
    config.topics.push_back(topic);
  }
  config.consume_from_where = Model(group.consume_from_where());
  if (group.has_consume_timestamp()) {
    config.consume_timestamp =
        kWallEpochMillis + Parsed(group.consume_timestamp()).millis();
  }
  config.strategy = averagely_;
  ApplySettings(group.consume(), config.settings);
  ApplySettings(consumer.consume(), config.settings);
  ApplySettings(group.client(), config.client);
  ApplySettings(consumer.client(), config.client);

  HostSpec host;
  host.name = Intern(process);
  host.room = Intern(consumer.room());
  host.cpus = scenario_.cpus();
  host.role = ProcessRole::kConsumer;
  host.group = config.group;
  host.listeners = listener;
  host.factory = [this, config, number](Env& env) {
    auto made = std::make_unique<PushConsumer>(env, config);
    consumers_[number].process = made.get();
    return made;
  };
  ConsumerSlot slot;
  slot.host = &world_.AddHost(std::move(host));
  slot.start = start;
  consumers_.push_back(slot);
  group_hosts_[group.name()].push_back(slot.host);
}

const PushConsumer* Stage::consumer(ConsumerIndex index) const {
  const ConsumerSlot& slot = consumers_[static_cast<size_t>(index)];
  return slot.host->alive() ? slot.process : nullptr;
}

const schema::Topic& Stage::TopicOf(const std::string& name) const {
  for (const schema::Topic& topic : scenario_.topic()) {
    if (topic.name() == name) return topic;
  }
  CHECK(false) << "no topic " << name;
  __builtin_unreachable();
}

std::vector<MessageQueue> Stage::QueuesOf(const std::string& topic_name,
                                          const std::string& queues) const {
  const schema::Topic& topic = TopicOf(topic_name);
  const Name name = world_.names().Intern(topic_name);
  std::vector<MessageQueue> result;
  const auto add = [&](const std::string& broker, int32_t first, int32_t last) {
    for (int32_t id = first; id <= last; ++id) {
      result.push_back(MessageQueue{name, world_.names().Intern(broker), id});
    }
  };
  if (queues.empty()) {
    for (const std::string& broker : topic.broker()) {
      add(broker, 0, topic.queues_per_broker() - 1);
    }
    return result;
  }
  for (const QueueRange& range : Valid(ParseQueues(queues))) {
    const bool all = range.last == QueueRange::kAllQueues;
    add(range.broker, all ? 0 : range.first,
        all ? topic.queues_per_broker() - 1 : range.last);
  }
  return result;
}

// A time before the run, drawn for the process.
Duration Stage::Earlier(Name process, Duration earliest,
                        Duration latest) const {
  CounterStream draws(
      StreamKey::For(world_.seed(), process.text(), "start before the run"));
  return draws.Between(latest, earliest);
}

void Stage::StartCluster() {
  for (Host* host : name_servers_) {
    world_.At(Instant::Start() - Earlier(host->name(), 59s, 50s),
              [host] { host->Start(); });
  }
  for (Host* host : brokers_) {
    world_.At(Instant::Start() - Earlier(host->name(), 49s, 19s),
              [host] { host->Start(); });
  }
  for (Host* host : producer_hosts_) {
    world_.At(Instant::Start() - Earlier(host->name(), 15s, 5s),
              [host] { host->Start(); });
  }
  for (const ConsumerSlot& slot : consumers_) {
    Host* host = slot.host;
    world_.At(slot.start, [host] { host->Start(); });
  }
}

void Stage::StoreThePast() {
  for (const schema::Topic& topic : scenario_.topic()) {
    int64_t stored = 0;
    for (const schema::StoredMessages& past : topic.stored()) {
      const int64_t size =
          past.has_body_size() ? Valid(ParseSize(past.body_size())) : 1'024;
      for (const MessageQueue& queue : QueuesOf(topic.name(), past.queues())) {
        size_t broker = 0;
        while (brokers_[broker]->name() != queue.broker) ++broker;
        MessageStore& store = disks_[broker].store;
        StoredQueue& log = store.FindOrCreate(queue.topic, queue.queue_id);
        MessageStore::NewMessage message;
        message.born = world_.now();
        message.body_size = static_cast<int32_t>(size);
        for (int64_t i = 0; i < past.messages(); ++i) {
          Fact fact = QueueFact(FactKind::STORED, Name(), queue);
          fact.host = queue.broker.id();
          fact.offset = store.Append(log, message, world_.now());
          fact.count = size;
          world_.trace().Emit(fact);
          ++stored;
        }
        store.Recover();
      }
    }
    stored_before_.push_back(stored);
  }
  for (const schema::Group& group : scenario_.group()) {
    const Name name = Intern(group.name());
    for (const schema::CommittedOffset& past : group.committed()) {
      for (const MessageQueue& queue : QueuesOf(past.topic(), past.queues())) {
        size_t broker = 0;
        while (brokers_[broker]->name() != queue.broker) ++broker;
        BrokerDisk& disk = disks_[broker];
        StoredQueue& log = disk.store.FindOrCreate(queue.topic, queue.queue_id);
        Fact fact = QueueFact(FactKind::COMMITTED, name, queue);
        fact.host = queue.broker.id();
        fact.offset = past.offset();
        fact.count = disk.offsets.Commit(log.index(), name, past.offset());
        world_.trace().Emit(fact);
      }
    }
  }
}

std::vector<Host*> Stage::HostsOf(const schema::Processes& processes) const {
  std::vector<Host*> hosts;
  for (const auto* names : {&processes.consumer(), &processes.broker(),
                            &processes.name_server(), &processes.producer()}) {
    for (const std::string& name : *names) hosts.push_back(&FindHost(name));
  }
  return hosts;
}

std::unique_ptr<TimelineAction> Stage::MakeAction(const schema::Event& event) {
  switch (event.action_case()) {
    case schema::Event::kStart:
      return std::make_unique<StartAction>(HostsOf(event.start()));
    case schema::Event::kStop:
      return std::make_unique<StopAction>(HostsOf(event.stop()));
    case schema::Event::kCrash:
      return std::make_unique<CrashAction>(HostsOf(event.crash()));
    case schema::Event::kVanish:
      return std::make_unique<VanishAction>(HostsOf(event.vanish()));
    case schema::Event::kRollingRestart: {
      const schema::RollingRestart& from = event.rolling_restart();
      RollingRestartAction::Plan plan;
      plan.group = from.group();
      plan.hosts = group_hosts_[from.group()];
      plan.crash = from.stop() == schema::CRASH;
      plan.down_for = from.has_down_for() ? Parsed(from.down_for()) : 15s;
      plan.pause = from.has_pause() ? Parsed(from.pause()) : 30s;
      if (from.has_at_a_time()) {
        plan.at_a_time = static_cast<size_t>(from.at_a_time());
      }
      return std::make_unique<RollingRestartAction>(std::move(plan));
    }
    default:
      break;
  }
  CHECK(false) << "an event without an action passed validation";
  return nullptr;
}

void Stage::PlanTimeline() {
  for (const schema::Event& event : scenario_.at()) {
    timeline_->Add(At(event.time()), MakeAction(event));
  }
}

void Stage::Begin() {
  StoreThePast();
  StartCluster();
  PlanTimeline();
  for (const ProducerSlot& producer : producers_) producer.workload->Begin();
}

}  // namespace groupsim
