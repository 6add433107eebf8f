// The timers of one simulated process.
#ifndef GROUPSIM_SIM_HOST_HOST_TIMERS_H_
#define GROUPSIM_SIM_HOST_HOST_TIMERS_H_

#include <cstddef>
#include <cstdint>

#include "model/base/time.h"
#include "model/runtime/timer.h"
#include "sim/engine/engine.h"
#include "sim/host/slot_table.h"
#include "sim/network/pause_gate.h"

namespace groupsim {

// One engine event per arming. Those still armed when it dies never fire.
class HostTimers final : public TimerQueue, private PauseGate::Source {
 public:
  // The type of its events; one for all hosts of an engine.
  static EventType RegisterEvent(Engine& engine);

  // `tag` goes into the schedule fingerprint. While `gate` is closed, timers
  // that are due wait there; null for none.
  HostTimers(Engine& engine, EventType event, uint64_t tag,
             PauseGate* gate = nullptr)
      : engine_(engine), event_(event), tag_(tag), gate_(gate) {}
  ~HostTimers() override;

  // A time that has passed counts as now.
  TimerId Arm(Instant when, TimerTarget* target) override;
  void Disarm(TimerId id) override;

  size_t armed() const { return armed_.size(); }

 private:
  struct Armed {
    TimerTarget* target = nullptr;
    EventHandle event;
  };
  struct Due {
    HostTimers* timers;
    TimerId id;
  };

  void OnDue(TimerId id);
  void OnReleased(uint64_t id) override;
  void OnDropped(uint64_t /*id*/) override {}

  Engine& engine_;
  const EventType event_;
  const uint64_t tag_;
  PauseGate* const gate_;
  SlotTable<Armed> armed_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_HOST_TIMERS_H_
