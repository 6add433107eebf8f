// A lite pull consumer, and what an application does with it.
#ifndef GROUPSIM_MODEL_CLIENT_LITE_PULL_CONSUMER_H_
#define GROUPSIM_MODEL_CLIENT_LITE_PULL_CONSUMER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/functional/any_invocable.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/application.h"
#include "model/client/client_id.h"
#include "model/client/consumer_disk.h"
#include "model/client/consumer_rebalance.h"
#include "model/client/lite_pull_service.h"
#include "model/client/lite_pull_settings.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/settings.h"
#include "model/client/start_offsets.h"
#include "model/client/subscribing_member.h"
#include "model/client/subscriptions.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/process.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"
#include "model/wire/subscription.h"

namespace groupsim {

struct LitePullConsumerConfig {
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
  // Topics that it subscribes to, sharing their queues with its group
  // (subscribe). Where it has queues whatever others have (assign), it
  // subscribes to nothing, and these say what it wants of their topics
  // (setSubExpressionForAssign); all messages of those that are not here.
  std::vector<Topic> topics;
  std::vector<MessageQueue> queues;
  // Topics whose queues the application watches
  // (registerTopicMessageQueueChangeListener).
  std::vector<Name> watched_topics;

  // Whether the members share the messages or each gets all (messageModel).
  MessageModel message_model = MessageModel::kClustering;

  ConsumeFromWhere consume_from_where = ConsumeFromWhere::kLastOffset;
  // Wall-clock milliseconds, for kTimestamp; by default half an hour before the
  // start.
  std::optional<int64_t> consume_timestamp;
  // A strategy that all members should share; averagely if null.
  std::shared_ptr<const AllocationStrategy> strategy;

  LitePullSettings settings;
  ClientSettings client;
  ClientProfile profile = kClientRocketMq53;
  LitePullProfile lite_profile = kLitePullRocketMq53;
};

// DefaultLitePullConsumer, 5.3.3, with an application that polls in
// a loop, deals with what it got as a listener does with a call, or has other
// threads of its own do so, and polls again. Where polls do not commit, the
// application does so after each batch.
//
// A batch is committed by a later poll, whether the application has dealt with
// it or not; and nobody delivers again what the application failed with. The
// settings must be valid (Validate).
class LitePullConsumer final : public Process,
                               private SubscribingMember,
                               private RebalancedConsumer {
 public:
  // `env` and `disk` must outlive it. The disk is where a member of a
  // broadcasting group keeps its offsets; others may have none.
  LitePullConsumer(Env& env, LitePullConsumerConfig config,
                   ConsumerDisk* disk = nullptr);
  ~LitePullConsumer() override;

  void Start() override;
  void Shutdown() override;

  // ---- For applications; on the consumer's loop

  // What one pull found, waiting for it up to `limit`; nothing if there is
  // none. Commits what earlier polls gave, if it is time. Who polls meanwhile
  // waits for the one before, however long (poll).
  Task<std::optional<LitePullService::Batch>> Poll(Duration limit);
  // Commits what polls gave: the brokers hear of it with the next round
  // (commit).
  void Commit() { pulls_.CommitAll(); }
  void Pause(const MessageQueue& queue) { pulls_.Pause(queue); }
  void Resume(const MessageQueue& queue) { pulls_.Resume(queue); }
  // Goes on at an offset, which the broker must have; false if it has not, or
  // was not to be asked, or the queue is not the consumer's (seek).
  Task<bool> Seek(MessageQueue queue, int64_t offset);
  // Called with the queues of a watched topic when they are not what they were
  // (TopicMessageQueueChangeListener).
  void WatchTopics(
      absl::AnyInvocable<void(Name, const std::vector<MessageQueue>&)>
          watcher) {
    watcher_ = std::move(watcher);
  }

  using SubscribingMember::client_id;
  using SubscribingMember::owned;
  const ConsumedOffsets& offsets() const { return store_->offsets(); }
  const LitePullService& pulls() const { return pulls_; }
  const Application& application() const { return application_; }

 private:
  // Whose configuration is complete.
  struct Complete {
    LitePullConsumerConfig config;
  };
  LitePullConsumer(Env& env, Complete complete, ConsumerDisk* disk);

  ConsumerRebalance& rebalance() override { return rebalance_; }
  const ConsumerRebalance& rebalance() const override { return rebalance_; }
  Task<bool> Rebalance() override;
  Task<void> PersistOffsets() override;
  // Upstream resets push consumers only.
  void OnResetOffsets(
      const ResetConsumerClientOffsetRequest& /*request*/) override {}

  void BeginQueue(const OwnedQueuePtr& owned, int64_t offset) override;
  Task<void> OnQueuesChanged(Name topic,
                             std::vector<MessageQueue> share) override;

  bool assigns() const { return !config_.queues.empty(); }
  Task<void> Run();
  // False if the start has to be given up.
  Task<bool> StartUp();
  void AssignQueues();
  Task<void> CheckTopics();
  Task<void> Apply();  // The application.
  Task<void> ShutDown();
  Task<bool> Balanced();

  const LitePullConsumerConfig config_;
  Subscriptions wanted_;  // Of assigned queues.
  const std::unique_ptr<OffsetStore> store_;
  StartOffsets start_offsets_;
  LitePullService pulls_;
  ConsumerRebalance rebalance_;
  Application application_;
  Mutex polling_;  // Held by who polls.
  std::optional<Instant> next_commit_;
  Lane checker_;  // The consumer's own scheduler.
  std::optional<FixedRateJob> check_topics_;
  // Of watched topics, as they were seen last.
  absl::btree_map<Name, std::vector<MessageQueue>> seen_queues_;
  absl::AnyInvocable<void(Name, const std::vector<MessageQueue>&)> watcher_;
  bool start_is_over_ = false;
  bool shutdown_asked_ = false;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_LITE_PULL_CONSUMER_H_
