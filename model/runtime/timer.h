// One-shot timers.
#ifndef GROUPSIM_MODEL_RUNTIME_TIMER_H_
#define GROUPSIM_MODEL_RUNTIME_TIMER_H_

#include <cstdint>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "model/base/time.h"

namespace groupsim {

class Env;

// Identifies an armed timer to its TimerQueue; 0 for none.
using TimerId = uint64_t;

// What a TimerQueue calls when the time has come.
class TimerTarget {
 public:
  virtual void OnTimer() = 0;

 protected:
  ~TimerTarget() = default;
};

// The seam: arms targets. A target is called once, never early, in a turn of
// its own (also if `when` is now), and never after Disarm.
class TimerQueue {
 public:
  virtual ~TimerQueue() = default;
  virtual TimerId Arm(Instant when, TimerTarget* target) = 0;
  // Nothing happens if the timer fired or was disarmed before.
  virtual void Disarm(TimerId id) = 0;
};

// A timer as services own it: calls `on_fire` once per arming, and never after
// its destruction.
class Timer final : private TimerTarget {
 public:
  Timer(Env& env, absl::AnyInvocable<void()> on_fire);
  ~Timer() { Cancel(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Arms it for `when`, or for now if that has passed; replaces an earlier
  // arming.
  void ArmAt(Instant when);
  // Arms it `delay` from now; a negative delay counts as none.
  void Arm(Duration delay);
  void Cancel();

  bool armed() const { return id_ != 0; }
  // When it fires; only while armed.
  Instant deadline() const { return deadline_; }

 private:
  void OnTimer() override;

  Env& env_;
  absl::AnyInvocable<void()> on_fire_;
  TimerId id_ = 0;
  Instant deadline_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_TIMER_H_
