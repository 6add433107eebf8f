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
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/wire/message.h"

namespace groupsim {

ConcurrentConsumption::ConcurrentConsumption(Env& env, Config config,
                                             OwnedQueues& owned,
                                             ConsumedOffsets& offsets)
    : env_(env),
      config_(config),
      group_id_(NarrowId(config.group)),
      owned_(owned),
      offsets_(offsets),
      pool_(config.workers),
      idle_(env) {
  CHECK_GE(config.batch_size, 1);
}

ConcurrentConsumption::~ConcurrentConsumption() {
  for (const std::unique_ptr<Batch>& batch : batches_) {
    if (batch->run != 0) env_.listeners().Abandon(batch->run);
  }
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
  free_batches_.push_back(&batch);
}

bool ConcurrentConsumption::Submit(const OwnedQueuePtr& owned,
                                   absl::Span<const Message> messages) {
  if (!accepting_) return false;
  const auto size = static_cast<size_t>(config_.batch_size);
  for (size_t i = 0; i < messages.size(); i += size) {
    const absl::Span<const Message> part = messages.subspan(i, size);
    Batch& batch = NewBatch();
    batch.owned = owned;
    batch.messages.assign(part.begin(), part.end());
    if (pool_.BeginOrQueue(batch)) Work(&batch);
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
    batch = static_cast<Batch*>(pool_.Next());
  }
  if (!accepting_ && pool_.busy() == 0) idle_.Set();
}

void ConcurrentConsumption::CallListener(Batch& batch) {
  const Instant now = env_.Now();
  Fact fact = QueueFact(FactKind::DELIVERED, config_.group, batch.owned->queue);
  for (const Message& message : batch.messages) {
    fact.offset = message.queue_offset;
    fact.count = message.reconsume_times;
    fact.value = (now - message.stored).nanos();
    env_.Emit(fact);
  }
  ListenerCall call;
  call.group = config_.group;
  call.queue = batch.owned->queue;
  call.messages = batch.messages;
  batch.run = env_.listeners().Run(call, &batch);
}

void ConcurrentConsumption::OnDone(Batch& batch, const ListenerResult& result) {
  // Messages up to the acknowledged position succeeded, the others did not.
  size_t succeeded = 0;
  if (result.status == ConsumeStatus::kSuccess) {
    const int64_t acknowledged = int64_t{result.ack_index} + 1;
    succeeded = static_cast<size_t>(std::clamp<int64_t>(
        acknowledged, 0, static_cast<int64_t>(batch.messages.size())));
  }
  const bool counts = !batch.owned->process_queue.dropped();
  Fact fact = QueueFact(FactKind::FINISHED, config_.group, batch.owned->queue);
  fact.value = counts ? 1 : 0;
  for (size_t i = 0; i < batch.messages.size(); ++i) {
    fact.offset = batch.messages[i].queue_offset;
    fact.count =
        static_cast<int64_t>(i < succeeded ? ConsumeStatus::kSuccess
                                           : ConsumeStatus::kReconsumeLater);
    env_.Emit(fact);
  }
  if (counts) HandleResult(batch, succeeded);
  Recycle(batch);
  Work(static_cast<Batch*>(pool_.Next()));
}

void ConcurrentConsumption::HandleResult(Batch& batch, size_t succeeded) {
  OwnedQueue& owned = *batch.owned;
  if (succeeded < batch.messages.size()) {
    std::vector<Message> again;
    auto kept = batch.messages.begin() + static_cast<ptrdiff_t>(succeeded);
    for (auto it = kept; it != batch.messages.end(); ++it) {
      if (!owned.process_queue.Contains(it->queue_offset)) {
        *kept++ = *it;
        continue;
      }
      again.push_back(*it);
      ++again.back().reconsume_times;
    }
    batch.messages.erase(kept, batch.messages.end());
    if (!again.empty()) ResubmitLater(batch.owned, std::move(again));
  }
  const int64_t next = owned_.RemoveMessages(owned, batch.messages);
  if (next >= 0) offsets_.Raise(owned.queue, next);
}

void ConcurrentConsumption::ResubmitLater(const OwnedQueuePtr& owned,
                                          std::vector<Message> messages) {
  if (!accepting_) return;  // The timer has been stopped.
  auto resubmission = std::make_unique<Resubmission>();
  Resubmission* raw = resubmission.get();
  raw->owned = owned;
  raw->messages = std::move(messages);
  raw->timer = std::make_unique<Timer>(env_, [this, raw] { Resubmit(raw); });
  raw->timer->Arm(config_.resubmit_delay);
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
  Submit(fired_->owned, fired_->messages);
}

Task<void> ConcurrentConsumption::Shutdown(Duration limit) {
  accepting_ = false;
  if (pool_.busy() == 0) co_return;
  if (limit > Duration::Zero()) {
    const bool finished = co_await idle_.WaitFor(limit);
    if (finished) co_return;
  }
  while (auto* batch = static_cast<Batch*>(pool_.PopWaiting())) {
    Recycle(*batch);
  }
  if (limit > Duration::Zero() && pool_.busy() > 0) {
    co_await idle_.WaitFor(limit);
  }
}

}  // namespace groupsim
