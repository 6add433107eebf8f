#include "model/allocation/comparison/largest_lag_first.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/allocation/comparison/fewest_first.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

absl::StatusOr<GroupAssignment> LargestLagFirst::Assign(
    const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(view, {});
  if (!index.ok()) return index.status();
  absl::Status status = CheckLoads(view, name());
  if (!status.ok()) return status;
  std::vector<std::pair<int64_t, uint32_t>> queues;  // The largest lag first.
  for (uint32_t queue = 0; queue < index->queue_count(); ++queue) {
    queues.emplace_back(-index->Load(queue), queue);
  }
  std::sort(queues.begin(), queues.end());
  std::vector<uint32_t> owner_of(index->queue_count(), kNobody);
  // By total lag, then by number of queues.
  FewestFirst<std::pair<__int128, uint32_t>> members(*index);
  for (uint32_t member = 0; member < index->member_count(); ++member) {
    members.Set(member, {0, 0});
  }
  for (const auto& [negative_lag, queue] : queues) {
    const uint32_t member = members.FirstOf(index->TopicOf(queue));
    if (member == kNobody) continue;
    owner_of[queue] = member;
    const auto [lag, count] = members.held(member);
    members.Set(member, {lag - negative_lag, count + 1});
  }
  return index->Restore(owner_of);
}

}  // namespace groupsim
