// The sticky assignment of members with differing subscriptions.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_STICKY_GENERAL_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_STICKY_GENERAL_H_

#include <cstdint>
#include <vector>

#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"

namespace groupsim {

// The owner of each queue, kNobody for queues of topics without a subscriber.
// There must be a member, and the index be by id (GeneralAssignmentBuilder).
std::vector<uint32_t> StickyGeneralOwners(const GroupIndex& index,
                                          const Claims& claims);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_STICKY_GENERAL_H_
