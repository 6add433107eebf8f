#include "model/broker/broker.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "model/facts/fact.h"
#include "model/wire/codes.h"

namespace groupsim {
namespace {

RemotingSettings RemotingOf(const BrokerSettings& settings) {
  RemotingSettings remoting;
  remoting.channel_max_idle = settings.server_channel_max_idle_time_seconds;
  return remoting;
}

}  // namespace

Broker::Broker(Env& env, BrokerDisk& disk, const BrokerConfig& config)
    : env_(env),
      disk_(disk),
      config_(config),
      remoting_(env, RemotingOf(config_.settings), this, this),
      registration_(env, remoting_, config_, disk.topics),
      topics_(env, config_, disk, registration_),
      executors_(env, config_.disturbance, config_.settings),
      offsets_(env, config_, disk),
      clients_(env, remoting_, config_, disk, topics_),
      offset_admin_(config_, disk, offsets_, clients_.consumers(), remoting_),
      pulls_(env, config_, disk, clients_.consumers(), offsets_,
             executors_.pull()),
      retention_(env, config_, disk),
      writer_(env, config_, disk, pulls_, retention_),
      schedule_(env, config_, disk, writer_),
      locks_(env, config_),
      sends_(env, config_, disk, topics_, writer_, schedule_, locks_),
      scheduler_(env),
      scope_(env.ready()) {
  if (disk_.broker_permission.has_value()) {
    config_.settings.broker_permission = *disk_.broker_permission;
  }
  pulls_.SetWriter(writer_);
  disk_.store.Recover();
  disk_.topics.AddSystemTopics(env.names(), config_.cluster, config_.broker,
                               config_.settings.auto_create_topic_enable);
  for (const TopicConfig& topic : config_.topics) {
    if (disk_.topics.Find(topic.topic) == nullptr) {
      disk_.topics.Put(topic, env.WallMillis());
    }
  }
  for (const SubscriptionGroupConfig& group : config_.groups) {
    if (disk_.groups.Find(group.group_name) == nullptr) disk_.groups.Put(group);
  }
}

void Broker::Start() {
  offset_flush_.emplace(env_, scheduler_, kFirstOffsetFlush,
                        config_.settings.flush_consumer_offset_interval,
                        [this] { return PersistOffsets(); });
  retention_.Start();
  writer_.Start();
  schedule_.Start();
  remoting_.Listen(config_.address);
  pulls_.Start();
  clients_.Start();
  scope_.Spawn(RunStart());
}

Task<void> Broker::RunStart() {
  co_await registration_.RegisterFirst();
  if (stopping_) co_return;
  const Duration period =
      std::clamp(config_.settings.register_name_server_period,
                 kMinRegistrationPeriod, kMaxRegistrationPeriod);
  periodic_registration_.emplace(
      env_, scheduler_, kFirstPeriodicRegistration, period,
      [this] { return registration_.RegisterAll(); });
  env_.lifecycle().OnReady();
}

void Broker::Shutdown() {
  stopping_ = true;
  if (periodic_registration_.has_value()) periodic_registration_->Cancel();
  scope_.Spawn(RunShutdown());
}

Task<void> Broker::RunShutdown() {
  co_await registration_.UnregisterAll();
  // From here clients see their connections end; what is held stays without an
  // answer, and offsets are written only when no more can come.
  closed_ = true;
  executors_.Stop();
  remoting_.StopListening();
  clients_.Stop();
  pulls_.Stop();
  sends_.Stop();
  schedule_.Stop();
  writer_.Stop();
  retention_.Stop();
  offset_flush_->Cancel();
  offsets_.Persist();
  remoting_.Shutdown();
  env_.lifecycle().OnStopped();
}

Task<void> Broker::PersistOffsets() {
  offsets_.Persist();
  co_return;
}

void Broker::UpdateTopic(const TopicConfig& topic) {
  const TopicConfigTable::Entry* known = disk_.topics.Find(topic.topic);
  if (known != nullptr && known->config == topic) return;
  topics_.EmitChanged(topic);
  scope_.Spawn(topics_.Put(topic));
}

void Broker::UpdatePermission(int32_t permission) {
  if (config_.settings.broker_permission == permission) return;
  config_.settings.broker_permission = permission;
  disk_.broker_permission = permission;
  disk_.topics.Touch(env_.WallMillis());
  for (const TopicConfigTable::Entry& topic : disk_.topics) {
    topics_.EmitChanged(topic.config);
  }
  scope_.Spawn(registration_.RegisterAll());
}

// Upstream hands each request to the executor of its kind, and answers itself
// where that is full (NettyRemotingAbstract.processRequestCommand).
void Broker::OnRequest(Request request, Responder responder) {
  RequestExecutor& executor = executors_.For(request.code);
  if (executor.full()) {
    responder.Answer(
        Reply(ResponseCode::kSystemBusy, "the broker's executor is full"));
    return;
  }
  if (request.code == RequestCode::kHeartBeat) {
    executor.PostTask(
        std::move(responder),
        [this, request = std::move(request)](Responder responder) mutable {
          return clients_.OnHeartbeat(
              std::move(std::get<HeartbeatRequest>(request.body)),
              std::move(responder));
        });
    return;
  }
  if (request.code == RequestCode::kConsumerSendMsgBack) {
    executor.PostTask(
        std::move(responder),
        [this, request = std::move(request)](Responder responder) mutable {
          return sends_.OnSendBack(
              std::get<SendMessageBackRequest>(request.body),
              std::move(responder));
        });
    return;
  }
  if (executor.immediate()) {
    Handle(std::move(request), std::move(responder));
    return;
  }
  executor.Post(std::move(responder), [this, request = std::move(request)](
                                          Responder responder) mutable {
    Handle(std::move(request), std::move(responder));
  });
}

void Broker::Handle(Request request, Responder responder) {
  switch (request.code) {
    case RequestCode::kSendMessageV2:
      sends_.OnSend(std::get<SendMessageRequest>(request.body),
                    std::move(responder));
      return;
    case RequestCode::kPullMessage:
    case RequestCode::kLitePullMessage:
      pulls_.OnPull(std::get<PullMessageRequest>(request.body),
                    std::move(responder));
      return;
    case RequestCode::kUnregisterClient:
      clients_.OnUnregister(std::get<UnregisterClientRequest>(request.body),
                            std::move(responder));
      return;
    case RequestCode::kGetConsumerListByGroup:
      clients_.OnGetConsumerList(std::get<GetConsumerListRequest>(request.body),
                                 std::move(responder));
      return;
    case RequestCode::kUpdateConsumerOffset:
      responder.Answer(
          offsets_.Answer(std::get<UpdateConsumerOffsetRequest>(request.body)));
      return;
    case RequestCode::kQueryConsumerOffset:
      responder.Answer(
          offsets_.Answer(std::get<QueryConsumerOffsetRequest>(request.body)));
      return;
    case RequestCode::kGetMaxOffset:
      responder.Answer(
          offsets_.Answer(std::get<GetMaxOffsetRequest>(request.body)));
      return;
    case RequestCode::kGetMinOffset:
      responder.Answer(
          offsets_.Answer(std::get<GetMinOffsetRequest>(request.body)));
      return;
    case RequestCode::kSearchOffsetByTimestamp:
      responder.Answer(
          offsets_.Answer(std::get<SearchOffsetRequest>(request.body)));
      return;
    case RequestCode::kLockBatchMq:
      responder.Answer(locks_.Answer(std::get<LockBatchRequest>(request.body)));
      return;
    case RequestCode::kUnlockBatchMq:
      responder.Answer(
          locks_.Answer(std::get<UnlockBatchRequest>(request.body)));
      return;
    default:
      responder.Answer(Reply(ResponseCode::kRequestCodeNotSupported,
                             "a broker does not serve this request"));
  }
}

void Broker::OnConnectionClosed(ConnectionId id, CloseReason reason) {
  // A broker that stops tells nobody that its clients went.
  if (!closed_) clients_.OnConnectionClosed(id, reason);
}

}  // namespace groupsim
