// Messages in: what producers send and consumers send back
// (SendMessageProcessor, AbstractSendMessageProcessor, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_SEND_SERVICE_H_
#define GROUPSIM_MODEL_BROKER_SEND_SERVICE_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "model/base/name.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/message_store.h"
#include "model/broker/message_writer.h"
#include "model/broker/queue_locks.h"
#include "model/broker/schedule_service.h"
#include "model/broker/topic_config_table.h"
#include "model/broker/topic_service.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/random.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/route.h"

namespace groupsim {

class SendService {
 public:
  // The references outlive it.
  SendService(Env& env, const BrokerConfig& config, BrokerDisk& disk,
              TopicService& topics, MessageWriter& writer,
              ScheduleService& schedule, const QueueLocks& locks);
  SendService(const SendService&) = delete;
  SendService& operator=(const SendService&) = delete;

  // Stores nothing any more.
  void Stop() { stopped_ = true; }

  // SEND_MESSAGE_V2. An unknown topic is made first, if that is allowed
  // (TopicConfigManager.createTopicInSendMessageMethod).
  void OnSend(const SendMessageRequest& request, Responder responder);

  // CONSUMER_SEND_MSG_BACK: a copy of the message waits in the group's retry
  // topic, or lies among its dead letters.
  Task<void> OnSendBack(SendMessageBackRequest request, Responder responder);

 private:
  // A message that was consumed before, or waits, on its way into the store.
  struct Letter {
    Name group;
    MessageWriter::Place place;  // In the retry topic.
    MessageStore::NewMessage message;
    StoredProperties properties;
    int32_t delay_level = 0;   // Of the next try; 0 for none.
    bool dead = false;         // There is no next try.
    bool keeps_delay = false;  // The dead letter waits as the next try would.
  };

  // What a send to an unknown topic makes; nothing if it may not.
  std::optional<TopicConfig> NewTopic(const SendMessageRequest& request);
  // `topic` is the request's; null if it is unknown.
  Reply Store(const SendMessageRequest& request,
              const TopicConfigTable::Entry* topic);
  // Why a request is refused; if it is not, `queue_id` is the message's.
  std::optional<Reply> Check(const SendMessageRequest& request,
                             const TopicConfigTable::Entry* topic,
                             int32_t& queue_id);
  static Letter LetterOf(const SendMessageRequest& request, int32_t queue_id);
  // An unknown topic, or one of retries: what may have to wait for the name
  // servers.
  Task<void> StoreAtLength(SendMessageRequest request, Responder responder);
  Task<void> StoreRetry(SendMessageRequest request, int32_t queue_id,
                        Responder responder);
  // Stores it where it belongs, and returns its offset there.
  int64_t Post(Letter& letter);
  void EmitAbout(FactKind kind, const Letter& letter);

  Env& env_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  TopicService& topics_;
  MessageWriter& writer_;
  ScheduleService& schedule_;
  const QueueLocks& locks_;
  std::unique_ptr<RandomStream> queue_choice_;
  std::unique_ptr<RandomStream> retry_queue_choice_;
  bool stopped_ = false;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_SEND_SERVICE_H_
