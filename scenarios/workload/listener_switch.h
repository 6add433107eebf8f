// A listener that can be exchanged while its consumer runs.
#ifndef GROUPSIM_SCENARIOS_WORKLOAD_LISTENER_SWITCH_H_
#define GROUPSIM_SCENARIOS_WORKLOAD_LISTENER_SWITCH_H_

#include "model/base/check.h"
#include "sim/host/listener_behaviour.h"

namespace groupsim {

// Goes by the usual behaviour, or by another one in its place for a time. Each
// call goes to its end as it began.
class ListenerSwitch final : public ListenerBehaviour {
 public:
  ListenerSwitch() = default;
  ListenerSwitch(const ListenerSwitch&) = delete;
  ListenerSwitch& operator=(const ListenerSwitch&) = delete;

  // Behaviours outlive the switch; one is needed before the first call.
  void SetUsual(ListenerBehaviour* usual) { usual_ = present_ = usual; }
  void Replace(ListenerBehaviour* other) { present_ = other; }
  // Back to the usual one, if `other` is the one in its place.
  void Restore(const ListenerBehaviour* other) {
    if (present_ == other) present_ = usual_;
  }

  ListenerPlan Plan(const ListenerCall& call, RandomStream& draws) override {
    CHECK(present_ != nullptr);
    return present_->Plan(call, draws);
  }

 private:
  ListenerBehaviour* usual_ = nullptr;
  ListenerBehaviour* present_ = nullptr;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_WORKLOAD_LISTENER_SWITCH_H_
