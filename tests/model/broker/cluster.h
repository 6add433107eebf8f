// A name server, a broker and clients that say what a test tells them to, in a
// simulated world. One way through the network takes 250 us.
#ifndef GROUPSIM_TESTS_MODEL_BROKER_CLUSTER_H_
#define GROUPSIM_TESTS_MODEL_BROKER_CLUSTER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/broker/broker.h"
#include "model/facts/fact.h"
#include "model/namesrv/name_server.h"
#include "model/runtime/env.h"
#include "model/runtime/process.h"
#include "model/runtime/remoting.h"
#include "model/wire/command.h"
#include "sim/host/world.h"

namespace groupsim {

inline constexpr Duration kOneWay = 250us;

// A process with nothing but its remoting.
class RawClient final : public Process,
                        public RequestHandler,
                        public ChannelListener {
 public:
  explicit RawClient(Env& env)
      : env_(env), remoting_(env, RemotingSettings(), this, this) {}

  void Start() override { env_.lifecycle().OnReady(); }
  void Shutdown() override { env_.lifecycle().OnStopped(); }

  Remoting& remoting() { return remoting_; }
  // Groups of which a change was told, in order.
  std::vector<Name> notices;
  // Requests to go on from other offsets, in order.
  std::vector<ResetConsumerClientOffsetRequest> resets;
  // Reasons for which channels closed.
  std::vector<CloseReason> closed;

 private:
  void OnRequest(Request request, Responder responder) override {
    EXPECT_FALSE(responder.expected());
    if (const auto* reset =
            std::get_if<ResetConsumerClientOffsetRequest>(&request.body)) {
      resets.push_back(*reset);
      return;
    }
    notices.push_back(
        std::get<NotifyConsumerIdsChangedRequest>(request.body).group);
  }
  void OnChannelClosed(Name, CloseReason reason) override {
    closed.push_back(reason);
  }

  Env& env_;
  Remoting remoting_;
};

// How a call ended; filled in when it does.
struct Answer {
  std::optional<CallResult> result;
  Instant at;

  bool done() const { return result.has_value(); }
  bool replied() const { return done() && result->replied(); }
  ResponseCode code() const {
    EXPECT_TRUE(replied());
    return replied() ? result->reply.code : ResponseCode::kSystemError;
  }
  template <class Body>
  Body body() const {
    if (!replied() || !std::holds_alternative<Body>(result->reply.body)) {
      ADD_FAILURE() << "no such reply";
      return Body();
    }
    return std::get<Body>(result->reply.body);
  }
  int64_t offset() const { return body<OffsetReply>().offset; }
  PullMessageReply pulled() const { return body<PullMessageReply>(); }
};
using AnswerPtr = std::shared_ptr<Answer>;

class Cluster : private FactObserver {
 public:
  // A client as the test holds it.
  struct Client {
    Name name;
    Host* host = nullptr;
    RawClient* process = nullptr;  // While it lives.
  };

  explicit Cluster(uint64_t seed = 1) : world(Options(seed)) {
    broker_name = Intern("broker-a");
    group = Intern("g");
    topic = Intern("t");
    name_server.address = Intern("10.0.0.1:9876");
    config.cluster = Intern("DefaultCluster");
    config.broker = broker_name;
    config.address = Intern("10.0.1.1:10911");
    config.name_servers = {name_server.address};
    config.topics.push_back(Topic("t", 4));

    HostSpec spec;
    spec.name = Intern("ns");
    spec.addresses = {name_server.address};
    spec.role = ProcessRole::kNameServer;
    spec.factory = [this](Env& env) {
      return std::make_unique<NameServer>(env, name_server);
    };
    name_server_host = &world.AddHost(std::move(spec));

    spec = HostSpec();
    spec.name = Intern("broker");
    spec.addresses = {config.address};
    spec.role = ProcessRole::kBroker;
    spec.factory = [this](Env& env) {
      auto process = std::make_unique<Broker>(env, disk, config);
      broker = process.get();
      return process;
    };
    broker_host = &world.AddHost(std::move(spec));
    world.trace().ObserveAll(this);
  }

  Name Intern(absl::string_view text) { return world.names().Intern(text); }
  TopicConfig Topic(absl::string_view name, int32_t queues) {
    TopicConfig topic_config;
    topic_config.topic = Intern(name);
    topic_config.read_queue_nums = queues;
    topic_config.write_queue_nums = queues;
    return topic_config;
  }
  MessageQueue Queue(int32_t id) {
    return MessageQueue{topic, broker_name, id};
  }

  // Starts the name server, then the broker, and lets them settle, 100 ms each.
  void Start() {
    name_server_host->Start();
    RunFor(100ms);
    broker_host->Start();
    RunFor(100ms);
  }
  void RunFor(Duration length) {
    EXPECT_EQ(world.RunFor(length), RunOutcome::kTimeReached);
  }
  void RunUntil(Duration since_start) {
    EXPECT_EQ(world.RunUntil(Instant::Start() + since_start),
              RunOutcome::kTimeReached);
  }
  Duration now() const { return world.now().since_start(); }

  // Adds a running client.
  Client& AddClient(absl::string_view name) {
    clients_.push_back(std::make_unique<Client>());
    Client& client = *clients_.back();
    client.name = Intern(name);
    HostSpec spec;
    spec.name = client.name;
    spec.factory = [&client](Env& env) {
      auto process = std::make_unique<RawClient>(env);
      client.process = process.get();
      return process;
    };
    client.host = &world.AddHost(std::move(spec));
    client.host->Start();
    RunFor(1us);
    return client;
  }

