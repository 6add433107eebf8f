// The uniform assignment of members with differing subscriptions.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_UNIFORM_HETEROGENEOUS_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_UNIFORM_HETEROGENEOUS_H_

#include <cstdint>
#include <vector>

#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"

namespace groupsim {

// The owner of each queue, kNobody for queues of topics without a subscriber.
// There must be a member, and the index be by id
// (UniformHeterogeneousAssignmentBuilder).
std::vector<uint32_t> UniformHeterogeneousOwners(const GroupIndex& index,
                                                 const Claims& claims);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_UNIFORM_HETEROGENEOUS_H_
