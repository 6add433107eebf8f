// Tells the brokers that a client lives, and what it wants.
#ifndef GROUPSIM_MODEL_CLIENT_HEARTBEAT_SERVICE_H_
#define GROUPSIM_MODEL_CLIENT_HEARTBEAT_SERVICE_H_

#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/client_member.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"

namespace groupsim {

// MQClientInstance.sendHeartbeatToAllBrokerWithLock and sendHeartbeatToBroker,
// 5.3.3, first form (without fingerprints).
//
// Only one heartbeat is under way at a time, and nobody waits for it: one that
// falls due meanwhile is skipped. So a changed subscription may stay unknown to
// the brokers until the next heartbeat.
class HeartbeatService {
 public:
  struct Config {
    Name client_id;
    Duration call_timeout;  // mq_client_api_timeout
  };

  // `env`, `remoting` and `brokers` must outlive it.
  HeartbeatService(Env& env, Config config, Remoting& remoting,
                   const BrokerAddresses& brokers);

  // Who is announced from now on; null and empty for nobody.
  void SetConsumer(const ConsumerMember* consumer) { consumer_ = consumer; }
  void SetProducerGroups(std::vector<Name> groups);

  // One heartbeat to each known broker, one after the other; to masters only
  // where there is no consumer. True if it was not skipped and a broker is
  // known, whatever the brokers answer.
  Task<bool> SendToAllBrokers();

  // One heartbeat to one address; true if the broker took it. Skipped ones are
  // no facts here: the opening of a connection by a heartbeat asks for one too.
  Task<bool> SendTo(Name address);

 private:
  HeartbeatRequest Compose() const;

  Env& env_;
  const Config config_;
  Remoting& remoting_;
  const BrokerAddresses& brokers_;
  const ConsumerMember* consumer_ = nullptr;
  std::shared_ptr<const std::vector<Name>> producer_groups_;
  Mutex lock_;  // lockHeartbeat
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_HEARTBEAT_SERVICE_H_
