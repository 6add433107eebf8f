#include "sim/host/host_listeners.h"

#include <memory>
#include <utility>

#include "model/base/check.h"
#include "model/base/time.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/random.h"
#include "sim/engine/engine.h"
#include "sim/host/listener_behaviour.h"

namespace groupsim {

EventType HostListeners::RegisterEvent(Engine& engine) {
  return engine.Register(
      "host.listener_end",
      [](void*, void* payload) {
        const End end = *static_cast<const End*>(payload);
        end.listeners->OnEnd(end.id);
      },
      nullptr);
}

void HostListeners::OnEnd(ListenerRunId id) {
  if (gate_ != nullptr && gate_->closed()) [[unlikely]] {
    gate_->Hold(*this, id);
    return;
  }
  OnReleased(id);
}

void HostListeners::OnReleased(uint64_t id) {
  const Running* found = running_.Find(id);
  if (found == nullptr) return;  // Abandoned while it was held.
  const Running run = *found;
  running_.Remove(id);
  run.done->OnListenerDone(run.result);
}

HostListeners::HostListeners(Engine& engine, EventType event, uint64_t tag,
                             ListenerBehaviour& behaviour,
                             std::unique_ptr<RandomStream> draws,
                             PauseGate* gate)
    : engine_(engine),
      event_(event),
      tag_(tag),
      behaviour_(behaviour),
      draws_(std::move(draws)),
      gate_(gate) {}

HostListeners::~HostListeners() {
  running_.ForEach([this](const Running& run) {
    if (run.end) engine_.Cancel(run.end);
  });
}

ListenerRunId HostListeners::Run(const ListenerCall& call, ListenerDone* done) {
  CHECK(done != nullptr);
  const ListenerPlan plan = behaviour_.Plan(call, *draws_);
  CHECK_GE(plan.service_time, Duration::Zero());
  Running run;
  run.done = done;
  run.result = plan.result;
  run.when_interrupted = plan.when_interrupted;
  const ListenerRunId id = running_.Add(run);
  if (plan.hangs) return id;
  EndAt(CheckedAdd(engine_.now(), plan.service_time).value_or(Instant::Max()),
        id);
  return id;
}

void HostListeners::EndAt(Instant when, ListenerRunId id) {
  End end;
  end.listeners = this;
  end.id = id;
  running_.Find(id)->end = engine_.At(when, event_, end, tag_);
}

void HostListeners::Interrupt(ListenerRunId id) {
  Running* run = running_.Find(id);
  if (run == nullptr || !run->when_interrupted.has_value()) return;
  if (run->end) engine_.Cancel(run->end);
  run->result = *run->when_interrupted;
  run->when_interrupted.reset();  // It ends once.
  EndAt(engine_.now(), id);
}

void HostListeners::Abandon(ListenerRunId id) {
  Running* run = running_.Find(id);
  if (run == nullptr) return;
  if (run->end) engine_.Cancel(run->end);
  running_.Remove(id);
}

}  // namespace groupsim
