// Offsets of a group, kept by the brokers.
#ifndef GROUPSIM_MODEL_CLIENT_REMOTE_OFFSET_STORE_H_
#define GROUPSIM_MODEL_CLIENT_REMOTE_OFFSET_STORE_H_

#include <cstdint>

#include "model/base/name.h"
#include "model/client/broker_addresses.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/route_service.h"
#include "model/client/settings.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// RemoteBrokerOffsetStore, 5.3.3. Persist sends an offset to the master of the
// queue's broker, one-way, so that a loss goes unnoticed, and any offset may be
// sent, also a lower one.
class RemoteOffsetStore final : public OffsetStore {
 public:
  // All references must outlive it.
  RemoteOffsetStore(Name group, const ClientProfile& profile,
                    Remoting& remoting, const BrokerAddresses& brokers,
                    RouteService& routes)
      : group_(group),
        profile_(profile),
        remoting_(remoting),
        brokers_(brokers),
        routes_(routes) {}

  bool Load() override { return true; }
  Task<int64_t> Read(MessageQueue queue) override;
  Task<void> Persist(MessageQueue queue) override;
  // Forgets, unsent, the offsets of queues that are not in the table.
  Task<void> PersistAll(const OwnedQueues& owned) override;

 private:
  // The address for reading, in some releases also for writing: the master's if
  // it is known at once; else, after asking for the route, any of the broker's.
  Task<Name> AddressOfMaster(MessageQueue queue);

  const Name group_;
  const ClientProfile profile_;
  Remoting& remoting_;
  const BrokerAddresses& brokers_;
  RouteService& routes_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_REMOTE_OFFSET_STORE_H_
