#include "scenarios/laboratory/experiment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/allocation/group_strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "scenarios/measure/balance.h"

namespace groupsim {
namespace {

// A group at one moment.
struct State {
  GroupView view;
  GroupAssignment assignment;
};

// Jain's index of x / w, over the members with a weight.
double WeightedJain(const std::vector<int64_t>& counts, const GroupView& view) {
  double sum = 0;
  double squares = 0;
  double members = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (view.members[i].weight == 0) continue;
    const double x = static_cast<double>(counts[i]) /
                     static_cast<double>(view.members[i].weight);
    sum += x;
    squares += x * x;
    ++members;
  }
  return squares == 0 ? 1.0 : sum * sum / (members * squares);
}

int64_t AssignedQueues(const GroupAssignment& assignment) {
  int64_t assigned = 0;
  for (const auto& share : assignment.shares) {
    assigned += static_cast<int64_t>(share.size());
  }
  return assigned;
}

// Queues that have an owner in `before`, and none in the round that follows.
int64_t WaitingQueues(const GroupAssignment& before,
                      const GroupAssignment& round, size_t queue_count) {
  std::vector<char> owned(queue_count);
  for (const auto& share : before.shares) {
    for (const QueuePosition queue : share) owned[queue] = 1;
  }
  for (const auto& share : round.shares) {
    for (const QueuePosition queue : share) owned[queue] = 0;
  }
  return std::count(owned.begin(), owned.end(), 1);
}

// Turns `state` into what it is after its members have become `members`, and
// adds what that took to `churn`.
absl::Status Change(const GroupStrategy& strategy,
                    std::vector<GroupMember> members, State* state,
                    Churn* churn) {
  State next;
  next.view.topics = state->view.topics;
  next.view.members = std::move(members);
  absl::StatusOr<std::vector<GroupAssignment>> rounds =
      AssignInRounds(strategy, next.view);
  if (!rounds.ok()) return rounds.status();
  next.assignment = rounds->back();
  const size_t queue_count = QueueCount(next.view);
  std::vector<int64_t> kept;
  for (const GroupMember& member : next.view.members) {
    kept.push_back(static_cast<int64_t>(member.owned.size()));
  }
  ++churn->changes;
  churn->queues = static_cast<int64_t>(queue_count);
  churn->moved += static_cast<int64_t>(
      MovedQueues(state->view, state->assignment, next.view, next.assignment));
  churn->necessary +=
      NecessaryMoves(kept, {.queues = static_cast<int64_t>(queue_count),
                            .assigned = AssignedQueues(state->assignment)});
  churn->rounds = std::max(churn->rounds, static_cast<int64_t>(rounds->size()));
  if (rounds->size() > 1) {
    churn->waiting = std::max(
        churn->waiting,
        WaitingQueues(state->assignment, rounds->front(), queue_count));
  }
  SetOwned(next.assignment, 1, &next.view);
  *state = std::move(next);
  return absl::OkStatus();
}

std::vector<GroupMember> Without(std::vector<GroupMember> members,
                                 const std::vector<Name>& leavers) {
  const auto leaves = [&](const GroupMember& member) {
    return std::find(leavers.begin(), leavers.end(), member.id) !=
           leavers.end();
  };
  const size_t before = members.size();
  members.erase(std::remove_if(members.begin(), members.end(), leaves),
                members.end());
  CHECK_EQ(members.size() + leavers.size(), before);
  return members;
}

std::vector<GroupMember> With(std::vector<GroupMember> members,
                              const std::vector<GroupMember>& joiners) {
  members.insert(members.end(), joiners.begin(), joiners.end());
  return members;
}

}  // namespace

const std::string& Experiment::NameOf(Name id) const {
  const auto found = names_of_members.find(id);
  return found == names_of_members.end() ? id.text() : found->second;
}

double Churn::MovedPerQueue() const {
  return queues == 0 ? 0
                     : static_cast<double>(moved) / static_cast<double>(queues);
}

