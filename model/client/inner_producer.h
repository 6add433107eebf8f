// The producer inside every consumer.
#ifndef GROUPSIM_MODEL_CLIENT_INNER_PRODUCER_H_
#define GROUPSIM_MODEL_CLIENT_INNER_PRODUCER_H_

#include <cstdint>
#include <optional>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/client_instance.h"
#include "model/client/fault_strategy.h"
#include "model/client/publish_table.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/route.h"

namespace groupsim {

// CLIENT_INNER_PRODUCER of MQClientInstance, 5.3.3: a DefaultMQProducer as it
// comes, which sends synchronously (sendDefaultImpl) and tells nobody but its
// caller. Consumers use it for messages that no broker takes back.
class InnerProducer {
 public:
  struct Config {
    Duration timeout;                      // For all attempts together.
    int32_t attempts = 3;                  // At most.
    int32_t default_topic_queue_nums = 4;  // Of a topic that has to be made.
  };

  // `env` and `instance` must outlive it.
  InnerProducer(Env& env, const Config& config, ClientInstance& instance);

  // Another route for a topic.
  void OnRoute(Name topic, const TopicRoute& route) {
    if (topics_.has_value()) topics_->OnRoute(topic, route);
  }

  struct Outcome {
    bool sent = false;
    int32_t attempts = 0;  // Begun.
  };
  // Sends to some queue of request.topic; the queue id and the producer's group
  // are filled in here.
  Task<Outcome> Send(SendMessageRequest request);

 private:
  // Whether there are queues of the topic to send to.
  Task<bool> Find(Name topic);
  Duration TimeLeft(int64_t begin_millis) const;

  Env& env_;
  const Config config_;
  ClientInstance& instance_;
  const FaultStrategy fault_strategy_;  // Off, as upstream's default.
  std::optional<PublishTable> topics_;  // From the first use on.
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_INNER_PRODUCER_H_
