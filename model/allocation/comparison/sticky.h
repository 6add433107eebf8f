// Kafka's sticky assignors: even in total, and as before where possible.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_STICKY_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_STICKY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// StickyAssignor (AbstractStickyAssignor). Of two claims to a queue that of the
// higher generation counts, of two in the same generation none.
//
// While all members subscribe to the same topics: sizes differ by at most one
// in total, and a queue moves only if its owner left, lost its claim, or holds
// more than its part. Which queues a member keeps is decided by their number in
// the topic before the topic's name, so that no topic piles up on one member.
//
// With differing subscriptions: a new queue goes to the subscriber with the
// fewest queues; then queues move one by one from members to subscribers that
// have at least two fewer, until no single move would help. A queue is moved
// back instead if one of its topic went the other way before; unlike upstream's
// this exchange is made only where it evens sizes out, so that the search ends.
//
// Where rooms are known, queues outside their owner's room are given up, and
// members of a queue's room are served first. Topics that do not exist are
// passed over.
class Sticky final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "sticky"; }
  StrategyNeeds needs() const override {
    return {StrategyNeed::kPreviousAssignment};
  }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kEvenInTotal,
            .stickiness = StickinessPromise::kMinimal};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

// CooperativeStickyAssignor: sticky's assignment, less the queues that change
// hands while another member than their new owner still claims them. Their
// owners see that they lost them and let them go, and a second assignment gives
// them out. So each transfer takes two rounds, in which all other queues are
// read without a pause.
class CooperativeSticky final : public GroupStrategy {
 public:
  absl::string_view name() const override { return "cooperative_sticky"; }
  StrategyNeeds needs() const override {
    return {StrategyNeed::kPreviousAssignment};
  }
  StrategyPromises promises() const override {
    return {.balance = BalancePromise::kEvenInTotal,
            .stickiness = StickinessPromise::kMinimal,
            .rounds = 2};
  }
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_STICKY_H_
