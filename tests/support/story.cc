#include "tests/support/story.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/broker/broker.h"
#include "model/client/producer.h"
#include "model/client/push_consumer.h"
#include "model/namesrv/name_server.h"
#include "sim/host/world.h"

namespace groupsim {
namespace {

constexpr Duration kClientsStart = 1s;
constexpr Duration kTrafficStarts = 3s;

}  // namespace

class Story::Listener final : public ListenerBehaviour {
 public:
  explicit Listener(std::function<ListenerPlan(const ListenerCall&)> p)
      : plan(std::move(p)) {}
  ListenerPlan Plan(const ListenerCall& call, RandomStream&) override {
    return plan(call);
  }
  std::function<ListenerPlan(const ListenerCall&)> plan;
};

WorldOptions Story::WorldOptionsOf(const StorySpec& spec) {
  WorldOptions options;
  options.seed = spec.seed;
  options.shuffle_ties = spec.shuffle_ties;
  options.reproduce = absl::StrCat("run the test again (seed ", spec.seed, ")");
  return options;
}

Story::Story(const StorySpec& spec)
    : spec_(spec),
      world_(WorldOptionsOf(spec)),
      topic_(world_.names().Intern("topic")),
      group_(world_.names().Intern("group")) {
  measures_.emplace(topic_, group_);
  NetworkSettings network;
  network.same_room = Distribution::Constant(spec.latency.nanos()).value();
  world_.SetNetwork(network);
  measures_->ObserveIn(world_.trace());
  SetListener([service_time = spec.service_time](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = service_time;
    return plan;
  });
  if (spec.brokers > 0) AddCluster();
}

Story::~Story() = default;

void Story::SetListener(std::function<ListenerPlan(const ListenerCall&)> plan) {
  if (listener_ == nullptr) {
    listener_ = std::make_unique<Listener>(std::move(plan));
  } else {
    listener_->plan = std::move(plan);
  }
}

void Story::AddCluster() {
  NameServerConfig config;
  config.address = name("n-1:9876");
  config.settings = spec_.name_server;
  name_servers_ = {config.address};
  HostSpec host;
  host.name = name("n-1");
  host.addresses = {config.address};
  host.role = ProcessRole::kNameServer;
  host.factory = [config](Env& env) {
    return std::make_unique<NameServer>(env, config);
  };
  world_.AddHost(std::move(host)).Start();

  for (int i = 1; i <= spec_.brokers; ++i) AddBroker(i);

  if (spec_.messages_per_second > 0) AddProducer();

  consumer_config_.group = group_;
  consumer_config_.name_servers = name_servers_;
  PushConsumerConfig::Topic topic;
  topic.topic = topic_;
  consumer_config_.topics = {topic};
  consumer_config_.consume_from_where = spec_.consume_from_where;
  consumer_config_.settings = spec_.consumer;
  consumer_config_.client = spec_.client;
  for (int i = 0; i < spec_.consumers; ++i) {
    const Host& consumer = AddConsumer();
    At(kClientsStart).Start(consumer.name().text());
  }
}

void Story::AddBroker(int number) {
  BrokerConfig config;
  config.cluster = name("cluster");
  config.broker = name(absl::StrCat("b-", number));
  config.address = name(absl::StrCat("b-", number, ":10911"));
  config.name_servers = name_servers_;
  config.settings = spec_.broker;
  TopicConfig topic;
  topic.topic = topic_;
  topic.read_queue_nums = spec_.queues;
  topic.write_queue_nums = spec_.queues;
  config.topics = {topic};
  BrokerDisk& disk = disks_.emplace_back();
  HostSpec host;
  host.name = config.broker;
  host.addresses = {config.address};
  host.role = ProcessRole::kBroker;
  host.factory = [this, config, &disk](Env& env) {
    auto broker = std::make_unique<Broker>(env, disk, config);
    broker_processes_[config.broker.text()] = broker.get();
    return broker;
  };
  world_.AddHost(std::move(host)).Start();
}

void Story::AddProducer() {
  ProducerConfig config;
  config.producer_group = name("producers");
  config.name_servers = name_servers_;
  config.settings = spec_.producer;
  config.client = spec_.client;
  HostSpec host;
  host.name = name("p-1");
  host.role = ProcessRole::kProducer;
  host.factory = [this, config](Env& env) {
    auto producer = std::make_unique<Producer>(env, config);
    producer_process_ = producer.get();
    return producer;
  };
  world_.AddHost(std::move(host));
  At(kClientsStart).Start("p-1");
  At(kTrafficStarts).Do([this] { SendNext(); });
}

void Story::SendNext() {
  if (!traffic_) return;
  if (Producer* to = producer(); to != nullptr) {
    OutgoingMessage message;
    message.topic = topic_;
    message.key = ++sent_;
    message.body_size = 100;
    message.scheduled = world_.now();
    to->Send(message);
  }
  world_.After(Duration(1s) / spec_.messages_per_second,
               [this] { SendNext(); });
}

Host& Story::Add(const std::string& process,
                 std::function<std::unique_ptr<Process>(Env&)> factory) {
  HostSpec host;
  host.name = name(process);
  host.addresses = {name(process + ":1")};
  host.listeners = listener_.get();
  host.factory = std::move(factory);
  return world_.AddHost(std::move(host));
}

Host& Story::AddConsumer() {
  const std::string process = absl::StrCat("c-", ++consumers_);
  PushConsumerConfig config = consumer_config_;
  config.origin.client_ip = absl::StrCat("10.1.0.", 100 + consumers_);
  HostSpec host;
  host.name = name(process);
  host.role = ProcessRole::kConsumer;
  host.group = group_;
  host.listeners = listener_.get();
  ConsumerDisk& disk = consumer_disks_.emplace_back();
  host.factory = [this, config, process, &disk](Env& env) {
    auto consumer = std::make_unique<PushConsumer>(env, config, &disk);
    consumer_processes_[process] = consumer.get();
    return consumer;
  };
  return world_.AddHost(std::move(host));
}

void Story::RunFor(Duration length) {
  ASSERT_EQ(world_.RunFor(length), RunOutcome::kTimeReached)
      << world_.engine().DescribeLivelock();
}

void Story::RunUntil(Duration when) {
  RunFor(Instant::Start() + when - world_.now());
}

std::vector<std::string> Story::queues_of(absl::string_view consumer) {
  std::vector<std::string> result;
  for (const auto& [broker, number] : measures_->queues_of(name(consumer))) {
    result.push_back(
        absl::StrCat(world_.names().FromId(broker).text(), "#", number));
  }
  return result;
}

Name Story::name(absl::string_view text) { return world_.names().Intern(text); }

MessageQueue Story::queue(absl::string_view broker, int32_t queue_id) {
  return MessageQueue{topic_, name(broker), queue_id};
}

Host& Story::host(absl::string_view process) {
  Host* found = world_.FindHost(name(process));
  CHECK(found != nullptr) << "the story has no " << std::string(process);
  return *found;
}

PushConsumer* Story::consumer(absl::string_view process) {
  return host(process).alive() ? consumer_processes_.at(process) : nullptr;
}

Broker* Story::broker(absl::string_view process) {
  return host(process).alive() ? broker_processes_.at(process) : nullptr;
}

Producer* Story::producer() {
  return host("p-1").alive() ? producer_process_ : nullptr;
}

BrokerDisk& Story::disk(absl::string_view broker) {
  for (size_t i = 0; i < disks_.size(); ++i) {
    if (absl::StrCat("b-", i + 1) == broker) return disks_[i];
  }
  CHECK(false) << "the story has no broker " << std::string(broker);
  return disks_.front();
}

OffsetFiles& Story::offset_files(absl::string_view consumer) {
  for (size_t i = 0; i < consumer_disks_.size(); ++i) {
    if (absl::StrCat("c-", i + 1) != consumer) continue;
    const Name client_id = name(absl::StrCat("10.1.0.", 101 + i, "@DEFAULT"));
    return consumer_disks_[i].offset_files[{client_id, group_}];
  }
  CHECK(false) << "the story has no consumer " << std::string(consumer);
  return consumer_disks_.front().offset_files.begin()->second;
}

Story::Moment& Story::Moment::Start(absl::string_view process) {
  Host& host = story_.host(process);
  return Do([&host] { host.Start(); });
}

Story::Moment& Story::Moment::Stop(absl::string_view process) {
  Host& host = story_.host(process);
  return Do([&host] { host.Stop(); });
}

Story::Moment& Story::Moment::Crash(absl::string_view process) {
  Host& host = story_.host(process);
  return Do([&host] { host.Crash(); });
}

Story::Moment& Story::Moment::Vanish(absl::string_view process) {
  Host& host = story_.host(process);
  return Do([&host] { host.Vanish(); });
}

Story::Moment& Story::Moment::Restart(absl::string_view process) {
  Host& host = story_.host(process);
  return Do([&host] {
    host.WhenStopped([&host] { host.Start(); });
    host.Stop();
  });
}

Story::Moment& Story::Moment::StopTraffic() {
  return Do([&story = story_] { story.traffic_ = false; });
}

Story::Moment& Story::Moment::Do(std::function<void()> action) {
  story_.world_.At(when_, std::move(action));
  return *this;
}

}  // namespace groupsim
