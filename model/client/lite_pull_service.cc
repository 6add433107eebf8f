#include "model/client/lite_pull_service.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/time.h"
#include "model/client/owned_queues.h"
#include "model/client/process_queue.h"
#include "model/client/pull_step.h"
#include "model/client/queue_tasks.h"
#include "model/client/subscriptions.h"
#include "model/client/sync_pull.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

LitePullService::LitePullService(Env& env, const Config& config,
                                 ClientInstance& instance,
                                 const Subscriptions& wanted,
                                 OwnedQueues& owned, OffsetStore& store,
                                 StartOffsets& start_offsets)
    : env_(env),
      config_(config),
      wanted_(wanted),
      owned_(owned),
      store_(store),
      start_offsets_(start_offsets),
      pull_(env, config.group, instance),
      arrived_(env),
      tasks_(env, config.settings.pull_thread_nums,
             [this](const MessageQueue& queue, QueueTasks::Number task) {
               return RunOnce(queue, task);
             }) {}

LitePullService::~LitePullService() = default;

// ---- Which queues, and when ----

void LitePullService::SetQueues(Name topic,
                                const std::vector<OwnedQueuePtr>& queues) {
  absl::erase_if(assigned_, [&](const auto& entry) {
    return entry.first.topic == topic &&
           std::none_of(queues.begin(), queues.end(),
                        [&](const OwnedQueuePtr& owned) {
                          return owned == entry.second.owned;
                        });
  });
  for (const OwnedQueuePtr& owned : queues) {
    const auto [place, is_new] = assigned_.try_emplace(owned->queue);
    if (!is_new) continue;
    place->second.owned = owned;
    Begin(place->second);
  }
}

void LitePullService::Begin(Assigned& assigned) {
  if (!stopped_) assigned.task = tasks_.Begin(assigned.owned->queue);
}

LitePullService::Assigned* LitePullService::AssignedOf(
    const MessageQueue& queue, QueueTasks::Number task) {
  const auto found = assigned_.find(queue);
  if (stopped_ || found == assigned_.end() || found->second.task != task) {
    return nullptr;
  }
  return &found->second;
}

// ---- One run ----

Task<std::optional<Duration>> LitePullService::RunOnce(
    MessageQueue queue, QueueTasks::Number task) {
  Assigned* assigned = AssignedOf(queue, task);
  if (assigned == nullptr) co_return std::nullopt;
  if (assigned->paused) co_return config_.profile.pull_delay_paused;
  const OwnedQueuePtr owned = assigned->owned;
  if (owned->process_queue.dropped()) co_return std::nullopt;
  owned->process_queue.set_last_pull_millis(env_.WallMillis());
  if (MustWait(*assigned)) {
    co_return config_.profile.pull_delay_cache_flow_control;
  }

  const std::optional<int64_t> offset = co_await NextOffset(queue);
  if (AssignedOf(queue, task) == nullptr) co_return std::nullopt;
  if (!offset.has_value()) co_return config_.profile.pull_delay_no_offset;
  CallResult result = co_await Pull(queue, *offset);
  // What comes too late changes nothing: neither the cache nor a position.
  assigned = AssignedOf(queue, task);
  if (assigned == nullptr || owned->process_queue.dropped()) {
    co_return std::nullopt;
  }
  co_return OnAnswer(*assigned, *offset, std::move(result));
}

bool LitePullService::MustWait(const Assigned& assigned) const {
  std::optional<PostponeReason> reason;
  if (cached_messages() > config_.settings.pull_threshold_for_all) {
    reason = PostponeReason::kCount;
  } else {
    PullLimits limits;
    limits.messages = config_.settings.pull_threshold_for_queue;
    limits.mebibytes = config_.settings.pull_threshold_size_for_queue;
    limits.span = config_.settings.consume_max_span;
    PullConditions now;
    now.running = true;
    now.subscribed = true;
    reason = ReasonToPostpone(assigned.owned->process_queue, limits, now);
  }
  if (!reason.has_value()) return false;
  pull_.Emit(FactKind::PULL_POSTPONED, assigned.owned->queue,
             assigned.pull_offset, static_cast<int64_t>(*reason),
             config_.profile.pull_delay_cache_flow_control.nanos());
  return true;
}

// Of a queue that it has.
Task<std::optional<int64_t>> LitePullService::NextOffset(MessageQueue queue) {
  Assigned& assigned = assigned_.at(queue);
  if (assigned.seek_offset != kNone) {
    assigned.consume_offset = assigned.seek_offset;
    co_return std::exchange(assigned.seek_offset, kNone);
  }
  if (assigned.pull_offset != kNone) co_return assigned.pull_offset;
  // What it knows itself goes before what is stored.
  const int64_t known = store_.offsets().Find(queue);
  if (known >= 0) co_return known;
  const std::optional<int64_t> found = co_await start_offsets_.Find(queue);
  co_return found;
}

