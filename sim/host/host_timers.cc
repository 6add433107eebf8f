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
        TimerTarget* target = due.timers->armed_.Find(due.id)->target;
        due.timers->armed_.Remove(due.id);
        target->OnTimer();
      },
      nullptr);
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
