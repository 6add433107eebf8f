#include "model/client/consumer_rebalance.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/client/java_order.h"
#include "model/client/member_list.h"
#include "model/client/owned_queues.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

ConsumerRebalance::ConsumerRebalance(
    Env& env, Config config, ClientInstance& instance,
    Subscriptions& subscriptions, OwnedQueues& owned, OffsetStore& store,
    StartOffsets* start_offsets, ConsumerLocks* locks, QueueRemoval* removal,
    RebalancedConsumer& consumer)
    : env_(env),
      config_(std::move(config)),
      instance_(instance),
      subscriptions_(subscriptions),
      owned_(owned),
      store_(store),
      start_offsets_(start_offsets),
      locks_(locks),
      removal_(removal),
      consumer_(consumer),
      member_list_(env, instance.config().settings.mq_client_api_timeout,
                   instance.remoting(), instance.routes()) {
  CHECK(config_.strategy != nullptr);
}

void ConsumerRebalance::SetQueues(Name topic, QueueList queues) {
  queues_.insert_or_assign(topic, std::move(queues));
}

Task<bool> ConsumerRebalance::Run() {
  CHECK(!running_);
  running_ = true;
  bool balanced = true;
  const std::vector<Name> topics = subscriptions_.Topics();
  for (Name topic : topics) {
    bool topic_balanced = false;
    if (config_.model == MessageModel::kBroadcasting) {
      topic_balanced = co_await RunBroadcasting(topic);
    } else {
      topic_balanced = co_await RunTopic(topic);
    }
    balanced = balanced && topic_balanced;
  }
  DropUnsubscribed();
  Fact fact;
  fact.kind = FactKind::REBALANCED;
  fact.group = NarrowId(config_.group);
  fact.value = balanced ? 1 : 0;
  env_.Emit(fact);
  running_ = false;
  co_return balanced;
}

Task<bool> ConsumerRebalance::RunTopic(Name topic) {
  const bool is_retry = topic == config_.retry_topic;
  // Read before the members are asked for: a route that comes on that occasion
  // counts next time.
  const auto it = queues_.find(topic);
  const QueueList queues = it == queues_.end() ? nullptr : it->second;
  const MemberListQuery::Answer answer =
      co_await member_list_.Ask(topic, config_.group);
  if (answer.transport_failed)
    co_return is_retry;  // An error; not for retries.
  if (queues == nullptr && !is_retry && config_.profile.no_route_is_a_change) {
    co_await consumer_.OnQueuesChanged(topic, std::vector<MessageQueue>());
  }
  // Nothing was learnt, so nothing changes; and that counts as balanced.
  if (queues == nullptr || answer.client_ids == nullptr) co_return true;

  const Allocation* allocation = Allocate(topic, queues, answer.client_ids);
  if (allocation == nullptr) co_return false;
  const std::vector<MessageQueue> share = allocation->share;
  const bool changed = co_await Update(topic, share);
  if (changed) co_await consumer_.OnQueuesChanged(topic, share);
  co_return OwnsExactly(topic, share);
}

Task<bool> ConsumerRebalance::RunBroadcasting(Name topic) {
  const auto it = queues_.find(topic);
  if (it == queues_.end()) {
    if (config_.profile.no_route_is_a_change) {
      co_await consumer_.OnQueuesChanged(topic, std::vector<MessageQueue>());
    }
    co_return true;
  }
  const std::vector<MessageQueue> all = *it->second;
  const bool changed = co_await Update(topic, all);
  if (changed) co_await consumer_.OnQueuesChanged(topic, all);
  co_return OwnsExactly(topic, all);
}

const ConsumerRebalance::Allocation* ConsumerRebalance::Allocate(
    Name topic, QueueList queues, ClientIdList client_ids) {
  const auto [it, is_first] = allocations_.try_emplace(topic);
  Allocation& last = it->second;
  if (!is_first && last.queues == queues && *last.client_ids == *client_ids) {
    EmitAllocation(topic, last, /*is_new=*/false);
    return &last;  // A strategy gives the same for the same.
  }
  auto sorted = std::make_shared<std::vector<Name>>(*client_ids);
  std::sort(sorted->begin(), sorted->end());
  AllocationView view;
  view.queues = InOrder(queues);
  view.client_ids = std::move(sorted);
  const AllocationPlanPtr plan = config_.strategy->Prepare(view);
  absl::StatusOr<std::vector<MessageQueue>> allocated =
      plan->For(config_.client_id);
  if (!allocated.ok()) {
    if (is_first) allocations_.erase(it);
    return nullptr;
  }
  std::vector<MessageQueue> share = *std::move(allocated);
  std::sort(share.begin(), share.end());
  share.erase(std::unique(share.begin(), share.end()), share.end());
  const bool is_new = is_first || last.share != share;
  last = {std::move(queues), std::move(client_ids), std::move(share)};
  EmitAllocation(topic, last, is_new);
  return &last;
}

QueueList ConsumerRebalance::InOrder(const QueueList& queues) const {
  switch (config_.profile.queue_order) {
    case QueueOrder::kAscending:
      return queues;
    case QueueOrder::kDescendingNames:
      break;
  }
  std::vector<MessageQueue> order(*queues);
  std::sort(order.begin(), order.end(),
            [](const MessageQueue& a, const MessageQueue& b) {
              if (a.topic != b.topic) return b.topic < a.topic;
              if (a.broker != b.broker) return b.broker < a.broker;
              return a.queue_id < b.queue_id;
            });
  return std::make_shared<const std::vector<MessageQueue>>(std::move(order));
}

