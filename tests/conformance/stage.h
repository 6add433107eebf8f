// What the tests of promises share: processes, probes, and a list of what was
// not as promised.
#ifndef GROUPSIM_TESTS_CONFORMANCE_STAGE_H_
#define GROUPSIM_TESTS_CONFORMANCE_STAGE_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "model/runtime/env.h"
#include "model/runtime/process.h"
#include "model/runtime/timer.h"
#include "model/runtime/transport.h"
#include "tests/conformance/runtime_under_test.h"

namespace groupsim::conformance {

// Marks what lives as long as its process: a broken runtime may call it at any
// time, while calling anything else too late would be undefined.
class Probe {
 public:
  virtual ~Probe() = default;
};

// Counts and times how often a timer fired.
class TimerProbe final : public TimerTarget, public Probe {
 public:
  explicit TimerProbe(Env& env) : env_(env) {}
  void OnTimer() override {
    fired.push_back(env_.Now());
    if (then) then();
  }

  std::vector<Instant> fired;
  std::function<void()> then;  // Called each time, if set.

 private:
  Env& env_;
};

// Owns a process's things and destroys them, the newest first, with it.
class StageProcess final : public Process {
 public:
  StageProcess(Env& env, std::function<void(Env&)> on_shutdown)
      : env_(env), on_shutdown_(std::move(on_shutdown)) {}
  ~StageProcess() override {
    while (!belongings_.empty()) belongings_.pop_back();
  }

  void Start() override { env_.lifecycle().OnReady(); }
  void Shutdown() override {
    if (on_shutdown_) {
      on_shutdown_(env_);
    } else {
      env_.lifecycle().OnStopped();
    }
  }

  Env& env() { return env_; }
  void Own(std::shared_ptr<void> thing) {
    belongings_.push_back(std::move(thing));
  }

 private:
  Env& env_;
  const std::function<void(Env&)> on_shutdown_;
  std::vector<std::shared_ptr<void>> belongings_;
};

// What to say about a process besides its name.
struct ProcessRoleOnStage {
  std::vector<std::string> addresses = {};
  std::function<ListenerPlan(const ListenerCall&)> listener = nullptr;
  std::function<void(Env&)> on_shutdown = nullptr;
};

class Stage {
 public:
  using Role = ProcessRoleOnStage;

  explicit Stage(RuntimeUnderTest& runtime) : runtime_(runtime) {}

  RuntimeUnderTest& runtime() { return runtime_; }
  Name Intern(absl::string_view text) { return runtime_.names().Intern(text); }

  // Adds a process and starts it. The Env is good until the process ends.
  Env& Begin(const std::string& name, Role role = Role());
  // Starts it again after its end.
  Env& BeginAgain(const std::string& name);

  // Makes something that dies with the process.
  template <class T, class... Args>
  T& Make(const std::string& process, Args&&... args) {
    auto thing = std::make_shared<T>(std::forward<Args>(args)...);
    processes_.at(process)->Own(thing);
    return *thing;
  }

  void Run(Duration duration) { runtime_.RunFor(duration); }
  // Runs until `condition` holds, or `limit` is over; says whether it holds.
  bool Await(const std::function<bool()>& condition, Duration limit = 3s);

  void Expect(bool holds, absl::string_view promise) {
    if (!holds) violations_.emplace_back(promise);
  }
  // What was expected and did not hold.
  const std::vector<std::string>& violations() const { return violations_; }

 private:
  RuntimeUnderTest& runtime_;
  std::map<std::string, StageProcess*> processes_;
  std::vector<std::string> violations_;
};

// One promise of the seams, and its test.
struct Promise {
  std::string name;
  void (*check)(Stage&);
};
std::vector<Promise> AllPromises();

// By room; concatenated by AllPromises.
std::vector<Promise> TimePromises();
std::vector<Promise> TaskPromises();
std::vector<Promise> TransportPromises();
std::vector<Promise> RemotingPromises();
std::vector<Promise> ProcessPromises();

}  // namespace groupsim::conformance

#endif  // GROUPSIM_TESTS_CONFORMANCE_STAGE_H_
