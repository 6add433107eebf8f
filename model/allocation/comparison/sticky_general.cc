#include "model/allocation/comparison/sticky_general.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/fewest_first.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/rooms.h"
#include "model/base/check.h"
#include "model/base/name.h"

namespace groupsim {
namespace {

// A queue on its way from one member to another.
struct Transfer {
  uint32_t queue;
  uint32_t from;
  uint32_t to;
};

// Which queues were moved, and from whom: to find one that could go back
// (PartitionMovements).
class Moves {
 public:
  explicit Moves(const GroupIndex& index)
      : index_(index), origin_(index.queue_count(), kNobody) {}

  // A queue of the same topic that went the opposite way, from the receiver to
  // where the queue of this transfer started; the smallest of several, kNobody
  // if there is none.
  uint32_t OppositeOf(const Transfer& transfer) const {
    const uint32_t topic = index_.topic_of(transfer.queue);
    const uint32_t origin = origin_[transfer.queue] == kNobody
                                ? transfer.from
                                : origin_[transfer.queue];
    const auto found = moves_.lower_bound({topic, transfer.to, origin, 0});
    if (found == moves_.end()) return kNobody;
    const auto& [moved_topic, from, to, moved] = *found;
    const bool opposite =
        moved_topic == topic && from == transfer.to && to == origin;
    return opposite ? moved : kNobody;
  }

  void Record(const Transfer& transfer) {
    const auto& [queue, from, to] = transfer;
    const uint32_t topic = index_.topic_of(queue);
    uint32_t origin = from;
    if (origin_[queue] != kNobody) {
      origin = std::exchange(origin_[queue], kNobody);
      moves_.erase({topic, origin, from, queue});
    }
    if (origin == to) return;  // It is back.
    moves_.insert({topic, origin, to, queue});
    origin_[queue] = origin;
  }

 private:
  // Topic, first owner, present owner, queue.
  using Move = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

  const GroupIndex& index_;
  std::vector<uint32_t> origin_;  // By queue; kNobody while not moved.
  absl::btree_set<Move> moves_;
};

class GeneralSticky {
 public:
  GeneralSticky(const GroupIndex& index, const Claims& claims)
      : index_(index),
        claims_(claims),
        owner_of_(index.queue_count(), kNobody),
        members_(index),
        moves_(index) {
    for (uint32_t member = 0; member < index.member_count(); ++member) {
      members_.Set(member, 0);
    }
    for (uint32_t topic = 0; topic < index.topics().size(); ++topic) {
      topics_.push_back(topic);
    }
    std::sort(topics_.begin(), topics_.end(), [&](uint32_t a, uint32_t b) {
      return std::make_pair(SubscriberCount(a), a) <
             std::make_pair(SubscriberCount(b), b);
    });
    std::vector<uint32_t> everyone;
    for (uint32_t member = 0; member < index.member_count(); ++member) {
      everyone.push_back(member);
    }
    std::vector<uint32_t> subscribed;
    bool rooms_known = false;
    for (const uint32_t topic : topics_) {
      if (SubscriberCount(topic) == 0) continue;
      rooms_known = rooms_known || !index.topics()[topic].view->rooms.empty();
      AppendQueues(topic, &subscribed);
    }
    use_rooms_ = rooms_known && RoomsMatter(index, everyone, subscribed);
  }

  std::vector<uint32_t> Owners() {
    const bool revoked = Keep();
    std::vector<uint32_t> unassigned;
    std::vector<uint32_t> movable;
    for (const uint32_t topic : topics_) {
      if (SubscriberCount(topic) == 0) continue;
      const GroupIndex::Topic& queues = index_.topics()[topic];
      for (uint32_t i = 0; i < queues.count; ++i) {
        const uint32_t queue = queues.first + i;
        if (owner_of_[queue] == kNobody) unassigned.push_back(queue);
      }
      if (SubscriberCount(topic) >= 2) AppendQueues(topic, &movable);
    }
    Assign(unassigned);
    // Upstream first sets aside members who hold all that they may, of topics
    // that are theirs alone; as they can neither give nor get, that changes
    // nothing. And it goes back to this point if the balance score has not
    // become better; here every move lowers it, as it takes from a member with
    // at least two more than the receiver.
    if (!revoked) {
      unassigned.erase(
          std::remove_if(unassigned.begin(), unassigned.end(),
                         [&](uint32_t queue) {
                           return SubscriberCount(index_.topic_of(queue)) < 2;
                         }),
          unassigned.end());
      EvenOut(unassigned);
    }
    EvenOut(movable);
    return std::move(owner_of_);
  }

