#include "model/client/lite_pull_consumer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "model/allocation/averagely.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/client_id.h"
#include "model/client/consumer_disk.h"
#include "model/client/lite_pull_settings.h"
#include "model/client/owned_queues.h"
#include "model/client/route_service.h"
#include "model/client/settings.h"
#include "model/client/subscribing_member.h"
#include "model/client/subscriptions.h"
#include "model/client/topic_routes.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"
#include "model/wire/subscription.h"

namespace groupsim {
namespace {

LitePullConsumerConfig Completed(Env& env, LitePullConsumerConfig config) {
  CHECK(Validate(config.settings).ok()) << Validate(config.settings).message();
  CHECK(Validate(config.client).ok()) << Validate(config.client).message();
  if (config.client_id.empty()) {
    config.client_id = config.message_model == MessageModel::kBroadcasting
                           ? LastingStreamClientId(env, config.origin)
                           : GenerateStreamClientId(env, config.origin);
  }
  if (config.strategy == nullptr) {
    config.strategy = std::make_shared<const AllocateAveragely>();
  }
  if (!config.consume_timestamp.has_value()) {
    config.consume_timestamp =
        env.WallMillis() - config.profile.consume_timestamp_back.millis();
  }
  const LitePullSettings usual;
  if (config.settings.auto_commit_interval_millis <
      config.lite_profile.min_auto_commit_interval) {
    config.settings.auto_commit_interval_millis =
        usual.auto_commit_interval_millis;
  }
  return config;
}

}  // namespace

LitePullConsumer::LitePullConsumer(Env& env, LitePullConsumerConfig config,
                                   ConsumerDisk* disk)
    : LitePullConsumer(env, Complete{Completed(env, std::move(config))}, disk) {
}

LitePullConsumer::LitePullConsumer(Env& env, Complete complete,
                                   ConsumerDisk* disk)
    : SubscribingMember(
          env,
          {complete.config.group, complete.config.message_model,
           complete.config.consume_from_where},
          {complete.config.client_id, complete.config.name_servers,
           complete.config.client, complete.config.profile}),
      config_(std::move(complete.config)),
      store_(MakeStore(disk)),
      start_offsets_({config_.consume_from_where, *config_.consume_timestamp,
                      Name(), config_.profile.queue_offset_timeout},
                     *store_, instance_.remoting(), instance_.brokers(),
                     instance_.routes()),
      pulls_(env,
             {config_.group, config_.settings, config_.lite_profile,
              config_.profile.pull_delay_broker_flow_control},
             instance_, assigns() ? wanted_ : subscriptions_, owned_, *store_,
             start_offsets_),
      rebalance_(env,
                 {config_.group, config_.client_id, Name(), config_.strategy,
                  config_.profile, config_.message_model, std::nullopt},
                 instance_, subscriptions_, owned_, *store_, &start_offsets_,
                 /*locks=*/nullptr, /*removal=*/nullptr, *this),
      application_(env, config_.group, config_.settings.worker_threads),
      polling_(env),
      checker_(env),
      scope_(env.ready()) {
  const int64_t now = env.WallMillis();
  for (const LitePullConsumerConfig::Topic& topic : config_.topics) {
    (assigns() ? wanted_ : subscriptions_)
        .Put(
            BuildSubscription(topic.topic, topic.expression, now, env.names()));
  }
  instance_.ServeConsumer(*this);
}

LitePullConsumer::~LitePullConsumer() = default;

void LitePullConsumer::Start() { scope_.Spawn(Run()); }

void LitePullConsumer::Shutdown() {
  CHECK(!shutdown_asked_);
  shutdown_asked_ = true;
  if (start_is_over_) scope_.Spawn(ShutDown());
}

Task<void> LitePullConsumer::Run() {
  const bool started = co_await StartUp();
  if (!started) {
    co_await ShutDown();
    env_.lifecycle().OnStartFailed();
    co_return;
  }
  start_is_over_ = true;
  env_.lifecycle().OnReady();
  // Upstream's shutdown() waits for start() to return.
  if (shutdown_asked_) {
    scope_.Spawn(ShutDown());
  } else {
    scope_.Spawn(Apply());
  }
}

// DefaultLitePullConsumerImpl.start: neither a heartbeat nor a rebalance. The
// instance's first heartbeat makes brokers tell all members, this one included.
Task<bool> LitePullConsumer::StartUp() {
  if (!store_->Load()) co_return false;
  co_await instance_.StartUp();
  const std::vector<Name> topics = subscriptions_.Topics();
  for (Name topic : topics) {
    const RouteRefresh refresh = co_await instance_.routes().Refresh(topic);
    if (refresh == RouteRefresh::kTransportFailed) co_return false;
  }
  AssignQueues();
  for (Name topic : config_.watched_topics) {
    co_await instance_.routes().Refresh(topic);
    if (const TopicRoute* route = instance_.routes().routes().Find(topic);
        route != nullptr) {
      seen_queues_[topic] = ReadableQueues(topic, *route);
    }
  }
  if (!config_.watched_topics.empty()) {
    check_topics_.emplace(env_, checker_,
                          config_.lite_profile.first_topic_metadata_check,
                          config_.settings.topic_metadata_check_interval_millis,
                          [this] { return CheckTopics(); });
  }
  co_return true;
}

// In assign mode the table is what the application says.
void LitePullConsumer::AssignQueues() {
  std::vector<OwnedQueuePtr> all;
  for (const MessageQueue& queue : config_.queues) {
    const OwnedQueuePtr owned = owned_.Make(queue);
    if (owned_.Add(owned, store_->offsets().Find(queue))) all.push_back(owned);
  }
  for (const OwnedQueuePtr& owned : all) {
    std::vector<OwnedQueuePtr> of_topic;
    for (const OwnedQueuePtr& other : all) {
      if (other->queue.topic == owned->queue.topic) of_topic.push_back(other);
    }
    pulls_.SetQueues(owned->queue.topic, of_topic);
  }
}

// DefaultLitePullConsumerImpl.fetchTopicMessageQueuesAndCompare.
Task<void> LitePullConsumer::CheckTopics() {
  for (Name topic : config_.watched_topics) {
    co_await instance_.routes().Refresh(topic);
    const TopicRoute* const route = instance_.routes().routes().Find(topic);
    if (route == nullptr) continue;
    std::vector<MessageQueue> queues = ReadableQueues(topic, *route);
    std::vector<MessageQueue>& seen = seen_queues_[topic];
    if (seen == queues) continue;
    seen = std::move(queues);
    if (watcher_ != nullptr) watcher_(topic, seen);
  }
}

// DefaultLitePullConsumerImpl.shutdown: what polls gave and no poll committed
// comes again elsewhere.
Task<void> LitePullConsumer::ShutDown() {
  co_await store_->PersistAll(owned_);
  co_await instance_.Unregister();
  pulls_.Stop();
  if (check_topics_.has_value()) check_topics_->Cancel();
  co_await instance_.Shutdown();
  DropAll();
  if (start_is_over_) env_.lifecycle().OnStopped();
}

// ---- The application ----

Task<std::optional<LitePullService::Batch>> LitePullConsumer::Poll(
    Duration limit) {
  co_await polling_.LockFor(Duration::Max());
  const MutexHold hold(polling_);
  // The first poll commits, though there is nothing to commit yet.
  if (config_.settings.auto_commit &&
      (!next_commit_.has_value() || env_.Now() >= *next_commit_)) {
    pulls_.CommitAll();
    next_commit_ = env_.Now() + config_.settings.auto_commit_interval_millis;
  }
  std::optional<LitePullService::Batch> batch = co_await pulls_.Take(limit);
  co_return batch;
}

Task<void> LitePullConsumer::Apply() {
  while (!shutdown_asked_) {
    std::optional<LitePullService::Batch> batch =
        co_await Poll(config_.settings.poll_timeout_millis);
    if (!batch.has_value()) {
      // A poll that does not wait would never end.
      if (config_.settings.poll_timeout_millis == Duration::Zero()) {
        co_await Sleep(env_,
                       config_.lite_profile.pull_delay_cache_flow_control);
      }
      continue;
    }
    const MessageQueue queue = batch->owned->queue;
    if (application_.has_workers()) {
      application_.HandOver(queue, std::move(batch->messages));
    } else {
      co_await application_.DealWith(queue, std::move(batch->messages));
    }
    if (!config_.settings.auto_commit) Commit();
  }
}

Task<bool> LitePullConsumer::Seek(MessageQueue queue, int64_t offset) {
  const Name address = instance_.brokers().FindMaster(queue.broker);
  if (address.empty() || owned_.Find(queue) == nullptr) co_return false;
  GetMinOffsetRequest low;
  low.queue = queue;
  const CallResult min = co_await instance_.remoting().Call(
      address, low, config_.profile.queue_offset_timeout);
  GetMaxOffsetRequest high;
  high.queue = queue;
  const CallResult max = co_await instance_.remoting().Call(
      address, high, config_.profile.queue_offset_timeout);
  const auto* first = std::get_if<OffsetReply>(&min.reply.body);
  const auto* last = std::get_if<OffsetReply>(&max.reply.body);
  if (!min.ok() || !max.ok() || first == nullptr || last == nullptr ||
      offset < first->offset || offset > last->offset) {
    co_return false;
  }
  co_return pulls_.SeekTo(queue, offset);
}

// ---- For the instance ----

Task<bool> LitePullConsumer::Rebalance() {
  if (assigns()) return Balanced();
  return rebalance_.Run();
}

Task<bool> LitePullConsumer::Balanced() { co_return true; }

Task<void> LitePullConsumer::PersistOffsets() {
  return store_->PersistAll(owned_);
}

// ---- For the rebalance ----

// The pulls begin when the share is complete.
void LitePullConsumer::BeginQueue(const OwnedQueuePtr& /*owned*/,
                                  int64_t /*offset*/) {}

// RebalanceLitePullImpl.messageQueueChanged, with the listener that
// DefaultLitePullConsumerImpl sets.
Task<void> LitePullConsumer::OnQueuesChanged(Name topic,
                                             std::vector<MessageQueue> share) {
  std::vector<OwnedQueuePtr> queues;
  for (const MessageQueue& queue : share) {
    const OwnedQueuePtr owned = owned_.Find(queue);
    if (owned != nullptr) queues.push_back(owned);
  }
  pulls_.SetQueues(topic, queues);
  co_return;
}

}  // namespace groupsim
