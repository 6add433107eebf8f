// Jump consistent hash over the numbered members.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_JUMP_HASH_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_JUMP_HASH_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// The bucket, below `buckets`, of a key (Lamping and Veach). With one bucket
// more, a key stays where it is or moves to the new one. The published code
// divides in floating point; here each jump is a whole quotient, which differs
// only where rounding lifts that one to the next whole number. `buckets` is at
// least 1.
uint32_t JumpBucket(uint64_t key, uint32_t buckets);

// A queue belongs to the subscriber whose number, by id, is the bucket of the
// queue's hash. Made for buckets that come and go at the end only: a member
// that joins or leaves in the middle renumbers all behind it, whose queues then
// move. So over ids that are not ordered by age it is a bad choice, offered to
// show that.
class JumpHash final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "jump_hash"; }
  StrategyNeeds needs() const override { return {}; }
  StrategyPromises promises() const override { return {}; }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_JUMP_HASH_H_
