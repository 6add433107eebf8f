#include "model/allocation/comparison/worst_fit_packing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/fewest_first.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {
namespace {

class Packing {
 public:
  explicit Packing(const GroupIndex& index)
      : index_(index),
        owner_of_(index.queue_count(), kNobody),
        room_(index.member_count()),
        is_used_(index.member_count()),
        all_(index),
        used_(index),
        roomy_(index) {
    for (uint32_t member = 0; member < index.member_count(); ++member) {
      room_[member] = index.member(member).weight;
      all_.Set(member, -room_[member]);
      waiting_.push_back(member);
    }
    std::stable_sort(
        waiting_.begin(), waiting_.end(),
        [this](uint32_t a, uint32_t b) { return room_[a] < room_[b]; });
  }

  std::vector<uint32_t> Owners() {
    const Claims claims = ReadClaims(index_);
    std::vector<std::vector<uint32_t>> owned(index_.member_count());
    std::vector<uint32_t> free;
    for (uint32_t queue = 0; queue < index_.queue_count(); ++queue) {
      const uint32_t owner = claims.owner[queue];
      if (owner != kNobody &&
          index_.Subscribes(owner, index_.topic_of(queue))) {
        owned[owner].push_back(queue);
      } else {
        free.push_back(queue);
      }
    }
    for (const uint32_t member : LargestTotalFirst(owned)) {
      Keep(member, std::move(owned[member]), &free);
    }
    LargestFirst(&free);
    for (const uint32_t queue : free) Place(queue);
    return std::move(owner_of_);
  }

 private:
  // The members that own something.
  std::vector<uint32_t> LargestTotalFirst(
      const std::vector<std::vector<uint32_t>>& owned) const {
    std::vector<std::pair<__int128, uint32_t>> totals;
    for (uint32_t member = 0; member < owned.size(); ++member) {
      if (owned[member].empty()) continue;
      __int128 total = 0;
      for (const uint32_t queue : owned[member]) total += index_.Load(queue);
      totals.emplace_back(-total, member);
    }
    std::sort(totals.begin(), totals.end());
    std::vector<uint32_t> members;
    for (const auto& [total, member] : totals) members.push_back(member);
    return members;
  }

  void LargestFirst(std::vector<uint32_t>* queues) const {
    std::stable_sort(queues->begin(), queues->end(),
                     [this](uint32_t a, uint32_t b) {
                       return index_.Load(a) > index_.Load(b);
                     });
  }

  // Of a member's queues passes on what others can take, keeps what fits, sets
  // the rest free.
  void Keep(uint32_t member, std::vector<uint32_t> owned,
            std::vector<uint32_t>* free) {
    std::stable_sort(owned.begin(), owned.end(),
                     [this](uint32_t a, uint32_t b) {
                       return index_.Load(a) < index_.Load(b);
                     });
    size_t passed = 0;
    for (; passed < owned.size(); ++passed) {
      const uint32_t taker = RoomiestUsed(owned[passed]);
      if (taker == kNobody) break;
      Give(owned[passed], taker);
    }
    owned.erase(owned.begin(),
                owned.begin() + static_cast<std::ptrdiff_t>(passed));
    LargestFirst(&owned);
    for (const uint32_t queue : owned) {
      if (index_.Load(queue) <= room_[member]) {
        Give(queue, member);
      } else {
        free->push_back(queue);
      }
    }
  }

  // The member in use with the most room, if the queue fits into it.
  uint32_t RoomiestUsed(uint32_t queue) const {
    const uint32_t member = used_.FirstOf(index_.TopicOf(queue));
    return member != kNobody && index_.Load(queue) <= room_[member] ? member
                                                                    : kNobody;
  }

  // Queues come in the order of their loads, the largest first.
  void Place(uint32_t queue) {
    const GroupIndex::Topic& topic = index_.TopicOf(queue);
    uint32_t member = RoomiestUsed(queue);
    if (member == kNobody) {
      FindRoomy(index_.Load(queue));
      member = roomy_.FirstOf(topic);
    }
    if (member == kNobody) member = all_.FirstOf(topic);
    if (member != kNobody) Give(queue, member);
  }

  // Fills roomy_ with the unused members that can bear the load.
  void FindRoomy(int64_t load) {
    while (!waiting_.empty() && index_.member(waiting_.back()).weight >= load) {
      if (!is_used_[waiting_.back()]) roomy_.Set(waiting_.back(), 0);
      waiting_.pop_back();
    }
  }

  void Give(uint32_t queue, uint32_t member) {
    owner_of_[queue] = member;
    room_[member] -= index_.Load(queue);
    is_used_[member] = true;
    roomy_.Remove(member);
    all_.Set(member, -room_[member]);
    used_.Set(member, -room_[member]);
  }

  const GroupIndex& index_;
  std::vector<uint32_t> owner_of_;
  std::vector<__int128> room_;  // What each member can still bear.
  std::vector<bool> is_used_;
  FewestFirst<__int128> all_;   // The most room first.
  FewestFirst<__int128> used_;  // Likewise, of those who have queues.
  // Unused, and with room for the load looked for last; all equal, so by id.
  FewestFirst<int32_t> roomy_;
  // Not looked at for roomy_ yet, the most weight last.
  std::vector<uint32_t> waiting_;
};

}  // namespace

absl::StatusOr<GroupAssignment> WorstFitPacking::Assign(
    const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(view, {});
  if (!index.ok()) return index.status();
  absl::Status status = CheckLoads(view, name());
  if (!status.ok()) return status;
  return index->Restore(Packing(*index).Owners());
}

}  // namespace groupsim
