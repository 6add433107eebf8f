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
#include "model/client/client_instance.h"
#include "model/client/listener_run.h"
#include "model/client/lite_pull_settings.h"
#include "model/client/owned_queues.h"
#include "model/client/route_service.h"
#include "model/client/settings.h"
#include "model/client/subscriptions.h"
#include "model/client/topic_routes.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"
#include "model/wire/subscription.h"

namespace groupsim {
namespace {

LitePullConsumerConfig Completed(Env& env, LitePullConsumerConfig config) {
  CHECK(Validate(config.settings).ok()) << Validate(config.settings).message();
  CHECK(Validate(config.client).ok()) << Validate(config.client).message();
  CHECK(config.topics.empty() || config.queues.empty())
      << "a lite pull consumer subscribes or assigns";
  if (config.client_id.empty()) {
    config.client_id = GenerateStreamClientId(env, config.origin);
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

LitePullConsumer::LitePullConsumer(Env& env, LitePullConsumerConfig config)
    : env_(env),
      config_(Completed(env, std::move(config))),
      instance_(env, {config_.client_id, config_.name_servers, config_.client,
                      config_.profile}),
      owned_(env, config_.group),
      store_(config_.group, config_.profile, instance_.remoting(),
             instance_.brokers(), instance_.routes()),
      start_offsets_({config_.consume_from_where, *config_.consume_timestamp,
                      Name(), config_.profile.queue_offset_timeout},
                     store_, instance_.remoting(), instance_.brokers(),
                     instance_.routes()),
      pulls_(env,
             {config_.group, config_.settings, config_.lite_profile,
              config_.profile.pull_delay_broker_flow_control},
             instance_, owned_, store_, start_offsets_),
      rebalance_(env,
                 {config_.group, config_.client_id, Name(), config_.strategy,
                  config_.profile, MessageModel::kClustering, std::nullopt},
                 instance_, subscriptions_, owned_, store_, start_offsets_,
                 /*locks=*/nullptr, /*removal=*/nullptr, *this),
      checker_(env),
      scope_(env.ready()) {
  const int64_t now = env.WallMillis();
  for (const Name topic : config_.topics) {
    subscriptions_.Put(BuildSubscription(topic, "*", now, env.names()));
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
    if (owned_.Add(owned, store_.offsets().Find(queue))) all.push_back(owned);
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
  co_await store_.PersistAll(owned_);
  co_await instance_.Unregister();
  pulls_.Stop();
  if (check_topics_.has_value()) check_topics_->Cancel();
  co_await instance_.Shutdown();
  std::vector<OwnedQueuePtr> owned;
  for (const auto& [queue, one] : owned_.all()) owned.push_back(one);
  for (const OwnedQueuePtr& one : owned) {
    owned_.Drop(*one, DropCause::kShutdown);
    owned_.Remove(one->queue);
  }
  if (start_is_over_) env_.lifecycle().OnStopped();
}

// ---- The application ----

Task<std::optional<LitePullService::Batch>> LitePullConsumer::Poll(
    Duration limit) {
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
    Fact fact = QueueFact(FactKind::DELIVERED, config_.group, queue);
    for (const Message& message : batch->messages) {
      fact.offset = message.queue_offset;
      fact.count = message.reconsume_times;
      fact.value = (env_.Now() - message.stored).nanos();
      env_.Emit(fact);
    }
    ListenerCall call;
    call.group = config_.group;
    call.queue = queue;
    call.messages = batch->messages;
    at_work_ = static_cast<int64_t>(batch->messages.size());
    ListenerRun run(env_, call);
    const ListenerResult result = co_await run;
    at_work_ = 0;
    fact.kind = FactKind::FINISHED;
    fact.count = static_cast<int64_t>(result.status);
    // It counts although the queue may be lost meanwhile: nobody asks.
    fact.value = result.status == ConsumeStatus::kSuccess ? 1 : 3;
    for (const Message& message : batch->messages) {
      fact.offset = message.queue_offset;
      env_.Emit(fact);
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

std::vector<Name> LitePullConsumer::RouteTopics() const {
  return subscriptions_.Topics();
}

bool LitePullConsumer::NeedsRoute(Name topic) const {
  return subscriptions_.Find(topic) != nullptr && !rebalance_.HasQueues(topic);
}

void LitePullConsumer::OnRoute(Name topic, const TopicRoute& route) {
  if (subscriptions_.Find(topic) == nullptr) return;
  rebalance_.SetQueues(topic, std::make_shared<const std::vector<MessageQueue>>(
                                  ReadableQueues(topic, route)));
}

ConsumerData LitePullConsumer::Describe() const {
  ConsumerData data;
  data.group = config_.group;
  data.model = MessageModel::kClustering;
  data.consume_from_where = config_.consume_from_where;
  data.subscriptions = subscriptions_.all();
  return data;
}

Task<bool> LitePullConsumer::Rebalance() {
  if (assigns()) return Balanced();
  return rebalance_.Run();
}

Task<bool> LitePullConsumer::Balanced() { co_return true; }

Task<void> LitePullConsumer::PersistOffsets() {
  return store_.PersistAll(owned_);
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
