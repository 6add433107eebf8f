// Kafka's range assignors: contiguous blocks, topic by topic.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_RANGE_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_RANGE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// Of a topic with P queues and N subscribers, the first P mod N subscribers get
// P div N + 1 queues, the others P div N, all as blocks in queue order. So the
// surplus of every topic falls on the same members: over T topics of a kind the
// first ones may have T queues more than the last. Topics with the same number
// of queues and the same subscribers are cut alike, so that queue i of each
// goes to one member. Kafka clients, RangeAssignor; the outcome is averagely's,
// except that members with a static instance id come first. Topics that do not
// exist are passed over.
//
// Where rooms are known, members first take queues of their own room, within
// the same sizes (KIP-881): topics that are cut alike together, queue number by
// queue number; others each member a block of those in its room. This is left
// out for a topic without a queue in a room of a subscriber, or with every
// queue in every room. A member without a room takes all queues for its own.
class Range final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "range"; }
  StrategyNeeds needs() const override { return {}; }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kEvenPerTopic};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

// The same blocks, cut by Kafka's group coordinator (RangeAssignor of the group
// coordinator, KIP-848): topics that do not exist are refused, and rooms do not
// count.
class ServerRange final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "server_range"; }
  StrategyNeeds needs() const override { return {}; }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kEvenPerTopic};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_RANGE_H_
