// What a broker is told at its start.
#ifndef GROUPSIM_MODEL_BROKER_BROKER_CONFIG_H_
#define GROUPSIM_MODEL_BROKER_BROKER_CONFIG_H_

#include <cstdint>
#include <vector>

#include "model/base/name.h"
#include "model/broker/settings.h"
#include "model/wire/route.h"

namespace groupsim {

class BrokerDisturbance;

struct BrokerConfig {
  Name cluster;
  Name broker;   // Its name, shared by a master and its slaves.
  Name address;  // Where it listens.
  int64_t broker_id = kMasterId;
  std::vector<Name> name_servers;  // Addresses.
  // Topics and groups that are put on the disk if they are not there yet.
  std::vector<TopicConfig> topics;
  std::vector<SubscriptionGroupConfig> groups;
  BrokerSettings settings;
  BrokerProfile profile = kBrokerRocketMq53;
  // What is wrong with the broker's machine, if something can be. Outlives the
  // broker.
  BrokerDisturbance* disturbance = nullptr;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_BROKER_CONFIG_H_
