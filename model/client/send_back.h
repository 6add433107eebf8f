// What becomes of a message that a listener could not deal with.
#ifndef GROUPSIM_MODEL_CLIENT_SEND_BACK_H_
#define GROUPSIM_MODEL_CLIENT_SEND_BACK_H_

#include <cstdint>

#include "model/base/name.h"
#include "model/client/client_instance.h"
#include "model/client/inner_producer.h"
#include "model/client/settings.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {

// DefaultMQPushConsumerImpl.sendMessageBack, 5.3.3: the broker that stored the
// message is asked to deliver it again later. If that fails, however it does,
// the message itself is sent to the group's retry topic, at any broker that has
// it.
class SendBack {
 public:
  struct Config {
    Name group;
    Name retry_topic;
    int32_t max_reconsume_times = -1;  // Of the consumer's settings.
    ClientProfile profile;
  };

  // `env` and `instance` must outlive it.
  SendBack(Env& env, const Config& config, ClientInstance& instance);

  void OnRoute(Name topic, const TopicRoute& route) {
    inner_producer_.OnRoute(topic, route);
  }

  // Sends `message` of `queue` back; below 0 the level asks for the dead
  // letters, 0 leaves it to the broker. False if it is nowhere: it has to be
  // consumed here again.
  Task<bool> Send(Message message, MessageQueue queue, int32_t delay_level);

  // Only the second part: sends `message` to the retry topic, as having had
  // `reconsume_times`. False if no broker took it.
  Task<bool> SendAnew(Message message, MessageQueue queue,
                      int32_t reconsume_times);

 private:
  Task<bool> Return(Message message, MessageQueue queue, int32_t delay_level);
  Fact About(FactKind kind, const Message& message,
             const MessageQueue& queue) const;

  Env& env_;
  const Config config_;
  const int32_t max_reconsume_times_;
  ClientInstance& instance_;
  InnerProducer inner_producer_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_SEND_BACK_H_
