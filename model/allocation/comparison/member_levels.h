// The members of a topic in order of their size, filled from the low end and
// drained from the high end, level by level.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_MEMBER_LEVELS_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_MEMBER_LEVELS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/allocation/comparison/group_index.h"
#include "model/base/check.h"

namespace groupsim {

// Two ranges of the sorted members grow towards each other. The low one holds
// the members who started on its level or below; each is served once, then the
// level rises by one and takes in the members already on it. The high one does
// the same downwards, from its end. A member is assumed to get or lose one
// queue each time it is returned (MemberAssignmentBalancer).
class MemberLevels {
 public:
  // Starts over with other members, not none, of the given sizes by member
  // number. `sizes` is read again as members are reached: the caller changes it
  // as it hands out queues.
  void Start(const std::vector<uint32_t>& members,
             const std::vector<uint32_t>& sizes) {
    CHECK(!members.empty());
    sizes_ = &sizes;
    sorted_ = members;
    std::sort(sorted_.begin(), sorted_.end(), [&](uint32_t a, uint32_t b) {
      return std::make_pair(sizes[a], a) < std::make_pair(sizes[b], b);
    });
    low_end_ = low_next_ = 0;
    low_level_ = SizeAt(0) - 1;
    high_start_ = high_end_ = sorted_.size();
    high_level_ = SizeAt(sorted_.size() - 1) + 1;
    high_next_ = sorted_.size();
  }

  int64_t Imbalance() const { return SizeAt(sorted_.size() - 1) - SizeAt(0); }

  // Whether the levels differ by at most one.
  bool Balanced() const { return high_level_ - low_level_ <= 1; }

  // The member to get the next queue.
  uint32_t TakeLowest() {
    if (low_next_ == low_end_) {
      ++low_level_;
      while (low_end_ < sorted_.size() && SizeAt(low_end_) == low_level_) {
        ++low_end_;
      }
      low_next_ = 0;
    }
    return sorted_[low_next_++];
  }

  // The member to lose the next queue; kNobody if all are excluded.
  uint32_t TakeHighest() {
    if (high_next_ == high_start_) {
      if (high_start_ == high_end_ && high_start_ > 0) {
        // All of the range were excluded, or it has not begun.
        high_level_ = SizeAt(high_start_ - 1);
      } else {
        --high_level_;
      }
      while (high_start_ > 0 && SizeAt(high_start_ - 1) == high_level_) {
        --high_start_;
      }
      high_next_ = high_end_;
    }
    if (high_next_ == 0) return kNobody;
    return sorted_[--high_next_];
  }

  // Leaves the member that TakeHighest() returned out of the high range: it has
  // nothing to lose.
  void ExcludeHighest() {
    --high_end_;
    std::swap(sorted_[high_next_], sorted_[high_end_]);
  }

 private:
  int64_t SizeAt(size_t position) const { return (*sizes_)[sorted_[position]]; }

  const std::vector<uint32_t>* sizes_ = nullptr;
  std::vector<uint32_t> sorted_;
  // The low range is [0, low_end_), its members had low_level_ queues at the
  // start of this time round; those before low_next_ have one more by now.
  size_t low_end_ = 0;
  size_t low_next_ = 0;
  int64_t low_level_ = 0;
  // The high range is [high_start_, high_end_); those from high_next_ on have
  // one fewer than high_level_ by now.
  size_t high_start_ = 0;
  size_t high_end_ = 0;
  size_t high_next_ = 0;
  int64_t high_level_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_MEMBER_LEVELS_H_
