#include "model/allocation/comparison/round_robin.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

absl::StatusOr<GroupAssignment> RoundRobin::Assign(
    const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(
      view,
      {.order = MemberOrder::kStaticFirst, .unknown = UnknownTopics::kIgnored});
  if (!index.ok()) return index.status();
  std::vector<uint32_t> owner_of(index->queue_count(), kNobody);
  uint32_t next = 0;  // The member whose turn it is.
  for (uint32_t queue = 0; queue < index->queue_count(); ++queue) {
    const uint32_t topic = index->topic_of(queue);
    if (index->Subscribers(index->topics()[topic]).empty()) continue;
    while (!index->Subscribes(next, topic)) {
      next = next + 1 == index->member_count() ? 0 : next + 1;
    }
    owner_of[queue] = next;
    next = next + 1 == index->member_count() ? 0 : next + 1;
  }
  return index->Restore(owner_of);
}

}  // namespace groupsim
