// Consistent hashing with a ceiling on every share.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_BOUNDED_CONSISTENT_HASH_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_BOUNDED_CONSISTENT_HASH_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"
#include "model/base/ratio.h"

namespace groupsim {

// Topic by topic: every subscriber has some points on a ring of hashes. Queues,
// in the order of their hashes, walk from their own hash up the ring, and round
// it, to the first member with fewer than ceil((1 + excess) * queues / members)
// queues (Mirrokni, Thorup, Zadimoghaddam). So no share exceeds that, but some
// may be much smaller, with an excess of 0 too. The smaller the excess, the
// more queues a change of membership moves.
class BoundedConsistentHash final : public GroupStrategy {
 public:
  struct Options {
    int32_t virtual_nodes = 10;  // Points of a member: 1..10,000.
    Ratio excess = {.numerator = 1, .denominator = 4};  // 0 to 1,000.
  };
  // InvalidArgument if an option is out of range.
  static absl::StatusOr<GroupStrategyPtr> Create(Options options);

  absl::string_view name() const override { return "bounded_consistent_hash"; }
  StrategyNeeds needs() const override { return {}; }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kCapped,
            .stickiness = StickinessPromise::kBestEffort};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;

 private:
  explicit BoundedConsistentHash(Options options) : options_(options) {}

  const Options options_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_BOUNDED_CONSISTENT_HASH_H_
