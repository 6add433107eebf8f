#include "model/allocation/comparison/sticky_constrained.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/rooms.h"
#include "model/base/check.h"
#include "model/base/name.h"

namespace groupsim {
namespace {

class ConstrainedSticky {
 public:
  ConstrainedSticky(const GroupIndex& index, const Claims& claims)
      : index_(index),
        claims_(claims),
        owner_of_(index.queue_count(), kNobody),
        sizes_(index.member_count(), 0) {
    for (const uint32_t topic : index.subscription(0)) {
      const GroupIndex::Topic& queues = index.topics()[topic];
      for (uint32_t i = 0; i < queues.count; ++i) {
        queues_.push_back(queues.first + i);
      }
    }
    const auto total = static_cast<uint32_t>(queues_.size());
    smaller_ = total / index.member_count();
    allowed_ = total % index.member_count();
    larger_ = smaller_ + (allowed_ > 0 ? 1 : 0);
    bool rooms_known = false;
    for (const uint32_t topic : index.subscription(0)) {
      rooms_known = rooms_known || !index.topics()[topic].view->rooms.empty();
    }
    use_rooms_ =
        rooms_known && RoomsMatter(index, index.audience_members(0), queues_);
  }

  std::vector<uint32_t> Owners() {
    if (queues_.empty()) return std::move(owner_of_);
    KeepOwned();
    std::vector<uint32_t> unassigned;
    for (const uint32_t queue : queues_) {
      if (owner_of_[queue] == kNobody) unassigned.push_back(queue);
    }
    if (use_rooms_) unassigned = FillByRoom(std::move(unassigned));
    Fill(unassigned);
    return std::move(owner_of_);
  }

 private:
  // What each member may keep, in the order in which it is kept.
  std::vector<std::vector<uint32_t>> Keepable() const {
    std::vector<std::vector<uint32_t>> keepable(index_.member_count());
    // By number in the topic, then by topic: walking all queues in that order
    // sorts every member's part.
    uint32_t most = 0;
    for (const uint32_t topic : index_.subscription(0)) {
      most = std::max(most, index_.topics()[topic].count);
    }
    std::vector<uint32_t> topics = index_.subscription(0);
    for (uint32_t number = 0; number < most; ++number) {
      topics.erase(std::remove_if(topics.begin(), topics.end(),
                                  [&](uint32_t topic) {
                                    return index_.topics()[topic].count <=
                                           number;
                                  }),
                   topics.end());
      for (const uint32_t topic : topics) {
        const uint32_t queue = index_.topics()[topic].first + number;
        const uint32_t owner = claims_.owner[queue];
        if (owner == kNobody) continue;
        if (use_rooms_ && !RoomsMatch(index_, owner, queue)) continue;
        keepable[owner].push_back(queue);
      }
    }
    return keepable;
  }

  void KeepOwned() {
    const std::vector<std::vector<uint32_t>> keepable = Keepable();
    for (uint32_t member = 0; member < index_.member_count(); ++member) {
      const std::vector<uint32_t>& owned = keepable[member];
      size_t kept = owned.size();
      if (owned.size() < smaller_) {
        below_.push_back(member);
      } else if (owned.size() >= larger_ && over_ < allowed_) {
        kept = larger_;
        CountLarger();
      } else {
        kept = smaller_;
        if (over_ < allowed_) may_grow_.push_back(member);
      }
      for (size_t i = 0; i < kept; ++i) owner_of_[owned[i]] = member;
      sizes_[member] = static_cast<uint32_t>(kept);
    }
  }

  // A member has reached the larger size.
  void CountLarger() {
    if (++over_ == allowed_) may_grow_.clear();
  }

  void Give(uint32_t queue, uint32_t member) {
    owner_of_[queue] = member;
    ++sizes_[member];
  }

  // Position of the first member from `start` on, round the list, in a room of
  // the queue; the size of the list if there is none. Members without a room
  // are in none.
  template <class List>
  size_t NextInRoom(uint32_t queue, const List& members, size_t start) const {
    for (size_t i = 0; i < members.size(); ++i) {
      const size_t position = (start + i) % members.size();
      const uint32_t member = members[position];
      if (!index_.member(member).room.empty() &&
          RoomsMatch(index_, member, queue)) {
        return position;
      }
    }
    return members.size();
  }

