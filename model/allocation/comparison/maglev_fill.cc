#include "model/allocation/comparison/maglev_fill.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/hashes.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {
namespace {

// A queue in the eyes of a member.
struct Choice {
  uint64_t hash;
  uint32_t queue;
};

bool IsBetter(const Choice& a, const Choice& b) {
  return a.hash != b.hash ? a.hash > b.hash : a.queue < b.queue;
}

// The queues of one topic while they are chosen. Each member holds a list of
// its best choices only, made again from what is free when the list is used up:
// of three times a member's part of the free queues, a quarter is still free
// when it ends, so that all lists together cost little more than one look by
// every member at every queue.
class Draft {
 public:
  Draft(const GroupIndex& index, const GroupIndex::Topic& topic,
        std::vector<uint32_t>* owner_of)
      : members_(index.Subscribers(topic)),
        owner_of_(owner_of),
        choices_(members_.size()),
        next_(members_.size(), 0) {
    for (const uint32_t member : members_) {
      member_hashes_.push_back(TextHash(index.member(member).id.text(), 0));
    }
    for (uint32_t i = 0; i < topic.count; ++i) {
      free_.push_back(
          {QueueHash(index.queue(topic.first + i)), topic.first + i});
    }
  }

  void Run() {
    for (size_t left = free_.size(), turn = 0; left > 0; --left) {
      (*owner_of_)[TakeBest(turn)] = members_[turn];
      turn = turn + 1 == members_.size() ? 0 : turn + 1;
    }
  }

 private:
  // There must be a free queue.
  uint32_t TakeBest(size_t turn) {
    while (true) {
      std::vector<Choice>& choices = choices_[turn];
      for (size_t& next = next_[turn]; next < choices.size();) {
        const uint32_t queue = choices[next++].queue;
        if ((*owner_of_)[queue] == kNobody) return queue;
      }
      Look(turn);
    }
  }

  // Lists the member's best choices of the free queues.
  void Look(size_t turn) {
    free_.erase(std::remove_if(free_.begin(), free_.end(),
                               [this](const Choice& choice) {
                                 return (*owner_of_)[choice.queue] != kNobody;
                               }),
                free_.end());
    const size_t wanted = 3 * (free_.size() / members_.size()) + 4;
    if (4 * wanted < free_.size()) {
      // Hashes are spread evenly: among the topmost part of their range that
      // should hold twice as many as wanted are nearly always enough.
      CollectFrom(turn, UINT64_MAX - UINT64_MAX / free_.size() * 2 * wanted);
      if (scratch_.size() < wanted) CollectFrom(turn, 0);
    } else {
      CollectFrom(turn, 0);
    }
    if (wanted < scratch_.size()) {
      std::nth_element(scratch_.begin(),
                       scratch_.begin() + static_cast<std::ptrdiff_t>(wanted),
                       scratch_.end(), IsBetter);
      scratch_.resize(wanted);
    }
    std::sort(scratch_.begin(), scratch_.end(), IsBetter);
    choices_[turn] = scratch_;
    next_[turn] = 0;
  }

  // Lists the free queues with at least this hash together with the member.
  void CollectFrom(size_t turn, uint64_t least) {
    scratch_.clear();
    for (const Choice& queue : free_) {
      const uint64_t hash = PairHash(queue.hash, member_hashes_[turn]);
      if (hash >= least) scratch_.push_back({hash, queue.queue});
    }
  }

  const std::vector<uint32_t>& members_;
  std::vector<uint32_t>* const owner_of_;
  std::vector<uint64_t> member_hashes_;
  std::vector<Choice> free_;  // With the hash of the queue alone.
  std::vector<std::vector<Choice>> choices_;  // By turn, the best first.
  std::vector<size_t> next_;                  // In choices_.
  std::vector<Choice> scratch_;
};

}  // namespace

absl::StatusOr<GroupAssignment> MaglevFill::Assign(
    const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(view, {});
  if (!index.ok()) return index.status();
  std::vector<uint32_t> owner_of(index->queue_count(), kNobody);
  for (const GroupIndex::Topic& topic : index->topics()) {
    if (index->Subscribers(topic).empty()) continue;
    Draft(*index, topic, &owner_of).Run();
  }
  return index->Restore(owner_of);
}

}  // namespace groupsim
