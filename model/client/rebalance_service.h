// The loop that rebalances a client's consumer.
#ifndef GROUPSIM_MODEL_CLIENT_REBALANCE_SERVICE_H_
#define GROUPSIM_MODEL_CLIENT_REBALANCE_SERVICE_H_

#include "model/base/time.h"
#include "model/client/client_member.h"
#include "model/client/rebalance_pace.h"
#include "model/runtime/env.h"
#include "model/runtime/lane_gate.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"

namespace groupsim {

// RebalanceService, 5.3.3. Its pace counts from its construction.
class RebalanceService {
 public:
  // `env` must outlive it.
  RebalanceService(Env& env, const RebalancePace::Limits& limits);

  // Whom it rebalances; null for nobody any more.
  void SetConsumer(ConsumerMember* consumer) { consumer_ = consumer; }

  void Start();

  // Makes the loop look as soon as its pace allows. Asking several times
  // before it looks is asking once; asking while it rebalances is kept.
  void Wake() { wake_.Set(); }

  // Ends the loop after a rebalance that is under way, which is waited for, at
  // most `limit`.
  Task<void> Stop(Duration limit);

 private:
  Task<void> Run();

  Env& env_;
  RebalancePace pace_;
  ConsumerMember* consumer_ = nullptr;
  bool running_ = false;
  bool stopped_ = false;
  Signal wake_;
  Signal ended_;
  LaneGate lane_;  // RebalanceService.
  TaskScope scope_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_REBALANCE_SERVICE_H_
