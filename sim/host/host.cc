#include "sim/host/host.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/lane_gate.h"
#include "model/runtime/process.h"
#include "sim/engine/engine.h"
#include "sim/host/host_listeners.h"
#include "sim/host/host_random.h"
#include "sim/host/host_timers.h"
#include "sim/network/network.h"

namespace groupsim {

absl::string_view NameOf(HostState state) {
  switch (state) {
    case HostState::kIdle:
      return "idle";
    case HostState::kStarting:
      return "starting";
    case HostState::kRunning:
      return "running";
    case HostState::kStopping:
      return "stopping";
    case HostState::kStopped:
      return "stopped";
    case HostState::kFailed:
      return "failed to start";
    case HostState::kCrashed:
      return "crashed";
    case HostState::kVanished:
      return "vanished";
  }
  CHECK(false);
  return "";
}

namespace {

// Calls and forgets them; they may ask for more, which is for the next time.
void CallAll(std::vector<absl::AnyInvocable<void()>>& callbacks) {
  std::vector<absl::AnyInvocable<void()>> due;
  due.swap(callbacks);
  for (absl::AnyInvocable<void()>& callback : due) callback();
}

}  // namespace

// A process and its own side of the seams. Members die in reverse order.
struct Host::Incarnation {
  explicit Incarnation(Host& host)
      : timers(*host.ground_.engine, host.ground_.timer, host.name().id(),
               &host.transport_.gate()),
        random(host.ground_.seed, host.name(), host.count_) {
    const HostSpec& spec = host.spec_;
    if (spec.listeners != nullptr) {
      listeners.emplace(*host.ground_.engine, host.ground_.listener_end,
                        host.name().id(), *spec.listeners,
                        random.Stream("listener"), &host.transport_.gate());
    }
    Env::Parts parts;
    parts.process = spec.name;
    parts.cpus = spec.cpus;
    parts.clock = &host.clock_;
    parts.timers = &timers;
    parts.ready = host.ground_.ready;
    parts.transport = &host.transport_;
    parts.random = &random;
    parts.listeners = listeners.has_value() ? &*listeners : nullptr;
    parts.facts = host.ground_.facts;
    parts.names = host.ground_.names;
    parts.lifecycle = &host;
    env.emplace(parts);
  }

