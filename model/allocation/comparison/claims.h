// What members say they own, and what of it is believed.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_CLAIMS_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_CLAIMS_H_

#include <cstdint>
#include <vector>

#include "model/allocation/comparison/group_index.h"

namespace groupsim {

// Members are numbered as in the index, or kNobody.
struct Claims {
  // The member whose claim to a queue is accepted: the only claimant, or the
  // one with the highest generation. Two of that generation void each other's
  // claim, and the queue counts as nobody's.
  std::vector<uint32_t> owner;
  // The claimant with the highest generation below that of `owner`, the first
  // of several; kNobody where there is no owner.
  std::vector<uint32_t> previous;
};

// AbstractStickyAssignor's reading of the members' user data.
Claims ReadClaims(const GroupIndex& index);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_CLAIMS_H_
