#include "model/allocation/comparison/rendezvous.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/hashes.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

absl::StatusOr<GroupAssignment> Rendezvous::Assign(
    const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(view, {});
  if (!index.ok()) return index.status();
  std::vector<uint32_t> owner_of(index->queue_count(), kNobody);
  std::vector<uint64_t> hashes;  // Of the subscribers of a topic.
  for (const GroupIndex::Topic& topic : index->topics()) {
    const std::vector<uint32_t>& members = index->Subscribers(topic);
    if (members.empty()) continue;
    hashes.clear();
    for (const uint32_t member : members) {
      hashes.push_back(TextHash(index->member(member).id.text(), 0));
    }
    for (uint32_t i = 0; i < topic.count; ++i) {
      const uint64_t queue = QueueHash(index->queue(topic.first + i));
      size_t best = 0;
      uint64_t best_hash = PairHash(queue, hashes[0]);
      for (size_t j = 1; j < hashes.size(); ++j) {
        const uint64_t hash = PairHash(queue, hashes[j]);
        if (hash > best_hash) {
          best = j;
          best_hash = hash;
        }
      }
      owner_of[topic.first + i] = members[best];
    }
  }
  return index->Restore(owner_of);
}

}  // namespace groupsim
