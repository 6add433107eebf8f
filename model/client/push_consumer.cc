#include "model/client/push_consumer.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/allocation/averagely.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/client/client_id.h"
#include "model/client/client_instance.h"
#include "model/client/concurrent_consumption.h"
#include "model/client/consumer_disk.h"
#include "model/client/orderly_consumption.h"
#include "model/client/owned_queues.h"
#include "model/client/pull_step.h"
#include "model/client/route_service.h"
#include "model/client/settings.h"
#include "model/client/subscribing_member.h"
#include "model/client/subscriptions.h"
#include "model/facts/causes.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"
#include "model/wire/subscription.h"
#include "model/wire/topics.h"

namespace groupsim {
namespace {

PushConsumerConfig Completed(Env& env, PushConsumerConfig config) {
  CHECK(Validate(config.settings).ok()) << Validate(config.settings).message();
  CHECK(Validate(config.client).ok()) << Validate(config.client).message();
  if (config.client_id.empty()) {
    config.client_id = config.message_model == MessageModel::kBroadcasting
                           ? LastingClientId(env, config.origin)
                           : GenerateClientId(env, config.origin);
  }
  if (config.strategy == nullptr) {
    config.strategy = std::make_shared<const AllocateAveragely>();
  }
  if (!config.consume_timestamp.has_value()) {
    config.consume_timestamp =
        env.WallMillis() - config.profile.consume_timestamp_back.millis();
  }
  return config;
}

}  // namespace

PushConsumer::PushConsumer(Env& env, PushConsumerConfig config,
                           ConsumerDisk* disk)
    : PushConsumer(env, Complete{Completed(env, std::move(config))}, disk) {}

PushConsumer::PushConsumer(Env& env, Complete complete, ConsumerDisk* disk)
    : SubscribingMember(
          env,
          {complete.config.group, complete.config.message_model,
           complete.config.consume_from_where},
          {complete.config.client_id, complete.config.name_servers,
           complete.config.client, complete.config.profile}),
      config_(std::move(complete.config)),
      retry_topic_(RetryTopicOf(config_.group, env.names())),
      store_(MakeStore(disk)),
      start_offsets_({config_.consume_from_where, *config_.consume_timestamp,
                      retry_topic_, config_.profile.queue_offset_timeout},
                     *store_, instance_.remoting(), instance_.brokers(),
                     instance_.routes()),
      send_back_(env,
                 {config_.group, retry_topic_,
                  config_.settings.max_reconsume_times, config_.profile},
                 instance_),
      locks_({config_.group, config_.client_id, config_.profile.lock_timeout,
              config_.profile.connecting_blocks},
             instance_.remoting(), instance_.brokers(), owned_),
      removal_(
          env,
          {config_.group, config_.settings.unlock_delay_time_mills,
           config_.profile.orderly_removal, config_.profile.removal_lock_wait},
          *store_, locks_),
      consumption_(MakeConsumption()),
      pulls_(env,
             {config_.group, config_.settings, config_.profile,
              config_.message_model, config_.orderly},
             instance_, subscriptions_, owned_, *store_, start_offsets_,
             removal_, *consumption_),
      rebalance_(env,
                 {config_.group, config_.client_id, retry_topic_,
                  config_.strategy, config_.profile, config_.message_model,
                  config_.settings.pull_max_idle_time},
                 instance_, subscriptions_, owned_, *store_, &start_offsets_,
                 asks_for_locks() ? &locks_ : nullptr,
                 locks_queues() ? &removal_ : nullptr, *this),
      instance_monitor_(env),
      scope_(env.ready()) {
  const int64_t now = env.WallMillis();
  for (const PushConsumerConfig::Topic& topic : config_.topics) {
    subscriptions_.Put(
        BuildSubscription(topic.topic, topic.expression, now, env.names()));
  }
  if (!broadcasts()) {
    subscriptions_.Put(BuildSubscription(retry_topic_, "*", now, env.names()));
  }
  instance_.ServeConsumer(*this);
}

PushConsumer::~PushConsumer() = default;

std::unique_ptr<Consumption> PushConsumer::MakeConsumption() {
  if (config_.orderly) {
    return std::make_unique<OrderlyConsumption>(
        env_,
        OrderlyConsumption::Config{config_.group, config_.settings,
                                   config_.profile, config_.message_model},
        owned_, store_->offsets(), locks_, send_back_);
  }
  return std::make_unique<ConcurrentConsumption>(
      env_,
      ConcurrentConsumption::Config{
          config_.group, config_.settings.consume_thread_min,
          config_.settings.consume_message_batch_max_size,
          config_.settings.consume_timeout, config_.profile,
          config_.message_model},
      owned_, store_->offsets(), send_back_);
}

void PushConsumer::Start() { scope_.Spawn(Run()); }

void PushConsumer::Shutdown() {
  CHECK(!shutdown_asked_);
  shutdown_asked_ = true;
  if (start_is_over_) scope_.Spawn(ShutDown());
}

void PushConsumer::Suspend() { pulls_.set_suspended(true); }

void PushConsumer::Resume() {
  pulls_.set_suspended(false);
  scope_.Spawn(RebalanceNow());
}

void PushConsumer::Subscribe(Name topic, absl::string_view expression) {
  subscriptions_.Put(
      BuildSubscription(topic, expression, env_.WallMillis(), env_.names()));
  scope_.Spawn(TellBrokers());
}

void PushConsumer::Unsubscribe(Name topic) { subscriptions_.Remove(topic); }

Task<void> PushConsumer::TellBrokers() {
  co_await instance_.heartbeats().SendToAllBrokers();
}

Task<void> PushConsumer::RebalanceNow() {
  if (shutdown_asked_) co_return;
  // Perhaps by an earlier call in this very turn.
  if (rebalance_.running()) {
    instance_.WakeRebalance();
    co_return;
  }
  co_await rebalance_.Run();
}

Task<void> PushConsumer::Run() {
  const bool started = co_await StartUp();
  if (!started) {
    co_await ShutDown();
    env_.lifecycle().OnStartFailed();
    co_return;
  }
  start_is_over_ = true;
  env_.lifecycle().OnReady();
  // Upstream's shutdown() waits for start() to return.
  if (shutdown_asked_) scope_.Spawn(ShutDown());
}

// DefaultMQPushConsumerImpl.start. Subscriptions by tags are not checked by a
// broker.
Task<bool> PushConsumer::StartUp() {
  if (!store_->Load()) co_return false;
  consumption_->Start();
  co_await instance_.StartUp();
  pulls_.set_running(true);
  const std::vector<Name> topics = subscriptions_.Topics();
  for (Name topic : topics) {
    const RouteRefresh refresh = co_await instance_.routes().Refresh(topic);
    if (refresh == RouteRefresh::kTransportFailed) {
      co_return !config_.profile.failed_start_shuts_down;
    }
  }
  const bool ran = co_await instance_.heartbeats().SendToAllBrokers();
  if (ran || !config_.profile.first_wake_needs_heartbeat) {
    instance_.WakeRebalance();
  }
  co_return true;
}

// DefaultMQPushConsumerImpl.shutdown.
Task<void> PushConsumer::ShutDown() {
  co_await consumption_->Shutdown(
      config_.settings.await_termination_millis_when_shutdown);
  co_await store_->PersistAll(owned_);
  pulls_.Stop();
  co_await instance_.Unregister();
  {
    co_await instance_monitor_.LockFor(Duration::Max());
    const MutexHold hold(instance_monitor_);
    co_await instance_.Shutdown();
  }
  pulls_.set_running(false);
  DropAll();
  if (start_is_over_) env_.lifecycle().OnStopped();
}

// ---- For the instance ----

void PushConsumer::OnRoute(Name topic, const TopicRoute& route) {
  if (subscriptions_.Find(topic) != nullptr) send_back_.OnRoute(topic, route);
  SubscribingMember::OnRoute(topic, route);
}

// While an application's own one is under way, that of the loop comes later.
Task<bool> PushConsumer::Rebalance() {
  if (suspended() || rebalance_.running()) return Unbalanced();
  return rebalance_.Run();
}

Task<bool> PushConsumer::Unbalanced() { co_return false; }

Task<void> PushConsumer::PersistOffsets() { return store_->PersistAll(owned_); }

// ---- For the rebalance ----

void PushConsumer::BeginQueue(const OwnedQueuePtr& owned, int64_t offset) {
  pulls_.Begin(owned, offset, config_.profile.dispatch_delay);
}

// RebalancePushImpl.messageQueueChanged: a new version of the subscription, for
// which brokers refuse pulls until the heartbeat has told them of it; that
// heartbeat is skipped if another one is under way.
Task<void> PushConsumer::OnQueuesChanged(Name topic,
                                         std::vector<MessageQueue> /*share*/) {
  subscriptions_.SetVersion(topic, env_.WallMillis());
  TopicLimits limits;
  limits.messages = config_.settings.pull_threshold_for_topic;
  limits.mebibytes = config_.settings.pull_threshold_size_for_topic;
  pulls_.set_limits(ShareOut(limits, static_cast<int64_t>(owned_.all().size()),
                             pulls_.limits()));
  co_await instance_.heartbeats().SendToAllBrokers();
}

void PushConsumer::OnResetOffsets(
    const ResetConsumerClientOffsetRequest& request) {
  scope_.Spawn(ResetOffsets(request));
}

// MQClientInstance.resetOffset, in a thread of the callback executor: one
// reset at a time.
Task<void> PushConsumer::ResetOffsets(
    ResetConsumerClientOffsetRequest request) {
  co_await instance_monitor_.LockFor(Duration::Max());
  const MutexHold hold(instance_monitor_);
  if (shutdown_asked_) co_return;
  Suspend();
  for (const auto& [queue, offset] : request.offsets) {
    const OwnedQueuePtr owned = owned_.Find(queue);
    if (owned == nullptr) continue;
    owned_.Drop(*owned, DropCause::kOffsetReset);
    owned->process_queue.Clear();
  }
  co_await Sleep(env_, config_.profile.offset_reset_wait);
  std::vector<std::pair<MessageQueue, int64_t>> offsets;
  for (const auto& [queue, offset] : request.offsets) {
    if (owned_.Find(queue) != nullptr) offsets.emplace_back(queue, offset);
  }
  for (const auto& [queue, offset] : offsets) {
    const OwnedQueuePtr owned = owned_.Find(queue);
    if (owned == nullptr) continue;
    store_->offsets().Set(queue, offset);
    // The queue goes even where its listener is still at work.
    co_await rebalance_.Free(owned);
    owned_.Remove(queue);
  }
  pulls_.set_suspended(false);
  co_await RebalanceNow();
}

}  // namespace groupsim
