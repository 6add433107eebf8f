// The listener calls of one simulated process.
#ifndef GROUPSIM_SIM_HOST_HOST_LISTENERS_H_
#define GROUPSIM_SIM_HOST_HOST_LISTENERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "model/base/time.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/random.h"
#include "sim/engine/engine.h"
#include "sim/host/listener_behaviour.h"
#include "sim/host/slot_table.h"
#include "sim/network/pause_gate.h"

namespace groupsim {

// Asks a behaviour how each call goes, and ends it after its service time. No
// call ends after this died.
class HostListeners final : public ListenerExecutor, private PauseGate::Source {
 public:
  // The type of its events; one for all hosts of an engine.
  static EventType RegisterEvent(Engine& engine);

  // `tag` goes into the schedule fingerprint; the behaviour draws from `draws`.
  // While `gate` is closed, ends of calls wait there; null for none.
  HostListeners(Engine& engine, EventType event, uint64_t tag,
                ListenerBehaviour& behaviour,
                std::unique_ptr<RandomStream> draws, PauseGate* gate = nullptr);
  ~HostListeners() override;

  ListenerRunId Run(const ListenerCall& call, ListenerDone* done) override;
  void Interrupt(ListenerRunId id) override;
  void Abandon(ListenerRunId id) override;

  // Calls begun and not ended, hanging ones included.
  size_t running() const { return running_.size(); }

 private:
  struct Running {
    ListenerDone* done = nullptr;
    ListenerResult result;
    std::optional<ListenerResult> when_interrupted;
    EventHandle end;  // None if it hangs.
  };
  struct End {
    HostListeners* listeners;
    ListenerRunId id;
  };

  void EndAt(Instant when, ListenerRunId id);
  void OnEnd(ListenerRunId id);
  void OnReleased(uint64_t id) override;
  void OnDropped(uint64_t /*id*/) override {}

  Engine& engine_;
  const EventType event_;
  const uint64_t tag_;
  ListenerBehaviour& behaviour_;
  const std::unique_ptr<RandomStream> draws_;
  PauseGate* const gate_;
  SlotTable<Running> running_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_HOST_LISTENERS_H_
