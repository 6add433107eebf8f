#include "model/client/queue_removal.h"

#include "model/client/process_queue.h"
#include "model/facts/fact.h"
#include "model/runtime/waiting.h"

namespace groupsim {

Task<bool> QueueRemoval::Free(OwnedQueuePtr owned) {
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
    queue.CountTryUnlock();
    Fact fact =
        QueueFact(FactKind::REMOVAL_PUT_OFF, config_.group, owned->queue);
    fact.count = queue.try_unlock_times();
    env_.Emit(fact);
    co_return false;
  }
  const MutexHold hold(owned->consume_lock);
  co_await GiveBack(owned);
  co_return true;
}

Task<void> QueueRemoval::GiveBack(OwnedQueuePtr owned) {
  co_await store_.PersistAndForget(owned->queue);
  owned->process_queue.set_locked(false);
  locks_.Release(owned->queue);
}

}  // namespace groupsim
