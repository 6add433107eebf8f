#include "model/client/lite_pull_service.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/check.h"
#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/owned_queues.h"
#include "model/client/process_queue.h"
#include "model/client/pull_step.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {

LitePullService::LitePullService(Env& env, const Config& config,
                                 ClientInstance& instance, OwnedQueues& owned,
                                 OffsetStore& store,
                                 StartOffsets& start_offsets)
    : env_(env),
      config_(config),
      instance_(instance),
      owned_(owned),
      store_(store),
      start_offsets_(start_offsets),
      arrived_(env),
      scope_(env.ready()) {}

LitePullService::~LitePullService() {
  for (const std::unique_ptr<PullTask>& task : tasks_) {
    if (task->timer != 0) env_.timers().Disarm(task->timer);
  }
}

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
  if (stopped_) return;
  assigned.task = ++last_task_;
  tasks_.push_back(
      std::make_unique<PullTask>(*this, assigned.owned->queue, assigned.task));
  Enqueue(*tasks_.back());
}

void LitePullService::Later(PullTask& task, Duration delay) {
  if (delay == Duration::Zero()) {
    Enqueue(task);
  } else {
    task.timer = env_.timers().Arm(env_.Now() + delay, &task);
  }
}

void LitePullService::OnTimer(PullTask& task) {
  task.timer = 0;
  Enqueue(task);
}

void LitePullService::Enqueue(PullTask& task) {
  if (busy_ == config_.settings.pull_thread_nums) {
    waiting_.push_back(&task);
    return;
  }
  ++busy_;
  scope_.Spawn(Run(task));
}

LitePullService::Assigned* LitePullService::AssignedOf(const PullTask& task) {
  const auto found = assigned_.find(task.queue);
  if (stopped_ || found == assigned_.end() ||
      found->second.task != task.number) {
    return nullptr;
  }
  return &found->second;
}

void LitePullService::End(PullTask& task) {
  const auto found = std::find_if(
      tasks_.begin(), tasks_.end(),
      [&task](const std::unique_ptr<PullTask>& t) { return t.get() == &task; });
  CHECK(found != tasks_.end());
  std::swap(*found, tasks_.back());
  tasks_.pop_back();
}

Task<void> LitePullService::Run(PullTask& task) {
  const std::optional<Duration> next = co_await RunOnce(task);
  --busy_;
  // Who waits for a thread comes before one that is to run again.
  if (!waiting_.empty()) {
    PullTask* const first = waiting_.front();
    waiting_.pop_front();
    Enqueue(*first);
  }
  if (next.has_value()) {
    Later(task, *next);
  } else {
    End(task);
  }
}

// ---- One run ----

Task<std::optional<Duration>> LitePullService::RunOnce(PullTask& task) {
  Assigned* assigned = AssignedOf(task);
  if (assigned == nullptr) co_return std::nullopt;
  if (assigned->paused) co_return config_.profile.pull_delay_paused;
  const OwnedQueuePtr owned = assigned->owned;
  if (owned->process_queue.dropped()) co_return std::nullopt;
  owned->process_queue.set_last_pull_millis(env_.WallMillis());
  if (MustWait(*assigned)) {
    co_return config_.profile.pull_delay_cache_flow_control;
  }

  const std::optional<int64_t> offset = co_await NextOffset(task);
  if (AssignedOf(task) == nullptr) co_return std::nullopt;
  if (!offset.has_value()) co_return config_.profile.pull_delay_no_offset;
  CallResult result = co_await Pull(task.queue, *offset);
  // What comes too late changes nothing: neither the cache nor a position.
  assigned = AssignedOf(task);
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
  EmitPull(FactKind::PULL_POSTPONED, assigned.owned->queue,
           assigned.pull_offset, static_cast<int64_t>(*reason),
           config_.profile.pull_delay_cache_flow_control.nanos());
  return true;
}

