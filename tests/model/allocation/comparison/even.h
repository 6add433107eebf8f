// Whether an assignment could be more even.
#ifndef GROUPSIM_TESTS_MODEL_ALLOCATION_COMPARISON_EVEN_H_
#define GROUPSIM_TESTS_MODEL_ALLOCATION_COMPARISON_EVEN_H_

#include <cstdint>
#include <vector>

#include "model/allocation/comparison/group_index.h"

namespace groupsim {

// Whether no queue could move to a subscriber that holds at least two fewer
// than its owner: sizes 3 and 2 are balanced, 4 and 2 are not (isBalanced).
inline bool NoMoveEvensOut(const GroupIndex& index,
                           const std::vector<uint32_t>& owner_of) {
  std::vector<uint32_t> held(index.member_count());
  for (const uint32_t owner : owner_of) {
    if (owner != kNobody) ++held[owner];
  }
  for (uint32_t queue = 0; queue < owner_of.size(); ++queue) {
    if (owner_of[queue] == kNobody) continue;
    for (const uint32_t member : index.Subscribers(index.TopicOf(queue))) {
      if (held[owner_of[queue]] >= held[member] + 2) return false;
    }
  }
  return true;
}

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_MODEL_ALLOCATION_COMPARISON_EVEN_H_