Task<CallResult> LitePullService::Pull(MessageQueue queue, int64_t offset) {
  PullMessageRequest request;
  request.queue = queue;
  request.queue_offset = offset;
  request.max_msg_nums = config_.settings.pull_batch_size;
  request.sys_flag = kPullFlagSuspend;
  request.suspend_timeout = config_.settings.broker_suspend_max_time_millis;
  return pull_.Pull(request, RequestCode::kLitePullMessage,
                    config_.settings.consumer_timeout_millis_when_suspend,
                    wanted_.Find(queue.topic));
}

Duration LitePullService::OnAnswer(Assigned& assigned, int64_t offset,
                                   CallResult result) {
  const MessageQueue& queue = assigned.owned->queue;
  auto* reply = result.replied()
                    ? std::get_if<PullMessageReply>(&result.reply.body)
                    : nullptr;
  if (reply == nullptr) {
    const int64_t code = pull_.EmitFailure(queue, offset, result);
    return code == static_cast<int64_t>(ResponseCode::kFlowControl)
               ? config_.pull_delay_broker_flow_control
               : config_.settings.pull_time_delay_mills_when_exception;
  }
  const bool seeks = assigned.seek_offset != kNone;
  if (result.reply.code == ResponseCode::kSuccess) {
    MessageBatch& messages = reply->messages;
    const auto kept = seeks ? 0 : static_cast<int64_t>(messages.size());
    pull_.Emit(FactKind::PULLED, queue, offset, kept, reply->next_begin_offset);
    if (kept > 0) {
      owned_.PutMessages(*assigned.owned, messages, reply->max_offset);
      cache_.push_back({assigned.owned, std::vector<Message>(messages.begin(),
                                                             messages.end())});
      arrived_.Set();
    }
  } else {
    pull_.Emit(FactKind::PULL_EMPTY, queue, offset,
               static_cast<int64_t>(result.reply.code),
               reply->next_begin_offset);
  }
  if (!seeks) assigned.pull_offset = reply->next_begin_offset;
  return Duration::Zero();
}

// ---- For the application ----

Task<std::optional<LitePullService::Batch>> LitePullService::Take(
    Duration limit) {
  const Instant end = env_.Now() + limit;
  while (true) {
    while (!cache_.empty()) {
      Batch batch = std::move(cache_.front());
      cache_.pop_front();
      if (batch.owned->process_queue.dropped()) continue;
      const int64_t next = owned_.RemoveMessages(*batch.owned, batch.messages);
      const auto assigned = assigned_.find(batch.owned->queue);
      if (assigned != assigned_.end() &&
          assigned->second.owned == batch.owned) {
        assigned->second.consume_offset = next;
      }
      co_return batch;
    }
    const Duration rest = end - env_.Now();
    if (rest <= Duration::Zero() || stopped_) co_return std::nullopt;
    co_await arrived_.WaitFor(rest);
  }
}

void LitePullService::CommitAll() {
  for (const auto& [queue, assigned] : assigned_) {
    if (assigned.consume_offset == kNone ||
        assigned.owned->process_queue.dropped()) {
      continue;
    }
    store_.offsets().Set(queue, assigned.consume_offset);
  }
}

void LitePullService::SetPaused(const MessageQueue& queue, bool paused) {
  const auto found = assigned_.find(queue);
  if (found != assigned_.end()) found->second.paused = paused;
}

bool LitePullService::SeekTo(const MessageQueue& queue, int64_t offset) {
  const auto found = assigned_.find(queue);
  if (found == assigned_.end()) return false;
  Assigned& assigned = found->second;
  for (auto batch = cache_.begin(); batch != cache_.end();) {
    if (batch->owned != assigned.owned) {
      ++batch;
      continue;
    }
    owned_.RemoveMessages(*batch->owned, batch->messages);
    pull_.Emit(FactKind::DROPPED, queue, batch->messages.front().queue_offset,
               static_cast<int64_t>(batch->messages.size()), 0);
    batch = cache_.erase(batch);
  }
  tasks_.Interrupt(assigned.task);
  assigned.seek_offset = offset;
  Begin(assigned);
  return true;
}

void LitePullService::Stop() {
  stopped_ = true;
  arrived_.Set();
}

}  // namespace groupsim
