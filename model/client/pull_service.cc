#include "model/client/pull_service.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "model/base/check.h"
#include "model/base/time.h"
#include "model/client/owned_queues.h"
#include "model/client/pull_step.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"
#include "model/wire/route.h"

namespace groupsim {

PullService::PullService(Env& env, const Config& config,
                         ClientInstance& instance,
                         const Subscriptions& subscriptions, OwnedQueues& owned,
                         OffsetStore& store, StartOffsets& start_offsets,
                         QueueRemoval& removal, Consumption& consumption)
    : env_(env),
      config_(config),
      instance_(instance),
      subscriptions_(subscriptions),
      owned_(owned),
      store_(store),
      start_offsets_(start_offsets),
      removal_(removal),
      consumption_(consumption),
      lane_(env.lane_gates(), env.ready(), "pull", [this] { Wake(); }),
      timer_thread_(env),
      scope_(env.ready()) {
  limits_.messages = config.settings.pull_threshold_for_queue;
  limits_.mebibytes = config.settings.pull_threshold_size_for_queue;
  limits_.span = config.settings.consume_concurrently_max_span;
}

PullService::~PullService() {
  for (const std::unique_ptr<PullRequest>& request : requests_) {
    if (request->timer != 0) env_.timers().Disarm(request->timer);
  }
}

// ---- Where a request is ----

void PullService::Begin(const OwnedQueuePtr& owned, int64_t offset,
                        Duration delay) {
  if (stopped_) return;
  requests_.push_back(std::make_unique<PullRequest>(*this, owned, offset));
  requests_.back()->index = requests_.size() - 1;
  if (delay == Duration::Zero()) {
    Enqueue(*requests_.back());
  } else {
    Later(*requests_.back(), delay);
  }
}

void PullService::Enqueue(PullRequest& request) {
  (last_ == nullptr ? first_ : last_->next) = &request;
  last_ = &request;
  Wake();
}

void PullService::Wake() {
  const bool can = !thread_waits_ && !lane_.closed();
  if (can && first_ != nullptr && !queued()) env_.ready().Post(*this);
}

void PullService::RunReady() {
  while (first_ != nullptr && !thread_waits_ && !lane_.closed()) {
    PullRequest& request = *first_;
    first_ = request.next;
    if (first_ == nullptr) last_ = nullptr;
    request.next = nullptr;
    Attempt(request);
  }
}

void PullService::Later(PullRequest& request, Duration delay) {
  if (stopped_) {
    End(request);
    return;
  }
  CHECK(request.timer == 0);
  request.timer = env_.timers().Arm(env_.Now() + delay, &request);
}

void PullService::OnTimer(PullRequest& request) {
  request.timer = 0;
  if (timer_thread_.idle()) {
    Enqueue(request);
  } else {
    timer_thread_.Post([this, &request] { Enqueue(request); });
  }
}

void PullService::End(PullRequest& request) {
  const size_t index = request.index;
  CHECK(requests_[index].get() == &request);
  std::swap(requests_[index], requests_.back());
  requests_[index]->index = index;
  requests_.pop_back();
}

void PullService::Stop() { stopped_ = true; }

// ---- An attempt ----

void PullService::Attempt(PullRequest& request) {
  ProcessQueue& queue = request.owned->process_queue;
  if (stopped_ || queue.dropped()) {
    End(request);
    return;
  }
  queue.set_last_pull_millis(env_.WallMillis());
  const SubscriptionData* subscription =
      subscriptions_.Find(request.owned->queue.topic);
  PullConditions now;
  now.running = running_;
  now.suspended = suspended_;
  now.subscribed = subscription != nullptr;
  now.orderly = config_.orderly;
  const std::optional<PostponeReason> reason =
      ReasonToPostpone(queue, limits_, now);
  if (reason.has_value()) {
    Postpone(request, *reason);
  } else if (config_.orderly && !request.previously_locked) {
    thread_waits_ = true;
    scope_.Spawn(CorrectOffset(request));
  } else {
    Address(request, *subscription);
  }
}

void PullService::Address(PullRequest& request,
                          const SubscriptionData& subscription) {
  if (AddressFor(request).empty()) {
    thread_waits_ = true;
    scope_.Spawn(LookForBroker(request));
  } else {
    Send(request, subscription);
  }
}

// Others may have consumed the queue between its adoption and its lock.
Task<void> PullService::CorrectOffset(PullRequest& request) {
  const MessageQueue& queue = request.owned->queue;
  const std::optional<int64_t> offset = co_await start_offsets_.Find(queue);
  thread_waits_ = false;
  const SubscriptionData* subscription = subscriptions_.Find(queue.topic);
  if (!offset.has_value()) {
    Postpone(request, PostponeReason::kNoOffset);
  } else {
    request.previously_locked = true;
    request.next_offset = *offset;
    if (subscription == nullptr) {
      Postpone(request, PostponeReason::kNoSubscription);
    } else {
      Address(request, *subscription);
    }
  }
  Wake();
}

Duration PullService::DelayFor(PostponeReason reason) const {
  switch (reason) {
    case PostponeReason::kCount:
    case PostponeReason::kSize:
    case PostponeReason::kSpan:
      return config_.profile.pull_delay_cache_flow_control;
    case PostponeReason::kSuspended:
      return config_.profile.pull_delay_suspended;
    case PostponeReason::kNotRunning:
    case PostponeReason::kNotLocked:
    case PostponeReason::kNoSubscription:
    case PostponeReason::kNoBroker:
    case PostponeReason::kNoOffset:
      break;
  }
  return config_.settings.pull_time_delay_mills_when_exception;
}

void PullService::Postpone(PullRequest& request, PostponeReason reason) {
  const Duration delay = DelayFor(reason);
  Fact fact =
      QueueFact(FactKind::PULL_POSTPONED, config_.group, request.owned->queue);
  fact.offset = request.next_offset;
  fact.count = static_cast<int64_t>(reason);
  fact.value = delay.nanos();
  env_.Emit(fact);
  Later(request, delay);
}

const BrokerAddresses::Found& PullService::AddressFor(PullRequest& request) {
  const BrokerAddresses& brokers = instance_.brokers();
  if (request.address_version != brokers.version()) {
    const MessageQueue& queue = request.owned->queue;
    const auto node = pull_from_which_node_.find(queue);
    request.address = brokers.FindAny(
        queue.broker,
        node == pull_from_which_node_.end() ? kMasterId : node->second);
    request.address_version = brokers.version();
  }
  return request.address;
}

Task<void> PullService::LookForBroker(PullRequest& request) {
  co_await instance_.routes().Refresh(request.owned->queue.topic);
  const SubscriptionData* subscription =
      subscriptions_.Find(request.owned->queue.topic);
  thread_waits_ = false;
  if (subscription == nullptr || AddressFor(request).empty()) {
    Postpone(request, PostponeReason::kNoBroker);
  } else {
    Send(request, *subscription);
  }
  Wake();
}

void PullService::Send(PullRequest& request,
                       const SubscriptionData& subscription) {
  const MessageQueue& queue = request.owned->queue;
  PullMessageRequest message;
  message.group = config_.group;
  message.queue = queue;
  message.queue_offset = request.next_offset;
  message.max_msg_nums = config_.settings.pull_batch_size;
  message.sys_flag = kPullFlagSuspend;
  message.suspend_timeout = config_.profile.broker_suspend_max_time;
  message.sub_version = subscription.sub_version;
  // The offset travels with the pull; but offset 0 never does, nor any to a
  // slave, nor one that is the consumer's own affair.
  if (config_.model == MessageModel::kClustering) {
    message.commit_offset = store_.offsets().Find(queue);
  }
  if (message.commit_offset > 0 && !request.address.slave) {
    message.sys_flag |= kPullFlagCommitOffset;
  }
  const Name address = request.address.address;
  if (config_.profile.connecting_blocks &&
      !instance_.remoting().IsActive(address)) {
    thread_waits_ = true;
    scope_.Spawn(ConnectAndSend(request, message, address));
  } else {
    Send(request, message, address,
         config_.profile.consumer_timeout_when_suspend);
  }
}

void PullService::Send(PullRequest& request, const PullMessageRequest& message,
                       Name address, Duration timeout) {
  Fact fact =
      QueueFact(FactKind::PULL_SENT, config_.group, request.owned->queue);
  fact.offset = request.next_offset;
  env_.Emit(fact);
  instance_.remoting().CallAsync(address, message, timeout,
                                 [this, &request](CallResult result) {
                                   OnAnswer(request, std::move(result));
                                 });
}

Task<void> PullService::ConnectAndSend(PullRequest& request,
                                       PullMessageRequest message,
                                       Name address) {
  const Instant began = env_.Now();
  const bool connected = co_await instance_.remoting().Connect(address);
  thread_waits_ = false;
  if (connected) {
    Send(request, message, address,
         config_.profile.consumer_timeout_when_suspend - (env_.Now() - began));
  } else {
    OnFailure(request, -static_cast<int64_t>(CallError::kConnectFailed));
  }
  Wake();
}

// ---- Its answer ----

void PullService::OnAnswer(PullRequest& request, CallResult result) {
  if (!result.replied()) {
    OnFailure(request, -static_cast<int64_t>(result.error));
    return;
  }
  const ResponseCode code = result.reply.code;
  auto* reply = std::get_if<PullMessageReply>(&result.reply.body);
  if (reply == nullptr) {
    OnFailure(request, static_cast<int64_t>(code));
    return;
  }
  switch (code) {
    case ResponseCode::kSuccess:
      NoteSuggestedBroker(request.owned->queue, reply->suggest_which_broker_id);
      OnFound(request, std::move(*reply));
      return;
    case ResponseCode::kPullNotFound:
    case ResponseCode::kPullRetryImmediately:
      NoteSuggestedBroker(request.owned->queue, reply->suggest_which_broker_id);
      OnNothing(request, code, *reply);
      return;
    case ResponseCode::kPullOffsetMoved:
      NoteSuggestedBroker(request.owned->queue, reply->suggest_which_broker_id);
      OnIllegalOffset(request, *reply);
      return;
    default:
      OnFailure(request, static_cast<int64_t>(code));
  }
}

void PullService::NoteSuggestedBroker(const MessageQueue& queue,
                                      int64_t broker_id) {
  if (broker_id == kMasterId && pull_from_which_node_.empty()) return;
  const auto [it, is_new] = pull_from_which_node_.try_emplace(queue, kMasterId);
  if (it->second == broker_id) return;
  it->second = broker_id;
  for (const std::unique_ptr<PullRequest>& request : requests_) {
    if (request->owned->queue == queue) request->address_version = UINT64_MAX;
  }
}

void PullService::OnFound(PullRequest& request, PullMessageReply reply) {
  const OwnedQueuePtr& owned = request.owned;
  // The broker sifts by hashes of tags; this sifts by the tags themselves.
  const SubscriptionData* subscription =
      subscriptions_.Find(owned->queue.topic);
  MessageBatch& messages = reply.messages;
  if (subscription != nullptr && !subscription->tags.empty()) {
    messages.erase(std::remove_if(messages.begin(), messages.end(),
                                  [&](const Message& message) {
                                    return !Wants(*subscription, message);
                                  }),
                   messages.end());
  }
  Fact fact = QueueFact(FactKind::PULLED, config_.group, owned->queue);
  fact.offset = request.next_offset;
  fact.count = static_cast<int64_t>(messages.size());
  fact.value = reply.next_begin_offset;
  env_.Emit(fact);
  request.next_offset = reply.next_begin_offset;
  if (config_.orderly &&
      config_.profile.orderly_progress == OrderlyProgress::kPulled) {
    store_.offsets().Raise(owned->queue, request.next_offset);
  }
  if (messages.empty()) {
    Enqueue(request);
    return;
  }
  // A queue that was dropped meanwhile is not noticed here, but by the batches
  // and by the next attempt.
  const bool start = owned_.PutMessages(*owned, messages, reply.max_offset);
  if (!consumption_.Submit(owned, messages, start)) {
    // An exception upstream, which counts as a failed pull.
    Later(request, config_.settings.pull_time_delay_mills_when_exception);
  } else if (config_.settings.pull_interval > Duration::Zero()) {
    Later(request, config_.settings.pull_interval);
  } else {
    Enqueue(request);
  }
}

void PullService::OnNothing(PullRequest& request, ResponseCode code,
                            const PullMessageReply& reply) {
  const OwnedQueuePtr& owned = request.owned;
  Fact fact = QueueFact(FactKind::PULL_EMPTY, config_.group, owned->queue);
  fact.offset = request.next_offset;
  fact.count = static_cast<int64_t>(code);
  fact.value = reply.next_begin_offset;
  env_.Emit(fact);
  request.next_offset = reply.next_begin_offset;
  // Nothing is cached, so all before is consumed (correctTagsOffset).
  if (owned->process_queue.msg_count() == 0) {
    store_.offsets().Raise(owned->queue, request.next_offset);
  }
  Enqueue(request);
}

void PullService::OnIllegalOffset(PullRequest& request,
                                  const PullMessageReply& reply) {
  const MessageQueue queue = request.owned->queue;
  const int64_t offset = reply.next_begin_offset;
  Fact fact = QueueFact(FactKind::PULL_EMPTY, config_.group, queue);
  fact.offset = request.next_offset;
  fact.count = static_cast<int64_t>(ResponseCode::kPullOffsetMoved);
  fact.value = offset;
  env_.Emit(fact);
  owned_.Drop(*request.owned, DropCause::kOffsetIllegal);
  End(request);
  if (stopped_) return;
  if (config_.profile.offset_repair_delay > Duration::Zero()) {
    scope_.Spawn(RepairOffsetLater(queue, offset));
  } else {
    PostRepair(queue, offset);
  }
}

void PullService::PostRepair(const MessageQueue& queue, int64_t offset) {
  timer_thread_.PostTask([this, owned_queue = queue, offset] {
    return RepairOffset(owned_queue, offset);
  });
}

Task<void> PullService::RepairOffsetLater(MessageQueue queue, int64_t offset) {
  co_await Sleep(env_, config_.profile.offset_repair_delay);
  if (!stopped_) PostRepair(queue, offset);
}

Task<void> PullService::RepairOffset(MessageQueue queue, int64_t offset) {
  // Frozen, so that the results of messages still being consumed do not undo
  // the correction. By now the queue may be another's; the offset is stored all
  // the same.
  if (config_.profile.offset_repair_freezes) {
    store_.offsets().SetAndFreeze(queue, offset);
  } else {
    store_.offsets().Set(queue, offset);
  }
  Fact fact = QueueFact(FactKind::OFFSET_CORRECTED, config_.group, queue);
  fact.offset = offset;
  env_.Emit(fact);
  co_await store_.Persist(queue);
  if (const OwnedQueuePtr owned = owned_.Find(queue); owned != nullptr) {
    owned_.Drop(*owned, DropCause::kOffsetIllegal);
    owned_.Remove(queue);
    if (config_.orderly && config_.model == MessageModel::kClustering) {
      // Where the listener is at work, the offset stays frozen and the lock
      // with the broker until the queue is taken on again.
      co_await removal_.Free(owned);
    } else {
      co_await store_.PersistAndForget(queue);
    }
  }
  if (config_.profile.offset_repair_wakes_rebalance) instance_.WakeRebalance();
}

void PullService::OnFailure(PullRequest& request, int64_t code) {
  Fact fact =
      QueueFact(FactKind::PULL_FAILED, config_.group, request.owned->queue);
  fact.offset = request.next_offset;
  fact.count = code;
  env_.Emit(fact);
  Later(request, code == static_cast<int64_t>(ResponseCode::kFlowControl)
                     ? config_.profile.pull_delay_broker_flow_control
                     : config_.settings.pull_time_delay_mills_when_exception);
}

}  // namespace groupsim
