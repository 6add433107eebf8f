#include "model/allocation/comparison/claims.h"

#include <cstdint>
#include <vector>

#include "model/allocation/comparison/group_index.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

Claims ReadClaims(const GroupIndex& index) {
  const uint32_t queues = index.queue_count();
  Claims claims = {.owner = std::vector<uint32_t>(queues, kNobody),
                   .previous = std::vector<uint32_t>(queues, kNobody)};
  // In which a queue is claimed by its owner, and by its previous owner; below
  // every generation while it is not.
  std::vector<int64_t> generation(queues, INT64_MIN);
  std::vector<int64_t> previous_generation(queues, INT64_MIN);
  // The first member that claims a queue in `generation`.
  std::vector<uint32_t> first(queues, kNobody);
  for (uint32_t member = 0; member < index.member_count(); ++member) {
    const int64_t own = index.member(member).generation;
    for (const uint32_t queue : index.OwnedBy(member)) {
      if (own > generation[queue]) {
        claims.previous[queue] = first[queue];
        previous_generation[queue] = generation[queue];
        claims.owner[queue] = first[queue] = member;
        generation[queue] = own;
      } else if (own == generation[queue]) {
        claims.owner[queue] = kNobody;
      } else if (own > previous_generation[queue]) {
        claims.previous[queue] = member;
        previous_generation[queue] = own;
      }
    }
  }
  for (uint32_t queue = 0; queue < queues; ++queue) {
    if (claims.owner[queue] == kNobody) claims.previous[queue] = kNobody;
  }
  return claims;
}

}  // namespace groupsim
