// What tasks wait for besides calls and other tasks: time, signals, locks.
#ifndef GROUPSIM_MODEL_RUNTIME_WAITING_H_
#define GROUPSIM_MODEL_RUNTIME_WAITING_H_

#include <coroutine>

#include "model/base/check.h"
#include "model/base/time.h"
#include "model/runtime/env.h"
#include "model/runtime/ready_queue.h"
#include "model/runtime/timer.h"

namespace groupsim {

// `co_await Sleep(env, 50ms)`: goes on after that time, never early.
class Sleep final : private TimerTarget {
 public:
  Sleep(Env& env, Duration delay) : env_(env), delay_(delay) {}
  ~Sleep() {
    if (timer_ != 0) env_.timers().Disarm(timer_);
  }
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;

  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> waiter);
  void await_resume() {}

 private:
  void OnTimer() override;

  Env& env_;
  const Duration delay_;
  TimerId timer_ = 0;
  ReadyResumption resumption_;
};

// A flag that one task waits for. Setting it several times before the task
// looks is setting it once.
class Signal {
 public:
  explicit Signal(Env& env) : env_(env) {}
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  void Set();

  // `co_await signal.WaitFor(20s)`: true when the flag was or became set, which
  // clears it; false when the time is over. One waiter at a time.
  class Waiter final : private TimerTarget {
   public:
    Waiter(Signal& signal, Duration limit) : signal_(signal), limit_(limit) {}
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    bool await_ready() { return signal_.set_; }
    void await_suspend(std::coroutine_handle<> waiter);
    bool await_resume();

   private:
    friend class Signal;
    void OnTimer() override;

    Signal& signal_;
    const Duration limit_;
    TimerId timer_ = 0;
    ReadyResumption resumption_;
  };
  Waiter WaitFor(Duration limit) { return Waiter(*this, limit); }

 private:
  Env& env_;
  bool set_ = false;
  Waiter* waiter_ = nullptr;
};

// A lock between tasks; waiters get it in the order in which they came
// (a fair ReentrantLock that is never entered twice by one task).
class Mutex {
 public:
  explicit Mutex(Env& env) : env_(env) {}
  ~Mutex() { CHECK(first_ == nullptr) << "a lock dies with waiters"; }
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // Takes the lock if it is free; never waits.
  bool TryLock();
  // The holder only. Hands the lock to the longest waiter.
  void Unlock();
  bool locked() const { return locked_; }

  // `co_await mutex.LockFor(3s)`: true with the lock held, false when it could
  // not be had in that time; Duration::Max() is for ever.
  class Waiter final : private TimerTarget {
   public:
    Waiter(Mutex& mutex, Duration limit) : mutex_(mutex), limit_(limit) {}
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    bool await_ready() { return owns_ = mutex_.TryLock(); }
    void await_suspend(std::coroutine_handle<> waiter);
    bool await_resume();

   private:
    friend class Mutex;
    void OnTimer() override;
    void Leave();

    Mutex& mutex_;
    const Duration limit_;
    TimerId timer_ = 0;
    bool queued_ = false;
    bool owns_ = false;
    ReadyResumption resumption_;
    Waiter* next_ = nullptr;
    Waiter* previous_ = nullptr;
  };
  Waiter LockFor(Duration limit) { return Waiter(*this, limit); }

 private:
  Env& env_;
  bool locked_ = false;
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
};

// Unlocks at the end of a block a lock that is held at its beginning, also
// when the task is destroyed.
class MutexHold {
 public:
  explicit MutexHold(Mutex& mutex) : mutex_(mutex) { CHECK(mutex.locked()); }
  ~MutexHold() { mutex_.Unlock(); }
  MutexHold(const MutexHold&) = delete;
  MutexHold& operator=(const MutexHold&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_WAITING_H_
