#include "model/allocation/comparison/range.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/statusor.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/rooms.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {
namespace {

using Topic = GroupIndex::Topic;

// One topic while it is handed out.
class TopicCut {
 public:
  // There must be a subscriber.
  TopicCut(const GroupIndex& index, const Topic& topic,
           std::vector<uint32_t>* owner_of)
      : index_(index),
        topic_(topic),
        members_(index.Subscribers(topic)),
        owner_of_(owner_of),
        share_(topic.count / static_cast<uint32_t>(members_.size())),
        larger_left_(topic.count % static_cast<uint32_t>(members_.size())) {}

  bool RoomsMatter() const {
    std::vector<uint32_t> queues;
    for (uint32_t i = 0; i < topic_.count; ++i) {
      queues.push_back(topic_.first + i);
    }
    return groupsim::RoomsMatter(index_, members_, queues);
  }

  bool has_rooms() const { return !topic_.view->rooms.empty(); }

  // How many queues the subscriber at `position` may still take.
  uint32_t Remaining(size_t position) const {
    const uint32_t most = share_ + (larger_left_ > 0 ? 1 : 0);
    return most > taken_[position] ? most - taken_[position] : 0;
  }

  bool RoomMatches(size_t position, uint32_t number) const {
    return RoomsMatch(index_, members_[position], topic_.first + number);
  }

  void Give(size_t position, uint32_t number) {
    (*owner_of_)[topic_.first + number] = members_[position];
    if (++taken_[position] == share_ + 1) --larger_left_;
  }

  // Every subscriber in turn takes what it may of the queues of its room.
  void GiveByRoom() {
    SetScattered();
    GiveWhere([this](size_t position, uint32_t number) {
      return RoomMatches(position, number);
    });
  }

  // Every subscriber in turn takes what it may of the queues left over.
  void GiveRest() {
    if (scattered_) {
      GiveWhere([](size_t, uint32_t) { return true; });
      return;
    }
    const auto end = owner_of_->begin() + topic_.first + topic_.count;
    auto next = owner_of_->begin() + topic_.first;
    // Those behind the last queue get none.
    for (size_t position = 0; next != end; ++position) {
      const uint32_t count = share_ + (position < larger_left_ ? 1 : 0);
      next = std::fill_n(next, count, members_[position]);
    }
  }

  // Queues are not given in order from now on.
  void SetScattered() {
    if (scattered_) return;
    scattered_ = true;
    taken_.resize(members_.size(), 0);
  }

  size_t member_count() const { return members_.size(); }
  uint32_t queue_count() const { return topic_.count; }
  uint32_t audience() const { return topic_.audience; }

 private:
  template <class Fits>
  void GiveWhere(Fits fits) {
    for (size_t position = 0; position < members_.size(); ++position) {
      uint32_t remaining = Remaining(position);
      for (uint32_t number = 0; number < topic_.count && remaining > 0;
           ++number) {
        if ((*owner_of_)[topic_.first + number] != kNobody) continue;
        if (!fits(position, number)) continue;
        Give(position, number);
        --remaining;
      }
    }
  }

  const GroupIndex& index_;
  const Topic& topic_;
  const std::vector<uint32_t>& members_;
  std::vector<uint32_t>* const owner_of_;
  std::vector<uint32_t> taken_;  // By position; once scattered.
  const uint32_t share_;
  uint32_t larger_left_;  // How many may still take one more than share_.
  bool scattered_ = false;
};

// Topics with the same subscribers and number of queues: a queue number goes to
// the first member who has it in its room in every topic.
void GiveTogether(const std::vector<TopicCut*>& topics) {
  std::vector<size_t> members;
  for (size_t i = 0; i < topics[0]->member_count(); ++i) members.push_back(i);
  for (TopicCut* const topic : topics) topic->SetScattered();
  for (uint32_t number = 0; number < topics[0]->queue_count(); ++number) {
    const auto taker =
        std::find_if(members.begin(), members.end(), [&](size_t position) {
          return std::all_of(topics.begin(), topics.end(),
                             [&](const TopicCut* topic) {
                               return topic->RoomMatches(position, number) &&
                                      topic->Remaining(position) > 0;
                             });
        });
    if (taker == members.end()) continue;
    for (TopicCut* const topic : topics) topic->Give(*taker, number);
    const bool full = std::none_of(
        topics.begin(), topics.end(),
        [&](const TopicCut* topic) { return topic->Remaining(*taker) > 0; });
    if (full) members.erase(taker);
  }
}

void GiveByRoom(std::vector<TopicCut>* topics) {
  absl::btree_map<std::pair<uint32_t, uint32_t>, std::vector<TopicCut*>> alike;
  bool matter = false;
  for (TopicCut& topic : *topics) {
    if (!topic.has_rooms()) continue;
    matter = matter || topic.RoomsMatter();
    alike[{topic.audience(), topic.queue_count()}].push_back(&topic);
  }
  if (!matter) return;
  for (const auto& [key, group] : alike) {
    if (group.size() > 1) {
      GiveTogether(group);
    } else if (group[0]->RoomsMatter()) {
      group[0]->GiveByRoom();
    }
  }
}

absl::StatusOr<GroupAssignment> AssignRanges(const GroupView& view,
                                             UnknownTopics unknown,
                                             bool use_rooms) {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(
      view, {.order = MemberOrder::kStaticFirst, .unknown = unknown});
  if (!index.ok()) return index.status();
  std::vector<uint32_t> owner_of(index->queue_count(), kNobody);
  std::vector<TopicCut> topics;
  topics.reserve(index->topics().size());
  for (const Topic& topic : index->topics()) {
    if (topic.count == 0 || index->Subscribers(topic).empty()) continue;
    topics.emplace_back(*index, topic, &owner_of);
  }
  if (use_rooms) GiveByRoom(&topics);
  for (TopicCut& topic : topics) topic.GiveRest();
  return index->Restore(owner_of);
}

}  // namespace

absl::StatusOr<GroupAssignment> Range::Assign(const GroupView& view) const {
  return AssignRanges(view, UnknownTopics::kIgnored, /*use_rooms=*/true);
}

absl::StatusOr<GroupAssignment> ServerRange::Assign(
    const GroupView& view) const {
  return AssignRanges(view, UnknownTopics::kRefused, /*use_rooms=*/false);
}

}  // namespace groupsim