 private:
  size_t SubscriberCount(uint32_t topic) const {
    return index_.Subscribers(index_.topics()[topic]).size();
  }

  void AppendQueues(uint32_t topic, std::vector<uint32_t>* queues) const {
    for (uint32_t i = 0; i < index_.topics()[topic].count; ++i) {
      queues->push_back(index_.topics()[topic].first + i);
    }
  }

  // Keeps the claims that may be kept; returns whether one could not.
  bool Keep() {
    std::vector<uint32_t> sizes(index_.member_count(), 0);
    bool revoked = false;
    for (uint32_t queue = 0; queue < index_.queue_count(); ++queue) {
      const uint32_t owner = claims_.owner[queue];
      if (owner == kNobody) continue;
      if (!index_.Subscribes(owner, index_.topic_of(queue)) ||
          (use_rooms_ && !RoomsMatch(index_, owner, queue))) {
        revoked = true;
        continue;
      }
      owner_of_[queue] = owner;
      ++sizes[owner];
    }
    for (uint32_t member = 0; member < sizes.size(); ++member) {
      members_.Set(member, sizes[member]);
    }
    return revoked;
  }

  // Gives each queue to the subscriber with the fewest, first within rooms.
  void Assign(const std::vector<uint32_t>& queues) {
    if (use_rooms_) {
      for (const uint32_t queue : queues) {
        const uint32_t member =
            members_.FirstOf(index_.TopicOf(queue), [&](uint32_t candidate) {
              return !index_.member(candidate).room.empty() &&
                     RoomsMatch(index_, candidate, queue);
            });
        if (member != kNobody) Give(queue, member);
      }
    }
    for (const uint32_t queue : queues) {
      if (owner_of_[queue] != kNobody) continue;
      Give(queue, members_.FirstOf(index_.TopicOf(queue)));
    }
  }

  void Give(uint32_t queue, uint32_t member) {
    owner_of_[queue] = member;
    members_.Set(member, members_.held(member) + 1);
  }

  bool HoldsTwoMore(uint32_t owner, uint32_t other) const {
    return members_.held(owner) >= members_.held(other) + 2;
  }

  // Moves queues until a whole pass changes nothing (performReassignments).
  void EvenOut(const std::vector<uint32_t>& queues) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const uint32_t queue : queues) {
        const uint32_t owner = owner_of_[queue];
        const uint32_t previous = claims_.previous[queue];
        if (previous != kNobody &&
            index_.Subscribes(previous, index_.topic_of(queue)) &&
            HoldsTwoMore(owner, previous)) {
          Move(queue, previous);
          changed = true;
          continue;
        }
        const uint32_t receiver = members_.FirstOf(index_.TopicOf(queue));
        if (!HoldsTwoMore(owner, receiver)) continue;
        Move(queue, receiver);
        changed = true;
      }
    }
  }

  // Moves the queue, or one that came the opposite way, to the receiver.
  void Move(uint32_t queue, uint32_t receiver) {
    const uint32_t opposite = moves_.OppositeOf(
        {.queue = queue, .from = owner_of_[queue], .to = receiver});
    if (opposite != kNobody && HoldsTwoMore(owner_of_[opposite], receiver)) {
      queue = opposite;
    }
    const uint32_t owner = owner_of_[queue];
    moves_.Record({.queue = queue, .from = owner, .to = receiver});
    owner_of_[queue] = receiver;
    members_.Set(owner, members_.held(owner) - 1);
    members_.Set(receiver, members_.held(receiver) + 1);
  }

  const GroupIndex& index_;
  const Claims& claims_;
  std::vector<uint32_t> owner_of_;
  FewestFirst<uint32_t> members_;  // By number of queues.
  Moves moves_;
  std::vector<uint32_t> topics_;  // Those with the fewest subscribers first.
  bool use_rooms_ = false;
};

}  // namespace

std::vector<uint32_t> StickyGeneralOwners(const GroupIndex& index,
                                          const Claims& claims) {
  CHECK(index.member_count() > 0);
  return GeneralSticky(index, claims).Owners();
}

}  // namespace groupsim
