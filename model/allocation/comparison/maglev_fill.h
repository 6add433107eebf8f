// Members in turn choose the queue that suits them best.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_MAGLEV_FILL_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_MAGLEV_FILL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// Topic by topic: every subscriber ranks the queues by the hash of the two
// together, the largest first; in order of ids, each in turn takes its best
// queue that is still free. Sizes differ by at most one per topic, every member
// computes the same, and a change of membership moves far fewer queues than
// averagely: about half from ten members on, a quarter at fifty. An idea of
// this project, after Maglev's table.
class MaglevFill final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "maglev_fill"; }
  StrategyNeeds needs() const override { return {}; }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kEvenPerTopic,
            .stickiness = StickinessPromise::kBestEffort};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_MAGLEV_FILL_H_
