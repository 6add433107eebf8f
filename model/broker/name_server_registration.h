// A broker's side of its registration with the name servers
// (BrokerController.registerBrokerAll, BrokerOuterAPI, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_NAME_SERVER_REGISTRATION_H_
#define GROUPSIM_MODEL_BROKER_NAME_SERVER_REGISTRATION_H_

#include <memory>

#include "model/base/name.h"
#include "model/broker/broker_config.h"
#include "model/broker/topic_config_table.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"

namespace groupsim {

// Upstream (5.x) tries every 3 s which name servers can be reached, and
// registers with those only. Here that is seen from the connections: one that
// is open makes a name server available; to another a periodic round sends all
// the same, but does not wait for it, so that one that is back gets its
// registration and one that hangs delays nobody. A broker of 4.9 registers with
// all, always, and waits for all.
class NameServerRegistration {
 public:
  // The references outlive it.
  NameServerRegistration(Env& env, Remoting& remoting,
                         const BrokerConfig& config,
                         const TopicConfigTable& topics);
  NameServerRegistration(const NameServerRegistration&) = delete;
  NameServerRegistration& operator=(const NameServerRegistration&) = delete;

  // The round of the start sequence: all topics to all name servers; ends when
  // each has answered, failed, or could not be connected to.
  Task<void> RegisterFirst();
  // A periodic round: all topics; ends when every available name server has
  // answered, at the latest after register_broker_timeout_mills.
  Task<void> RegisterAll();
  // One new or changed topic, to the available name servers only; ends as
  // above (registerIncrementBrokerData).
  Task<void> RegisterTopic(TopicConfig topic);

  // Tells all name servers, one after the other, that the broker goes.
  Task<void> UnregisterAll();

 private:
  enum class Reach { kWaitForAll, kTryAll, kAvailableOnly };
  struct Round {
    explicit Round(Env& env) : done(env) {}
    int pending = 0;
    Signal done;
  };

  RegisterBrokerRequest NewRequest() const;
  Task<void> Run(RegisterBrokerRequest request, Reach reach);
  Task<void> RegisterWith(Name name_server, RegisterBrokerRequest request,
                          std::shared_ptr<Round> round);

  Env& env_;
  Remoting& remoting_;
  const BrokerConfig& config_;
  const TopicConfigTable& topics_;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_NAME_SERVER_REGISTRATION_H_
