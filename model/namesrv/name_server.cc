#include "model/namesrv/name_server.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "model/facts/fact.h"
#include "model/wire/codes.h"

namespace groupsim {
namespace {

RemotingSettings RemotingOf(const NameServerSettings& settings) {
  RemotingSettings remoting;
  remoting.channel_max_idle = settings.server_channel_max_idle_time_seconds;
  return remoting;
}

}  // namespace

NameServer::NameServer(Env& env, const NameServerConfig& config)
    : env_(env),
      config_(config),
      remoting_(env, RemotingOf(config_.settings), this, this),
      scan_(env, [this] { ScanNotActive(); }),
      removal_(env, [this] { RemovePending(); }) {}

void NameServer::Start() {
  started_ = env_.Now();
  remoting_.Listen(config_.address);
  scan_.Arm(config_.profile.first_scan_not_active_broker);
  env_.lifecycle().OnReady();
}

void NameServer::Shutdown() {
  scan_.Cancel();
  removal_.Cancel();
  remoting_.Shutdown();
  env_.lifecycle().OnStopped();
}

void NameServer::OnRequest(Request request, Responder responder) {
  switch (request.code) {
    case RequestCode::kGetRouteInfoByTopic:
      responder.Answer(Route(std::get<GetRouteInfoRequest>(request.body)));
      return;
    case RequestCode::kRegisterBroker:
      responder.Answer(Register(std::get<RegisterBrokerRequest>(request.body),
                                responder.connection()));
      return;
    case RequestCode::kUnregisterBroker:
      responder.Answer(
          Unregister(std::get<UnregisterBrokerRequest>(request.body)));
      return;
    default:
      responder.Answer(Reply(ResponseCode::kRequestCodeNotSupported,
                             "a name server does not serve this request"));
  }
}

Reply NameServer::Register(RegisterBrokerRequest request,
                           ConnectionId channel) {
  if (!config_.profile.brokers_say_their_timeout) {
    request.heartbeat_timeout = Duration::Zero();
  }
  const RegisterOutcome outcome =
      table_.Register(request, channel, env_.WallMillis(),
                      config_.settings.default_broker_channel_expired_time);
  if (outcome == RegisterOutcome::kRefused) {
    return Reply(ResponseCode::kSystemError,
                 "one topic of a broker that is not registered");
  }
  if (outcome == RegisterOutcome::kRegistered) {
    Fact fact;
    fact.kind = FactKind::BROKER_REGISTERED;
    fact.broker = NarrowId(request.broker);
    fact.count = request.topics == nullptr
                     ? 0
                     : static_cast<int64_t>(request.topics->size());
    env_.Emit(fact);
  }
  return Reply(ResponseCode::kSuccess);
}

Reply NameServer::Unregister(const UnregisterBrokerRequest& request) {
  const Unregistration broker{request.cluster, request.address, request.broker,
                              request.broker_id};
  if (!Enqueue(broker, BrokerRemovalCause::kUnregistered)) {
    return Reply(ResponseCode::kSystemError, "too many unregistrations wait");
  }
  return Reply(ResponseCode::kSuccess);
}

Reply NameServer::Route(const GetRouteInfoRequest& request) const {
  if (config_.settings.need_wait_for_service &&
      env_.Now() - started_ < config_.settings.wait_seconds_for_service) {
    return Reply(ResponseCode::kSystemError, "the name server is too young");
  }
  GetRouteInfoReply reply;
  const RouteTable& table = frozen_.has_value() ? *frozen_ : table_;
  reply.route = table.Route(request.topic);
  if (reply.route == nullptr) {
    return Reply(ResponseCode::kTopicNotExist, "no route of this topic");
  }
  return Reply(ResponseCode::kSuccess, std::move(reply));
}

// A thread of its own takes all that waits and carries it out together, so
// that whoever asked is answered before anything is removed.
bool NameServer::Enqueue(const Unregistration& broker,
                         BrokerRemovalCause cause) {
  if (static_cast<int64_t>(pending_.size()) >=
      config_.settings.un_register_broker_queue_capacity) {
    return false;
  }
  pending_.push_back(Pending{broker, cause});
  if (!config_.profile.unregisters_in_batches) {
    RemovePending();
    return true;
  }
  if (!removal_.armed()) removal_.Arm(Duration::Zero());
  return true;
}

void NameServer::RemovePending() {
  const std::vector<Pending> pending = std::exchange(pending_, {});
  std::vector<Unregistration> batch;
  batch.reserve(pending.size());
  for (const Pending& entry : pending) batch.push_back(entry.broker);
  const std::vector<bool> removed = table_.Unregister(batch);
  for (size_t i = 0; i < pending.size(); ++i) {
    if (!removed[i]) continue;
    Fact fact;
    fact.kind = FactKind::BROKER_REMOVED;
    fact.broker = NarrowId(pending[i].broker.broker);
    fact.count = static_cast<int64_t>(pending[i].cause);
    env_.Emit(fact);
  }
}

void NameServer::ScanNotActive() {
  scan_.ArmAt(scan_.deadline() +
              config_.settings.scan_not_active_broker_interval);
  for (const RouteTable::Silent& silent :
       table_.FindSilent(env_.WallMillis())) {
    remoting_.CloseConnection(silent.channel);
    Enqueue(silent.broker, BrokerRemovalCause::kExpired);
  }
}

void NameServer::OnConnectionClosed(ConnectionId id, CloseReason reason) {
  (void)reason;
  const std::optional<Unregistration> broker = table_.FindByChannel(id);
  if (broker.has_value()) {
    Enqueue(*broker, BrokerRemovalCause::kChannelClosed);
  }
}

}  // namespace groupsim
