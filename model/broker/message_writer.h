// Messages into the store, and the thread that makes them visible
// (DefaultMessageStore.putMessage, ReputMessageService, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_MESSAGE_WRITER_H_
#define GROUPSIM_MODEL_BROKER_MESSAGE_WRITER_H_

#include <cstdint>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/message_store.h"
#include "model/broker/pull_processor.h"
#include "model/broker/retention.h"
#include "model/runtime/env.h"
#include "model/runtime/timer.h"

namespace groupsim {

class MessageWriter {
 public:
  // The references outlive it.
  MessageWriter(Env& env, const BrokerConfig& config, BrokerDisk& disk,
                PullProcessor& pulls, Retention& retention);
  MessageWriter(const MessageWriter&) = delete;
  MessageWriter& operator=(const MessageWriter&) = delete;

  // The dispatch thread wakes every millisecond from now on. It costs an event
  // only while there is something to dispatch.
  void Start() { started_ = env_.Now(); }
  // Dispatches what is left, and ends.
  void Stop();

  // Where a message goes; the queue id is in [0, kMaxQueueId].
  struct Place {
    Name topic;
    int32_t queue_id = 0;
  };
  // Stores a message for consumers and returns its offset.
  int64_t Store(const Place& place, const MessageStore::NewMessage& message);
  // The same for the broker's own purposes: nobody is told.
  int64_t StoreInternal(const Place& place,
                        const MessageStore::NewMessage& message);

 private:
  void ArmDispatch();
  void Dispatch();

  Env& env_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  PullProcessor& pulls_;
  Retention& retention_;
  Instant started_;
  Timer dispatch_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_MESSAGE_WRITER_H_
