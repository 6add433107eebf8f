#include "model/client/client_instance.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/client/client_member.h"
#include "model/client/settings.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"

namespace groupsim {

ClientInstance::ClientInstance(Env& env, Config config)
    : env_(env),
      config_(std::move(config)),
      inner_producer_(env.names().Intern("CLIENT_INNER_PRODUCER")),
      remoting_(env, RemotingSettingsOf(config_.settings, config_.profile),
                this, this),
      routes_(env,
              {config_.name_servers, config_.settings.mq_client_api_timeout,
               config_.profile.lock_namesrv_timeout,
               config_.profile.one_name_server_a_call},
              remoting_, brokers_),
      heartbeats_(env,
                  {config_.client_id, config_.settings.mq_client_api_timeout},
                  remoting_, brokers_),
      rebalance_(env, {config_.settings.rebalance_wait_interval,
                       config_.settings.rebalance_min_interval,
                       config_.profile.paced_rebalance}),
      scheduler_(env, "instance"),
      channel_events_(env),
      rebalance_later_(env, [this] { OnLater(); }) {}

void ClientInstance::ServeConsumer(ConsumerMember& consumer) {
  consumer_ = &consumer;
  routes_.SetMember(&consumer);
  heartbeats_.SetConsumer(&consumer);
  heartbeats_.SetProducerGroups({inner_producer_});
  rebalance_.SetConsumer(&consumer);
}

void ClientInstance::ServeProducer(ClientMember& producer,
                                   Name producer_group) {
  producer_group_ = producer_group;
  routes_.SetMember(&producer);
  heartbeats_.SetProducerGroups({inner_producer_, producer_group});
}

Task<void> ClientInstance::StartUp() {
  const ClientProfile& profile = config_.profile;
  const Duration early =
      env_.Random("start-up")
          ->Between(profile.min_work_before_jobs, profile.max_work_before_jobs);
  co_await Sleep(env_, early);
  Start();
  co_await Sleep(env_, profile.start_up_work);
}

void ClientInstance::Start() {
  const ClientSettings& settings = config_.settings;
  const ClientProfile& profile = config_.profile;
  refresh_routes_.emplace(env_, scheduler_, profile.first_poll_name_server,
                          settings.poll_name_server_interval,
                          [this] { return RefreshRoutes(); });
  heartbeat_.emplace(env_, scheduler_, profile.first_heartbeat,
                     settings.heartbeat_broker_interval,
                     [this] { return CleanAndHeartbeat(); });
  if (consumer_ == nullptr) return;  // A producer has nothing for the rest.
  persist_offsets_.emplace(env_, scheduler_,
                           profile.first_persist_consumer_offset,
                           settings.persist_consumer_offset_interval,
                           [this] { return PersistOffsets(); });
  rebalance_.Start();
}

void ClientInstance::WakeRebalanceLater(Duration delay) {
  const Instant due = env_.Now() + delay;
  const auto place = std::upper_bound(later_.begin(), later_.end(), due);
  const bool first = place == later_.begin();
  later_.insert(place, due);
  if (first) rebalance_later_.ArmAt(due);
}

void ClientInstance::OnLater() {
  later_.pop_front();
  if (!later_.empty()) rebalance_later_.ArmAt(later_.front());
  scheduler_.Post([this] { WakeRebalance(); });
}

Task<void> ClientInstance::RefreshRoutes() { return routes_.RefreshAll(); }

Task<void> ClientInstance::CleanAndHeartbeat() {
  co_await routes_.ForgetOfflineBrokers();
  co_await heartbeats_.SendToAllBrokers();
}

Task<void> ClientInstance::PersistOffsets() {
  if (consumer_ != nullptr) co_await consumer_->PersistOffsets();
}

void ClientInstance::OnRequest(Request request, Responder responder) {
  if (const auto* reset =
          std::get_if<ResetConsumerClientOffsetRequest>(&request.body)) {
    if (consumer_ != nullptr && consumer_->group() == reset->group) {
      consumer_->OnResetOffsets(*reset);
    }
    return;
  }
  const auto* notice =
      std::get_if<NotifyConsumerIdsChangedRequest>(&request.body);
  if (notice == nullptr) {
    responder.Answer(Reply(ResponseCode::kRequestCodeNotSupported));
    return;
  }
  Fact fact;
  fact.kind = FactKind::NOTICE_RECEIVED;
  fact.group = NarrowId(notice->group);
  fact.value =
      brokers_.BrokerAt(remoting_.AddressOf(responder.connection())).id();
  env_.Emit(fact);
  WakeRebalance();
}

void ClientInstance::OnChannelActive(Name address) {
  if (!config_.profile.heartbeat_on_channel_active ||
      !config_.settings.enable_heartbeat_channel_event_listener) {
    return;
  }
  channel_events_.PostTask([this, address] { return HeartbeatTo(address); });
}

Task<void> ClientInstance::HeartbeatTo(Name address) {
  if (brokers_.BrokerAt(address).empty()) co_return;
  const bool taken = co_await heartbeats_.SendTo(address);
  if (taken) WakeRebalance();
}

Task<void> ClientInstance::UnregisterAtAll(Name producer_group,
                                           Name consumer_group) {
  const std::vector<Name> addresses = brokers_.All(/*masters_only=*/false);
  for (Name address : addresses) {
    UnregisterClientRequest request;
    request.client_id = config_.client_id;
    request.producer_group = producer_group;
    request.consumer_group = consumer_group;
    co_await remoting_.Call(address, request,
                            config_.settings.mq_client_api_timeout);
  }
}

Task<void> ClientInstance::Unregister() {
  Name consumer_group;
  if (consumer_ != nullptr) consumer_group = consumer_->group();
  consumer_ = nullptr;
  routes_.SetMember(nullptr);
  heartbeats_.SetConsumer(nullptr);
  heartbeats_.SetProducerGroups({inner_producer_});
  rebalance_.SetConsumer(nullptr);
  return UnregisterAtAll(producer_group_, consumer_group);
}

Task<void> ClientInstance::Shutdown() {
  heartbeats_.SetProducerGroups({});
  co_await UnregisterAtAll(inner_producer_, Name());
  if (refresh_routes_.has_value()) refresh_routes_->Cancel();
  if (heartbeat_.has_value()) heartbeat_->Cancel();
  if (persist_offsets_.has_value()) persist_offsets_->Cancel();
  rebalance_later_.Cancel();
  remoting_.Shutdown();
  co_await rebalance_.Stop(config_.profile.service_join_time);
}

}  // namespace groupsim