  HostTimers timers;
  HostRandom random;
  std::optional<HostListeners> listeners;
  std::optional<Env> env;
  std::unique_ptr<Process> process;
};

EventType Host::RegisterCommand(Engine& engine) {
  return engine.Register(
      "host.command",
      [](void*, void* payload) {
        const auto& event = *static_cast<const CommandEvent*>(payload);
        event.host->Obey(event);
      },
      nullptr);
}

Host::Host(const HostGround& ground, HostSpec spec)
    : ground_(ground),
      spec_(std::move(spec)),
      clock_(*ground.engine),
      transport_(
          ground.network->AddHost({spec_.name, spec_.room, spec_.addresses})) {
  CHECK(!spec_.name.empty());
  CHECK(spec_.factory != nullptr) << spec_.name;
  CHECK_GE(spec_.cpus, 1) << spec_.name;
}

Host::~Host() { transport_.GoDark(); }

void Host::Start() { Give(Command::kStart); }
void Host::Stop() { Give(Command::kStop); }
void Host::Crash() { Give(Command::kCrash); }
void Host::Vanish() { Give(Command::kVanish); }

void Host::WhenStopped(absl::AnyInvocable<void()> done) {
  if (alive()) {
    waiting_for_end_.push_back(std::move(done));
    return;
  }
  waiting_for_report_.push_back(std::move(done));
  Give(Command::kReport);
}

bool Host::Pause() {
  if (!alive() || paused()) return false;
  transport_.gate().Close();
  Emit(FactKind::PROCESS_PAUSED);
  return true;
}

bool Host::Resume() {
  if (!paused()) return false;
  Emit(FactKind::PROCESS_RESUMED,
       static_cast<int64_t>(transport_.gate().held()));
  transport_.gate().Open();
  return true;
}

int64_t Host::PauseLane(absl::string_view lane) {
  if (!alive()) return 0;
  LaneGates& gates = incarnation_->env->lane_gates();
  // Those that were to go on do not.
  const bool withdrawn = WithdrawResumption(lane);
  const int64_t stay = withdrawn ? gates.CountClosed(lane) : 0;
  const int64_t lanes = gates.Close(lane);
  if (lanes > 0) EmitLane(FactKind::LANE_PAUSED, lane);
  return stay + lanes;
}

int64_t Host::ResumeLane(absl::string_view lane) {
  if (!alive()) return 0;
  const int64_t lanes = incarnation_->env->lane_gates().CountClosed(lane);
  const bool asked =
      absl::c_find(lanes_to_resume_, lane) != lanes_to_resume_.end();
  if (lanes == 0 || asked) return 0;
  lanes_to_resume_.emplace_back(lane);
  WhenAwake([this, lane = std::string(lane)] {
    if (!WithdrawResumption(lane)) return;
    if (incarnation_->env->lane_gates().Open(lane) > 0) {
      EmitLane(FactKind::LANE_RESUMED, lane);
    }
  });
  return lanes;
}

bool Host::WithdrawResumption(absl::string_view lane) {
  const auto it = absl::c_find(lanes_to_resume_, lane);
  if (it == lanes_to_resume_.end()) return false;
  lanes_to_resume_.erase(it);
  return true;
}

void Host::WhenAwake(absl::AnyInvocable<void()> call) {
  if (!alive()) return;
  if (transport_.gate().closed()) {
    held_calls_.push_back(std::move(call));
    transport_.gate().Hold(*this, 0);
  } else {
    call();
  }
}

void Host::SetClockSkew(Duration ahead, int64_t parts_per_million) {
  const Duration before = clock_.Ahead();
  clock_.SetSkew(ahead, parts_per_million);
  Fact fact;
  fact.kind = FactKind::CLOCK_CHANGED;
  fact.host = name().id();
  fact.count = (ahead - before).nanos();
  fact.value = ahead.nanos();
  ground_.facts->Emit(fact);
}

void Host::JumpClock(Duration by) {
  SetClockSkew(clock_.Ahead() + by, clock_.parts_per_million());
}

void Host::OnReady() {
  if (state_ != HostState::kStarting) return;  // Asked to stop meanwhile.
  state_ = HostState::kRunning;
  Emit(FactKind::PROCESS_READY);
}

void Host::Give(Command command) {
  CommandEvent event;
  event.host = this;
  event.command = command;
  event.incarnation = count_;
  ground_.engine->At(
      ground_.engine->now(), ground_.command, event,
      uint64_t{name().id()} << 8 | static_cast<uint64_t>(command));
}

void Host::Obey(const CommandEvent& event) {
  CHECK(ground_.ready->empty()) << "a command inside of a turn";
  const bool own = event.incarnation == count_;
  switch (event.command) {
    case Command::kStart:
      if (!alive()) DoStart();
      return;
    case Command::kStop:
      if (!alive()) return;
      WhenAwake([this] {
        if (state_ != HostState::kStopping) DoStop();
      });
      return;
    case Command::kCrash:
      if (!alive()) return;
      Emit(FactKind::PROCESS_CRASHED);
      Destroy(HostState::kCrashed);
      return;
    case Command::kVanish:
      DoVanish();
      return;
    case Command::kFail:
      if (!alive() || !own) return;
      Destroy(HostState::kFailed);
      return;
    case Command::kFinish:
      if (!alive() || !own) return;
      Destroy(HostState::kStopped);
      return;
    case Command::kReport:
      CallAll(waiting_for_report_);
      return;
  }
}

void Host::DoStart() {
  transport_.ComeUp();
  ++count_;
  state_ = HostState::kStarting;
  Emit(FactKind::PROCESS_STARTED);
  incarnation_ = std::make_unique<Incarnation>(*this);
  incarnation_->process = spec_.factory(*incarnation_->env);
  CHECK(incarnation_->process != nullptr) << name();
  incarnation_->process->Start();
}

void Host::OnReleased(uint64_t /*id*/) {
  absl::AnyInvocable<void()> call = std::move(held_calls_.front());
  held_calls_.pop_front();
  call();
}

void Host::OnDropped(uint64_t /*id*/) { held_calls_.pop_front(); }

void Host::DoStop() {
  state_ = HostState::kStopping;
  Emit(FactKind::PROCESS_STOPPING);
  incarnation_->process->Shutdown();
}

void Host::DoVanish() {
  transport_.GoDark();
  if (!alive()) {
    state_ = HostState::kVanished;
    return;
  }
  Emit(FactKind::PROCESS_VANISHED);
  Destroy(HostState::kVanished);
}

void Host::Destroy(HostState state) {
  transport_.CloseAll();
  lanes_to_resume_.clear();
  incarnation_.reset();
  CHECK(ground_.ready->empty()) << name() << " left something to run";
  state_ = state;
  if (state == HostState::kStopped) Emit(FactKind::PROCESS_STOPPED);
  if (state == HostState::kFailed) Emit(FactKind::START_FAILED);
  CallAll(waiting_for_end_);
}

void Host::Emit(FactKind kind, int64_t count) {
  Fact fact;
  fact.kind = kind;
  fact.host = name().id();
  fact.count = count;
  fact.value = static_cast<int64_t>(spec_.role);
  if (kind == FactKind::START_FAILED) fact.group = NarrowId(spec_.group);
  ground_.facts->Emit(fact);
}

void Host::EmitLane(FactKind kind, absl::string_view lane) {
  Fact fact;
  fact.kind = kind;
  fact.host = name().id();
  fact.value = ground_.names->Intern(lane).id();
  ground_.facts->Emit(fact);
}

}  // namespace groupsim
