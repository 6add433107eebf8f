// The simulator.
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "sim/host/world.h"
#include "tests/conformance/runtime_under_test.h"

namespace groupsim::conformance {
namespace {

class Behaviour final : public ListenerBehaviour {
 public:
  explicit Behaviour(std::function<ListenerPlan(const ListenerCall&)> listener)
      : listener_(std::move(listener)) {}

  groupsim::ListenerPlan Plan(const ListenerCall& call,
                              RandomStream&) override {
    if (!listener_) return {};
    const ListenerPlan plan = listener_(call);
    groupsim::ListenerPlan result;
    result.service_time = plan.service_time;
    result.hangs = plan.hangs;
    result.result = plan.result;
    result.when_interrupted = plan.when_interrupted;
    return result;
  }

 private:
  const std::function<ListenerPlan(const ListenerCall&)> listener_;
};

class FactList final : public FactObserver {
 public:
  void OnFact(const Fact& fact) override { facts.push_back(fact); }
  std::vector<Fact> facts;
};

class SimUnderTest final : public RuntimeUnderTest {
 public:
  SimUnderTest() : world_(Options()) { world_.trace().ObserveAll(&facts_); }

  NameTable& names() override { return world_.names(); }

  void AddProcess(ProcessSpec spec) override {
    HostSpec host;
    host.name = world_.names().Intern(spec.name);
    for (const std::string& address : spec.addresses)
      host.addresses.push_back(world_.names().Intern(address));
    host.factory = std::move(spec.factory);
    host.listeners = &behaviours_.emplace_back(std::move(spec.listener));
    world_.AddHost(std::move(host));
  }

  void Start(const std::string& name) override { Find(name).Start(); }
  void Stop(const std::string& name) override { Find(name).Stop(); }
  void Crash(const std::string& name) override { Find(name).Crash(); }
  void Vanish(const std::string& name) override { Find(name).Vanish(); }

  void RunFor(Duration duration) override { world_.RunFor(duration); }
  Instant Now() override { return world_.now(); }
  Duration slack() const override { return 2ms; }
  std::vector<Fact> Facts() override { return facts_.facts; }

 private:
  static WorldOptions Options() {
    WorldOptions options;
    options.seed = 7;
    return options;
  }
  Host& Find(const std::string& name) {
    Host* host = world_.FindHost(world_.names().Intern(name));
    CHECK(host != nullptr) << name;
    return *host;
  }

  FactList facts_;
  std::deque<Behaviour> behaviours_;
  World world_;
};

}  // namespace

NamedRuntime SimulatedRuntime() {
  return {"Simulated", [] { return std::make_unique<SimUnderTest>(); }};
}

}  // namespace groupsim::conformance
