#include "model/client/rebalance_service.h"

#include "model/base/time.h"
#include "model/client/rebalance_pace.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"

namespace groupsim {

RebalanceService::RebalanceService(Env& env,
                                   const RebalancePace::Limits& limits)
    : env_(env),
      pace_(limits, env.WallMillis()),
      wake_(env),
      ended_(env),
      lane_(env.lane_gates(), env.ready(), "rebalance"),
      scope_(env.ready()) {}

void RebalanceService::Start() {
  running_ = true;
  scope_.Spawn(Run());
}

Task<void> RebalanceService::Run() {
  while (!stopped_) {
    co_await wake_.WaitFor(pace_.wait());
    while (lane_.closed()) co_await lane_.Pass();
    if (stopped_ || !pace_.IsDue(env_.WallMillis())) continue;
    bool balanced = true;
    if (consumer_ != nullptr) balanced = co_await consumer_->Rebalance();
    pace_.OnEnd(env_.WallMillis(), balanced);
  }
  running_ = false;
  ended_.Set();
}

Task<void> RebalanceService::Stop(Duration limit) {
  stopped_ = true;
  wake_.Set();
  if (running_) co_await ended_.WaitFor(limit);
}

}  // namespace groupsim
