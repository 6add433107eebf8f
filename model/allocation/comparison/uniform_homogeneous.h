// The uniform assignment of members who all subscribe to the same topics.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_UNIFORM_HOMOGENEOUS_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_UNIFORM_HOMOGENEOUS_H_

#include <cstdint>
#include <vector>

#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"

namespace groupsim {

// Whom the right to one queue more than others goes to.
enum class SurplusRight : uint8_t { kOwnersFirst, kFirstMembers };

// The owner of each queue, kNobody for queues of topics without a subscriber.
// There must be a member, and the index be homogeneous and by id
// (UniformHomogeneousAssignmentBuilder).
std::vector<uint32_t> UniformHomogeneousOwners(const GroupIndex& index,
                                               const Claims& claims,
                                               SurplusRight right);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_UNIFORM_HOMOGENEOUS_H_
