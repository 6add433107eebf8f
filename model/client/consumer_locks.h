// The locks that an orderly consumer holds at the brokers.
#ifndef GROUPSIM_MODEL_CLIENT_CONSUMER_LOCKS_H_
#define GROUPSIM_MODEL_CLIENT_CONSUMER_LOCKS_H_

#include <utility>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/owned_queues.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// RebalanceImpl.lock, lockAll, unlock and unlockAll, 5.3.3. Locks are asked of
// masters only; where a broker has none, a lock is not to be had, and nobody
// waits. What a master answers is noted in the queues that are in the table.
class ConsumerLocks {
 public:
  struct Config {
    Name group;
    Name client_id;
    Duration timeout;        // Of a call.
    bool connecting_blocks;  // As in ClientProfile.
  };

  // All references must outlive it.
  ConsumerLocks(Config config, Remoting& remoting,
                const BrokerAddresses& brokers, OwnedQueues& owned)
      : config_(config),
        remoting_(remoting),
        brokers_(brokers),
        owned_(owned) {}

  // Asks for one lock, whether the queue is owned or not; true if the broker
  // gave it. A call that fails changes nothing.
  Task<bool> Acquire(MessageQueue queue);

  // Renews the locks of all queues that are not dropped, one broker after the
  // other. A queue that is not in a broker's answer is not locked any more.
  Task<void> RenewAll();

  // Gives one lock back, one-way.
  Task<void> Release(MessageQueue queue);

  // Gives back the locks of all queues that are not dropped, one broker after
  // the other. Locks of dropped queues stay with the brokers.
  Task<void> ReleaseAll();

 private:
  // Queues of one broker, with the address of its master; brokers in the order
  // in which the original walks them, those without a master left out.
  struct OfBroker {
    Name address;
    std::vector<MessageQueue> queues;
  };
  std::vector<OfBroker> ByBroker() const;

  const Config config_;
  Remoting& remoting_;
  const BrokerAddresses& brokers_;
  OwnedQueues& owned_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CONSUMER_LOCKS_H_
