// Hands messages to an orderly listener, queue by queue in order.
#ifndef GROUPSIM_MODEL_CLIENT_ORDERLY_CONSUMPTION_H_
#define GROUPSIM_MODEL_CLIENT_ORDERLY_CONSUMPTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/consume_pool.h"
#include "model/client/consumed_offsets.h"
#include "model/client/consumer_locks.h"
#include "model/client/consumption.h"
#include "model/client/listener_run.h"
#include "model/client/orderly_step.h"
#include "model/client/owned_queues.h"
#include "model/client/send_back.h"
#include "model/client/settings.h"
#include "model/facts/causes.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/runtime/waiting.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// ConsumeMessageOrderlyService, 5.3.3. A queue has
// one task at a time, which takes messages in order of offset for as long as
// there are some and the queue's lock is held. A listener that asked to suspend
// gets the same messages again after a rest; nothing behind them moves. A
// message that has had all its attempts (max_reconsume_times, none by default)
// is sent to the retry topic, from where the broker takes it to the dead
// letters.
//
// The lock is looked at before each call of the listener and never during one:
// a listener that takes longer than the lock lives is not stopped, and its
// result counts. Where the group broadcasts, there are no locks.
class OrderlyConsumption final : public PooledConsumption {
 public:
  struct Config {
    Name group;
    PushConsumerSettings settings;
    ClientProfile profile;
    MessageModel model = MessageModel::kClustering;

    bool locks() const { return model == MessageModel::kClustering; }
  };

  // All references must outlive it.
  OrderlyConsumption(Env& env, const Config& config, OwnedQueues& owned,
                     ConsumedOffsets& offsets, ConsumerLocks& locks,
                     SendBack& send_back);
  // Listener calls under way are abandoned.
  ~OrderlyConsumption() override;
  OrderlyConsumption(const OrderlyConsumption&) = delete;
  OrderlyConsumption& operator=(const OrderlyConsumption&) = delete;

  // The jobs that renew the locks begin.
  void Start() override;
  bool Submit(const OwnedQueuePtr& owned, absl::Span<const Message> messages,
              bool start) override;
  // In the end the locks are given back, whether a listener is at work or not.
  Task<void> Shutdown(Duration limit) override;

 private:
  // The consumption of one queue from the moment that there is something to
  // consume until there is nothing more: it waits for a worker, has one, or
  // rests.
  struct Work final : ConsumePoolJob, TimerTarget {
    explicit Work(OrderlyConsumption& s) : service(s) {}
    void OnTimer() override { service.OnTimer(*this); }

    OrderlyConsumption& service;
    OwnedQueuePtr owned;
    std::vector<Message> messages;  // Of the listener call.
    ListenerRun* call = nullptr;    // While it is under way.
    TimerId timer = 0;              // While it rests.
    bool asks_for_lock = false;     // At the end of the rest.
  };
  // How a task ends.
  struct End {
    enum class Then { kNothing, kLater, kRelock };
    Then then = Then::kNothing;
    Duration delay;  // Of the rest.
  };

  Work& NewWork(const OwnedQueuePtr& owned);
  void Recycle(Work& work);
  void Forget(ConsumePoolJob& job) override {
    Recycle(static_cast<Work&>(job));
  }
  void InterruptAll() override;
  void Begin(Work& work);
  Task<void> Run(Work& work);
  // Whether the queue is lost, so that its task ends; or lost, and consumed on
  // all the same, whoever has its lock.
  bool IsOver(const ProcessQueue& queue) const {
    return queue.dropped() && config_.profile.lost_queue_rests;
  }
  bool IsConsumedOn(const ProcessQueue& queue) const {
    return queue.dropped() && !config_.profile.lost_queue_rests;
  }
  Task<End> Consume(Work& work);
  Task<End> ConsumeAll(Work& work);
  void EmitFinished(const Work& work, const ListenerResult& result);
  Task<bool> ComeAgain(Work& work);
  // Deals with what a listener answered; `again` says of one that asked to
  // suspend whether its messages come again (processConsumeResult).
  End Conclude(const Work& work, const ListenerResult& result, bool again);
  // All that is taken leaves the cache. `given_up` is what the listener said of
  // this call's messages if they were disposed of otherwise.
  void Settle(const Work& work, std::optional<ConsumeStatus> given_up);

  void Rest(Work& work, Duration delay, bool asks_for_lock);
  void OnTimer(Work& work);
  Task<void> Relock(Work& work);
  Task<void> RenewLocks();
  Duration Bounded(Duration delay) const;
  Mutex& MutexOf(const MessageQueue& queue);

  Env& env_;
  const Config config_;
  const OrderlyLimits limits_;
  OwnedQueues& owned_;
  ConsumedOffsets& offsets_;
  ConsumerLocks& locks_;
  SendBack& send_back_;
  std::vector<std::unique_ptr<Work>> works_;
  std::vector<Work*> free_works_;
  // MessageQueueLock: one task at a time for each queue, also where it was lost
  // and came back while its listener was at work. Never forgotten, as upstream.
  absl::flat_hash_map<MessageQueue, std::unique_ptr<Mutex>> mutexes_;
  Mutex lock_calls_;   // The monitor of upstream's service.
  Lane timer_thread_;  // All that is scheduled, calls about locks included.
  Lane pop_timer_thread_;
  std::optional<FixedRateJob> renewal_;
  std::optional<FixedRateJob> pop_renewal_;
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_ORDERLY_CONSUMPTION_H_
