// Processes written inside a test.
#ifndef GROUPSIM_TESTS_SUPPORT_LAMBDA_PROCESS_H_
#define GROUPSIM_TESTS_SUPPORT_LAMBDA_PROCESS_H_

#include <functional>
#include <memory>
#include <utility>

#include "model/runtime/env.h"
#include "model/runtime/process.h"
#include "model/runtime/task.h"

namespace groupsim {

// A process whose start and shutdown are functions. By default it is ready at
// once and stops at once. Tasks can be spawned in its scope.
class LambdaProcess final : public Process {
 public:
  using Step = std::function<void(LambdaProcess&)>;

  LambdaProcess(Env& env, Step start, Step shutdown = nullptr)
      : env_(env),
        start_(std::move(start)),
        shutdown_(std::move(shutdown)),
        scope_(env.ready()) {}

  void Start() override {
    if (start_) {
      start_(*this);
    } else {
      env_.lifecycle().OnReady();
    }
  }
  void Shutdown() override {
    if (shutdown_) {
      shutdown_(*this);
    } else {
      env_.lifecycle().OnStopped();
    }
  }

  Env& env() { return env_; }
  TaskScope& scope() { return scope_; }

  // Whatever shall live with the process; dies after its tasks.
  std::shared_ptr<void> belongings;

 private:
  Env& env_;
  const Step start_;
  const Step shutdown_;
  TaskScope scope_;
};

// A factory of such processes.
inline std::function<std::unique_ptr<Process>(Env&)> MakeLambdaProcess(
    LambdaProcess::Step start = nullptr,
    LambdaProcess::Step shutdown = nullptr) {
  return [start, shutdown](Env& env) {
    return std::make_unique<LambdaProcess>(env, start, shutdown);
  };
}

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SUPPORT_LAMBDA_PROCESS_H_
