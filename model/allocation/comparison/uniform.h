// Kafka's uniform assignor: even in total, computed by the group coordinator.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_UNIFORM_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_UNIFORM_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// UniformAssignor (KIP-848). Previous owners are those whose claims sticky
// would accept; topics that do not exist are refused.
//
// While all members subscribe to the same topics (P queues, N members): P mod N
// members have a right to P div N + 1 queues, first those that own more than
// P div N, then the others by id. Each keeps what it owns up to its part, in
// order of topic and queue; what is left fills up the others by id, first the
// queues that nobody owned, then those given up. A queue moves only if its
// owner left or holds more than its part.
//
// With differing subscriptions (KAFKA-17710): everyone keeps what it owns and
// still subscribes to; topics with the most queues per subscriber come first,
// and their free queues go to the subscribers on the lowest level, once round,
// then on the next level. Then, in up to 16 rounds over the topics, queues go
// from the fullest subscribers to the emptiest of the same topic. Perfect
// where the subscribers of a topic have the same subscriptions, else it may
// stop a step short along a chain of topics.
class Uniform final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "uniform"; }
  StrategyNeeds needs() const override {
    return {StrategyNeed::kPreviousAssignment};
  }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kEvenInTotal,
            .stickiness = StickinessPromise::kMinimal};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

// Uniform before KAFKA-18688 was mended: the first members by id have the right
// to one queue more, whoever holds more, so that a balanced assignment may be
// changed without need. Differing subscriptions are treated as by uniform.
class Uniform2024 final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "uniform_2024"; }
  StrategyNeeds needs() const override {
    return {StrategyNeed::kPreviousAssignment};
  }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kEvenInTotal,
            .stickiness = StickinessPromise::kBestEffort};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_UNIFORM_H_
