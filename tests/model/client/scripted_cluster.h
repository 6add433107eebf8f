// A name server and brokers that answer as a test tells them, and write down
// what they are asked; a consumer or producer that deals with them; and the
// facts that come of it.
#ifndef GROUPSIM_TESTS_MODEL_CLIENT_SCRIPTED_CLUSTER_H_
#define GROUPSIM_TESTS_MODEL_CLIENT_SCRIPTED_CLUSTER_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/consumer_disk.h"
#include "model/client/producer.h"
#include "model/client/push_consumer.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/process.h"
#include "model/runtime/remoting.h"
#include "model/runtime/timer.h"
#include "model/wire/command.h"
#include "model/wire/route.h"
#include "sim/host/listener_behaviour.h"
#include "sim/host/world.h"
#include "sim/trace/trace.h"

namespace groupsim {

// How one server answers; changed by tests at any time.
struct ServerScript {
  std::map<RequestCode, Duration> delay;  // Of the answer.
  std::set<RequestCode> silent;           // Asked so, it does not answer.
  // Goes before the usual answer; nothing for the usual one.
  std::map<RequestCode, std::function<std::optional<Reply>(const Request&)>>
      answer;
};

class ScriptedCluster : private FactObserver, private ListenerBehaviour {
 public:
  // Name server "n1"; brokers "b1", "b2", …, each with `queues` queues of the
  // topic "t". One way through the network takes 500 us.
  explicit ScriptedCluster(int brokers = 1, int queues = 2);
  ~ScriptedCluster() override;

  // The process under test, not yet started; configured through the two
  // members below.
  Host& AddConsumer(const std::string& name = "c1");
  Host& AddProducer(const std::string& name = "p1");
  PushConsumerConfig consumer_config;
  ProducerConfig producer_config;
  // Always the same, so that times are round.
  Duration work_before_jobs;

  void RunUntil(Duration when) { world.RunUntil(Instant::Start() + when); }
  void At(Duration when, std::function<void()> action) {
    world.At(Instant::Start() + when, std::move(action));
  }

  // ---- What servers know ----

  ServerScript& script(const std::string& server) {
    return servers_.at(server).script;
  }
  // The topic's route, from the brokers that are listed.
  void SetRoute(const std::string& topic,
                const std::vector<std::string>& brokers, int queues,
                int64_t broker_id = kMasterId);
  void RemoveRoute(const std::string& topic) { routes_.erase(topic); }
  // The offsets stored for the group; queues are written "b1#0".
  std::map<std::string, int64_t> stored_offsets;
  int64_t max_offset = 100;    // Of every queue.
  int64_t search_offset = 40;  // Answer to a search by timestamp.
  std::vector<std::string>
      extra_members;  // Besides those that sent heartbeats.
  std::set<std::string> locked_by_others;  // Queues whose locks are refused.
  // Answers the oldest pull of a queue that is held. False if none is.
  bool AnswerPull(const std::string& queue, Reply reply);
  // Messages [first, first + count) of `body` bytes, as an answer to a pull;
  // that at offset n begins at position 100 n of the log.
  Reply Found(int64_t first, int64_t count, int32_t body = 100);
  static Reply NotFound(int64_t next, ResponseCode code);
  // Tells the client that the members of its group changed.
  void Notify(const std::string& server);
  // Asks the client to go on from these offsets; queues are written "b1#0".
  void ResetOffsets(const std::string& server,
                    const std::map<std::string, int64_t>& offsets);
  // The host of a server.
  Host& host(const std::string& server) { return *servers_.at(server).host; }

  // ---- The listener ----

  // How each call goes; by default it takes 1 ms and succeeds.
  std::function<ListenerPlan(const ListenerCall&)> listener;

  // ---- What was written down ----

  // "1002 b1 PULL_MESSAGE b1#0 @5 commit 3", in order of arrival at a server;
  // milliseconds, rounded down.
  std::vector<std::string> requests;
  // Those with one of the words.
  std::vector<std::string> RequestsWith(std::set<std::string> words) const;
  // "1500 PULL_SENT b1#0 offset count value", of the process under test.
  std::vector<std::string> facts;
  std::vector<std::string> FactsOf(std::set<FactKind> kinds) const;

  Name N(const std::string& text) { return world.names().Intern(text); }
  MessageQueue Queue(const std::string& brief);
  PushConsumer* consumer = nullptr;  // The last one made.
  Producer* producer = nullptr;
  ConsumerDisk disk;  // Of the consumer.

  World world;

 private:
  class Server;
  struct ServerSlot {
    Host* host = nullptr;
    Server* process = nullptr;  // The last one made.
    ServerScript script;
  };
  struct HeldPull {
    std::string queue;
    Responder responder;
  };

  void AddServer(const std::string& name);
  // Writes the request down and answers it, or will.
  void OnRequest(const std::string& server, Server& process, Request request,
                 Responder responder);
  std::optional<Reply> UsualAnswer(const std::string& server,
                                   const Request& request,
                                   ConnectionId connection);
  std::string Describe(const Request& request) const;
  void OnFact(const Fact& fact) override;
  ListenerPlan Plan(const ListenerCall& call, RandomStream& draws) override;
  int64_t NowMillis() const { return world.now().since_start().millis(); }

  std::map<std::string, ServerSlot> servers_;
  std::map<std::string, TopicRoutePtr> routes_;
  std::map<std::string, std::set<std::string>> members_;  // By server.
  std::deque<HeldPull> held_;
  std::map<std::string, int64_t> next_stored_;  // Messages sent, by queue.
};

// "b1#0"
std::string Brief(const MessageQueue& queue);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_MODEL_CLIENT_SCRIPTED_CLUSTER_H_
