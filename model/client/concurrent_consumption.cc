#include "model/client/concurrent_consumption.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "model/base/check.h"
#include "model/base/time.h"
#include "model/client/consume_pool.h"
#include "model/client/owned_queues.h"
#include "model/client/process_queue.h"
#include "model/client/send_back.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

ConcurrentConsumption::ConcurrentConsumption(Env& env, Config config,
                                             OwnedQueues& owned,
                                             ConsumedOffsets& offsets,
                                             SendBack& send_back)
    : PooledConsumption(env, config.group, config.workers),
      env_(env),
      config_(config),
      owned_(owned),
      offsets_(offsets),
      send_back_(send_back),
      cleaner_(env),
      scope_(env.ready()) {
  CHECK_GE(config.batch_size, 1);
}

ConcurrentConsumption::~ConcurrentConsumption() {
  for (const std::unique_ptr<Batch>& batch : batches_) {
    if (batch->run != 0) env_.listeners().Abandon(batch->run);
  }
}

void ConcurrentConsumption::Start() {
  clean_expired_.emplace(env_, cleaner_, config_.consume_timeout,
                         config_.consume_timeout,
                         [this] { return CleanExpired(); });
}

ConcurrentConsumption::Batch& ConcurrentConsumption::NewBatch() {
  if (free_batches_.empty()) {
    batches_.push_back(std::make_unique<Batch>(*this));
    return *batches_.back();
  }
  Batch& batch = *free_batches_.back();
  free_batches_.pop_back();
  return batch;
}

void ConcurrentConsumption::Recycle(Batch& batch) {
  batch.owned.reset();
  batch.messages.clear();
  batch.some_expired = false;
  free_batches_.push_back(&batch);
}

bool ConcurrentConsumption::Submit(const OwnedQueuePtr& owned,
                                   absl::Span<const Message> messages,
                                   bool /*start*/) {
  if (!accepting()) return false;
  const auto size = static_cast<size_t>(config_.batch_size);
  for (size_t i = 0; i < messages.size(); i += size) {
    const absl::Span<const Message> part = messages.subspan(i, size);
    Batch& batch = NewBatch();
    batch.owned = owned;
    batch.messages.assign(part.begin(), part.end());
    if (pool().BeginOrQueue(batch)) Work(&batch);
  }
  return true;
}

void ConcurrentConsumption::Work(Batch* batch) {
  while (batch != nullptr) {
    if (!batch->owned->process_queue.dropped()) {
      CallListener(*batch);
      return;
    }
    Recycle(*batch);
    batch = static_cast<Batch*>(pool().Next());
  }
  NoteFreeWorker();
}

void ConcurrentConsumption::CallListener(Batch& batch) {
  EmitDelivered(batch.owned->queue, batch.messages);
  ListenerCall call;
  call.group = config_.group;
  call.queue = batch.owned->queue;
  call.messages = batch.messages;
  batch.start_millis = env_.WallMillis();
  batch.run = env_.listeners().Run(call, &batch);
}

void ConcurrentConsumption::OnDone(Batch& batch, const ListenerResult& result) {
  if (result.body_size.has_value()) [[unlikely]] {
    for (Message& message : batch.messages) {
      message.body_size = *result.body_size;
    }
  }
  // Messages up to the acknowledged position succeeded, the others did not.
  size_t succeeded = 0;
  ConsumeStatus failure = ConsumeStatus::kReconsumeLater;
  if (result.status == ConsumeStatus::kSuccess) {
    const int64_t acknowledged = int64_t{result.ack_index} + 1;
    succeeded = static_cast<size_t>(std::clamp<int64_t>(
        acknowledged, 0, static_cast<int64_t>(batch.messages.size())));
  } else {
    failure = result.status;
  }
  const bool counts = !batch.owned->process_queue.dropped();
  const bool all_succeeded = succeeded == batch.messages.size();
  const bool forgets = config_.model == MessageModel::kBroadcasting;
  Fact fact = QueueFact(FactKind::FINISHED, config_.group, batch.owned->queue);
  // Those of a call that failed in part are settled together.
  const Counted success_counts =
      all_succeeded || forgets ? kCounted : kStaysCached;
  const Counted failure_counts = forgets ? kForgotten : kStaysCached;
  for (size_t i = 0; i < batch.messages.size(); ++i) {
    const Message& message = batch.messages[i];
    const bool success = i < succeeded;
    fact.offset = message.queue_offset;
    fact.value = success ? success_counts : failure_counts;
    if (!counts || (batch.some_expired && !Counts(batch, message))) {
      fact.value = kDroppedMeanwhile;
    }
    fact.count =
        static_cast<int64_t>(success ? ConsumeStatus::kSuccess : failure);
    env_.Emit(fact);
  }
  if (!counts) {
    Recycle(batch);
    Work(static_cast<Batch*>(pool().Next()));
  } else if (all_succeeded || forgets) [[likely]] {
    Finish(batch);
  } else {
    batch.failure = failure;
    scope_.Spawn(SendBackFailed(batch, succeeded, result.delay_level));
  }
}

bool ConcurrentConsumption::Counts(const Batch& batch, const Message& message) {
  const ProcessQueue& queue = batch.owned->process_queue;
  return !queue.dropped() && queue.Contains(message.queue_offset);
}

