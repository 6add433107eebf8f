// A runtime of processes on one loop, small enough to read in one go.
//
//   LoopRuntime runtime(LoopTime::kVirtual);
//   LoopHost& broker = runtime.AddHost("b", {"10.0.0.1:10911"});
//   Remoting remoting(broker.env(), RemotingSettings(), &handler, nullptr);
//   runtime.RunFor(5s);
//
// It is nobody's product: it keeps the promises of the seams in another way
// than the simulator does, so that the model is not written against one.
#ifndef GROUPSIM_TESTS_SUPPORT_LOOP_RUNTIME_LOOP_HOST_H_
#define GROUPSIM_TESTS_SUPPORT_LOOP_RUNTIME_LOOP_HOST_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/process.h"
#include "tests/support/loop_runtime/loop.h"
#include "tests/support/loop_runtime/loop_network.h"

namespace groupsim {

class LoopRuntime;

// How a listener call goes.
struct LoopListenerPlan {
  Duration service_time;
  bool hangs = false;
  ListenerResult result;
  // What it answers if it is interrupted; none if it does not care.
  std::optional<ListenerResult> when_interrupted = {};
};

using ProcessFactory = std::function<std::unique_ptr<Process>(Env&)>;
using LoopListener = std::function<LoopListenerPlan(const ListenerCall&)>;

class LoopHost final : private Clock,
                       private TimerQueue,
                       private RandomSource,
                       private ListenerExecutor,
                       private Lifecycle {
 public:
  LoopHost(LoopRuntime& runtime, Name name, LoopTransport& transport);
  ~LoopHost();

  Env& env() { return env_; }
  LoopTransport& transport() { return transport_; }
  void set_listener(LoopListener listener) { listener_ = std::move(listener); }

  // Starts a process. Whoever wants none may use `env` directly.
  void Start(const ProcessFactory& factory);
  // Asks the process to shut down.
  void Stop();
  // The process is destroyed; its connections close.
  void Crash();
  // The process is destroyed and the host dark until the next start.
  void Vanish();
  bool running() const { return process_ != nullptr; }
  // The process said that it is ready.
  bool ready() const { return ready_; }

 private:
  Instant Now() const override;
  int64_t WallMillis() const override;
  TimerId Arm(Instant when, TimerTarget* target) override;
  void Disarm(TimerId id) override;
  std::unique_ptr<RandomStream> Stream(absl::string_view purpose) override;
  ListenerRunId Run(const ListenerCall& call, ListenerDone* done) override;
  void Interrupt(ListenerRunId id) override;
  void Abandon(ListenerRunId id) override;
  void OnReady() override { ready_ = true; }
  void OnStartFailed() override { Teardown(); }
  void OnStopped() override { Teardown(); }
  void Teardown();

  struct ListenerRunning {
    ListenerDone* done = nullptr;
    LoopListenerPlan plan;
    uint64_t end = 0;  // Its event; 0 if it hangs.
  };
  void EndListenerCallAt(Instant when, ListenerRunId id,
                         const ListenerResult& result);

  LoopRuntime& runtime_;
  const Name name_;
  LoopTransport& transport_;
  LoopListener listener_;
  // Listener calls that have not ended.
  std::map<ListenerRunId, ListenerRunning> listener_calls_;
  ListenerRunId last_listener_call_ = 0;
  Env env_;
  bool ready_ = false;
  std::unique_ptr<Process> process_;
};

class LoopRuntime final : private FactSink {
 public:
  explicit LoopRuntime(LoopTime time, Duration latency = 200us);

  // Names one, or none, of `addresses` to listen at.
  LoopHost& AddHost(absl::string_view name,
                    const std::vector<std::string>& addresses = {});

  void RunFor(Duration duration) { loop_.RunFor(duration); }

  Loop& loop() { return loop_; }
  NameTable& names() { return names_; }
  Name Intern(absl::string_view text) { return names_.Intern(text); }
  // All facts so far.
  const std::vector<Fact>& facts() const { return facts_; }

 private:
  friend class LoopHost;
  void Emit(const Fact& fact) override;

  Loop loop_;
  NameTable names_;
  LoopNetwork network_;
  std::vector<Fact> facts_;
  std::deque<LoopHost> hosts_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SUPPORT_LOOP_RUNTIME_LOOP_HOST_H_
