#include "model/client/orderly_consumption.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "model/base/time.h"
#include "model/client/message_window.h"
#include "model/client/orderly_step.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"

namespace groupsim {

OrderlyConsumption::OrderlyConsumption(Env& env, const Config& config,
                                       OwnedQueues& owned,
                                       ConsumedOffsets& offsets,
                                       ConsumerLocks& locks,
                                       SendBack& send_back)
    : PooledConsumption(env, config.group, config.settings.consume_thread_min),
      env_(env),
      config_(config),
      limits_{
          config.locks() ? config.settings.lock_max_live_time : Duration::Max(),
          config.settings.max_time_consume_continuously},
      owned_(owned),
      offsets_(offsets),
      locks_(locks),
      send_back_(send_back),
      lock_calls_(env),
      timer_thread_(env),
      pop_timer_thread_(env),
      scope_(env.ready()) {}

OrderlyConsumption::~OrderlyConsumption() {
  for (const std::unique_ptr<Work>& work : works_) {
    if (work->timer != 0) env_.timers().Disarm(work->timer);
  }
}

void OrderlyConsumption::Start() {
  if (!config_.locks()) return;
  renewal_.emplace(env_, timer_thread_, config_.profile.first_lock,
                   config_.settings.lock_interval,
                   [this] { return RenewLocks(); });
  if (!config_.profile.locks_are_renewed_twice) return;
  // ConsumeMessagePopOrderlyService, which nobody stops.
  pop_renewal_.emplace(env_, pop_timer_thread_, config_.profile.first_lock,
                       config_.settings.lock_interval,
                       [this] { return locks_.RenewAll(); });
}

// lockMQPeriodically
Task<void> OrderlyConsumption::RenewLocks() {
  co_await lock_calls_.LockFor(Duration::Max());
  const MutexHold hold(lock_calls_);
  if (accepting()) co_await locks_.RenewAll();
}

// ---- A queue's turn ----

OrderlyConsumption::Work& OrderlyConsumption::NewWork(
    const OwnedQueuePtr& owned) {
  if (free_works_.empty()) {
    works_.push_back(std::make_unique<Work>(*this));
    free_works_.push_back(works_.back().get());
  }
  Work& work = *free_works_.back();
  free_works_.pop_back();
  work.owned = owned;
  return work;
}

void OrderlyConsumption::Recycle(Work& work) {
  work.owned.reset();
  work.messages.clear();
  free_works_.push_back(&work);
}

bool OrderlyConsumption::Submit(const OwnedQueuePtr& owned,
                                absl::Span<const Message> /*messages*/,
                                bool start) {
  if (!start) return true;  // Whoever is at work will come to them.
  if (!accepting()) return false;
  Begin(NewWork(owned));
  return true;
}

void OrderlyConsumption::Begin(Work& work) {
  if (pool().BeginOrQueue(work)) scope_.Spawn(Run(work));
}

Task<void> OrderlyConsumption::Run(Work& work) {
  const End end = co_await Consume(work);
  work.messages.clear();
  switch (end.then) {
    case End::Then::kNothing:
      Recycle(work);
      break;
    case End::Then::kLater:
      Rest(work, Bounded(end.delay), /*asks_for_lock=*/false);
      break;
    case End::Then::kRelock:
      Rest(work, end.delay, /*asks_for_lock=*/true);
      break;
  }
  if (auto* next = static_cast<Work*>(pool().Next()); next != nullptr) {
    scope_.Spawn(Run(*next));
  }
  NoteFreeWorker();
}

Mutex& OrderlyConsumption::MutexOf(const MessageQueue& queue) {
  std::unique_ptr<Mutex>& mutex = mutexes_[queue];
  if (mutex == nullptr) mutex = std::make_unique<Mutex>(env_);
  return *mutex;
}

Task<OrderlyConsumption::End> OrderlyConsumption::Consume(Work& work) {
  OwnedQueue& owned = *work.owned;
  const ProcessQueue& queue = owned.process_queue;
  if (IsOver(queue)) co_return End();
  Mutex& mutex = MutexOf(owned.queue);
  co_await mutex.LockFor(Duration::Max());
  const MutexHold hold(mutex);
  const bool expired =
      queue.IsLockExpired(env_.WallMillis(), limits_.lock_max_live_time);
  if ((!queue.locked() || expired) && !IsConsumedOn(queue)) {
    if (queue.dropped()) co_return End();
    if (queue.locked()) owned_.NoteNotRenewed(owned);
    End end;
    end.then = End::Then::kRelock;
    end.delay = config_.profile.relock_delay_at_begin;
    co_return end;
  }
  const End end = co_await ConsumeAll(work);
  co_return end;
}

Task<OrderlyConsumption::End> OrderlyConsumption::ConsumeAll(Work& work) {
  OwnedQueue& owned = *work.owned;
  ProcessQueue& queue = owned.process_queue;
  const int64_t began = env_.WallMillis();
  End end;
  while (true) {
    const int64_t now = env_.WallMillis();
    const OrderlyStep step = IsConsumedOn(queue)
                                 ? OrderlyStep::kConsume
                                 : NextOrderlyStep(queue, limits_, began, now);
    switch (step) {
      case OrderlyStep::kDropped:
        co_return end;
      case OrderlyStep::kLockExpired:
        owned_.NoteNotRenewed(owned);
        [[fallthrough]];
      case OrderlyStep::kNotLocked:
        end.then = End::Then::kRelock;
        end.delay = config_.profile.relock_delay_in_loop;
        co_return end;
      case OrderlyStep::kYield:
        end.then = End::Then::kLater;
        end.delay = config_.profile.resume_delay_with_lock;
        co_return end;
      case OrderlyStep::kConsume:
        break;
    }
    const auto batch =
        static_cast<size_t>(config_.settings.consume_message_batch_max_size);
    work.messages = queue.TakeMessages(batch, now);
    if (work.messages.empty()) co_return end;
    co_await owned.consume_lock.LockFor(Duration::Max());
    ListenerResult result;
    {
      const MutexHold hold(owned.consume_lock);
      if (IsOver(queue)) co_return end;  // What was taken is abandoned.
      EmitDelivered(owned.queue, work.messages);
      ListenerCall call;
      call.group = config_.group;
      call.queue = owned.queue;
      call.messages = work.messages;
      call.orderly = true;
      ListenerRun run(env_, call);
      work.call = &run;
      result = co_await run;
      work.call = nullptr;
    }
    EmitFinished(work, result);
    bool again = false;
    if (AsksToSuspend(result.status)) again = co_await ComeAgain(work);
    end = Conclude(work, result, again);
    if (end.then != End::Then::kNothing) co_return end;
  }
}

// ---- What a listener answered ----

void OrderlyConsumption::EmitFinished(const Work& work,
                                      const ListenerResult& result) {
  const OwnedQueue& owned = *work.owned;
  const OrderlyOutcome outcome =
      OutcomeOf(result.status, result.auto_commit,
                /*again=*/AsksToSuspend(result.status));
  Fact fact = QueueFact(FactKind::FINISHED, config_.group, owned.queue);
  fact.count = static_cast<int64_t>(result.status);
  fact.value = owned.process_queue.dropped() ? kDroppedMeanwhile
               : outcome.taken == OrderlyOutcome::Taken::kCommit ? kCounted
                                                                 : kStaysCached;
  for (const Message& message : work.messages) {
    fact.offset = message.queue_offset;
    env_.Emit(fact);
  }
}

OrderlyConsumption::End OrderlyConsumption::Conclude(
    const Work& work, const ListenerResult& result, bool again) {
  using Taken = OrderlyOutcome::Taken;
  OwnedQueue& owned = *work.owned;
  ProcessQueue& queue = owned.process_queue;
  const bool given_up = AsksToSuspend(result.status) && !again;
  const OrderlyOutcome outcome =
      OutcomeOf(result.status, result.auto_commit, again);
  std::optional<int64_t> next;
  switch (outcome.taken) {
    case Taken::kStay:
      break;
    case Taken::kCommit:
      Settle(work, given_up ? std::optional(result.status) : std::nullopt);
      next = owned_.Commit(owned);
      break;
    case Taken::kAgain:
      queue.MakeMessagesConsumeAgain(work.messages);
      break;
    case Taken::kRollback:
      queue.Rollback();
      break;
  }
  if (next.has_value() && !queue.dropped() &&
      config_.profile.orderly_progress == OrderlyProgress::kConsumed) {
    offsets_.Set(owned.queue, *next);
  }
  End end;
  if (outcome.goes_on) return end;
  end.then = End::Then::kLater;
  end.delay = result.suspend_time.value_or(
      config_.settings.suspend_current_queue_time_millis);
  return end;
}

// Counts one more attempt of each message, or gives it up; false if nothing is
// left (checkReconsumeTimes). One message with attempts left brings all back,
// also those that were given up: they will be once more.
Task<bool> OrderlyConsumption::ComeAgain(Work& work) {
  const int32_t limit = config_.settings.max_reconsume_times;
  bool again = false;
  for (Message& message : work.messages) {
    bool given_up = false;
    if (limit >= 0 && message.reconsume_times >= limit) {
      const int32_t had = message.reconsume_times;
      given_up = co_await send_back_.SendAnew(
          message, work.owned->queue,
          config_.profile.dead_letter_counts_attempt ? had + 1 : had);
    }
    if (given_up) continue;
    ++message.reconsume_times;
    again = true;
  }
  co_return again;
}

// Messages of earlier calls leave the cache with those of this one.
void OrderlyConsumption::Settle(const Work& work,
                                std::optional<ConsumeStatus> given_up) {
  const ProcessQueue& queue = work.owned->process_queue;
  if (queue.dropped() || (!given_up.has_value() &&
                          queue.in_flight().size() == work.messages.size())) {
    return;
  }
  Fact fact = QueueFact(FactKind::SETTLED, config_.group, work.owned->queue);
  MessageWindow taken = queue.in_flight();
  while (!taken.empty()) {
    fact.offset = taken.TakeFirst().queue_offset;
    const bool is_of_call = std::any_of(
        work.messages.begin(), work.messages.end(),
        [&](const Message& one) { return one.queue_offset == fact.offset; });
    if (is_of_call && !given_up.has_value()) continue;
    fact.count =
        static_cast<int64_t>(is_of_call ? *given_up : ConsumeStatus::kSuccess);
    env_.Emit(fact);
  }
}

// ---- Rests ----

Duration OrderlyConsumption::Bounded(Duration delay) const {
  return std::clamp(delay, config_.profile.min_suspend_time,
                    config_.profile.max_suspend_time);
}

void OrderlyConsumption::Rest(Work& work, Duration delay, bool asks_for_lock) {
  if (!accepting()) {  // The timer has been stopped.
    Recycle(work);
    return;
  }
  work.asks_for_lock = asks_for_lock;
  work.timer = env_.timers().Arm(env_.Now() + delay, &work);
}

void OrderlyConsumption::OnTimer(Work& work) {
  work.timer = 0;
  if (work.asks_for_lock) {
    timer_thread_.PostTask([this, &work] { return Relock(work); });
    return;
  }
  timer_thread_.Post([this, &work] {
    if (accepting()) {
      Begin(work);
    } else {
      Recycle(work);
    }
  });
}

// tryLockLaterAndReconsume. A queue that was lost meanwhile is locked all the
// same.
Task<void> OrderlyConsumption::Relock(Work& work) {
  bool locked = false;
  {
    co_await lock_calls_.LockFor(Duration::Max());
    const MutexHold hold(lock_calls_);
    if (accepting()) locked = co_await locks_.Acquire(work.owned->queue);
  }
  Rest(work,
       Bounded(locked ? config_.profile.resume_delay_with_lock
                      : config_.profile.resume_delay_without_lock),
       /*asks_for_lock=*/false);
}

// ---- The end ----

void OrderlyConsumption::InterruptAll() {
  for (const std::unique_ptr<Work>& work : works_) {
    if (work->call != nullptr) work->call->Interrupt();
  }
}

// A call about locks that is under way ends before they are given back
// (unlockAllMQ).
Task<void> OrderlyConsumption::Shutdown(Duration limit) {
  StopAccepting();
  if (renewal_.has_value()) renewal_->Cancel();
  co_await EndPool(limit);
  if (!config_.locks()) co_return;
  co_await lock_calls_.LockFor(Duration::Max());
  const MutexHold hold(lock_calls_);
  co_await locks_.ReleaseAll();
}

}  // namespace groupsim
