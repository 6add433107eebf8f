// Allocation strategies compared without a clock: one group, what each member
// gets, and what changes of the members move.
//
//   Experiment experiment = ...;
//   absl::StatusOr<Outcome> outcome = Try(*strategy, experiment);
//   outcome->balance.queues.Jain()
#ifndef GROUPSIM_SCENARIOS_LABORATORY_EXPERIMENT_H_
#define GROUPSIM_SCENARIOS_LABORATORY_EXPERIMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "model/allocation/group_strategy.h"
#include "model/base/name.h"
#include "scenarios/measure/balance.h"

namespace groupsim {

// A member that stops and comes back, under the same id or another one.
struct Restart {
  Name leaves;
  GroupMember returns;
};

// A group, and changes of its members. Each change starts from the group as it
// is at first; nothing stands for a change that is not tried.
struct Experiment {
  GroupView group;
  std::vector<GroupMember> joiners;  // All at once.
  std::vector<Name> leavers;         // All at once; members of the group.
  std::vector<Restart> restarts;     // One after the other.
  // What people call the members whose ids they do not know.
  absl::flat_hash_map<Name, std::string> names_of_members = {};

  // How the member with this id is called.
  const std::string& NameOf(Name id) const;
};

// How evenly an assignment spreads what there is.
struct Balance {
  std::vector<int64_t> counts;  // Queues of each member, in the view's order.
  Fairness queues;              // Of counts.
  double gini = 0;              // Of counts.
  int64_t score = 0;            // BalanceScore of counts.
  // Queues that nobody has.
  int64_t unowned = 0;
  // Of the loads of the members' queues, where loads are known.
  std::optional<Fairness> loads;
  // Jain's index of queues by weight, where weights differ.
  std::optional<double> weighted_jain;
  // Part of the queues whose owner is in a room in which they cannot be read,
  // where rooms are known.
  std::optional<double> cross_room;
};

Balance BalanceOf(const GroupView& view, const GroupAssignment& assignment);

// What one change, or a series of them, moved.
struct Churn {
  int64_t changes = 0;
  int64_t queues = 0;  // Of the group.
  // Queues with an owner before and another one after, and the fewest that had
  // to move for even counts, summed over the changes.
  int64_t moved = 0;
  int64_t necessary = 0;
  // The most assignments that one change took, and the most queues that were
  // nobody's in between although they had an owner before.
  int64_t rounds = 1;
  int64_t waiting = 0;

  // Of all queues, over all changes: 2 if each queue moved twice.
  double MovedPerQueue() const;
  double NecessaryPerQueue() const;
};

struct Outcome {
  GroupAssignment assignment;
  Balance balance;
  std::optional<Churn> join;
  std::optional<Churn> leave;
  std::optional<Churn> restart;
};

// The strategy is told the assignment before each change, as needed or not.
// What it refuses is refused.
absl::StatusOr<Outcome> Try(const GroupStrategy& strategy,
                            const Experiment& experiment);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LABORATORY_EXPERIMENT_H_
