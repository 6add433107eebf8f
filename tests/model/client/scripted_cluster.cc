#include "tests/model/client/scripted_cluster.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {

std::string Brief(const MessageQueue& queue) {
  return absl::StrCat(queue.broker.text(), "#", queue.queue_id);
}

// A server as a process: hands everything to the cluster.
class ScriptedCluster::Server final : public Process,
                                      private RequestHandler,
                                      private ChannelListener {
 public:
  Server(Env& env, ScriptedCluster& cluster, std::string name, Name address)
      : env_(env),
        cluster_(cluster),
        name_(std::move(name)),
        address_(address),
        remoting_(env, RemotingSettings(), this, this) {}

  void Start() override {
    remoting_.Listen(address_);
    env_.lifecycle().OnReady();
  }
  void Shutdown() override { env_.lifecycle().OnStopped(); }

  // Answers after a time, if the process is still there.
  void AnswerLater(Duration delay, Responder responder, Reply reply) {
    auto late = std::make_unique<Late>();
    Late* raw = late.get();
    raw->responder = std::move(responder);
    raw->reply = std::move(reply);
    raw->timer = std::make_unique<Timer>(
        env_, [raw] { raw->responder.Answer(std::move(raw->reply)); });
    raw->timer->Arm(delay);
    late_.push_back(std::move(late));
  }

  void NotifyAll(const Request& notice) {
    for (const ConnectionId id : clients) remoting_.SendOneway(id, notice);
  }

  std::set<ConnectionId> clients;  // That sent heartbeats.

 private:
  struct Late {
    Responder responder;
    Reply reply;
    std::unique_ptr<Timer> timer;
  };

  void OnRequest(Request request, Responder responder) override {
    cluster_.OnRequest(name_, *this, std::move(request), std::move(responder));
  }
  void OnConnectionClosed(ConnectionId id, CloseReason) override {
    clients.erase(id);
  }

  Env& env_;
  ScriptedCluster& cluster_;
  const std::string name_;
  const Name address_;
  Remoting remoting_;
  std::vector<std::unique_ptr<Late>> late_;
};

