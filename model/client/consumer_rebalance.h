// Makes a consumer own what it is due.
#ifndef GROUPSIM_MODEL_CLIENT_CONSUMER_REBALANCE_H_
#define GROUPSIM_MODEL_CLIENT_CONSUMER_REBALANCE_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/client/client_instance.h"
#include "model/client/consumer_locks.h"
#include "model/client/member_list.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/queue_removal.h"
#include "model/client/settings.h"
#include "model/client/start_offsets.h"
#include "model/client/subscriptions.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// What each kind of consumer does in its own way (the abstract methods of
// RebalanceImpl).
class RebalancedConsumer {
 public:
  // Begins with a queue that has come into the table (dispatchPullRequest).
  virtual void BeginQueue(const OwnedQueuePtr& owned, int64_t offset) = 0;
  // The share of a topic changed; or its route is not known, and the share
  // empty (messageQueueChanged).
  virtual Task<void> OnQueuesChanged(Name topic,
                                     std::vector<MessageQueue> share) = 0;

 protected:
  ~RebalancedConsumer() = default;
};

// RebalanceImpl, 5.3.3. For each topic,
// in order: asks one broker who is in the group, computes its own share, gives
// up what is not in it, and takes on what is new. Members do not agree on
// anything: each acts on its own view. Where consumption is orderly, a queue is
// taken on with its lock and given up with it: neither while another member
// holds it, nor, for some time, while its own listener is at work.
//
// Where the group broadcasts, the share is all queues.
class ConsumerRebalance {
 public:
  struct Config {
    Name group;
    Name client_id;
    Name retry_topic;
    std::shared_ptr<const AllocationStrategy> strategy;
    ClientProfile profile;
    MessageModel model = MessageModel::kClustering;
    // A queue that was not pulled for longer is given up; none where the
    // application pulls (RebalanceImpl.consumeType).
    std::optional<Duration> pull_max_idle_time;
  };

  // All references must outlive it. `start_offsets` is null where the
  // application knows itself where to begin: queues begin with 0 then, and
  // nobody goes by it. `locks` and `removal` are null where queues are not
  // locked.
  ConsumerRebalance(Env& env, Config config, ClientInstance& instance,
                    Subscriptions& subscriptions, OwnedQueues& owned,
                    OffsetStore& store, StartOffsets* start_offsets,
                    ConsumerLocks* locks, QueueRemoval* removal,
                    RebalancedConsumer& consumer);

  // All topics; false if the outcome is not what the strategy gave, so that it
  // should be tried again soon (doRebalance).
  Task<bool> Run();
  // Whether one is under way; there is one at a time.
  bool running() const { return running_; }

  // Sends and forgets the offset of a queue, which is dropped, and gives its
  // lock back where queues are locked; false if the queue has to stay
  // (removeUnnecessaryMessageQueue).
  Task<bool> Free(OwnedQueuePtr owned);

  // The queues of a topic, as its newest route has them; in order.
  void SetQueues(Name topic, QueueList queues);
  // Whether the topic has had a route.
  bool HasQueues(Name topic) const { return queues_.contains(topic); }

 private:
  // What the strategy gave for a topic, and of what.
  struct Allocation {
    QueueList queues;
    ClientIdList client_ids;          // As the broker listed them.
    std::vector<MessageQueue> share;  // In order, each once.
  };

  Task<bool> RunTopic(Name topic);
  Task<bool> RunBroadcasting(Name topic);
  // The share under a view; null where the strategy fails.
  const Allocation* Allocate(Name topic, QueueList queues,
                             ClientIdList client_ids);
  // As the strategy is given them.
  QueueList InOrder(const QueueList& queues) const;
  void EmitAllocation(Name topic, const Allocation& allocation, bool is_new);
  // updateProcessQueueTableInRebalance; says whether the table changed.
  Task<bool> Update(Name topic, std::vector<MessageQueue> share);
  Task<bool> FreePlain(MessageQueue queue);
  Task<bool> GiveUp(Name topic, std::vector<MessageQueue> share);
  Task<bool> TakeOn(std::vector<MessageQueue> share);
  // The queue to take on; where they are not made anew, what it was before.
  OwnedQueuePtr Make(const MessageQueue& queue);
  bool OwnsExactly(Name topic, const std::vector<MessageQueue>& share) const;
  void DropUnsubscribed();

  Env& env_;
  const Config config_;
  ClientInstance& instance_;
  Subscriptions& subscriptions_;
  OwnedQueues& owned_;
  OffsetStore& store_;
  StartOffsets* const start_offsets_;
  ConsumerLocks* const locks_;
  QueueRemoval* const removal_;
  RebalancedConsumer& consumer_;
  MemberListQuery member_list_;
  bool running_ = false;
  absl::btree_map<Name, QueueList> queues_;        // topicSubscribeInfoTable
  absl::btree_map<Name, Allocation> allocations_;  // The last ones.
  // Queues that were given up, where they are not made anew.
  absl::btree_map<MessageQueue, std::weak_ptr<OwnedQueue>> former_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CONSUMER_REBALANCE_H_
