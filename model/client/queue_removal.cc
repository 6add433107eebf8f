#include "model/client/queue_removal.h"

#include <utility>

#include "model/client/process_queue.h"
#include "model/facts/fact.h"
#include "model/runtime/waiting.h"

namespace groupsim {

Task<bool> QueueRemoval::Free(OwnedQueuePtr owned) {
  switch (config_.rule) {
    case OrderlyRemoval::kForced:
      return FreeOrForce(std::move(owned));
    case OrderlyRemoval::kDelayedUnlock:
      break;
  }
  return FreeOrWait(std::move(owned));
}

void QueueRemoval::PutOff(OwnedQueue& owned) {
  owned.process_queue.CountTryUnlock();
  Fact fact = QueueFact(FactKind::REMOVAL_PUT_OFF, config_.group, owned.queue);
  fact.count = owned.process_queue.try_unlock_times();
  env_.Emit(fact);
}

Task<bool> QueueRemoval::FreeOrForce(OwnedQueuePtr owned) {
  ProcessQueue& queue = owned->process_queue;
  co_await store_.Persist(owned->queue);
  const bool force =
      queue.dropped() && env_.WallMillis() > queue.last_lock_millis() +
                                                 config_.unlock_delay.millis();
  if (force) {
    if (owned->consume_lock.locked()) {
      env_.Emit(
          QueueFact(FactKind::UNLOCK_FORCED, config_.group, owned->queue));
    }
    co_await GiveBack(owned);
    co_return true;
  }
  const bool free = co_await owned->consume_lock.LockFor(config_.wait);
  if (!free) {
    PutOff(*owned);
    co_return false;
  }
  const MutexHold hold(owned->consume_lock);
  co_await GiveBack(owned);
  co_return true;
}

Task<void> QueueRemoval::GiveBack(OwnedQueuePtr owned) {
  co_await store_.PersistAndForget(owned->queue);
  owned->process_queue.set_locked(false);
  co_await locks_.Release(owned->queue);
}

// Whoever takes the queue on must not begin before what is cached here is out
// of the hands of the listener's threads; so thought upstream.
Task<bool> QueueRemoval::FreeOrWait(OwnedQueuePtr owned) {
  co_await store_.PersistAndForget(owned->queue);
  const bool free = co_await owned->consume_lock.LockFor(config_.wait);
  if (!free) {
    PutOff(*owned);
    co_return false;
  }
  const MutexHold hold(owned->consume_lock);
  if (owned->process_queue.HasMessagesToTake()) {
    scope_.Spawn(ReleaseLater(owned->queue));
  } else {
    co_await locks_.Release(owned->queue);
  }
  co_return true;
}

Task<void> QueueRemoval::ReleaseLater(MessageQueue queue) {
  co_await Sleep(env_, config_.unlock_delay);
  co_await locks_.Release(queue);
}

}  // namespace groupsim
