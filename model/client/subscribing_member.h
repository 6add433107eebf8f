// What consumers of all kinds have and do alike.
#ifndef GROUPSIM_MODEL_CLIENT_SUBSCRIBING_MEMBER_H_
#define GROUPSIM_MODEL_CLIENT_SUBSCRIBING_MEMBER_H_

#include <memory>
#include <vector>

#include "model/base/name.h"
#include "model/client/client_instance.h"
#include "model/client/client_member.h"
#include "model/client/consumer_disk.h"
#include "model/client/consumer_rebalance.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/subscriptions.h"
#include "model/runtime/env.h"
#include "model/wire/route.h"
#include "model/wire/subscription.h"

namespace groupsim {

// A consumer with its instance, what it subscribes to and the queues that it
// owns: what DefaultMQPushConsumerImpl, DefaultMQPullConsumerImpl and
// DefaultLitePullConsumerImpl have in common, 5.3.3.
class SubscribingMember : public ConsumerMember {
 public:
  Name client_id() const { return instance_.config().client_id; }
  const OwnedQueues& owned() const { return owned_; }

 protected:
  // What it says of itself in heartbeats.
  struct Traits {
    Name group;
    MessageModel model = MessageModel::kClustering;
    ConsumeFromWhere consume_from_where = ConsumeFromWhere::kLastOffset;
  };

  // `env` must outlive it.
  SubscribingMember(Env& env, const Traits& traits,
                    ClientInstance::Config instance);
  ~SubscribingMember() = default;

  std::vector<Name> RouteTopics() const override;
  bool NeedsRoute(Name topic) const override;
  void OnRoute(Name topic, const TopicRoute& route) override;
  Name group() const override { return traits_.group; }
  ConsumerData Describe() const override;

  bool broadcasts() const {
    return traits_.model == MessageModel::kBroadcasting;
  }
  // Where its offsets are kept: with the brokers, or, where it broadcasts, on
  // its disk, which there must be then and outlives the store.
  std::unique_ptr<OffsetStore> MakeStore(ConsumerDisk* disk);

  // Its rebalance, which holds the queues of its topics.
  virtual ConsumerRebalance& rebalance() = 0;
  virtual const ConsumerRebalance& rebalance() const = 0;

  // Gives all queues up, at the end of a shutdown.
  void DropAll();

  Env& env_;
  const Traits traits_;
  ClientInstance instance_;
  Subscriptions subscriptions_;
  OwnedQueues owned_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_SUBSCRIBING_MEMBER_H_
