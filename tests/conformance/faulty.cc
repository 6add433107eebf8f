#include "tests/conformance/faulty.h"

#include <utility>

#include "model/runtime/waiting.h"

namespace groupsim::conformance {

// Stands between the true transport and a listener.
class Faulty::Shim final : public ConnectionListener {
 public:
  Shim(Faulty& faulty, ConnectionListener& to) : faulty_(faulty), to_(to) {}
  void OnOpened(ConnectionId id) override { faulty_.TellOpened(to_, id); }
  void OnAccepted(ConnectionId id, Name peer) override {
    to_.OnAccepted(id, peer);
  }
  void OnFrame(ConnectionId id, Frame frame) override {
    faulty_.TellFrame(to_, id, std::move(frame));
  }
  void OnClosed(ConnectionId id, CloseReason reason) override {
    faulty_.TellClosed(to_, id, reason);
  }

 private:
  Faulty& faulty_;
  ConnectionListener& to_;
};

Faulty::Faulty(Env& inner)
    : inner_(inner),
      env_({.process = inner.process(),
            .cpus = inner.cpus(),
            .clock = this,
            .timers = this,
            .ready = &inner.ready(),
            .transport = this,
            .random = this,
            .listeners = this,
            .facts = this,
            .names = &inner.names(),
            .lifecycle = this}) {}

Faulty::~Faulty() = default;

void Faulty::Listen(Name address, ConnectionListener* listener) {
  inner_.transport().Listen(address, ShimOf(listener));
}

ConnectionId Faulty::Open(Name address, ConnectionListener* listener) {
  return inner_.transport().Open(address, ShimOf(listener));
}

Faulty::Shim* Faulty::ShimOf(ConnectionListener* listener) {
  std::unique_ptr<Shim>& shim = shims_[listener];
  if (shim == nullptr) shim = std::make_unique<Shim>(*this, *listener);
  return shim.get();
}

void Faulty::After(Duration delay, absl::AnyInvocable<void()> action) {
  timers_.push_back(std::make_unique<Timer>(inner_, std::move(action)));
  timers_.back()->Arm(delay);
}

namespace {

// A process with the seams that it was given.
class FaultyProcess final : public Process {
 public:
  FaultyProcess(std::unique_ptr<Faulty> seams,
                const std::function<std::unique_ptr<Process>(Env&)>& factory)
      : seams_(std::move(seams)) {
    seams_->process() = factory(seams_->env());
  }
  ~FaultyProcess() override { seams_->process() = nullptr; }
  void Start() override { seams_->process()->Start(); }
  void Shutdown() override { seams_->process()->Shutdown(); }

 private:
  const std::unique_ptr<Faulty> seams_;
};

class BrokenRuntime final : public RuntimeUnderTest {
 public:
  BrokenRuntime(std::unique_ptr<RuntimeUnderTest> inner, Fault fault)
      : fault_(std::move(fault)), inner_(std::move(inner)) {}

  NameTable& names() override { return inner_->names(); }

  void AddProcess(ProcessSpec spec) override {
    if (fault_.seams) {
      spec.factory = [this, factory = std::move(spec.factory)](Env& env) {
        return std::make_unique<FaultyProcess>(fault_.seams(env, crashed_),
                                               factory);
      };
    }
    inner_->AddProcess(std::move(spec));
  }

  void Start(const std::string& name) override { inner_->Start(name); }
  void Stop(const std::string& name) override { inner_->Stop(name); }
  void Crash(const std::string& name) override {
    crashed_ = true;
    if (fault_.vanishes_instead_of_crashing) {
      inner_->Vanish(name);
    } else if (fault_.crash_takes > Duration::Zero()) {
      slow_crash_ = name;
    } else {
      inner_->Crash(name);
    }
  }
  void Vanish(const std::string& name) override {
    if (fault_.crashes_instead_of_vanishing) {
      inner_->Crash(name);
    } else {
      inner_->Vanish(name);
    }
  }

  void RunFor(Duration duration) override {
    inner_->RunFor(duration);
    if (slow_crash_.empty()) return;
    fault_.crash_takes -= duration;
    if (fault_.crash_takes > Duration::Zero()) return;
    inner_->Crash(std::exchange(slow_crash_, ""));
  }
  Instant Now() override { return inner_->Now(); }
  Duration slack() const override { return inner_->slack(); }
  std::vector<Fact> Facts() override {
    std::vector<Fact> facts = inner_->Facts();
    for (Fact& fact : facts) fact.time += fault_.facts_are_off_by;
    return facts;
  }

  std::unique_ptr<LaneUnderTest> NewLane(Env& env, int workers) override {
    if (fault_.lane) return fault_.lane(env, workers);
    return RuntimeUnderTest::NewLane(env, workers);
  }
  std::unique_ptr<ScopeUnderTest> NewScope(Env& env) override {
    if (fault_.scope) return fault_.scope(env, graveyard_);
    return RuntimeUnderTest::NewScope(env);
  }

  void CallAsync(Env& env, Remoting& remoting, Name address, Request request,
                 Duration timeout, ReplyCallback done) override {
    if (fault_.fails_inside && fault_.fails_inside(address)) {
      CallResult result;
      result.error = CallError::kConnectFailed;
      done(std::move(result));
      return;
    }
    if (fault_.tell) {
      auto shared = std::make_shared<ReplyCallback>(std::move(done));
      done = [this, &env, shared](CallResult result) {
        fault_.tell(
            std::move(result),
            [shared](CallResult told) { (*shared)(std::move(told)); },
            [this, &env](Duration delay, absl::AnyInvocable<void()> action) {
              timers_.push_back(
                  std::make_unique<Timer>(env, std::move(action)));
              timers_.back()->Arm(delay);
            });
      };
    }
    RuntimeUnderTest::CallAsync(env, remoting, address, std::move(request),
                                timeout, std::move(done));
  }

  Task<CallResult> Call(Env& env, Remoting& remoting, Name address,
                        Request request, Duration timeout) override {
    CallResult result =
        co_await remoting.Call(address, std::move(request), timeout);
    if (result.error == CallError::kTimeout &&
        fault_.timeout_is_late_by > Duration::Zero())
      co_await Sleep(env, fault_.timeout_is_late_by);
    co_return result;
  }

 private:
  Fault fault_;
  bool crashed_ = false;
  std::string slow_crash_;
  std::unique_ptr<RuntimeUnderTest> inner_;
  // These die before what they refer to.
  Fault::Graveyard graveyard_;
  std::vector<std::unique_ptr<Timer>> timers_;
};

}  // namespace

std::unique_ptr<RuntimeUnderTest> Break(
    std::unique_ptr<RuntimeUnderTest> runtime, Fault fault) {
  return std::make_unique<BrokenRuntime>(std::move(runtime), std::move(fault));
}

std::vector<Fault> AllFaults() {
  std::vector<Fault> all;
  for (const auto& part : {TimeFaults(), TaskFaults(), TransportFaults(),
                           RemotingFaults(), ProcessFaults()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace groupsim::conformance
