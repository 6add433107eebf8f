// The small runtime of tests/support, on either clock.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "tests/conformance/runtime_under_test.h"
#include "tests/support/loop_runtime/loop_host.h"

namespace groupsim::conformance {
namespace {

class LoopUnderTest final : public RuntimeUnderTest {
 public:
  explicit LoopUnderTest(LoopTime time) : time_(time), runtime_(time) {}

  NameTable& names() override { return runtime_.names(); }

  void AddProcess(ProcessSpec spec) override {
    LoopHost& host = runtime_.AddHost(spec.name, spec.addresses);
    if (spec.listener) {
      host.set_listener([listener = spec.listener](const ListenerCall& call) {
        const ListenerPlan plan = listener(call);
        return LoopListenerPlan{plan.service_time, plan.hangs, plan.result,
                                plan.when_interrupted};
      });
    }
    processes_[spec.name] = {&host, std::move(spec.factory)};
  }

  void Start(const std::string& name) override {
    Soon([this, name] {
      const auto& [host, factory] = processes_.at(name);
      host->Start(factory);
    });
  }
  void Stop(const std::string& name) override {
    Soon([this, name] { processes_.at(name).first->Stop(); });
  }
  void Crash(const std::string& name) override {
    Soon([this, name] { processes_.at(name).first->Crash(); });
  }
  void Vanish(const std::string& name) override {
    Soon([this, name] { processes_.at(name).first->Vanish(); });
  }

  void RunFor(Duration duration) override { runtime_.RunFor(duration); }
  Instant Now() override { return runtime_.loop().Now(); }
  Duration slack() const override {
    return time_ == LoopTime::kVirtual ? Duration(2ms) : Duration(1s);
  }
  std::vector<Fact> Facts() override { return runtime_.facts(); }

 private:
  void Soon(absl::AnyInvocable<void()> command) {
    runtime_.loop().At(Now(), std::move(command));
  }

  const LoopTime time_;
  LoopRuntime runtime_;
  std::map<std::string, std::pair<LoopHost*, ProcessFactory>> processes_;
};

}  // namespace

NamedRuntime RealRuntime() {
  return {"Real",
          [] { return std::make_unique<LoopUnderTest>(LoopTime::kReal); }};
}

NamedRuntime JumpingRuntime() {
  return {"Jumping",
          [] { return std::make_unique<LoopUnderTest>(LoopTime::kVirtual); }};
}

}  // namespace groupsim::conformance
