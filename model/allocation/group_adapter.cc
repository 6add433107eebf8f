#include "model/allocation/group_adapter.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

// Positions 0..count-1 in the order of `less`.
template <class Less>
std::vector<size_t> SortedPositions(size_t count, Less less) {
  std::vector<size_t> positions(count);
  std::iota(positions.begin(), positions.end(), size_t{0});
  std::sort(positions.begin(), positions.end(), less);
  return positions;
}

// The subscriptions of a view's members; equal lists are looked into once.
class Subscriptions {
 public:
  explicit Subscriptions(const GroupView& view) {
    absl::flat_hash_map<const std::vector<Name>*, size_t> number_of;
    for (const GroupMember& member : view.members) {
      const auto [entry, added] =
          number_of.emplace(member.subscription.get(), lists_.size());
      if (added) {
        List& list = lists_.emplace_back();
        list.everything = member.subscription == nullptr;
        if (!list.everything) {
          list.topic_names.insert(member.subscription->begin(),
                                  member.subscription->end());
        }
      }
      list_of_.push_back(entry->second);
    }
  }

  // Of `members`, positions in the view, those that subscribe to the topic.
  std::vector<size_t> SubscribersOf(Name topic,
                                    const std::vector<size_t>& members) const {
    std::vector<bool> has_topic;
    for (const List& list : lists_) {
      has_topic.push_back(list.everything || list.topic_names.contains(topic));
    }
    std::vector<size_t> subscribers;
    for (const size_t member : members) {
      if (has_topic[list_of_[member]]) subscribers.push_back(member);
    }
    return subscribers;
  }

 private:
  struct List {
    bool everything = false;
    absl::flat_hash_set<Name> topic_names;
  };

  std::vector<List> lists_;
  std::vector<size_t> list_of_;  // By position of the member.
};

// Asks `strategy` about one topic, and adds what it answers to the shares.
// `subscribers` are positions of members, sorted by id; `first` is the position
// of the topic's first queue.
absl::Status AddTopic(const AllocationStrategy& strategy, const GroupView& view,
                      const GroupTopic& topic, QueuePosition first,
                      const std::vector<size_t>& subscribers,
                      GroupAssignment* assignment) {
  if (subscribers.empty()) return absl::OkStatus();
  std::vector<Name> ids;
  ids.reserve(subscribers.size());
  for (const size_t member : subscribers) {
    ids.push_back(view.members[member].id);
  }
  absl::flat_hash_map<MessageQueue, QueuePosition> position_of;
  position_of.reserve(topic.queues->size());
  for (size_t i = 0; i < topic.queues->size(); ++i) {
    position_of.emplace((*topic.queues)[i],
                        first + static_cast<QueuePosition>(i));
  }
  std::vector<MessageQueue> queues = *topic.queues;
  std::sort(queues.begin(), queues.end());
  const AllocationPlanPtr plan = strategy.Prepare(
      {.queues =
           std::make_shared<const std::vector<MessageQueue>>(std::move(queues)),
       .client_ids =
           std::make_shared<const std::vector<Name>>(std::move(ids))});
  for (const size_t member : subscribers) {
    const absl::StatusOr<std::vector<MessageQueue>> share =
        plan->For(view.members[member].id);
    if (!share.ok()) {
      return absl::Status(
          share.status().code(),
          absl::StrCat("topic \"", topic.name.text(), "\", member \"",
                       view.members[member].id.text(),
                       "\": ", share.status().message()));
    }
    for (const MessageQueue& queue : *share) {
      const auto position = position_of.find(queue);
      // A strategy with a configuration may name queues that are not there.
      if (position == position_of.end()) continue;
      assignment->shares[member].push_back(position->second);
    }
  }
  return absl::OkStatus();
}

class RefusingPlan final : public AllocationPlan {
 public:
  explicit RefusingPlan(absl::Status status) : status_(std::move(status)) {}
  absl::StatusOr<std::vector<MessageQueue>> For(
      Name /*client_id*/) const override {
    return status_;
  }

 private:
  const absl::Status status_;
};

class GroupPlan final : public AllocationPlan {
 public:
  GroupPlan(AllocationView view, const GroupAssignment& assignment,
            const GroupView& group)
      : view_(std::move(view)) {
    const std::vector<MessageQueue> queues = QueuesOf(group);
    for (size_t i = 0; i < group.members.size(); ++i) {
      std::vector<MessageQueue>& share = shares_[group.members[i].id];
      for (const QueuePosition queue : assignment.shares[i]) {
        share.push_back(queues[queue]);
      }
    }
  }

