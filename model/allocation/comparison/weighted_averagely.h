// Contiguous shares in proportion to the weights of members.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_WEIGHTED_AVERAGELY_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_WEIGHTED_AVERAGELY_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// Parts of `total` in proportion to the weights, by largest remainder: each
// gets its part rounded down, and what is left goes, one each, to the largest
// fractions, of equal ones to the first. Weights are not negative, and one of
// them is positive.
std::vector<uint32_t> ProportionalParts(uint32_t total,
                                        absl::Span<const int64_t> weights);

// Topic by topic, as averagely in blocks in the order of ids, but a member's
// part is proportional to its weight: for pods of two sizes, or a canary that
// shall get little. Less than one queue off the exact part; a member of weight
// 0 gets nothing. With equal weights the outcome is averagely's.
class WeightedAveragely final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "weighted_averagely"; }
  StrategyNeeds needs() const override { return {StrategyNeed::kWeights}; }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kByWeight};
  }
  // InvalidArgument if all subscribers of a topic have weight 0.
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_WEIGHTED_AVERAGELY_H_