Task<void> ConcurrentConsumption::SendBackFailed(Batch& batch, size_t succeeded,
                                                 int32_t delay_level) {
  const MessageQueue queue = batch.owned->queue;
  std::vector<Message> again;
  for (size_t i = succeeded; i < batch.messages.size();) {
    Message message = batch.messages[i];
    bool disposed_of =
        config_.profile.sends_back_only_cached &&
        !batch.owned->process_queue.Contains(message.queue_offset);
    if (!disposed_of) {
      disposed_of = co_await send_back_.Send(message, queue, delay_level);
    }
    if (disposed_of) {
      ++i;
      continue;
    }
    ++message.reconsume_times;
    again.push_back(message);
    batch.messages.erase(batch.messages.begin() + static_cast<ptrdiff_t>(i));
  }
  if (!again.empty()) ResubmitLater(batch.owned, std::move(again));
  EmitSettled(batch, succeeded);
  Finish(batch);
}

void ConcurrentConsumption::EmitSettled(const Batch& batch, size_t succeeded) {
  Fact fact = QueueFact(FactKind::SETTLED, config_.group, batch.owned->queue);
  for (size_t i = 0; i < batch.messages.size(); ++i) {
    if (!Counts(batch, batch.messages[i])) continue;
    fact.offset = batch.messages[i].queue_offset;
    fact.count = static_cast<int64_t>(i < succeeded ? ConsumeStatus::kSuccess
                                                    : batch.failure);
    env_.Emit(fact);
  }
}

void ConcurrentConsumption::Finish(Batch& batch) {
  OwnedQueue& owned = *batch.owned;
  const int64_t next = owned_.RemoveMessages(owned, batch.messages);
  if (next >= 0 && !owned.process_queue.dropped()) {
    offsets_.Raise(owned.queue, next);
  }
  Recycle(batch);
  Work(static_cast<Batch*>(pool().Next()));
}

void ConcurrentConsumption::ResubmitLater(const OwnedQueuePtr& owned,
                                          std::vector<Message> messages) {
  // The timer has been stopped; or it would find the queue dropped.
  if (!accepting() || owned->process_queue.dropped()) return;
  Fact fact = QueueFact(FactKind::RESUBMITTED, config_.group, owned->queue);
  fact.offset = messages.front().queue_offset;
  fact.count = static_cast<int64_t>(messages.size());
  fact.value = config_.profile.resubmit_delay.nanos();
  env_.Emit(fact);
  auto resubmission = std::make_unique<Resubmission>();
  Resubmission* raw = resubmission.get();
  raw->owned = owned;
  raw->messages = std::move(messages);
  raw->timer = std::make_unique<Timer>(env_, [this, raw] { Resubmit(raw); });
  raw->timer->Arm(config_.profile.resubmit_delay);
  resubmissions_.push_back(std::move(resubmission));
}

void ConcurrentConsumption::Resubmit(const Resubmission* due) {
  const auto it = std::find_if(
      resubmissions_.begin(), resubmissions_.end(),
      [due](const std::unique_ptr<Resubmission>& r) { return r.get() == due; });
  CHECK(it != resubmissions_.end());
  // Its timer is calling, so it stays until the next one is due.
  fired_ = std::move(*it);
  resubmissions_.erase(it);
  Submit(fired_->owned, fired_->messages, /*start=*/false);
}

Task<void> ConcurrentConsumption::Shutdown(Duration limit) {
  StopAccepting();
  if (clean_expired_.has_value()) clean_expired_->Cancel();
  return EndPool(limit);
}

void ConcurrentConsumption::InterruptAll() {
  for (const std::unique_ptr<Batch>& batch : batches_) {
    if (batch->run != 0) env_.listeners().Interrupt(batch->run);
  }
}

ConcurrentConsumption::Batch* ConcurrentConsumption::FindExpired(
    const OwnedQueue& owned, int64_t offset) const {
  const int64_t limit = config_.consume_timeout.millis();
  const int64_t now = env_.WallMillis();
  for (const std::unique_ptr<Batch>& batch : batches_) {
    if (batch->run == 0 || batch->owned.get() != &owned) continue;
    if (now - batch->start_millis <= limit) continue;
    for (const Message& message : batch->messages) {
      if (message.queue_offset == offset) return batch.get();
    }
  }
  return nullptr;
}

Task<void> ConcurrentConsumption::CleanExpired() {
  std::vector<OwnedQueuePtr> owned;
  for (const auto& [queue, one] : owned_.all()) owned.push_back(one);
  for (const OwnedQueuePtr& one : owned) co_await CleanExpired(one);
}

Task<void> ConcurrentConsumption::CleanExpired(OwnedQueuePtr owned) {
  const ProcessQueue& queue = owned->process_queue;
  const int64_t rounds =
      std::min<int64_t>(config_.profile.expired_per_look,
                        static_cast<int64_t>(queue.cached().size()));
  for (int64_t round = 0; round < rounds && !queue.cached().empty(); ++round) {
    const int64_t offset = queue.cached().FirstOffset();
    if (FindExpired(*owned, offset) == nullptr) co_return;
    const Message message = *queue.cached().Find(offset);
    const bool sent = co_await send_back_.Send(message, owned->queue,
                                               config_.profile.expired_level);
    // Its call may have ended meanwhile.
    Batch* batch = FindExpired(*owned, offset);
    if (!sent || batch == nullptr || queue.dropped() ||
        queue.cached().empty() || queue.cached().FirstOffset() != offset) {
      continue;
    }
    batch->some_expired = true;
    owned_.RemoveMessages(*owned, absl::MakeConstSpan(&message, 1));
    Fact fact = QueueFact(FactKind::EXPIRED, config_.group, owned->queue);
    fact.offset = offset;
    fact.value =
        Duration::Millis(env_.WallMillis() - batch->start_millis).nanos();
    env_.Emit(fact);
  }
}

}  // namespace groupsim
