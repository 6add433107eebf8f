// New and changed topics of a broker (TopicConfigManager, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_TOPIC_SERVICE_H_
#define GROUPSIM_MODEL_BROKER_TOPIC_SERVICE_H_

#include <cstdint>

#include "model/base/name.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/name_server_registration.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/wire/route.h"

namespace groupsim {

class TopicService {
 public:
  // The references outlive it.
  TopicService(Env& env, const BrokerConfig& config, BrokerDisk& disk,
               NameServerRegistration& registration)
      : env_(env), config_(config), disk_(disk), registration_(registration) {}
  TopicService(const TopicService&) = delete;
  TopicService& operator=(const TopicService&) = delete;

  // Puts a new or changed topic on the disk, at once, and tells the name
  // servers of it alone; ends when they know it.
  Task<void> Put(const TopicConfig& topic);

  // The same for a topic that is made because something was sent to it
  // (createTopicInSendMessageMethod).
  Task<void> Create(const TopicConfig& topic);

  // Makes a topic of the broker's own, to be read and written, if it is unknown
  // (createTopicInSendMessageBackMethod).
  Task<void> Provide(Name topic, int32_t queues);

  // An administrator changed it: a fact of the kind TOPIC_CHANGED.
  void EmitChanged(const TopicConfig& topic) {
    Emit(FactKind::TOPIC_CHANGED, topic);
  }

 private:
  void Emit(FactKind kind, const TopicConfig& topic);

  Env& env_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  NameServerRegistration& registration_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_TOPIC_SERVICE_H_
