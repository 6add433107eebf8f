#include "sim/host/host_timers.h"

#include <algorithm>

#include "model/base/check.h"
#include "model/base/time.h"
#include "model/runtime/timer.h"
#include "sim/engine/engine.h"

namespace groupsim {

EventType HostTimers::RegisterEvent(Engine& engine) {
  return engine.Register(
      "host.timer",
      [](void*, void* payload) {
        const Due due = *static_cast<const Due*>(payload);
        due.timers->OnDue(due.id);
      },
      nullptr);
}

void HostTimers::OnDue(TimerId id) {
  if (gate_ != nullptr && gate_->closed()) [[unlikely]] {
    gate_->Hold(*this, id);
    return;
  }
  OnReleased(id);
}

void HostTimers::OnReleased(uint64_t id) {
  Armed* armed = armed_.Find(id);
  if (armed == nullptr) return;  // Disarmed by one that fired before it.
  TimerTarget* target = armed->target;
  armed_.Remove(id);
  target->OnTimer();
}

HostTimers::~HostTimers() {
  armed_.ForEach([this](const Armed& armed) { engine_.Cancel(armed.event); });
}

TimerId HostTimers::Arm(Instant when, TimerTarget* target) {
  CHECK(target != nullptr);
  Armed armed;
  armed.target = target;
  const TimerId id = armed_.Add(armed);
  Due due;
  due.timers = this;
  due.id = id;
  armed_.Find(id)->event =
      engine_.At(std::max(when, engine_.now()), event_, due, tag_);
  return id;
}

void HostTimers::Disarm(TimerId id) {
  Armed* armed = armed_.Find(id);
  if (armed == nullptr) return;
  engine_.Cancel(armed->event);
  armed_.Remove(id);
}

}  // namespace groupsim
