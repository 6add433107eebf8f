// A push consumer, as a process.
#ifndef GROUPSIM_MODEL_CLIENT_PUSH_CONSUMER_H_
#define GROUPSIM_MODEL_CLIENT_PUSH_CONSUMER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/client/client_id.h"
#include "model/client/consumer_disk.h"
#include "model/client/consumer_locks.h"
#include "model/client/consumer_rebalance.h"
#include "model/client/consumption.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/pull_service.h"
#include "model/client/queue_removal.h"
#include "model/client/send_back.h"
#include "model/client/settings.h"
#include "model/client/start_offsets.h"
#include "model/client/subscribing_member.h"
#include "model/runtime/env.h"
#include "model/runtime/process.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"
#include "model/wire/route.h"
#include "model/wire/subscription.h"

namespace groupsim {

struct PushConsumerConfig {
  Name group;
  // Empty to generate one: at each start another one, but where the group
  // broadcasts always the same.
  Name client_id;
  ClientOrigin origin;
  std::vector<Name> name_servers;  // Addresses, at least one.

  struct Topic {
    Name topic;
    std::string expression = "*";  // "*", or tags: "a || b".
  };
  std::vector<Topic> topics;  // The retry topic is added, where there is one.

  // Whether the members share the messages or each gets all (messageModel).
  MessageModel message_model = MessageModel::kClustering;

  ConsumeFromWhere consume_from_where = ConsumeFromWhere::kLastOffset;
  // Wall-clock milliseconds, for kTimestamp; by default half an hour before the
  // start (consumeTimestamp).
  std::optional<int64_t> consume_timestamp;

  // A strategy that all members should share; averagely if null.
  std::shared_ptr<const AllocationStrategy> strategy;

  // Whether the listener is a MessageListenerOrderly: messages of a queue one
  // after the other, and a queue only with its lock.
  bool orderly = false;

  PushConsumerSettings settings;
  ClientSettings client;
  ClientProfile profile = kClientRocketMq53;
};

// DefaultMQPushConsumer, 5.3.3. The settings must be valid (Validate).
//
// Where its group broadcasts, it has all queues, takes no locks, has no retry
// topic, forgets messages that failed in a concurrent call and keeps its
// offsets itself.
//
// It composes: what happens is in its services.
class PushConsumer final : public Process,
                           private SubscribingMember,
                           private RebalancedConsumer {
 public:
  // `env` and `disk` must outlive it. The disk is where a member of a
  // broadcasting group keeps its offsets; others may have none.
  PushConsumer(Env& env, PushConsumerConfig config,
               ConsumerDisk* disk = nullptr);
  ~PushConsumer() override;

  void Start() override;
  void Shutdown() override;

  // From now on queues are not pulled, and rebalances do nothing; what is
  // cached is consumed (DefaultMQPushConsumerImpl.suspend).
  void Suspend();
  // Ends that, and rebalances at once (resume). Upstream does so in the thread
  // of the application, beside a rebalance that may be under way; here that one
  // is followed by another as soon as the pace allows.
  void Resume();
  bool suspended() const { return pulls_.suspended(); }

  // Subscribes to a topic from now on, or to a topic in another way, and tells
  // the brokers at once, unless a heartbeat is under way. Nothing else happens
  // at once: the topic's route comes with the next refresh of all, or with the
  // next rebalance, for the one after that
  // (DefaultMQPushConsumerImpl.subscribe). It is forgotten when the process
  // ends.
  void Subscribe(Name topic, absl::string_view expression);
  // Ends a subscription. The next rebalance gives the topic's queues up,
  // without sending their offsets (unsubscribe).
  void Unsubscribe(Name topic);
  // Null for topics that it does not subscribe to; until the next change.
  const SubscriptionData* FindSubscription(Name topic) const {
    return subscriptions_.Find(topic);
  }

  using SubscribingMember::client_id;
  using SubscribingMember::owned;
  const ConsumedOffsets& offsets() const { return store_->offsets(); }
  const Consumption& consumption() const { return *consumption_; }

 private:
  // Whose configuration is complete.
  struct Complete {
    PushConsumerConfig config;
  };
  PushConsumer(Env& env, Complete complete, ConsumerDisk* disk);

  ConsumerRebalance& rebalance() override { return rebalance_; }
  const ConsumerRebalance& rebalance() const override { return rebalance_; }
  void OnRoute(Name topic, const TopicRoute& route) override;
  Task<bool> Rebalance() override;
  Task<void> PersistOffsets() override;
  void OnResetOffsets(const ResetConsumerClientOffsetRequest& request) override;

  void BeginQueue(const OwnedQueuePtr& owned, int64_t offset) override;
  Task<void> OnQueuesChanged(Name topic,
                             std::vector<MessageQueue> share) override;

  bool locks_queues() const { return config_.orderly && !broadcasts(); }
  bool asks_for_locks() const {
    return locks_queues() ||
           (config_.orderly && config_.profile.broadcasting_asks_for_locks);
  }
  std::unique_ptr<Consumption> MakeConsumption();
  Task<void> Run();
  // False if the start has to be given up.
  Task<bool> StartUp();
  Task<void> ShutDown();
  Task<bool> Unbalanced();
  Task<void> RebalanceNow();
  Task<void> TellBrokers();
  Task<void> ResetOffsets(ResetConsumerClientOffsetRequest request);

  const PushConsumerConfig config_;
  const Name retry_topic_;
  const std::unique_ptr<OffsetStore> store_;
  StartOffsets start_offsets_;
  SendBack send_back_;
  ConsumerLocks locks_;
  QueueRemoval removal_;
  std::unique_ptr<Consumption> consumption_;
  PullService pulls_;
  ConsumerRebalance rebalance_;
  Mutex instance_monitor_;  // Of the instance: resets, and the shutdown.
  bool start_is_over_ = false;
  bool shutdown_asked_ = false;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PUSH_CONSUMER_H_
