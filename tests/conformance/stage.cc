#include "tests/conformance/stage.h"

#include "model/base/check.h"

namespace groupsim::conformance {

Env& Stage::Begin(const std::string& name, Role role) {
  ProcessSpec spec;
  spec.name = name;
  spec.addresses = std::move(role.addresses);
  spec.listener = std::move(role.listener);
  spec.factory = [this, name, on_shutdown = std::move(role.on_shutdown)](
                     Env& env) -> std::unique_ptr<Process> {
    auto process = std::make_unique<StageProcess>(env, on_shutdown);
    processes_[name] = process.get();
    return process;
  };
  runtime_.AddProcess(std::move(spec));
  return BeginAgain(name);
}

Env& Stage::BeginAgain(const std::string& name) {
  processes_[name] = nullptr;
  runtime_.Start(name);
  const bool started =
      Await([this, name] { return processes_[name] != nullptr; });
  CHECK(started) << "process " << name << " did not start";
  return processes_[name]->env();
}

bool Stage::Await(const std::function<bool()>& condition, Duration limit) {
  const Instant end = runtime_.Now() + limit;
  while (!condition()) {
    if (runtime_.Now() >= end) return false;
    runtime_.RunFor(500us);
  }
  return true;
}

std::vector<Promise> AllPromises() {
  std::vector<Promise> all;
  for (const auto& part : {TimePromises(), TaskPromises(), TransportPromises(),
                           RemotingPromises(), ProcessPromises()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace groupsim::conformance
