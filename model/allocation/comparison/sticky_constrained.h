// The sticky assignment of members who all subscribe to the same topics.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_STICKY_CONSTRAINED_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_STICKY_CONSTRAINED_H_

#include <cstdint>
#include <vector>

#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"

namespace groupsim {

// The owner of each queue, kNobody for queues of topics without a subscriber.
// There must be a member, and the index be homogeneous and by id
// (ConstrainedAssignmentBuilder).
std::vector<uint32_t> StickyConstrainedOwners(const GroupIndex& index,
                                              const Claims& claims);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_STICKY_CONSTRAINED_H_
