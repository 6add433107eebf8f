#include "scenarios/strategies/what_if_allocation.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/base/check.h"

namespace groupsim {
namespace {

// What each member has, or why nobody has anything.
class WhatIfPlan final : public AllocationPlan {
 public:
  WhatIfPlan(AllocationView view, absl::Status status)
      : view_(std::move(view)), status_(std::move(status)) {}

  void Give(Name client_id, std::vector<MessageQueue> queues) {
    shares_[client_id] = std::move(queues);
  }

  absl::StatusOr<std::vector<MessageQueue>> For(Name client_id) const override {
    const absl::Status input = CheckAllocationInput(client_id, view_);
    if (!input.ok()) return input;
    if (!status_.ok()) return status_;
    const auto found = shares_.find(client_id);
    if (found == shares_.end()) return std::vector<MessageQueue>();
    return found->second;
  }

 private:
  const AllocationView view_;
  const absl::Status status_;
  absl::flat_hash_map<Name, std::vector<MessageQueue>> shares_;
};

bool IsEmpty(const AllocationView& view) {
  return view.queues == nullptr || view.queues->empty() ||
         view.client_ids == nullptr || view.client_ids->empty();
}

}  // namespace

WhatIfAllocation::WhatIfAllocation(GroupStrategyPtr strategy)
    : strategy_(std::move(strategy)) {
  CHECK(strategy_->needs() ==
        StrategyNeeds({StrategyNeed::kPreviousAssignment}))
      << strategy_->name();
}

AllocationPlanPtr WhatIfAllocation::Prepare(const AllocationView& view) const {
  if (IsEmpty(view)) {
    return std::make_shared<const WhatIfPlan>(view, absl::OkStatus());
  }
  Topic& topic = topics_[view.queues->front().topic];
  AllocationPlanPtr& plan = topic.plans[{*view.client_ids, *view.queues}];
  if (plan == nullptr) plan = Assign(view, topic);
  return plan;
}

AllocationPlanPtr WhatIfAllocation::Assign(const AllocationView& view,
                                           Topic& topic) const {
  GroupView group;
  group.topics.push_back(
      {.name = view.queues->front().topic, .queues = view.queues});
  for (const Name id : *view.client_ids) {
    // A client id that occurs twice is one member.
    if (!group.members.empty() && group.members.back().id == id) continue;
    group.members.push_back({.id = id});
    const auto before = topic.owned.find(id);
    if (before == topic.owned.end()) continue;
    group.members.back().owned = PositionsOf(before->second, group);
    group.members.back().generation = topic.generation;
  }
  const absl::StatusOr<std::vector<GroupAssignment>> rounds =
      AssignInRounds(*strategy_, group);
  if (!rounds.ok()) {
    return std::make_shared<const WhatIfPlan>(view, rounds.status());
  }
  auto plan = std::make_shared<WhatIfPlan>(view, absl::OkStatus());
  topic.owned.clear();
  ++topic.generation;
  for (size_t i = 0; i < group.members.size(); ++i) {
    std::vector<MessageQueue> share;
    for (const QueuePosition position : rounds->back().shares[i]) {
      share.push_back((*view.queues)[position]);
    }
    topic.owned[group.members[i].id] = share;
    plan->Give(group.members[i].id, std::move(share));
  }
  return plan;
}

}  // namespace groupsim
