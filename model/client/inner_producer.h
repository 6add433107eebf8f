// The producer inside every consumer.
#ifndef GROUPSIM_MODEL_CLIENT_INNER_PRODUCER_H_
#define GROUPSIM_MODEL_CLIENT_INNER_PRODUCER_H_

#include <cstdint>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/client_instance.h"
#include "model/client/fault_strategy.h"
#include "model/client/publish_info.h"
#include "model/runtime/env.h"
#include "model/runtime/random.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/route.h"

namespace groupsim {

// CLIENT_INNER_PRODUCER of MQClientInstance, 5.3.3: sends synchronously, with
// the attempts of a producer (DefaultMQProducerImpl.sendDefaultImpl). Consumers
// use it for messages that no broker takes back.
class InnerProducer {
 public:
  struct Config {
    Duration timeout;      // For all attempts together.
    int32_t attempts = 3;  // At most.
  };

  // `env` and `instance` must outlive it.
  InnerProducer(Env& env, const Config& config, ClientInstance& instance);

  // Another route for a topic; nothing where nobody has sent to it.
  void OnRoute(Name topic, const TopicRoute& route);

  struct Outcome {
    bool sent = false;
    int32_t attempts = 0;  // Begun.
  };
  // Sends to some queue of request.topic; the queue id and the producer's group
  // are filled in here.
  Task<Outcome> Send(SendMessageRequest request);

 private:
  Task<PublishInfo*> FindPublishInfo(Name topic);
  void Publish(Name topic, const TopicRoute& route);

  Env& env_;
  const Config config_;
  ClientInstance& instance_;
  const FaultStrategy fault_strategy_;    // Off, as upstream's default.
  std::unique_ptr<RandomStream> random_;  // Null before the first use.
  absl::flat_hash_map<Name, PublishInfo> publish_info_;  // By topic.
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_INNER_PRODUCER_H_
