#include "model/runtime/timer.h"

#include <algorithm>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "model/runtime/env.h"

namespace groupsim {

Timer::Timer(Env& env, absl::AnyInvocable<void()> on_fire)
    : env_(env), on_fire_(std::move(on_fire)) {}

void Timer::ArmAt(Instant when) {
  Cancel();
  deadline_ = std::max(when, env_.Now());
  id_ = env_.timers().Arm(deadline_, this);
}

void Timer::Arm(Duration delay) {
  ArmAt(env_.Now() + std::max(delay, Duration::Zero()));
}

void Timer::Cancel() {
  if (id_ == 0) return;
  env_.timers().Disarm(id_);
  id_ = 0;
}

void Timer::OnTimer() {
  id_ = 0;
  on_fire_();
}

}  // namespace groupsim
