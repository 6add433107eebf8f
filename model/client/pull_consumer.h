// A pull consumer, and an application that has it pull.
#ifndef GROUPSIM_MODEL_CLIENT_PULL_CONSUMER_H_
#define GROUPSIM_MODEL_CLIENT_PULL_CONSUMER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/application.h"
#include "model/client/client_id.h"
#include "model/client/consumer_disk.h"
#include "model/client/consumer_rebalance.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/pull_settings.h"
#include "model/client/queue_tasks.h"
#include "model/client/settings.h"
#include "model/client/subscribing_member.h"
#include "model/client/subscriptions.h"
#include "model/client/sync_pull.h"
#include "model/runtime/env.h"
#include "model/runtime/process.h"
#include "model/runtime/task.h"
#include "model/wire/command.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"
#include "model/wire/subscription.h"

namespace groupsim {

struct PullConsumerConfig {
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
  // Topics whose queues it shares with its group, or has all of
  // (registerTopics) and what its application asks for when it pulls them.
  // Brokers learn of the topics only: heartbeats say that it takes all
  // messages.
  std::vector<Topic> topics;

  // Whether the members share the messages or each gets all (messageModel).
  MessageModel message_model = MessageModel::kClustering;

  // A strategy that all members should share; averagely if null.
  std::shared_ptr<const AllocationStrategy> strategy;

  PullSettings settings;
  ClientSettings client;
  ClientProfile profile = kClientRocketMq53;
  PullProfile pull_profile = kPullRocketMq53;
};

// DefaultMQPullConsumer, 5.3.3, with an application that uses
// MQPullConsumerScheduleService: each queue has a task that is run again and
// again on a few threads. A run finds out where to go on, pulls, deals with
// what it got as a listener does with a call, and notes where to go on next
// time.
//
// What it notes counts although the queue may be another's by then; a batch
// that was not dealt with to its end is pulled again. Nobody delivers again
// what the application failed with. The settings must be valid (Validate).
class PullConsumer final : public Process,
                           private SubscribingMember,
                           private RebalancedConsumer {
 public:
  // `env` and `disk` must outlive it. The disk is where a member of a
  // broadcasting group keeps its offsets; others may have none.
  PullConsumer(Env& env, PullConsumerConfig config,
               ConsumerDisk* disk = nullptr);
  ~PullConsumer() override;

  void Start() override;
  void Shutdown() override;

  // ---- For applications; on the consumer's loop

  // Where to go on with a queue: as it was noted last, else as it is stored;
  // below 0 if nothing is, or if that was not to be learnt
  // (fetchConsumeOffset without fromStore).
  Task<int64_t> FetchConsumeOffset(MessageQueue queue);
  // What one pull found, and where to go on after it.
  struct PullResult {
    std::vector<Message> messages;
    int64_t next_begin_offset = 0;
  };
  struct PullArguments {
    MessageQueue queue;
    // Null takes all; it outlives the pull.
    const SubscriptionData* wanted = nullptr;
    int64_t offset = 0;
    int32_t max_nums = 32;
    bool block_if_not_found = false;  // Whether the broker may hold it.
  };
  // Nothing where upstream throws: the broker refuses, does not answer or is
  // not known, or the consumer does not run (pull, pullBlockIfNotFound). The
  // first pull of a topic that it does not subscribe to makes it do so.
  Task<std::optional<PullResult>> Pull(PullArguments arguments);
  // Notes where to go on; the store hears of it with the next round. False if
  // the consumer does not run (updateConsumeOffset).
  bool UpdateConsumeOffset(const MessageQueue& queue, int64_t offset);

  using SubscribingMember::client_id;
  using SubscribingMember::owned;
  const ConsumedOffsets& offsets() const { return store_->offsets(); }
  const Application& application() const { return application_; }

 private:
  // Whose configuration is complete.
  struct Complete {
    PullConsumerConfig config;
  };
  PullConsumer(Env& env, Complete complete, ConsumerDisk* disk);

  ConsumerRebalance& rebalance() override { return rebalance_; }
  const ConsumerRebalance& rebalance() const override { return rebalance_; }
  ConsumerData Describe() const override;
  Task<bool> Rebalance() override { return rebalance_.Run(); }
  Task<void> PersistOffsets() override;
  // Upstream resets push consumers only.
  void OnResetOffsets(
      const ResetConsumerClientOffsetRequest& /*request*/) override {}

  // Nobody pulls unless the application does.
  void BeginQueue(const OwnedQueuePtr& /*owned*/, int64_t /*offset*/) override {
  }
  Task<void> OnQueuesChanged(Name topic,
                             std::vector<MessageQueue> share) override;

  Task<void> Run();
  // False if the start has to be given up.
  Task<bool> StartUp();
  Task<void> ShutDown();

  // ---- The application

  // Whether that task is still the queue's.
  bool IsTask(const MessageQueue& queue, QueueTasks::Number number) const;
  Task<std::optional<Duration>> RunTask(MessageQueue queue,
                                        QueueTasks::Number number);
  // False where it throws.
  Task<bool> PullAndDealWith(MessageQueue queue);

  const PullConsumerConfig config_;
  Subscriptions wanted_;  // By the application.
  const std::unique_ptr<OffsetStore> store_;
  ConsumerRebalance rebalance_;
  SyncPull pull_;
  Application application_;
  bool running_ = false;
  bool start_is_over_ = false;
  bool shutdown_asked_ = false;
  absl::btree_map<MessageQueue, QueueTasks::Number> task_of_;
  QueueTasks tasks_;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PULL_CONSUMER_H_