  // Sends a request, now; the answer is filled in as the world runs.
  AnswerPtr Ask(Client& client, Request request) {
    return Ask(client, config.address, std::move(request));
  }
  AnswerPtr Ask(Client& client, Name address, Request request) {
    auto answer = std::make_shared<Answer>();
    World* const w = &world;
    client.process->remoting().CallAsync(address, std::move(request), 100s,
                                         [answer, w](CallResult result) {
                                           answer->result = std::move(result);
                                           answer->at = w->now();
                                         });
    return answer;
  }
  // Sends a request and lets 2 ms pass, in which it must be answered.
  Answer Do(Client& client, Request request) {
    const AnswerPtr answer = Ask(client, std::move(request));
    RunFor(2ms);
    EXPECT_TRUE(answer->replied());
    return *answer;
  }
  Answer DoAtNameServer(Client& client, Request request) {
    const AnswerPtr answer =
        Ask(client, name_server.address, std::move(request));
    RunFor(2ms);
    EXPECT_TRUE(answer->replied());
    return *answer;
  }

  // ---- Requests ----

  SubscriptionData Subscription(absl::string_view of,
                                std::vector<std::string> tags = {},
                                int64_t version = 0) {
    SubscriptionData data;
    data.topic = Intern(of);
    for (const std::string& tag : tags) data.tags.push_back(Intern(tag));
    data.sub_version = version;
    return data;
  }
  HeartbeatRequest Heartbeat(const Client& client,
                             std::vector<SubscriptionData> subscriptions) {
    ConsumerData data;
    data.group = group;
    data.subscriptions = std::move(subscriptions);
    return Heartbeat(client, data);
  }
  HeartbeatRequest Heartbeat(const Client& client, const ConsumerData& data) {
    HeartbeatRequest request;
    request.client_id = client.name;
    request.consumers = std::make_shared<const std::vector<ConsumerData>>(
        std::vector<ConsumerData>{data});
    return request;
  }
  // Makes the client a member of `group` that subscribes to all of `topic`.
  void Join(Client& client) {
    const AnswerPtr answer =
        Ask(client, Heartbeat(client, {Subscription("t")}));
    RunFor(5ms);
    EXPECT_TRUE(answer->replied());
  }
  SendMessageRequest Message(int32_t queue, int32_t body_size = 100,
                             absl::string_view tag = "") {
    SendMessageRequest request;
    request.topic = topic;
    request.queue_id = queue;
    request.born = world.now();
    request.tag = Intern(tag);
    request.body_size = body_size;
    return request;
  }
  // A pull that is not held and commits nothing.
  PullMessageRequest Pull(int32_t queue, int64_t offset) {
    PullMessageRequest request;
    request.group = group;
    request.queue = Queue(queue);
    request.queue_offset = offset;
    request.suspend_timeout = 15s;
    return request;
  }
  PullMessageRequest LongPull(int32_t queue, int64_t offset) {
    PullMessageRequest request = Pull(queue, offset);
    request.sys_flag = kPullFlagSuspend;
    return request;
  }
  UpdateConsumerOffsetRequest Commit(int32_t queue, int64_t offset) {
    UpdateConsumerOffsetRequest request;
    request.group = group;
    request.queue = Queue(queue);
    request.commit_offset = offset;
    return request;
  }
  QueryConsumerOffsetRequest QueryOffset(int32_t queue) {
    QueryConsumerOffsetRequest request;
    request.group = group;
    request.queue = Queue(queue);
    return request;
  }

  // ---- Facts ----

  std::vector<Fact> FactsOf(FactKind kind) const {
    std::vector<Fact> result;
    for (const Fact& fact : facts_) {
      if (fact.kind == kind) result.push_back(fact);
    }
    return result;
  }
  // Kinds 30 to 32 as lines: "joined c-1", "left c-1 3", "notified 2".
  std::vector<std::string> MemberLog() {
    std::vector<std::string> lines;
    for (const Fact& fact : facts_) {
      const auto name = [this, &fact] {
        return world.names().FromId(static_cast<uint32_t>(fact.value)).text();
      };
      if (fact.kind == FactKind::MEMBER_REGISTERED) {
        lines.push_back(absl::StrCat("joined ", name()));
      } else if (fact.kind == FactKind::MEMBER_REMOVED) {
        lines.push_back(absl::StrCat("left ", name(), " ", fact.count));
      } else if (fact.kind == FactKind::MEMBERS_NOTIFIED) {
        lines.push_back(absl::StrCat("notified ", fact.count));
      }
    }
    return lines;
  }
  void ForgetFacts() { facts_.clear(); }

  World world;
  Name broker_name;
  Name group;
  Name topic;
  NameServerConfig name_server;
  BrokerConfig config;
  BrokerDisk disk;
  Host* name_server_host = nullptr;
  Host* broker_host = nullptr;
  Broker* broker = nullptr;  // While it lives.

 private:
  static WorldOptions Options(uint64_t seed) {
    WorldOptions options;
    options.seed = seed;
    return options;
  }
  void OnFact(const Fact& fact) override { facts_.push_back(fact); }

  std::vector<Fact> facts_;
  std::vector<std::unique_ptr<Client>> clients_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_MODEL_BROKER_CLUSTER_H_
