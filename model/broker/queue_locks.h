// Requests about locks of queues (AdminBrokerProcessor.lockBatchMQ and
// unlockBatchMQ, 5.3.3, without lockInStrictMode).
#ifndef GROUPSIM_MODEL_BROKER_QUEUE_LOCKS_H_
#define GROUPSIM_MODEL_BROKER_QUEUE_LOCKS_H_

#include "model/base/name.h"
#include "model/broker/broker_config.h"
#include "model/broker/queue_lock_table.h"
#include "model/runtime/env.h"
#include "model/wire/command.h"

namespace groupsim {

// The locks live in memory: a restarted broker knows of none. Whether a client
// is a member of the group, and whether there is such a queue, is not asked.
class QueueLocks {
 public:
  // The references outlive it.
  QueueLocks(Env& env, const BrokerConfig& config)
      : env_(env), table_(config.settings.lock_max_live_time) {}
  QueueLocks(const QueueLocks&) = delete;
  QueueLocks& operator=(const QueueLocks&) = delete;

  // Both succeed always; a refused lock is only missing in the answer.
  Reply Answer(const LockBatchRequest& request);
  Reply Answer(const UnlockBatchRequest& request);

  // Forgets all locks; false if there were none.
  bool Wipe() { return table_.Clear(); }

  // Whether the group has a lock that is not expired.
  bool HoldsAny(Name group) const {
    return table_.HoldsAny(group, env_.WallMillis());
  }

 private:
  Env& env_;
  QueueLockTable table_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_QUEUE_LOCKS_H_
