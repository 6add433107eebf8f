// Finds out where a newly owned queue begins.
#ifndef GROUPSIM_MODEL_CLIENT_START_OFFSETS_H_
#define GROUPSIM_MODEL_CLIENT_START_OFFSETS_H_

#include <cstdint>
#include <optional>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/offset_store.h"
#include "model/client/route_service.h"
#include "model/client/starting_offset.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"
#include "model/wire/subscription.h"

namespace groupsim {

// RebalancePushImpl.computePullFromWhereWithException, 5.3.3: the group's
// stored offset; failing that, what the consumer was told to begin with. Such a
// beginning is noted nowhere: until a message is finished or a pull comes back
// empty, a restart begins anew.
class StartOffsets {
 public:
  struct Config {
    ConsumeFromWhere from = ConsumeFromWhere::kLastOffset;
    int64_t timestamp_millis = 0;  // Wall clock; for kTimestamp.
    Name retry_topic;              // The group's.
    Duration timeout;              // Of a call about a queue's offsets.
  };

  // All references must outlive it.
  StartOffsets(Config config, OffsetStore& store, Remoting& remoting,
               const BrokerAddresses& brokers, RouteService& routes)
      : config_(config),
        store_(store),
        remoting_(remoting),
        brokers_(brokers),
        routes_(routes) {}

  // The offset to begin with, or nothing if it was not to be learnt.
  Task<std::optional<int64_t>> Find(MessageQueue queue);

 private:
  // Asks the master, whose address is looked for twice (MQAdminImpl).
  Task<std::optional<int64_t>> AskMaster(MessageQueue queue, Request request);

  const Config config_;
  OffsetStore& store_;
  Remoting& remoting_;
  const BrokerAddresses& brokers_;
  RouteService& routes_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_START_OFFSETS_H_
