// How an orderly consumer gives a queue up.
#ifndef GROUPSIM_MODEL_CLIENT_QUEUE_REMOVAL_H_
#define GROUPSIM_MODEL_CLIENT_QUEUE_REMOVAL_H_

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/consumer_locks.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/settings.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"

namespace groupsim {

// RebalancePushImpl.tryRemoveOrderMessageQueue (5.3.3), or
// removeUnnecessaryMessageQueue and unlockDelay (4.9.8).
class QueueRemoval {
 public:
  struct Config {
    Name group;
    Duration unlock_delay;  // unlock_delay_time_mills
    OrderlyRemoval rule;
    Duration wait;  // For the listener.
  };

  // All references must outlive it.
  QueueRemoval(Env& env, const Config& config, OffsetStore& store,
               ConsumerLocks& locks)
      : env_(env),
        config_(config),
        store_(store),
        locks_(locks),
        scope_(env.ready()) {}

  // The queue, which is dropped, may be taken from the table: its offset was
  // sent and forgotten, its lock given back, or soon will be. False where the
  // listener is at work on it for longer than the wait: the queue has to stay,
  // and its lock stays with the broker. With OrderlyRemoval::kForced a lock
  // whose last renewal is longer ago than unlock_delay is given back all the
  // same; since a dropped queue's lock is not renewed, that comes to pass.
  Task<bool> Free(OwnedQueuePtr owned);

 private:
  Task<bool> FreeOrForce(OwnedQueuePtr owned);
  Task<bool> FreeOrWait(OwnedQueuePtr owned);
  Task<void> GiveBack(OwnedQueuePtr owned);
  Task<void> ReleaseLater(MessageQueue queue);
  void PutOff(OwnedQueue& owned);

  Env& env_;
  const Config config_;
  OffsetStore& store_;
  ConsumerLocks& locks_;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_QUEUE_REMOVAL_H_
