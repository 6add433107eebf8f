#include "model/allocation/comparison/uniform.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/uniform_heterogeneous.h"
#include "model/allocation/comparison/uniform_homogeneous.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {
namespace {

absl::StatusOr<GroupAssignment> AssignUniformly(const GroupView& view,
                                                SurplusRight right) {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(
      view, {.order = MemberOrder::kById, .unknown = UnknownTopics::kRefused});
  if (!index.ok()) return index.status();
  if (index->member_count() == 0) return GroupAssignment();
  const Claims claims = ReadClaims(*index);
  return index->Restore(index->homogeneous()
                            ? UniformHomogeneousOwners(*index, claims, right)
                            : UniformHeterogeneousOwners(*index, claims));
}

}  // namespace

absl::StatusOr<GroupAssignment> Uniform::Assign(const GroupView& view) const {
  return AssignUniformly(view, SurplusRight::kOwnersFirst);
}

absl::StatusOr<GroupAssignment> Uniform2024::Assign(
    const GroupView& view) const {
  return AssignUniformly(view, SurplusRight::kFirstMembers);
}

}  // namespace groupsim
