#include "model/allocation/comparison/uniform_heterogeneous.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/member_levels.h"
#include "model/base/check.h"

namespace groupsim {
namespace {

// After so many rounds over the topics what is left stays as it is.
constexpr int kMaxRounds = 16;

class HeterogeneousUniform {
 public:
  HeterogeneousUniform(const GroupIndex& index, const Claims& claims)
      : index_(index),
        owner_of_(index.queue_count(), kNobody),
        sizes_(index.member_count(), 0),
        first_of_(index.member_count(), 0),
        end_of_(index.member_count(), 0) {
    for (uint32_t topic = 0; topic < index.topics().size(); ++topic) {
      if (Subscribers(topic).empty()) continue;
      topics_.push_back(topic);
    }
    std::sort(topics_.begin(), topics_.end(),
              [this](uint32_t a, uint32_t b) { return ComesBefore(a, b); });
    for (uint32_t queue = 0; queue < index.queue_count(); ++queue) {
      const uint32_t owner = claims.owner[queue];
      if (owner == kNobody || !index.Subscribes(owner, index.topic_of(queue))) {
        continue;
      }
      owner_of_[queue] = owner;
      ++sizes_[owner];
    }
  }

  std::vector<uint32_t> Owners() {
    for (const uint32_t topic : topics_) HandOut(topic);
    Balance();
    return std::move(owner_of_);
  }

 private:
  const std::vector<uint32_t>& Subscribers(uint32_t topic) const {
    return index_.Subscribers(index_.topics()[topic]);
  }

  // Most queues per subscriber first, then fewest subscribers, then by name.
  bool ComesBefore(uint32_t a, uint32_t b) const {
    const uint64_t a_subscribers = Subscribers(a).size();
    const uint64_t b_subscribers = Subscribers(b).size();
    const uint64_t a_share = index_.topics()[a].count * b_subscribers;
    const uint64_t b_share = index_.topics()[b].count * a_subscribers;
    if (a_share != b_share) return a_share > b_share;
    return std::make_pair(a_subscribers, a) < std::make_pair(b_subscribers, b);
  }

  // Gives the topic's free queues to those on the lowest level.
  void HandOut(uint32_t topic) {
    const GroupIndex::Topic& queues = index_.topics()[topic];
    bool started = false;
    for (uint32_t i = 0; i < queues.count; ++i) {
      const uint32_t queue = queues.first + i;
      if (owner_of_[queue] != kNobody) continue;
      if (!started) {
        levels_.Start(Subscribers(topic), sizes_);
        started = true;
      }
      const uint32_t member = levels_.TakeLowest();
      owner_of_[queue] = member;
      ++sizes_[member];
    }
  }

  // Evens out topic by topic, until a time round the topics changed nothing.
  void Balance() {
    std::vector<uint32_t> topics;
    for (const uint32_t topic : topics_) {
      if (Subscribers(topic).size() >= 2) topics.push_back(topic);
    }
    std::optional<size_t> last_changed;
    for (int round = 0; round < kMaxRounds; ++round) {
      for (size_t i = 0; i < topics.size(); ++i) {
        if (last_changed == i) return;
        const bool changed = BalanceTopic(topics[i]);
        if (changed || !last_changed.has_value()) last_changed = i;
      }
    }
  }

  // Moves queues of the topic from its fullest to its emptiest subscribers;
  // returns whether one moved.
  bool BalanceTopic(uint32_t topic) {
    levels_.Start(Subscribers(topic), sizes_);
    if (levels_.Imbalance() <= 1) return false;
    GroupByOwner(topic);
    bool changed = false;
    while (!levels_.Balanced()) {
      const uint32_t giver = TakeGiver();
      if (giver == kNobody) break;
      const uint32_t queue = grouped_[--end_of_[giver]];
      const uint32_t receiver = levels_.TakeLowest();
      if (levels_.Balanced()) break;
      owner_of_[queue] = receiver;
      --sizes_[giver];
      ++sizes_[receiver];
      changed = true;
    }
    for (const uint32_t member : Subscribers(topic)) {
      first_of_[member] = end_of_[member] = 0;
    }
    return changed;
  }

  // Sorts the topic's queues by owner, and notes the part of each.
  void GroupByOwner(uint32_t topic) {
    const GroupIndex::Topic& queues = index_.topics()[topic];
    grouped_.resize(queues.count);
    for (uint32_t i = 0; i < queues.count; ++i) {
      ++end_of_[owner_of_[queues.first + i]];
    }
    uint32_t next = 0;
    for (const uint32_t member : Subscribers(topic)) {
      first_of_[member] = next;
      next += end_of_[member];
      end_of_[member] = first_of_[member];
    }
    CHECK_EQ(next, queues.count);
    for (uint32_t i = 0; i < queues.count; ++i) {
      const uint32_t queue = queues.first + i;
      grouped_[end_of_[owner_of_[queue]]++] = queue;
    }
  }

  // The fullest subscriber that has queues of the topic left.
  uint32_t TakeGiver() {
    while (true) {
      const uint32_t member = levels_.TakeHighest();
      if (member == kNobody || end_of_[member] > first_of_[member]) {
        return member;
      }
      levels_.ExcludeHighest();
    }
  }

  const GroupIndex& index_;
  std::vector<uint32_t> topics_;  // With subscribers, in order of treatment.
  std::vector<uint32_t> owner_of_;
  std::vector<uint32_t> sizes_;  // By member.
  MemberLevels levels_;
  // The queues of one topic by owner; those of a member are at first_of_ to
  // end_of_. Both are 0 between two topics.
  std::vector<uint32_t> grouped_;
  std::vector<uint32_t> first_of_;
  std::vector<uint32_t> end_of_;
};

}  // namespace

std::vector<uint32_t> UniformHeterogeneousOwners(const GroupIndex& index,
                                                 const Claims& claims) {
  CHECK(index.member_count() > 0);
  return HeterogeneousUniform(index, claims).Owners();
}

}  // namespace groupsim
