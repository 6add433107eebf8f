// A host and the process that runs on it, time after time.
#ifndef GROUPSIM_SIM_HOST_HOST_H_
#define GROUPSIM_SIM_HOST_HOST_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/process.h"
#include "model/runtime/ready_queue.h"
#include "sim/engine/engine.h"
#include "sim/host/host_clock.h"
#include "sim/host/listener_behaviour.h"
#include "sim/network/network.h"
#include "sim/network/pause_gate.h"

namespace groupsim {

// What runs where.
struct HostSpec {
  Name name;                    // Of the host and of its process, in facts.
  Name room;                    // Machine room; empty for the nameless one.
  int cpus = 4;                 // At least 1.
  std::vector<Name> addresses;  // That the process may listen at.
  ProcessRole role = ProcessRole::kConsumer;
  Name group;  // Of the fact START_FAILED; empty where there is none.
  // Makes the process, once per start; what must survive a crash is in what it
  // refers to.
  std::function<std::unique_ptr<Process>(Env&)> factory;
  // What listeners do; null where nothing consumes. Outlives the host.
  ListenerBehaviour* listeners = nullptr;
};

enum class HostState {
  kIdle,      // Nothing was started yet.
  kStarting,  // In its start sequence.
  kRunning,   // Its start sequence ended.
  kStopping,  // In its graceful shutdown.
  kStopped,   // Gone after a graceful shutdown,
  kFailed,    // after a start that gave up,
  kCrashed,   // after a crash,
  kVanished,  // with its host.
};
absl::string_view NameOf(HostState state);

// The parts of a world that hosts stand on.
struct HostGround {
  uint64_t seed = 0;
  Engine* engine = nullptr;
  FactSink* facts = nullptr;
  NameTable* names = nullptr;
  ReadyQueue* ready = nullptr;
  Network* network = nullptr;
  EventType timer = 0;
  EventType listener_end = 0;
  EventType command = 0;
};

// Starts, stops and ends a process. Each command is an event of its own, due
// now: what it does, and whether there is anything to do, is decided when the
// turn that gave it is over. So it can be given from anywhere, by the process
// itself as well.
//
// A process is destroyed in such an event only, with all that it is waiting
// for, and nothing of it runs again: first its connections are dead, then its
// tasks and services go, then whatever timers and listener calls they left.
class Host final : private Lifecycle, private PauseGate::Source {
 public:
  // The type of command events; one for all hosts of an engine.
  static EventType RegisterCommand(Engine& engine);

  // `ground` must outlive the host.
  Host(const HostGround& ground, HostSpec spec);
  // Destroys the process without a word to anybody.
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Makes a process and starts it; the host is up from then on. Nothing where
  // one is alive.
  void Start();

  // Asks the process to shut down gracefully, also while it starts. Nothing
  // where it was asked before or none is alive.
  void Stop();

  // Ends the process at once; its connections close. Nothing where none is
  // alive.
  void Crash();

  // Ends the process and the host; nobody is told. What is sent to the host
  // until the next start disappears.
  void Vanish();

  // Calls `done` when the process that lives now is gone, however it goes, in
  // the turn that destroyed it; in a turn at the same time where none is alive.
  void WhenStopped(absl::AnyInvocable<void()> done);

  // ---- Between turns, at once

  // Freezes the process, as a long garbage collection does: no task of it runs,
  // no timer fires, no listener call ends and nothing is read from its sockets,
  // which stay open. What is due meanwhile happens after Resume, in order, a
  // graceful shutdown included. Clocks go on. It can still be crashed. False
  // where none is alive, or it is frozen already.
  bool Pause();
  // False where no process is frozen.
  bool Resume();

  // Lets no job begin on the lanes (model/runtime/lane.h) with this name of the
  // process that lives now; what they have begun goes on. Returns how many
  // lanes that stops: 0 where none has the name, or they are stopped already.
  int64_t PauseLane(absl::string_view lane);
  // How many lanes go on; those of a frozen process once it does.
  int64_t ResumeLane(absl::string_view lane);

  // Calls `call` in the process that lives now: at once, or when it is no
  // longer frozen, in order with what is due then. Never if it dies before
  // that, or if none is alive.
  void WhenAwake(absl::AnyInvocable<void()> call);

  // From now on the wall clock is ahead of the true time by that much, or
  // behind it where negative, and gains `parts_per_million`, or loses. It stays
  // so however often the process is started.
  void SetClockSkew(Duration ahead, int64_t parts_per_million = 0);
  // The wall clock leaps by that much, forward or back, and goes on from there.
  void JumpClock(Duration by);
  // How far it is ahead at present.
  Duration clock_ahead() const { return clock_.Ahead(); }

  HostState state() const { return state_; }
  // Whether the process is frozen.
  bool paused() const { return alive() && transport_.gate().paused(); }
  // A process exists.
  bool alive() const { return incarnation_ != nullptr; }
  // How many processes were started here.
  int incarnation() const { return count_; }

  Name name() const { return spec_.name; }
  const HostSpec& spec() const { return spec_; }
  HostTransport& transport() { return transport_; }

 private:
  enum class Command : uint32_t {
    kStart,
    kStop,
    kCrash,
    kVanish,
    kFail,    // The process asks to be destroyed after a failed start,
    kFinish,  // or after its shutdown.
    kReport,  // To those who asked when it was gone already.
  };
  struct CommandEvent {
    Host* host;
    Command command;
    int32_t incarnation;  // Of kFail and kFinish.
  };
  struct Incarnation;

  // Lifecycle, called by the process.
  void OnReady() override;
  void OnStartFailed() override { Give(Command::kFail); }
  void OnStopped() override { Give(Command::kFinish); }

  void Give(Command command);
  void Obey(const CommandEvent& event);
  void DoStart();
  void DoStop();
  void DoVanish();
  void Destroy(HostState state);
  void Emit(FactKind kind, int64_t count = 0);
  void EmitLane(FactKind kind, absl::string_view lane);
  // Takes a lane off those to resume; false if it is not one of them.
  bool WithdrawResumption(absl::string_view lane);

  // PauseGate::Source, of calls that a frozen process could not take.
  void OnReleased(uint64_t id) override;
  void OnDropped(uint64_t id) override;

  const HostGround& ground_;
  const HostSpec spec_;
  HostClock clock_;
  HostTransport& transport_;
  HostState state_ = HostState::kIdle;
  int count_ = 0;
  std::unique_ptr<Incarnation> incarnation_;
  std::deque<absl::AnyInvocable<void()>> held_calls_;  // As the gate has them.
  // Lanes that go on when the process does.
  std::vector<std::string> lanes_to_resume_;
  std::vector<absl::AnyInvocable<void()>> waiting_for_end_;
  std::vector<absl::AnyInvocable<void()>> waiting_for_report_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_HOST_H_
