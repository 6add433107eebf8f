#include "model/runtime/waiting.h"

#include <coroutine>

#include "model/base/check.h"

namespace groupsim {

void Sleep::await_suspend(std::coroutine_handle<> waiter) {
  resumption_.set_handle(waiter);
  timer_ = env_.timers().Arm(env_.Now() + delay_, this);
}

void Sleep::OnTimer() {
  timer_ = 0;
  env_.ready().Post(resumption_);
}

void Signal::Set() {
  set_ = true;
  if (waiter_ == nullptr || waiter_->resumption_.queued()) return;
  env_.ready().Post(waiter_->resumption_);
}

Signal::Waiter::~Waiter() {
  if (timer_ != 0) signal_.env_.timers().Disarm(timer_);
  if (signal_.waiter_ == this) signal_.waiter_ = nullptr;
}

void Signal::Waiter::await_suspend(std::coroutine_handle<> waiter) {
  CHECK(signal_.waiter_ == nullptr) << "a signal has one waiter";
  signal_.waiter_ = this;
  resumption_.set_handle(waiter);
  timer_ = signal_.env_.timers().Arm(signal_.env_.Now() + limit_, this);
}

bool Signal::Waiter::await_resume() {
  if (timer_ != 0) signal_.env_.timers().Disarm(timer_);
  timer_ = 0;
  if (signal_.waiter_ == this) signal_.waiter_ = nullptr;
  const bool was_set = signal_.set_;
  signal_.set_ = false;
  return was_set;
}

void Signal::Waiter::OnTimer() {
  timer_ = 0;
  if (!resumption_.queued()) signal_.env_.ready().Post(resumption_);
}

bool Mutex::TryLock() {
  if (locked_) return false;
  locked_ = true;
  return true;
}

void Mutex::Unlock() {
  CHECK(locked_) << "unlocked a free lock";
  Waiter* next = first_;
  if (next == nullptr) {
    locked_ = false;
    return;
  }
  next->Leave();
  next->owns_ = true;  // The lock changes hands without becoming free.
  env_.ready().Post(next->resumption_);
}

Mutex::Waiter::~Waiter() {
  if (timer_ != 0) mutex_.env_.timers().Disarm(timer_);
  if (queued_) Leave();
  if (owns_) mutex_.Unlock();  // Got it, but was destroyed before going on.
}

void Mutex::Waiter::await_suspend(std::coroutine_handle<> waiter) {
  resumption_.set_handle(waiter);
  previous_ = mutex_.last_;
  (previous_ == nullptr ? mutex_.first_ : previous_->next_) = this;
  mutex_.last_ = this;
  queued_ = true;
  if (limit_ == Duration::Max()) return;
  timer_ = mutex_.env_.timers().Arm(mutex_.env_.Now() + limit_, this);
}

bool Mutex::Waiter::await_resume() {
  if (timer_ != 0) mutex_.env_.timers().Disarm(timer_);
  timer_ = 0;
  const bool owns = owns_;
  owns_ = false;  // Whoever awaited answers for it from here on.
  return owns;
}

void Mutex::Waiter::OnTimer() {
  timer_ = 0;
  if (!queued_) return;  // The lock came in the same turn.
  Leave();
  mutex_.env_.ready().Post(resumption_);
}

void Mutex::Waiter::Leave() {
  (previous_ == nullptr ? mutex_.first_ : previous_->next_) = next_;
  (next_ == nullptr ? mutex_.last_ : next_->previous_) = previous_;
  next_ = previous_ = nullptr;
  queued_ = false;
}

}  // namespace groupsim
