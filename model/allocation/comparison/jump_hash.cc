#include "model/allocation/comparison/jump_hash.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/hashes.h"
#include "model/allocation/group_strategy.h"
#include "model/base/check.h"

namespace groupsim {

uint32_t JumpBucket(uint64_t key, uint32_t buckets) {
  CHECK(buckets >= 1);
  uint64_t bucket = 0;
  uint64_t next = 0;
  while (next < buckets) {
    bucket = next;
    key = key * 2862933555777941757U + 1;
    next = ((bucket + 1) << 31) / ((key >> 33) + 1);
  }
  return static_cast<uint32_t>(bucket);
}

absl::StatusOr<GroupAssignment> JumpHash::Assign(const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(view, {});
  if (!index.ok()) return index.status();
  std::vector<uint32_t> owner_of(index->queue_count(), kNobody);
  for (const GroupIndex::Topic& topic : index->topics()) {
    const std::vector<uint32_t>& members = index->Subscribers(topic);
    if (members.empty()) continue;
    for (uint32_t i = 0; i < topic.count; ++i) {
      const uint32_t queue = topic.first + i;
      owner_of[queue] =
          members[JumpBucket(QueueHash(index->queue(queue)),
                             static_cast<uint32_t>(members.size()))];
    }
  }
  return index->Restore(owner_of);
}

}  // namespace groupsim
