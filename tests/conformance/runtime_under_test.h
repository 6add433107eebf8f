// What the suite of promises asks of a runtime to be able to test it.
#ifndef GROUPSIM_TESTS_CONFORMANCE_RUNTIME_UNDER_TEST_H_
#define GROUPSIM_TESTS_CONFORMANCE_RUNTIME_UNDER_TEST_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/process.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"

namespace groupsim::conformance {

// How a listener call goes.
struct ListenerPlan {
  Duration service_time;
  bool hangs = false;
  ListenerResult result;
  // What it answers if it is interrupted; none if it does not care.
  std::optional<ListenerResult> when_interrupted = {};
};

struct ProcessSpec {
  std::string name;
  std::vector<std::string> addresses;
  std::function<std::unique_ptr<Process>(Env&)> factory;
  // Null stands for one that returns at once.
  std::function<ListenerPlan(const ListenerCall&)> listener;
};

// A lane, or what stands in for one.
class LaneUnderTest {
 public:
  virtual ~LaneUnderTest() = default;
  virtual void Post(absl::AnyInvocable<void()> job) = 0;
  virtual void PostTask(absl::AnyInvocable<Task<void>()> job) = 0;
};

// A scope of tasks, or what stands in for one.
class ScopeUnderTest {
 public:
  virtual ~ScopeUnderTest() = default;
  virtual void Spawn(Task<void> task) = 0;
};

class RuntimeUnderTest {
 public:
  virtual ~RuntimeUnderTest() = default;

  virtual NameTable& names() = 0;

  // Processes, by name. Each command takes place in a turn of its own, soon.
  virtual void AddProcess(ProcessSpec spec) = 0;
  virtual void Start(const std::string& name) = 0;
  virtual void Stop(const std::string& name) = 0;
  virtual void Crash(const std::string& name) = 0;
  virtual void Vanish(const std::string& name) = 0;

  // Runs for that long, by the runtime's time.
  virtual void RunFor(Duration duration) = 0;
  virtual Instant Now() = 0;
  // By how much things may be later than they should.
  virtual Duration slack() const = 0;
  // All facts so far.
  virtual std::vector<Fact> Facts() = 0;

  // ---- Code that all runtimes share, so that it can be broken as well ----

  virtual std::unique_ptr<LaneUnderTest> NewLane(Env& env, int workers);
  virtual std::unique_ptr<ScopeUnderTest> NewScope(Env& env);
  virtual void CallAsync(Env& env, Remoting& remoting, Name address,
                         Request request, Duration timeout, ReplyCallback done);
  virtual Task<CallResult> Call(Env& env, Remoting& remoting, Name address,
                                Request request, Duration timeout);
};

using RuntimeFactory = std::function<std::unique_ptr<RuntimeUnderTest>()>;

// A runtime by the name that tests show.
struct NamedRuntime {
  std::string name;
  RuntimeFactory make;
};
// The simulator; the loop on the real clock; the loop on a clock that jumps.
NamedRuntime SimulatedRuntime();
NamedRuntime RealRuntime();
NamedRuntime JumpingRuntime();

}  // namespace groupsim::conformance

#endif  // GROUPSIM_TESTS_CONFORMANCE_RUNTIME_UNDER_TEST_H_