void ConsumerRebalance::EmitAllocation(Name topic, const Allocation& allocation,
                                       bool is_new) {
  const auto members = static_cast<int64_t>(allocation.client_ids->size());
  Fact fact;
  fact.kind = FactKind::ALLOCATED;
  fact.group = NarrowId(config_.group);
  fact.topic = topic.id();
  fact.count = static_cast<int64_t>(allocation.share.size());
  fact.offset = static_cast<int64_t>(allocation.queues->size());
  fact.value = is_new ? members : -members;
  env_.Emit(fact);
  if (!is_new) return;
  int64_t position = 0;
  for (const MessageQueue& queue : allocation.share) {
    Fact one = QueueFact(FactKind::ALLOCATED_QUEUE, config_.group, queue);
    one.count = position++;
    env_.Emit(one);
  }
}

Task<bool> ConsumerRebalance::Update(Name topic,
                                     std::vector<MessageQueue> share) {
  const bool gave_up = co_await GiveUp(topic, share);
  const bool took_on = co_await TakeOn(std::move(share));
  co_return gave_up || took_on;
}

Task<bool> ConsumerRebalance::GiveUp(Name topic,
                                     std::vector<MessageQueue> share) {
  const int64_t now = env_.WallMillis();
  std::vector<OwnedQueuePtr> lost;
  for (const auto& [queue, owned] : owned_.all()) {
    if (queue.topic != topic) continue;
    if (!std::binary_search(share.begin(), share.end(), queue)) {
      owned_.Drop(*owned, DropCause::kNotAllocated);
    } else if (config_.pull_max_idle_time.has_value() &&
               owned->process_queue.IsPullExpired(
                   now, *config_.pull_max_idle_time)) {
      owned_.Drop(*owned, DropCause::kPullExpired);
    } else {
      continue;
    }
    lost.push_back(owned);
  }
  bool changed = false;
  for (const OwnedQueuePtr& owned : lost) {
    const bool free = co_await Free(owned);
    if (!free) continue;  // It stays, dropped, until the next attempt.
    owned_.Remove(owned->queue);
    if (!config_.profile.new_queue_is_a_new_object) {
      former_[owned->queue] = owned;
    }
    changed = true;
  }
  co_return changed;
}

OwnedQueuePtr ConsumerRebalance::Make(const MessageQueue& queue) {
  OwnedQueuePtr owned;
  if (const auto it = former_.find(queue); it != former_.end()) {
    owned = it->second.lock();
  }
  if (owned != nullptr) {
    owned_.TakeBack(*owned);
  } else {
    owned = owned_.Make(queue);
  }
  owned->process_queue.set_locked(config_.profile.new_queue_counts_as_locked);
  owned->process_queue.set_empty_counts_no_bytes(
      config_.profile.empty_cache_counts_no_bytes);
  return owned;
}

Task<bool> ConsumerRebalance::Free(OwnedQueuePtr owned) {
  if (removal_ != nullptr) return removal_->Free(std::move(owned));
  return FreePlain(owned->queue);
}

Task<bool> ConsumerRebalance::FreePlain(MessageQueue queue) {
  co_await store_.PersistAndForget(queue);
  co_return true;
}

Task<bool> ConsumerRebalance::TakeOn(std::vector<MessageQueue> share) {
  struct NewQueue {
    OwnedQueuePtr owned;
    int64_t offset;
  };
  const bool is_new = std::any_of(share.begin(), share.end(),
                                  [this](const MessageQueue& queue) {
                                    return owned_.Find(queue) == nullptr;
                                  });
  if (!is_new) co_return false;
  std::vector<NewQueue> added;
  SortAsWalked(JavaTable::kHashMap, share);
  bool all_locked = true;
  for (const MessageQueue& queue : share) {
    if (owned_.Find(queue) != nullptr) continue;
    if (locks_ != nullptr) {
      const bool locked = co_await locks_->Acquire(queue);
      all_locked = all_locked && locked;
      if (!locked) continue;
    }
    store_.offsets().Remove(queue);
    const OwnedQueuePtr owned = Make(queue);
    std::optional<int64_t> offset = 0;
    if (start_offsets_ != nullptr) {
      offset = co_await start_offsets_->Find(queue);
    }
    if (!offset.has_value()) continue;  // Again at the next rebalance.
    if (owned_.Add(owned, *offset)) added.push_back({owned, *offset});
  }
  const Duration soon = config_.profile.rebalance_after_refused_lock;
  if (!all_locked && soon < Duration::Max()) {
    instance_.WakeRebalanceLater(soon);
  }
  for (const NewQueue& queue : added) {
    consumer_.BeginQueue(queue.owned, queue.offset);
  }
  co_return !added.empty();
}

bool ConsumerRebalance::OwnsExactly(
    Name topic, const std::vector<MessageQueue>& share) const {
  std::vector<MessageQueue> working;
  for (const auto& [queue, owned] : owned_.all()) {
    if (queue.topic == topic && !owned->process_queue.dropped()) {
      working.push_back(queue);
    }
  }
  return working == share;
}

// RebalanceImpl.truncateMessageQueueNotMyTopic: without sending the offset.
void ConsumerRebalance::DropUnsubscribed() {
  std::vector<MessageQueue> strange;
  for (const auto& [queue, owned] : owned_.all()) {
    if (subscriptions_.Find(queue.topic) != nullptr) continue;
    owned_.Drop(*owned, DropCause::kUnsubscribed);
    strange.push_back(queue);
  }
  for (const MessageQueue& queue : strange) owned_.Remove(queue);
}

}  // namespace groupsim