double Churn::NecessaryPerQueue() const {
  return queues == 0
             ? 0
             : static_cast<double>(necessary) / static_cast<double>(queues);
}

Balance BalanceOf(const GroupView& view, const GroupAssignment& assignment) {
  CHECK_EQ(view.members.size(), assignment.shares.size());
  // By position: loads, and whether they can be read in a room.
  std::vector<int64_t> loads;
  std::vector<const std::vector<Name>*> rooms;
  bool has_loads = !view.topics.empty();
  bool has_rooms = !view.topics.empty();
  for (const GroupTopic& topic : view.topics) {
    const size_t count = topic.queues == nullptr ? 0 : topic.queues->size();
    has_loads = has_loads && topic.loads.size() == count;
    has_rooms = has_rooms && topic.rooms.size() == count;
    loads.insert(loads.end(), topic.loads.begin(), topic.loads.end());
    for (const std::vector<Name>& room : topic.rooms) rooms.push_back(&room);
  }
  Balance balance;
  std::vector<int64_t> load_sums;
  int64_t foreign = 0;
  bool weights_differ = false;
  for (size_t i = 0; i < assignment.shares.size(); ++i) {
    const GroupMember& member = view.members[i];
    const std::vector<QueuePosition>& share = assignment.shares[i];
    balance.counts.push_back(static_cast<int64_t>(share.size()));
    weights_differ = weights_differ || member.weight != view.members[0].weight;
    has_rooms = has_rooms && !member.room.empty();
    int64_t load = 0;
    for (const QueuePosition queue : share) {
      if (has_loads) load += loads[queue];
      if (!has_rooms) continue;
      const std::vector<Name>& in = *rooms[queue];
      if (std::find(in.begin(), in.end(), member.room) == in.end()) ++foreign;
    }
    load_sums.push_back(load);
  }
  balance.queues = Fairness::Of(balance.counts);
  balance.gini = Gini(balance.counts);
  balance.score = BalanceScore(balance.counts);
  const auto queues = static_cast<int64_t>(QueueCount(view));
  balance.unowned = queues - balance.queues.sum;
  if (has_loads) balance.loads = Fairness::Of(load_sums);
  if (weights_differ)
    balance.weighted_jain = WeightedJain(balance.counts, view);
  if (has_rooms && queues > 0) {
    balance.cross_room =
        static_cast<double>(foreign) / static_cast<double>(queues);
  }
  return balance;
}

absl::StatusOr<Outcome> Try(const GroupStrategy& strategy,
                            const Experiment& experiment) {
  State start;
  start.view = experiment.group;
  absl::StatusOr<std::vector<GroupAssignment>> rounds =
      AssignInRounds(strategy, start.view);
  if (!rounds.ok()) return rounds.status();
  start.assignment = rounds->back();
  Outcome outcome;
  outcome.assignment = start.assignment;
  outcome.balance = BalanceOf(start.view, start.assignment);
  SetOwned(start.assignment, 1, &start.view);

  if (!experiment.joiners.empty()) {
    State state = start;
    const absl::Status status =
        Change(strategy, With(start.view.members, experiment.joiners), &state,
               &outcome.join.emplace());
    if (!status.ok()) return status;
  }
  if (!experiment.leavers.empty()) {
    State state = start;
    const absl::Status status =
        Change(strategy, Without(start.view.members, experiment.leavers),
               &state, &outcome.leave.emplace());
    if (!status.ok()) return status;
  }
  if (!experiment.restarts.empty()) {
    State state = start;
    Churn& churn = outcome.restart.emplace();
    for (const Restart& restart : experiment.restarts) {
      absl::Status status =
          Change(strategy, Without(state.view.members, {restart.leaves}),
                 &state, &churn);
      if (!status.ok()) return status;
      status = Change(strategy, With(state.view.members, {restart.returns}),
                      &state, &churn);
      if (!status.ok()) return status;
    }
  }
  return outcome;
}

}  // namespace groupsim
