// Offsets of a group, kept by the brokers.
#ifndef GROUPSIM_MODEL_CLIENT_REMOTE_OFFSET_STORE_H_
#define GROUPSIM_MODEL_CLIENT_REMOTE_OFFSET_STORE_H_

#include <cstdint>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/consumed_offsets.h"
#include "model/client/owned_queues.h"
#include "model/client/route_service.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// RemoteBrokerOffsetStore, 5.3.3. What is consumed is first noted in offsets();
// Persist sends it to the master of the queue's broker, one-way, so that a loss
// goes unnoticed, and any offset may be sent, also a lower one.
class RemoteOffsetStore {
 public:
  // Answers of Read besides offsets.
  static constexpr int64_t kNotFound = -1;  // The broker knows none.
  static constexpr int64_t kFailed = -2;    // It was not to be learnt.

  // All references must outlive it.
  RemoteOffsetStore(Name group, Duration timeout, Remoting& remoting,
                    const BrokerAddresses& brokers, RouteService& routes)
      : group_(group),
        timeout_(timeout),
        remoting_(remoting),
        brokers_(brokers),
        routes_(routes) {}

  ConsumedOffsets& offsets() { return offsets_; }
  const ConsumedOffsets& offsets() const { return offsets_; }

  // Asks the broker for the offset, notes it and returns it; else kNotFound or
  // kFailed (readOffset, READ_FROM_STORE).
  Task<int64_t> Read(MessageQueue queue);

  // Sends the offset of one queue, if there is one (persist).
  Task<void> Persist(MessageQueue queue);

  // The same, and forgets it: the queue is given up
  // (RebalancePushImpl.removeUnnecessaryMessageQueue of a concurrent consumer).
  Task<void> PersistAndForget(MessageQueue queue);

  // Sends the offsets of all queues in the table and forgets those of others,
  // unsent; nothing at all if the table is empty (persistAll).
  Task<void> PersistAll(const OwnedQueues& owned);

 private:
  // The address for reading; the master's if it is known, even after asking for
  // the route, else any of the broker's.
  Task<Name> AddressForReading(MessageQueue queue);

  const Name group_;
  const Duration timeout_;
  Remoting& remoting_;
  const BrokerAddresses& brokers_;
  RouteService& routes_;
  ConsumedOffsets offsets_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_REMOTE_OFFSET_STORE_H_
