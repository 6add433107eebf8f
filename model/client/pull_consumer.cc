#include "model/client/pull_consumer.h"

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
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/pull_settings.h"
#include "model/client/queue_tasks.h"
#include "model/client/settings.h"
#include "model/client/subscribing_member.h"
#include "model/client/subscriptions.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"
#include "model/wire/subscription.h"

namespace groupsim {
namespace {

PullConsumerConfig Completed(Env& env, PullConsumerConfig config) {
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
  return config;
}

}  // namespace

PullConsumer::PullConsumer(Env& env, PullConsumerConfig config,
                           ConsumerDisk* disk)
    : PullConsumer(env, Complete{Completed(env, std::move(config))}, disk) {}

PullConsumer::PullConsumer(Env& env, Complete complete, ConsumerDisk* disk)
    : SubscribingMember(
          env,
          {complete.config.group, complete.config.message_model,
           ConsumeFromWhere::kLastOffset},
          {complete.config.client_id, complete.config.name_servers,
           complete.config.client, complete.config.profile}),
      config_(std::move(complete.config)),
      store_(MakeStore(disk)),
      rebalance_(env,
                 {config_.group, config_.client_id, Name(), config_.strategy,
                  config_.profile, config_.message_model, std::nullopt},
                 instance_, subscriptions_, owned_, *store_,
                 /*start_offsets=*/nullptr, /*locks=*/nullptr,
                 /*removal=*/nullptr, *this),
      pull_(env, config_.group, instance_),
      application_(env, config_.group),
      tasks_(env, config_.settings.pull_thread_nums,
             [this](const MessageQueue& queue, QueueTasks::Number number) {
               return RunTask(queue, number);
             }),
      scope_(env.ready()) {
  const int64_t now = env.WallMillis();
  for (const PullConsumerConfig::Topic& topic : config_.topics) {
    subscriptions_.Put(BuildSubscription(topic.topic, "*", now, env.names()));
    wanted_.Put(
        BuildSubscription(topic.topic, topic.expression, now, env.names()));
  }
  instance_.ServeConsumer(*this);
}

PullConsumer::~PullConsumer() = default;

void PullConsumer::Start() { scope_.Spawn(Run()); }

void PullConsumer::Shutdown() {
  CHECK(!shutdown_asked_);
  shutdown_asked_ = true;
  if (start_is_over_) scope_.Spawn(ShutDown());
}

Task<void> PullConsumer::Run() {
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

// DefaultMQPullConsumerImpl.start: neither a route nor a heartbeat nor a
// rebalance. The instance's jobs bring the first two, and that heartbeat makes
// brokers tell all members, this one included.
Task<bool> PullConsumer::StartUp() {
  if (!store_->Load()) co_return false;
  co_await instance_.StartUp();
  running_ = true;
  co_return true;
}

// DefaultMQPullConsumerImpl.shutdown. Upstream lets tasks that are due in these
// few milliseconds begin; here none does.
Task<void> PullConsumer::ShutDown() {
  co_await store_->PersistAll(owned_);
  co_await instance_.Unregister();
  co_await instance_.Shutdown();
  running_ = false;
  DropAll();
  if (start_is_over_) env_.lifecycle().OnStopped();
}

// ---- For applications ----

Task<int64_t> PullConsumer::FetchConsumeOffset(MessageQueue queue) {
  const int64_t noted = store_->offsets().Find(queue);
  if (noted >= 0) co_return noted;
  const int64_t stored = co_await store_->Read(queue);
  co_return stored;
}

Task<std::optional<PullConsumer::PullResult>> PullConsumer::Pull(
    PullArguments arguments) {
  if (!running_) co_return std::nullopt;
  const MessageQueue queue = arguments.queue;
  if (subscriptions_.Find(queue.topic) == nullptr) {
    subscriptions_.Put(
        BuildSubscription(queue.topic, "*", env_.WallMillis(), env_.names()));
  }
  PullMessageRequest request;
  request.queue = queue;
  request.queue_offset = arguments.offset;
  request.max_msg_nums = arguments.max_nums;
  request.suspend_timeout = config_.settings.broker_suspend_max_time_millis;
  Duration timeout = config_.settings.consumer_pull_timeout_millis;
  if (arguments.block_if_not_found) {
    request.sys_flag = kPullFlagSuspend;
    timeout = config_.settings.consumer_timeout_millis_when_suspend;
  }
  CallResult result = co_await pull_.Pull(request, RequestCode::kPullMessage,
                                          timeout, arguments.wanted);
  const auto* reply = result.replied()
                          ? std::get_if<PullMessageReply>(&result.reply.body)
                          : nullptr;
  if (reply == nullptr) {
    pull_.EmitFailure(queue, arguments.offset, result);
    co_return std::nullopt;
  }
  PullResult found;
  found.next_begin_offset = reply->next_begin_offset;
  if (result.reply.code == ResponseCode::kSuccess) {
    found.messages.assign(reply->messages.begin(), reply->messages.end());
    pull_.Emit(FactKind::PULLED, queue, arguments.offset,
               static_cast<int64_t>(found.messages.size()),
               found.next_begin_offset);
  } else {
    pull_.Emit(FactKind::PULL_EMPTY, queue, arguments.offset,
               static_cast<int64_t>(result.reply.code),
               found.next_begin_offset);
  }
  co_return found;
}

bool PullConsumer::UpdateConsumeOffset(const MessageQueue& queue,
                                       int64_t offset) {
  if (!running_) return false;
  store_->offsets().Set(queue, offset);
  return true;
}

// ---- The application ----

// MQPullConsumerScheduleService.putTask.
Task<void> PullConsumer::OnQueuesChanged(Name topic,
                                         std::vector<MessageQueue> share) {
  // Nothing is set to deal with a topic that was only pulled.
  if (wanted_.Find(topic) == nullptr) co_return;
  absl::erase_if(task_of_, [&](const auto& entry) {
    return entry.first.topic == topic &&
           !std::binary_search(share.begin(), share.end(), entry.first);
  });
  for (const MessageQueue& queue : share) {
    const auto [place, is_new] = task_of_.try_emplace(queue);
    if (is_new) place->second = tasks_.Begin(queue);
  }
  co_return;
}

bool PullConsumer::IsTask(const MessageQueue& queue,
                          QueueTasks::Number number) const {
  const auto found = task_of_.find(queue);
  return !shutdown_asked_ && found != task_of_.end() && found->second == number;
}

// MQPullConsumerScheduleService.PullTaskImpl.run.
Task<std::optional<Duration>> PullConsumer::RunTask(MessageQueue queue,
                                                    QueueTasks::Number number) {
  if (!IsTask(queue, number)) co_return std::nullopt;
  const Instant began = env_.Now();
  const bool went_well = co_await PullAndDealWith(queue);
  // One that was cancelled meanwhile has gone on to the end of its run.
  if (!IsTask(queue, number)) co_return std::nullopt;
  if (!went_well) co_return config_.pull_profile.pull_delay_after_exception;
  const Duration delay = config_.settings.pull_next_delay_time_millis;
  // On a network that takes no time it would never end.
  if (delay == Duration::Zero() && env_.Now() == began) co_return 1ms;
  co_return delay;
}

// As upstream's example does it, but for exceptions, which it catches itself
// there. An offset that was not to be learnt counts as none, and without one it
// begins with what there is.
Task<bool> PullConsumer::PullAndDealWith(MessageQueue queue) {
  PullArguments arguments;
  arguments.queue = queue;
  arguments.wanted = wanted_.Find(queue.topic);
  const int64_t known = co_await FetchConsumeOffset(queue);
  arguments.offset = std::max<int64_t>(known, 0);
  arguments.max_nums = config_.settings.max_nums;
  arguments.block_if_not_found = config_.settings.block_if_not_found;
  std::optional<PullResult> result = co_await Pull(arguments);
  if (!result.has_value()) co_return false;
  if (!result->messages.empty()) {
    co_await application_.DealWith(queue, std::move(result->messages));
  }
  co_return UpdateConsumeOffset(queue, result->next_begin_offset);
}

// ---- For the instance ----

// DefaultMQPullConsumerImpl.subscriptions: of registered topics, whatever it
// pulls.
ConsumerData PullConsumer::Describe() const {
  ConsumerData data = SubscribingMember::Describe();
  std::erase_if(data.subscriptions, [this](const SubscriptionData& s) {
    return wanted_.Find(s.topic) == nullptr;
  });
  for (SubscriptionData& subscription : data.subscriptions) {
    subscription.sub_version = 0;
  }
  return data;
}

Task<void> PullConsumer::PersistOffsets() { return store_->PersistAll(owned_); }

}  // namespace groupsim