Task<std::optional<int64_t>> LitePullService::NextOffset(PullTask& task) {
  Assigned& assigned = *AssignedOf(task);
  if (assigned.seek_offset != kNone) {
    assigned.consume_offset = assigned.seek_offset;
    co_return std::exchange(assigned.seek_offset, kNone);
  }
  if (assigned.pull_offset != kNone) co_return assigned.pull_offset;
  // What it knows itself goes before what is stored.
  const int64_t known = store_.offsets().Find(task.queue);
  if (known >= 0) co_return known;
  const std::optional<int64_t> found = co_await start_offsets_.Find(task.queue);
  co_return found;
}

Task<CallResult> LitePullService::Pull(MessageQueue queue, int64_t offset) {
  BrokerAddresses::Found address =
      instance_.brokers().FindAny(queue.broker, kMasterId);
  if (address.empty()) {
    co_await instance_.routes().Refresh(queue.topic);
    address = instance_.brokers().FindAny(queue.broker, kMasterId);
  }
  CallResult result;
  if (address.empty()) {
    result.error = CallError::kConnectFailed;
    co_return result;
  }
  PullMessageRequest request;
  request.group = config_.group;
  request.queue = queue;
  request.queue_offset = offset;
  request.max_msg_nums = config_.settings.pull_batch_size;
  request.sys_flag = kPullFlagSuspend | kPullFlagSubscription;
  request.suspend_timeout = config_.settings.broker_suspend_max_time_millis;
  EmitPull(FactKind::PULL_SENT, queue, offset, 0, 0);
  result = co_await instance_.remoting().Call(
      address.address, request,
      config_.settings.consumer_timeout_millis_when_suspend);
  co_return result;
}

Duration LitePullService::OnAnswer(Assigned& assigned, int64_t offset,
                                   CallResult result) {
  const MessageQueue& queue = assigned.owned->queue;
  auto* reply = result.replied()
                    ? std::get_if<PullMessageReply>(&result.reply.body)
                    : nullptr;
  if (reply == nullptr) {
    const int64_t code = result.replied()
                             ? static_cast<int64_t>(result.reply.code)
                             : -static_cast<int64_t>(result.error);
    EmitPull(FactKind::PULL_FAILED, queue, offset, code, 0);
    return code == static_cast<int64_t>(ResponseCode::kFlowControl)
               ? config_.pull_delay_broker_flow_control
               : config_.settings.pull_time_delay_mills_when_exception;
  }
  const bool seeks = assigned.seek_offset != kNone;
  if (result.reply.code == ResponseCode::kSuccess) {
    MessageBatch& messages = reply->messages;
    const auto kept = seeks ? 0 : static_cast<int64_t>(messages.size());
    EmitPull(FactKind::PULLED, queue, offset, kept, reply->next_begin_offset);
    if (kept > 0) {
      owned_.PutMessages(*assigned.owned, messages, reply->max_offset);
      cache_.push_back({assigned.owned, std::vector<Message>(messages.begin(),
                                                             messages.end())});
      arrived_.Set();
    }
  } else {
    EmitPull(FactKind::PULL_EMPTY, queue, offset,
             static_cast<int64_t>(result.reply.code), reply->next_begin_offset);
  }
  if (!seeks) assigned.pull_offset = reply->next_begin_offset;
  return Duration::Zero();
}

void LitePullService::EmitPull(FactKind kind, const MessageQueue& queue,
                               int64_t offset, int64_t count,
                               int64_t value) const {
  Fact fact = QueueFact(kind, config_.group, queue);
  fact.offset = offset;
  fact.count = count;
  fact.value = value;
  env_.Emit(fact);
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
    EmitPull(FactKind::DROPPED, queue, batch->messages.front().queue_offset,
             static_cast<int64_t>(batch->messages.size()), 0);
    batch = cache_.erase(batch);
  }
  assigned.seek_offset = offset;
  Begin(assigned);
  return true;
}

void LitePullService::Stop() {
  stopped_ = true;
  arrived_.Set();
}

}  // namespace groupsim
