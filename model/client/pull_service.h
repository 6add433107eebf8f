// Pulls the queues that a consumer owns.
#ifndef GROUPSIM_MODEL_CLIENT_PULL_SERVICE_H_
#define GROUPSIM_MODEL_CLIENT_PULL_SERVICE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/broker_addresses.h"
#include "model/client/client_instance.h"
#include "model/client/consumption.h"
#include "model/client/offset_store.h"
#include "model/client/owned_queues.h"
#include "model/client/pull_step.h"
#include "model/client/queue_removal.h"
#include "model/client/settings.h"
#include "model/client/start_offsets.h"
#include "model/client/subscriptions.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/lane_gate.h"
#include "model/runtime/ready_queue.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// PullMessageService with DefaultMQPushConsumerImpl.pullMessage and
// PullAPIWrapper, 5.3.3.
//
// Each owned queue has one pull request, which is always in one place: in the
// queue of the pull thread, at a timer, or on its way to a broker and back. It
// ends when its queue is dropped. The pull thread takes requests first come
// first served; it waits only to refresh a route, where a broker's address is
// unknown, to ask for the offset of an orderly queue before its first pull, and
// before 5.3.0 for a connection, and all others wait with it.
//
// Upstream runs callbacks of replies on a pool of as many threads as there are
// processors. Nothing here makes one of them wait, so there is no such pool.
class PullService final : private ReadyNode {
 public:
  struct Config {
    Name group;
    PushConsumerSettings settings;
    ClientProfile profile;
    MessageModel model = MessageModel::kClustering;
    bool orderly = false;
  };

  // All references must outlive it.
  PullService(Env& env, const Config& config, ClientInstance& instance,
              const Subscriptions& subscriptions, OwnedQueues& owned,
              OffsetStore& store, StartOffsets& start_offsets,
              QueueRemoval& removal, Consumption& consumption);
  ~PullService();
  PullService(const PullService&) = delete;
  PullService& operator=(const PullService&) = delete;

  // Makes the pull request of a new queue; its first attempt is after `delay`
  // (executePullRequestLater).
  void Begin(const OwnedQueuePtr& owned, int64_t offset, Duration delay);

  // Limits for the next attempts.
  const PullLimits& limits() const { return limits_; }
  void set_limits(const PullLimits& limits) { limits_ = limits; }

  // Whether the consumer's start has ended and its shutdown has not.
  void set_running(bool running) { running_ = running; }
  // Whether attempts are put off until the application lets the consumer go on.
  void set_suspended(bool suspended) { suspended_ = suspended; }
  bool suspended() const { return suspended_; }

  // No attempt is made any more; requests end where they come from.
  void Stop();

  // Requests that have not ended.
  size_t requests() const { return requests_.size(); }

 private:
  struct PullRequest final : TimerTarget {
    PullRequest(PullService& s, OwnedQueuePtr o, int64_t offset)
        : service(s), owned(std::move(o)), next_offset(offset) {}
    void OnTimer() override { service.OnTimer(*this); }

    PullService& service;
    const OwnedQueuePtr owned;
    int64_t next_offset;
    TimerId timer = 0;
    PullRequest* next = nullptr;  // In the queue of the pull thread.
    size_t index = 0;             // In requests_.
    // The broker's address as of this version of the table.
    uint64_t address_version = UINT64_MAX;
    BrokerAddresses::Found address;
    // Where consumption is orderly: whether the offset was asked for since the
    // queue has been locked. Never unset.
    bool previously_locked = false;
  };

  void RunReady() override;  // The pull thread.
  void Enqueue(PullRequest& request);
  void Wake();  // The pull thread, if it has something to do and may.
  void Later(PullRequest& request, Duration delay);
  void OnTimer(PullRequest& request);
  void End(PullRequest& request);

  void Attempt(PullRequest& request);
  Duration DelayFor(PostponeReason reason) const;
  void Postpone(PullRequest& request, PostponeReason reason);
  const BrokerAddresses::Found& AddressFor(PullRequest& request);
  Task<void> LookForBroker(PullRequest& request);
  Task<void> CorrectOffset(PullRequest& request);
  // The broker of a request that may be pulled.
  void Address(PullRequest& request, const SubscriptionData& subscription);
  void Send(PullRequest& request, const SubscriptionData& subscription);
  void Send(PullRequest& request, const PullMessageRequest& message,
            Name address, Duration timeout);
  // The pull thread waits for the connection.
  Task<void> ConnectAndSend(PullRequest& request, PullMessageRequest message,
                            Name address);

  void OnAnswer(PullRequest& request, CallResult result);
  void OnFound(PullRequest& request, PullMessageReply reply);
  void OnNothing(PullRequest& request, ResponseCode code,
                 const PullMessageReply& reply);
  void OnIllegalOffset(PullRequest& request, const PullMessageReply& reply);
  void OnFailure(PullRequest& request, int64_t code);
  void PostRepair(const MessageQueue& queue, int64_t offset);
  Task<void> RepairOffsetLater(MessageQueue queue, int64_t offset);
  Task<void> RepairOffset(MessageQueue queue, int64_t offset);
  void NoteSuggestedBroker(const MessageQueue& queue, int64_t broker_id);

  Env& env_;
  const Config config_;
  ClientInstance& instance_;
  const Subscriptions& subscriptions_;
  OwnedQueues& owned_;
  OffsetStore& store_;
  StartOffsets& start_offsets_;
  QueueRemoval& removal_;
  Consumption& consumption_;

  PullLimits limits_;
  bool running_ = false;
  bool suspended_ = false;
  bool stopped_ = false;
  std::vector<std::unique_ptr<PullRequest>> requests_;
  PullRequest* first_ = nullptr;  // The queue of the pull thread.
  PullRequest* last_ = nullptr;
  bool thread_waits_ = false;
  // Which broker id to pull from, where a broker suggested a slave
  // (pullFromWhichNodeTable).
  absl::flat_hash_map<MessageQueue, int64_t> pull_from_which_node_;

  LaneGate lane_;      // PullMessageService.
  Lane timer_thread_;  // The timer of the pull service also repairs offsets.
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PULL_SERVICE_H_