ScriptedCluster::ScriptedCluster(int brokers, int queues)
    : world(WorldOptions{}) {
  N("g");
  NetworkSettings network;
  network.same_room = *Distribution::Constant(500'000);
  world.SetNetwork(std::move(network));
  world.trace().ObserveAll(this);
  AddServer("n1");
  std::vector<std::string> names;
  for (int i = 1; i <= brokers; ++i) {
    names.push_back(absl::StrCat("b", i));
    AddServer(names.back());
  }
  SetRoute("t", names, queues);
  consumer_config.group = N("g");
  consumer_config.client_id = N("c1@1");
  consumer_config.name_servers = {N("n1:1")};
  consumer_config.topics.push_back({N("t"), "*"});
  producer_config.producer_group = N("pg");
  producer_config.client_id = N("p1@1");
  producer_config.name_servers = {N("n1:1")};
}

ScriptedCluster::~ScriptedCluster() {
  held_.clear();  // Before the servers that they belong to.
}

void ScriptedCluster::AddServer(const std::string& name) {
  ServerSlot& slot = servers_[name];
  HostSpec spec;
  spec.name = N(name);
  spec.addresses = {N(absl::StrCat(name, ":1"))};
  spec.role = ProcessRole::kBroker;
  spec.factory = [this, name, &slot](Env& env) {
    auto server =
        std::make_unique<Server>(env, *this, name, N(absl::StrCat(name, ":1")));
    slot.process = server.get();
    return server;
  };
  slot.host = &world.AddHost(std::move(spec));
  slot.host->Start();
}

Host& ScriptedCluster::AddConsumer(const std::string& name) {
  HostSpec spec;
  spec.name = N(name);
  spec.group = consumer_config.group;
  spec.listeners = this;
  PushConsumerConfig config = consumer_config;
  config.profile.min_work_before_jobs = work_before_jobs;
  config.profile.max_work_before_jobs = work_before_jobs;
  spec.factory = [this, config](Env& env) {
    auto made = std::make_unique<PushConsumer>(env, config, &disk);
    consumer = made.get();
    return made;
  };
  return world.AddHost(std::move(spec));
}

Host& ScriptedCluster::AddProducer(const std::string& name) {
  HostSpec spec;
  spec.name = N(name);
  spec.role = ProcessRole::kProducer;
  spec.factory = [this, config = producer_config](Env& env) {
    auto made = std::make_unique<Producer>(env, config);
    producer = made.get();
    return made;
  };
  return world.AddHost(std::move(spec));
}

void ScriptedCluster::SetRoute(const std::string& topic,
                               const std::vector<std::string>& brokers,
                               int queues, int64_t broker_id) {
  auto route = std::make_shared<TopicRoute>();
  for (const std::string& broker : brokers) {
    route->queues.push_back({N(broker), queues, queues});
    BrokerData data;
    data.broker = N(broker);
    data.addresses[broker_id] = N(absl::StrCat(broker, ":1"));
    route->brokers.push_back(data);
  }
  routes_[topic] = route;
}

MessageQueue ScriptedCluster::Queue(const std::string& brief) {
  const std::vector<std::string> parts = absl::StrSplit(brief, '#');
  MessageQueue queue;
  queue.topic = N("t");
  queue.broker = N(parts.at(0));
  CHECK(absl::SimpleAtoi(parts.at(1), &queue.queue_id));
  return queue;
}

bool ScriptedCluster::AnswerPull(const std::string& queue, Reply reply) {
  const auto it =
      std::find_if(held_.begin(), held_.end(),
                   [&](const HeldPull& pull) { return pull.queue == queue; });
  if (it == held_.end()) return false;
  it->responder.Answer(std::move(reply));
  held_.erase(it);
  return true;
}

Reply ScriptedCluster::Found(int64_t first, int64_t count, int32_t body) {
  PullMessageReply reply;
  reply.next_begin_offset = first + count;
  reply.max_offset = first + count;
  for (int64_t i = 0; i < count; ++i) {
    Message message;
    message.queue_offset = first + i;
    message.commit_log_offset = 100 * (first + i);
    message.body_size = body;
    message.stored = world.now();
    reply.messages.push_back(message);
  }
  return Reply(ResponseCode::kSuccess, std::move(reply));
}

Reply ScriptedCluster::NotFound(int64_t next, ResponseCode code) {
  Reply reply(code);
  reply.body.emplace<PullMessageReply>().next_begin_offset = next;
  return reply;
}

void ScriptedCluster::Notify(const std::string& server) {
  NotifyConsumerIdsChangedRequest notice;
  notice.group = N("g");
  servers_.at(server).process->NotifyAll(notice);
}

void ScriptedCluster::ResetOffsets(
    const std::string& server, const std::map<std::string, int64_t>& offsets) {
  ResetConsumerClientOffsetRequest notice;
  notice.group = N("g");
  notice.topic = N("t");
  for (const auto& [queue, offset] : offsets) {
    notice.offsets.emplace_back(Queue(queue), offset);
  }
  servers_.at(server).process->NotifyAll(notice);
}

// ---- Answers ----

void ScriptedCluster::OnRequest(const std::string& server, Server& process,
                                Request request, Responder responder) {
  requests.push_back(
      absl::StrCat(NowMillis(), " ", server, " ", Describe(request)));
  ServerScript& script = servers_.at(server).script;
  if (script.silent.count(request.code) > 0) {
    responder = Responder();
    return;
  }
  std::optional<Reply> reply;
  const auto special = script.answer.find(request.code);
  if (special != script.answer.end()) reply = special->second(request);
  if (request.code == RequestCode::kHeartBeat && !reply.has_value()) {
    process.clients.insert(responder.connection());
  }
  if (!reply.has_value()) {
    if (const auto* pull = std::get_if<PullMessageRequest>(&request.body)) {
      held_.push_back({Brief(pull->queue), std::move(responder)});
      return;
    }
    reply = UsualAnswer(server, request, responder.connection());
  }
  const auto delay = script.delay.find(request.code);
  if (delay == script.delay.end()) {
    responder.Answer(*std::move(reply));
  } else {
    process.AnswerLater(delay->second, std::move(responder), *std::move(reply));
  }
}

std::optional<Reply> ScriptedCluster::UsualAnswer(const std::string& server,
                                                  const Request& request,
                                                  ConnectionId) {
  if (const auto* route = std::get_if<GetRouteInfoRequest>(&request.body)) {
    const auto it = routes_.find(route->topic.text());
    if (it == routes_.end()) return Reply(ResponseCode::kTopicNotExist);
    return Reply(ResponseCode::kSuccess, GetRouteInfoReply{it->second});
  }
  if (const auto* beat = std::get_if<HeartbeatRequest>(&request.body)) {
    if (beat->consumers != nullptr) {
      members_[server].insert(beat->client_id.text());
    }
    return Reply();
  }
  if (const auto* leave = std::get_if<UnregisterClientRequest>(&request.body)) {
    if (!leave->consumer_group.empty()) {
      members_[server].erase(leave->client_id.text());
    }
    return Reply();
  }
  if (std::holds_alternative<GetConsumerListRequest>(request.body)) {
    auto ids = std::make_shared<std::vector<Name>>();
    for (const std::string& id : members_[server]) ids->push_back(N(id));
    for (const std::string& id : extra_members) ids->push_back(N(id));
    if (ids->empty()) return Reply(ResponseCode::kSystemError);
    return Reply(ResponseCode::kSuccess, GetConsumerListReply{ids});
  }
  if (const auto* query =
          std::get_if<QueryConsumerOffsetRequest>(&request.body)) {
    const auto it = stored_offsets.find(Brief(query->queue));
    if (it == stored_offsets.end()) return Reply(ResponseCode::kQueryNotFound);
    return Reply(ResponseCode::kSuccess, OffsetReply{it->second});
  }
  if (const auto* update =
          std::get_if<UpdateConsumerOffsetRequest>(&request.body)) {
    stored_offsets[Brief(update->queue)] = update->commit_offset;
    return Reply();
  }
  if (std::holds_alternative<GetMaxOffsetRequest>(request.body)) {
    return Reply(ResponseCode::kSuccess, OffsetReply{max_offset});
  }
  if (std::holds_alternative<SearchOffsetRequest>(request.body)) {
    return Reply(ResponseCode::kSuccess, OffsetReply{search_offset});
  }
  if (const auto* send = std::get_if<SendMessageRequest>(&request.body)) {
    SendMessageReply reply;
    reply.queue_id = send->queue_id;
    reply.queue_offset = next_stored_[absl::StrCat(server, send->queue_id)]++;
    return Reply(ResponseCode::kSuccess, std::move(reply));
  }
  if (const auto* lock = std::get_if<LockBatchRequest>(&request.body)) {
    LockBatchReply reply;
    for (const MessageQueue& queue : lock->queues) {
      if (locked_by_others.contains(Brief(queue))) continue;
      reply.locked.push_back(queue);
    }
    return Reply(ResponseCode::kSuccess, std::move(reply));
  }
  if (std::holds_alternative<UnlockBatchRequest>(request.body)) return Reply();
  return Reply(ResponseCode::kRequestCodeNotSupported);
}

// ---- Writing down ----

std::string ScriptedCluster::Describe(const Request& request) const {
  std::string text(NameOf(request.code));
  if (const auto* r = std::get_if<GetRouteInfoRequest>(&request.body)) {
    absl::StrAppend(&text, " ", r->topic.text());
  } else if (const auto* r = std::get_if<PullMessageRequest>(&request.body)) {
    absl::StrAppend(&text, " ", Brief(r->queue), " @", r->queue_offset);
    if ((r->sys_flag & kPullFlagCommitOffset) != 0) {
      absl::StrAppend(&text, " commit ", r->commit_offset);
    }
  } else if (const auto* r =
                 std::get_if<QueryConsumerOffsetRequest>(&request.body)) {
    absl::StrAppend(&text, " ", Brief(r->queue));
  } else if (const auto* r =
                 std::get_if<UpdateConsumerOffsetRequest>(&request.body)) {
    absl::StrAppend(&text, " ", Brief(r->queue), " = ", r->commit_offset);
  } else if (const auto* r = std::get_if<GetMaxOffsetRequest>(&request.body)) {
    absl::StrAppend(&text, " ", Brief(r->queue));
  } else if (const auto* r = std::get_if<SearchOffsetRequest>(&request.body)) {
    absl::StrAppend(&text, " ", Brief(r->queue), " from ", r->timestamp);
  } else if (const auto* r = std::get_if<LockBatchRequest>(&request.body)) {
    for (const MessageQueue& queue : r->queues) {
      absl::StrAppend(&text, " ", Brief(queue));
    }
  } else if (const auto* r = std::get_if<UnlockBatchRequest>(&request.body)) {
    for (const MessageQueue& queue : r->queues) {
      absl::StrAppend(&text, " ", Brief(queue));
    }
  } else if (const auto* r = std::get_if<SendMessageRequest>(&request.body)) {
    absl::StrAppend(&text, " ", r->queue_id);
    if (r->properties != nullptr) {
      absl::StrAppend(&text, " of ", r->topic.text(), " level ",
                      r->properties->delay_level, " times ",
                      r->properties->reconsume_times, " max ",
                      r->properties->max_reconsume_times);
    }
  } else if (const auto* r =
                 std::get_if<SendMessageBackRequest>(&request.body)) {
    absl::StrAppend(&text, " at ", r->offset, " of ", r->origin_topic.text(),
                    " level ", r->delay_level, " max ", r->max_reconsume_times);
  } else if (const auto* r =
                 std::get_if<UnregisterClientRequest>(&request.body)) {
    absl::StrAppend(&text, " ", r->consumer_group.text(),
                    r->producer_group.text());
  }
  return text;
}

std::vector<std::string> ScriptedCluster::RequestsWith(
    std::set<std::string> words) const {
  std::vector<std::string> found;
  for (const std::string& line : requests) {
    for (absl::string_view word : absl::StrSplit(line, ' ')) {
      if (words.count(std::string(word)) == 0) continue;
      found.push_back(line);
      break;
    }
  }
  return found;
}

void ScriptedCluster::OnFact(const Fact& fact) {
  const Name host = world.names().FromId(fact.host);
  if (host.empty() || servers_.count(host.text()) > 0) return;
  std::string line = absl::StrCat(fact.time.since_start().millis(), " ",
                                  InfoOf(fact.kind).name);
  if (fact.broker != 0) {
    absl::StrAppend(&line, " ", world.names().FromId(fact.broker).text(), "#",
                    fact.queue);
  }
  absl::StrAppend(&line, " ", fact.offset, " ", fact.count, " ", fact.value);
  facts.push_back(line);
}

std::vector<std::string> ScriptedCluster::FactsOf(
    std::set<FactKind> kinds) const {
  std::set<std::string> names;
  for (const FactKind kind : kinds)
    names.insert(std::string(InfoOf(kind).name));
  std::vector<std::string> found;
  for (const std::string& line : facts) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    if (names.count(words.at(1)) > 0) found.push_back(line);
  }
  return found;
}

ListenerPlan ScriptedCluster::Plan(const ListenerCall& call, RandomStream&) {
  if (listener) return listener(call);
  ListenerPlan plan;
  plan.service_time = 1ms;
  return plan;
}

}  // namespace groupsim
