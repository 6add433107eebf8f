#include "model/allocation/comparison/sticky.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/sticky_constrained.h"
#include "model/allocation/comparison/sticky_general.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {
namespace {

absl::StatusOr<GroupIndex> IndexOf(const GroupView& view) {
  return GroupIndex::Of(
      view, {.order = MemberOrder::kById, .unknown = UnknownTopics::kIgnored});
}

std::vector<uint32_t> StickyOwners(const GroupIndex& index,
                                   const Claims& claims) {
  if (index.member_count() == 0) {
    return std::vector<uint32_t>(index.queue_count(), kNobody);
  }
  return index.homogeneous() ? StickyConstrainedOwners(index, claims)
                             : StickyGeneralOwners(index, claims);
}

}  // namespace

absl::StatusOr<GroupAssignment> Sticky::Assign(const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = IndexOf(view);
  if (!index.ok()) return index.status();
  return index->Restore(StickyOwners(*index, ReadClaims(*index)));
}

absl::StatusOr<GroupAssignment> CooperativeSticky::Assign(
    const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = IndexOf(view);
  if (!index.ok()) return index.status();
  const Claims claims = ReadClaims(*index);
  const std::vector<uint32_t> target = StickyOwners(*index, claims);
  std::vector<uint32_t> owner_of = target;
  for (uint32_t member = 0; member < index->member_count(); ++member) {
    for (const uint32_t queue : index->OwnedBy(member)) {
      if (target[queue] != member && target[queue] != claims.owner[queue]) {
        owner_of[queue] = kNobody;
      }
    }
  }
  return index->Restore(owner_of);
}

}  // namespace groupsim
