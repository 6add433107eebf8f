// What of a broker survives the death of its process.
#ifndef GROUPSIM_MODEL_BROKER_BROKER_DISK_H_
#define GROUPSIM_MODEL_BROKER_BROKER_DISK_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "model/broker/message_store.h"
#include "model/broker/offset_table.h"
#include "model/broker/subscription_group_table.h"
#include "model/broker/topic_config_table.h"

namespace groupsim {

// Lives outside the process, which may crash at any time between turns. The
// log is complete then (written data stays in the system's page cache), topics
// and groups are written at every change, and offsets every few seconds.
struct BrokerDisk {
  MessageStore store;             // commitlog, consumequeue.
  TopicConfigTable topics;        // topics.json
  SubscriptionGroupTable groups;  // subscriptionGroup.json
  OffsetTable offsets;            // consumerOffset.json
  // Of each delay level from 1 on, the next message to deliver, as it was last
  // written: delayOffset.json
  std::vector<int64_t> delay_offsets;
  // brokerPermission, if it was changed after the first start: broker.conf
  std::optional<int32_t> broker_permission;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_BROKER_DISK_H_
