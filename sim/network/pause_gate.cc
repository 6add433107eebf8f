#include "sim/network/pause_gate.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "sim/engine/engine.h"

namespace groupsim {

EventType PauseGate::RegisterEvent(Engine& engine) {
  return engine.Register(
      "host.release",
      [](void*, void* payload) {
        static_cast<const Release*>(payload)->gate->OnRelease();
      },
      nullptr);
}

void PauseGate::Close() {
  paused_ = true;
  closed_ = true;
  engine_.Cancel(next_release_);
}

void PauseGate::Open() {
  paused_ = false;
  if (held() == 0) {
    closed_ = false;
  } else {
    ScheduleRelease();
  }
}

void PauseGate::Hold(Source& source, uint64_t id) {
  CHECK(closed_);
  held_.push_back({&source, id});
}

void PauseGate::Clear() {
  engine_.Cancel(next_release_);
  paused_ = false;
  closed_ = false;
  std::vector<Held> held;
  held.swap(held_);
  for (size_t i = std::exchange(next_, 0); i < held.size(); ++i) {
    held[i].source->OnDropped(held[i].id);
  }
}

void PauseGate::ScheduleRelease() {
  engine_.Cancel(next_release_);
  Release release;
  release.gate = this;
  next_release_ = engine_.At(engine_.now(), release_, release, tag_);
}

void PauseGate::OnRelease() {
  const Held event = held_[next_++];
  if (held() == 0) {
    held_.clear();
    next_ = 0;
    closed_ = false;
  } else {
    ScheduleRelease();
  }
  event.source->OnReleased(event.id);
}

}  // namespace groupsim
