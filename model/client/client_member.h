// What a client instance serves: a consumer or a producer.
#ifndef GROUPSIM_MODEL_CLIENT_CLIENT_MEMBER_H_
#define GROUPSIM_MODEL_CLIENT_CLIENT_MEMBER_H_

#include <vector>

#include "model/base/name.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/route.h"
#include "model/wire/subscription.h"

namespace groupsim {

// MQConsumerInner and MQProducerInner, as far as both have it.
class ClientMember {
 public:
  // The topics whose routes are kept fresh, in the order of asking.
  virtual std::vector<Name> RouteTopics() const = 0;
  // Whether it uses the topic but could not yet make anything of its route
  // (isSubscribeTopicNeedUpdate, isPublishTopicNeedUpdate).
  virtual bool NeedsRoute(Name topic) const = 0;
  // A route came that differs from the one before, or that was needed.
  virtual void OnRoute(Name topic, const TopicRoute& route) = 0;

 protected:
  ~ClientMember() = default;
};

// MQConsumerInner.
class ConsumerMember : public ClientMember {
 public:
  virtual Name group() const = 0;
  // Its entry in a heartbeat.
  virtual ConsumerData Describe() const = 0;
  // Rebalances all topics; false if that has to be repeated soon
  // (tryRebalance).
  virtual Task<bool> Rebalance() = 0;
  // Sends all offsets to the brokers (persistConsumerOffset).
  virtual Task<void> PersistOffsets() = 0;
  // A broker asks it to go on from other offsets (resetOffset).
  virtual void OnResetOffsets(
      const ResetConsumerClientOffsetRequest& request) = 0;

 protected:
  ~ConsumerMember() = default;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CLIENT_MEMBER_H_
