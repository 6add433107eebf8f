// Messages in: checks, append, and the thread that makes them visible
// (SendMessageProcessor, ReputMessageService, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_SEND_SERVICE_H_
#define GROUPSIM_MODEL_BROKER_SEND_SERVICE_H_

#include <memory>
#include <optional>

#include "model/base/time.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/name_server_registration.h"
#include "model/broker/pull_processor.h"
#include "model/runtime/env.h"
#include "model/runtime/random.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/wire/command.h"
#include "model/wire/route.h"

namespace groupsim {

class SendService {
 public:
  // The references outlive it.
  SendService(Env& env, const BrokerConfig& config, BrokerDisk& disk,
              PullProcessor& pulls, NameServerRegistration& registration);
  SendService(const SendService&) = delete;
  SendService& operator=(const SendService&) = delete;

  // The dispatch thread wakes every millisecond from now on. It costs an event
  // only while there is something to dispatch.
  void Start() { started_ = env_.Now(); }
  // Dispatches what is left, and ends.
  void Stop();

  // SEND_MESSAGE_V2. An unknown topic is made first, if that is allowed
  // (TopicConfigManager.createTopicInSendMessageMethod).
  void OnSend(const SendMessageRequest& request, Responder responder);

 private:
  // The topic that a send may make; nothing if it is there or may not be made.
  std::optional<TopicConfig> NewTopic(const SendMessageRequest& request);
  void EmitCreated(const TopicConfig& topic);
  Task<void> StoreInNewTopic(TopicConfig topic, SendMessageRequest request,
                             Responder responder);
  Reply Store(const SendMessageRequest& request);
  void ArmDispatch();
  void Dispatch();

  Env& env_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  PullProcessor& pulls_;
  NameServerRegistration& registration_;
  std::unique_ptr<RandomStream> queue_choice_;
  Instant started_;
  bool stopped_ = false;
  Timer dispatch_;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_SEND_SERVICE_H_
