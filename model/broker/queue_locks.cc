#include "model/broker/queue_locks.h"

#include <utility>

#include "model/facts/fact.h"
#include "model/wire/codes.h"

namespace groupsim {

Reply QueueLocks::Answer(const LockBatchRequest& request) {
  const int64_t now = env_.WallMillis();
  LockBatchReply reply;
  for (const MessageQueue& queue : request.queues) {
    using Outcome = QueueLockTable::Outcome;
    const QueueLockTable::Answer answer =
        table_.Lock(request.group, queue, request.client_id, now);
    if (answer.outcome == Outcome::kRefused) {
      Fact fact = QueueFact(FactKind::LOCK_REFUSED, request.group, queue);
      fact.value = request.client_id.id();
      fact.count = answer.holder.id();
      fact.offset = answer.age_millis;
      env_.Emit(fact);
      continue;
    }
    reply.locked.push_back(queue);
    if (answer.outcome == Outcome::kRenewed) continue;
    if (answer.outcome == Outcome::kTakenOver) {
      Fact fact = QueueFact(FactKind::LOCK_EXPIRED, request.group, queue);
      fact.value = answer.holder.id();
      fact.offset = answer.age_millis;
      env_.Emit(fact);
    }
    Fact fact = QueueFact(FactKind::LOCK_GRANTED, request.group, queue);
    fact.value = request.client_id.id();
    env_.Emit(fact);
  }
  return Reply(ResponseCode::kSuccess, std::move(reply));
}

Reply QueueLocks::Answer(const UnlockBatchRequest& request) {
  for (const MessageQueue& queue : request.queues) {
    if (!table_.Unlock(request.group, queue, request.client_id)) continue;
    Fact fact = QueueFact(FactKind::UNLOCKED, request.group, queue);
    fact.value = request.client_id.id();
    env_.Emit(fact);
  }
  return Reply(ResponseCode::kSuccess);
}

}  // namespace groupsim