  absl::StatusOr<std::vector<MessageQueue>> For(Name client_id) const override {
    absl::Status status = CheckAllocationInput(client_id, view_);
    if (!status.ok()) return status;
    const auto share = shares_.find(client_id);
    if (share == shares_.end()) return std::vector<MessageQueue>();
    return share->second;
  }

 private:
  const AllocationView view_;
  absl::flat_hash_map<Name, std::vector<MessageQueue>> shares_;
};

// The view of one topic as a group; queues of several topics are split.
GroupView ToGroup(const AllocationView& view) {
  GroupView group;
  if (view.queues != nullptr && !view.queues->empty()) {
    absl::flat_hash_map<Name, size_t> number_of;
    std::vector<std::vector<MessageQueue>> queues;
    for (const MessageQueue& queue : *view.queues) {
      const auto [position, added] =
          number_of.emplace(queue.topic, group.topics.size());
      if (added) {
        group.topics.push_back({.name = queue.topic});
        queues.emplace_back();
      }
      queues[position->second].push_back(queue);
    }
    for (size_t i = 0; i < queues.size(); ++i) {
      group.topics[i].queues =
          std::make_shared<const std::vector<MessageQueue>>(
              std::move(queues[i]));
    }
  }
  if (view.client_ids != nullptr) {
    absl::flat_hash_set<Name> seen;
    for (const Name id : *view.client_ids) {
      if (seen.insert(id).second) group.members.push_back({.id = id});
    }
  }
  return group;
}

}  // namespace

PerClientGroupStrategy::PerClientGroupStrategy(std::string name,
                                               AllocationStrategyPtr strategy,
                                               StrategyNeeds needs,
                                               StrategyPromises promises)
    : name_(std::move(name)),
      strategy_(std::move(strategy)),
      needs_(needs),
      promises_(promises) {
  CHECK(strategy_ != nullptr);
}

absl::StatusOr<GroupAssignment> PerClientGroupStrategy::Assign(
    const GroupView& view) const {
  absl::Status status = CheckGroupView(view, UnknownTopics::kRefused);
  if (!status.ok()) return status;
  const std::vector<size_t> members =
      SortedPositions(view.members.size(), [&view](size_t a, size_t b) {
        return view.members[a].id < view.members[b].id;
      });
  const std::vector<size_t> topics =
      SortedPositions(view.topics.size(), [&view](size_t a, size_t b) {
        return view.topics[a].name < view.topics[b].name;
      });
  std::vector<QueuePosition> first_queue;
  QueuePosition next = 0;
  for (const GroupTopic& topic : view.topics) {
    first_queue.push_back(next);
    if (topic.queues != nullptr) {
      next += static_cast<QueuePosition>(topic.queues->size());
    }
  }
  const Subscriptions subscriptions(view);
  GroupAssignment assignment;
  assignment.shares.resize(view.members.size());
  for (const size_t topic : topics) {
    if (view.topics[topic].queues == nullptr ||
        view.topics[topic].queues->empty()) {
      continue;
    }
    status =
        AddTopic(*strategy_, view, view.topics[topic], first_queue[topic],
                 subscriptions.SubscribersOf(view.topics[topic].name, members),
                 &assignment);
    if (!status.ok()) return status;
  }
  return assignment;
}

GroupAllocation::GroupAllocation(GroupStrategyPtr strategy)
    : strategy_(std::move(strategy)) {
  CHECK(strategy_ != nullptr);
}

absl::string_view GroupAllocation::name() const { return strategy_->name(); }

AllocationPlanPtr GroupAllocation::Prepare(const AllocationView& view) const {
  if (!strategy_->needs().empty()) {
    return std::make_shared<const RefusingPlan>(absl::InvalidArgumentError(
        absl::StrCat(strategy_->name(), " needs ", ToString(strategy_->needs()),
                     ", which no client knows alone; choose a strategy that "
                     "needs nothing")));
  }
  const GroupView group = ToGroup(view);
  const absl::StatusOr<GroupAssignment> assignment = strategy_->Assign(group);
  if (!assignment.ok()) {
    return std::make_shared<const RefusingPlan>(assignment.status());
  }
  return std::make_shared<const GroupPlan>(view, *assignment, group);
}

}  // namespace groupsim