  // Gives queues to members of their room; returns the queues without one, in
  // their order.
  std::vector<uint32_t> FillByRoom(std::vector<uint32_t> queues) {
    absl::btree_map<Name, uint32_t> members_in;
    for (uint32_t member = 0; member < index_.member_count(); ++member) {
      ++members_in[index_.member(member).room];
    }
    std::vector<std::pair<uint32_t, uint32_t>> by_members;
    for (const uint32_t queue : queues) {
      uint32_t members = 0;
      for (const Name room : index_.Rooms(queue)) {
        const auto found = members_in.find(room);
        if (found != members_in.end() && !room.empty()) {
          members += found->second;
        }
      }
      by_members.emplace_back(members, queue);
    }
    std::sort(by_members.begin(), by_members.end());
    size_t start = 0;
    for (const auto& [members, queue] : by_members) {
      const size_t position = NextInRoom(queue, below_, start);
      if (position < below_.size()) {
        start = GiveBelow(queue, position);
        continue;
      }
      const size_t grower = NextInRoom(queue, may_grow_, 0);
      if (grower == may_grow_.size()) continue;
      Give(queue, may_grow_[grower]);
      may_grow_.erase(may_grow_.begin() + static_cast<std::ptrdiff_t>(grower));
      CountLarger();
    }
    queues.erase(std::remove_if(queues.begin(), queues.end(),
                                [&](uint32_t queue) {
                                  return owner_of_[queue] != kNobody;
                                }),
                 queues.end());
    return queues;
  }

  // Gives a queue to the member at a position of below_; returns the position
  // of the next one.
  size_t GiveBelow(uint32_t queue, size_t position) {
    const uint32_t member = below_[position];
    Give(queue, member);
    if (sizes_[member] < smaller_) {
      ++position;
    } else {
      below_.erase(below_.begin() + static_cast<std::ptrdiff_t>(position));
      if (over_ < allowed_) may_grow_.push_back(member);
    }
    return below_.empty() ? 0 : position % below_.size();
  }

  void Fill(const std::vector<uint32_t>& queues) {
    auto queue = queues.begin();
    while (!below_.empty() && queue != queues.end()) {
      // Once round the members, who leave the list when they have their part.
      size_t stay = 0;
      for (size_t i = 0; i < below_.size(); ++i) {
        const uint32_t member = below_[i];
        if (queue != queues.end()) Give(*queue++, member);
        if (sizes_[member] < smaller_) {
          below_[stay++] = member;
        } else {
          may_grow_.push_back(member);
        }
      }
      below_.resize(stay);
    }
    for (; queue != queues.end(); ++queue) {
      CHECK(!may_grow_.empty()) << "more queues than parts";
      Give(*queue, may_grow_.front());
      may_grow_.pop_front();
    }
    CHECK(below_.empty()) << "fewer queues than parts";
  }

  const GroupIndex& index_;
  const Claims& claims_;
  std::vector<uint32_t> owner_of_;
  std::vector<uint32_t> sizes_;
  std::vector<uint32_t> queues_;  // That have subscribers, in order.
  bool use_rooms_ = false;
  uint32_t smaller_ = 0;
  uint32_t larger_ = 0;          // Equal to smaller_ if there is no remainder.
  uint32_t allowed_ = 0;         // How many members may hold larger_.
  uint32_t over_ = 0;            // How many were granted that in keeping.
  std::vector<uint32_t> below_;  // Hold fewer than smaller_.
  std::deque<uint32_t> may_grow_;  // Hold smaller_, and may get one more.
};

}  // namespace

std::vector<uint32_t> StickyConstrainedOwners(const GroupIndex& index,
                                              const Claims& claims) {
  CHECK(index.homogeneous() && index.member_count() > 0);
  return ConstrainedSticky(index, claims).Owners();
}

}  // namespace groupsim
