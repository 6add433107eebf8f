// Runtimes that break one promise each.
#ifndef GROUPSIM_TESTS_CONFORMANCE_FAULTY_H_
#define GROUPSIM_TESTS_CONFORMANCE_FAULTY_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/runtime/env.h"
#include "model/runtime/timer.h"
#include "tests/conformance/runtime_under_test.h"
#include "tests/conformance/stage.h"

namespace groupsim::conformance {

// The seams of one process, handed through to those of a true runtime. A fault
// overrides what it breaks.
class Faulty : public Clock,
               public TimerQueue,
               public Transport,
               public RandomSource,
               public ListenerExecutor,
               public FactSink,
               public Lifecycle {
 public:
  explicit Faulty(Env& inner);
  ~Faulty() override;
  Faulty(const Faulty&) = delete;
  Faulty& operator=(const Faulty&) = delete;

  // What the process is given.
  virtual Env& env() { return env_; }
  Env& inner() const { return inner_; }
  // The process; null once it is destroyed.
  std::unique_ptr<Process>& process() { return process_; }

  Instant Now() const override { return inner_.Now(); }
  int64_t WallMillis() const override { return inner_.WallMillis(); }

  TimerId Arm(Instant when, TimerTarget* target) override {
    return inner_.timers().Arm(when, target);
  }
  void Disarm(TimerId id) override { inner_.timers().Disarm(id); }

  void Listen(Name address, ConnectionListener* listener) override;
  void StopListening(Name address) override {
    inner_.transport().StopListening(address);
  }
  ConnectionId Open(Name address, ConnectionListener* listener) override;
  void Send(ConnectionId id, Frame frame) override {
    inner_.transport().Send(id, std::move(frame));
  }
  void Close(ConnectionId id) override { inner_.transport().Close(id); }

  std::unique_ptr<RandomStream> Stream(absl::string_view purpose) override {
    return inner_.Random(purpose);
  }

  ListenerRunId Run(const ListenerCall& call, ListenerDone* done) override {
    return inner_.listeners().Run(call, done);
  }
  void Interrupt(ListenerRunId id) override {
    inner_.listeners().Interrupt(id);
  }
  void Abandon(ListenerRunId id) override { inner_.listeners().Abandon(id); }

  void Emit(const Fact& fact) override { inner_.Emit(fact); }

  void OnReady() override { inner_.lifecycle().OnReady(); }
  void OnStartFailed() override { inner_.lifecycle().OnStartFailed(); }
  void OnStopped() override { inner_.lifecycle().OnStopped(); }

 protected:
  // What a process's listener is told, on the way.
  virtual void TellOpened(ConnectionListener& to, ConnectionId id) {
    to.OnOpened(id);
  }
  virtual void TellFrame(ConnectionListener& to, ConnectionId id, Frame frame) {
    to.OnFrame(id, std::move(frame));
  }
  virtual void TellClosed(ConnectionListener& to, ConnectionId id,
                          CloseReason reason) {
    to.OnClosed(id, reason);
  }

  // Runs `action` after a while, in a turn of its own, if this still lives.
  void After(Duration delay, absl::AnyInvocable<void()> action);
  // Whether it lives as long as its process.
  template <class T>
  static bool Survives(T* target) {
    return dynamic_cast<Probe*>(target) != nullptr;
  }

 private:
  class Shim;
  Shim* ShimOf(ConnectionListener* listener);

  Env& inner_;
  Env env_;
  std::vector<std::unique_ptr<Timer>> timers_;
  std::map<ConnectionListener*, std::unique_ptr<Shim>> shims_;
  std::unique_ptr<Process> process_;
};

// What is broken, and which promise that is.
struct Fault {
  std::string name;
  std::string breaks;  // Name of the promise.

  // The seams of each process; null for true ones. `crashed` tells whether the
  // test let a process crash.
  std::function<std::unique_ptr<Faulty>(Env&, const bool& crashed)> seams =
      nullptr;

  // Commands.
  bool vanishes_instead_of_crashing = false;
  bool crashes_instead_of_vanishing = false;
  Duration crash_takes = {};
  Duration facts_are_off_by = {};

  // Shared code; null for the true one.
  std::function<std::unique_ptr<LaneUnderTest>(Env&, int workers)> lane =
      nullptr;
  // Scopes may leave tasks in the graveyard, which outlives them.
  using Graveyard = std::vector<std::unique_ptr<TaskScope>>;
  std::function<std::unique_ptr<ScopeUnderTest>(Env&, Graveyard&)> scope =
      nullptr;
  // Tells `done` of how an asynchronous call ended, at once or `later`.
  using Done = std::function<void(CallResult)>;
  using Later = std::function<void(Duration, absl::AnyInvocable<void()>)>;
  std::function<void(CallResult, const Done& done, const Later& later)> tell =
      nullptr;
  // Whether a call to this address fails inside of itself.
  std::function<bool(Name)> fails_inside = nullptr;
  // By how much synchronous time-outs are late.
  Duration timeout_is_late_by = {};
};
std::vector<Fault> AllFaults();
std::vector<Fault> TimeFaults();
std::vector<Fault> TaskFaults();
std::vector<Fault> TransportFaults();
std::vector<Fault> RemotingFaults();
std::vector<Fault> ProcessFaults();

// `runtime` with that fault.
std::unique_ptr<RuntimeUnderTest> Break(
    std::unique_ptr<RuntimeUnderTest> runtime, Fault fault);

// A fault of the seams: its class is made for each process.
template <class T>
std::function<std::unique_ptr<Faulty>(Env&, const bool&)> Seams() {
  return [](Env& inner, const bool&) { return std::make_unique<T>(inner); };
}

}  // namespace groupsim::conformance

#endif  // GROUPSIM_TESTS_CONFORMANCE_FAULTY_H_
