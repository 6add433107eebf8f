// Rendezvous hashing: each queue picks the member that suits it best.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_RENDEZVOUS_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_RENDEZVOUS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// A queue belongs to the subscriber with the largest hash of the two together
// (highest random weight, Thaler and Ravishankar); of equal hashes to the first
// by id. A joiner takes only the queues that it wins, a leaver's queues spread
// over the others, and nothing else moves. Balance is chance's: it begins to
// look even at fifty queues a member. Work: queues times members.
class Rendezvous final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "rendezvous"; }
  StrategyNeeds needs() const override { return {}; }
  StrategyPromises promises() const override {
    return {.stickiness = StickinessPromise::kConsistent};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_RENDEZVOUS_H_
