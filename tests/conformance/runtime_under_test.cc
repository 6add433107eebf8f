#include "tests/conformance/runtime_under_test.h"

namespace groupsim::conformance {
namespace {

class RealLane final : public LaneUnderTest {
 public:
  RealLane(Env& env, int workers) : lane_(env, workers) {}
  void Post(absl::AnyInvocable<void()> job) override {
    lane_.Post(std::move(job));
  }
  void PostTask(absl::AnyInvocable<Task<void>()> job) override {
    lane_.PostTask(std::move(job));
  }

 private:
  Lane lane_;
};

class RealScope final : public ScopeUnderTest {
 public:
  explicit RealScope(Env& env) : scope_(env.ready()) {}
  void Spawn(Task<void> task) override { scope_.Spawn(std::move(task)); }

 private:
  TaskScope scope_;
};

}  // namespace

std::unique_ptr<LaneUnderTest> RuntimeUnderTest::NewLane(Env& env,
                                                         int workers) {
  return std::make_unique<RealLane>(env, workers);
}

std::unique_ptr<ScopeUnderTest> RuntimeUnderTest::NewScope(Env& env) {
  return std::make_unique<RealScope>(env);
}

void RuntimeUnderTest::CallAsync(Env&, Remoting& remoting, Name address,
                                 Request request, Duration timeout,
                                 ReplyCallback done) {
  remoting.CallAsync(address, std::move(request), timeout, std::move(done));
}

Task<CallResult> RuntimeUnderTest::Call(Env&, Remoting& remoting, Name address,
                                        Request request, Duration timeout) {
  CallResult result =
      co_await remoting.Call(address, std::move(request), timeout);
  co_return result;
}

}  // namespace groupsim::conformance
