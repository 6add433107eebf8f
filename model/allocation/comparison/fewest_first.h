// The members of a group, kept in order of what they hold.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_FEWEST_FIRST_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_FEWEST_FIRST_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "model/allocation/comparison/group_index.h"
#include "model/base/check.h"

namespace groupsim {

// Answers which subscriber of a topic holds least, ties by number, while what
// members hold changes. Key is how much that is: any ordered value. Members of
// one subscription share an ordered set, so that a question costs one look per
// subscription that has the topic.
template <class Key>
class FewestFirst {
 public:
  // No member takes part yet.
  explicit FewestFirst(const GroupIndex& index)
      : index_(index),
        held_(index.member_count()),
        order_(index.subscription_count()) {}

  const Key& held(uint32_t member) const { return *held_[member]; }

  // Sets what the member holds; it takes part from now on.
  void Set(uint32_t member, const Key& key) {
    Remove(member);
    held_[member] = key;
    OrderOf(member).insert({key, member});
  }

  void Remove(uint32_t member) {
    if (!held_[member].has_value()) return;
    OrderOf(member).erase({*held_[member], member});
    held_[member].reset();
  }

  // kNobody if no subscriber takes part.
  uint32_t FirstOf(const GroupIndex::Topic& topic) const {
    const Entry* first = nullptr;
    for (const uint32_t subscription :
         index_.audience_subscriptions(topic.audience)) {
      const auto& order = order_[subscription];
      if (order.empty()) continue;
      const Entry& candidate = *order.begin();
      if (first == nullptr || candidate < *first) first = &candidate;
    }
    return first == nullptr ? kNobody : first->second;
  }

  // The first subscriber, in the same order, that is fit; kNobody if none is.
  template <class Fit>
  uint32_t FirstOf(const GroupIndex::Topic& topic, Fit fit) const {
    const Entry* first = nullptr;
    for (const uint32_t subscription :
         index_.audience_subscriptions(topic.audience)) {
      for (const Entry& candidate : order_[subscription]) {
        if (first != nullptr && *first < candidate) break;
        if (!fit(candidate.second)) continue;
        first = &candidate;
        break;
      }
    }
    return first == nullptr ? kNobody : first->second;
  }

 private:
  using Entry = std::pair<Key, uint32_t>;

  absl::btree_set<Entry>& OrderOf(uint32_t member) {
    return order_[index_.subscription_of(member)];
  }

  const GroupIndex& index_;
  std::vector<std::optional<Key>> held_;
  std::vector<absl::btree_set<Entry>> order_;  // By subscription.
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_FEWEST_FIRST_H_
