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
        used_(index),
        unused_(index) {
    for (uint32_t member = 0; member < index.member_count(); ++member) {
      room_[member] = index.member(member).weight;
      unused_.Set(member, 0);
    }
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

  void Place(uint32_t queue) {
    const GroupIndex::Topic& topic = index_.TopicOf(queue);
    uint32_t member = RoomiestUsed(queue);
    if (member == kNobody) {
      member = unused_.FirstOf(topic, [&](uint32_t candidate) {
        return index_.Load(queue) <= room_[candidate];
      });
    }
    if (member == kNobody) member = Roomiest(topic);
    if (member != kNobody) Give(queue, member);
  }

  uint32_t Roomiest(const GroupIndex::Topic& topic) const {
    uint32_t roomiest = kNobody;
    for (const uint32_t member : index_.Subscribers(topic)) {
      if (roomiest == kNobody || room_[member] > room_[roomiest]) {
        roomiest = member;
      }
    }
    return roomiest;
  }

  void Give(uint32_t queue, uint32_t member) {
    owner_of_[queue] = member;
    room_[member] -= index_.Load(queue);
    unused_.Remove(member);
    used_.Set(member, -room_[member]);
  }

  const GroupIndex& index_;
  std::vector<uint32_t> owner_of_;
  std::vector<__int128> room_;   // What each member can still bear.
  FewestFirst<__int128> used_;   // The most room first.
  FewestFirst<int32_t> unused_;  // All equal, so by id.
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
