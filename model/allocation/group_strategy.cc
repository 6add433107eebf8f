#include "model/allocation/group_strategy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

constexpr size_t kMaxQueues = size_t{1} << 31;

template <class... Parts>
absl::Status Refused(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

absl::Status CheckQueues(const GroupTopic& topic) {
  if (topic.queues == nullptr) return absl::OkStatus();
  const std::vector<MessageQueue>& queues = *topic.queues;
  bool ascending = true;
  for (size_t i = 0; i < queues.size(); ++i) {
    if (queues[i].topic != topic.name) {
      return Refused("topic \"", topic.name.text(), "\" lists ",
                     ToString(queues[i]),
                     "; list each queue under its own topic");
    }
    if (i > 0 && ascending) ascending = queues[i - 1] < queues[i];
  }
  if (ascending) return absl::OkStatus();
  absl::flat_hash_set<MessageQueue> seen;
  seen.reserve(queues.size());
  for (const MessageQueue& queue : queues) {
    if (!seen.insert(queue).second) {
      return Refused("topic \"", topic.name.text(), "\" lists ",
                     ToString(queue), " twice; list each queue once");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTopic(const GroupTopic& topic) {
  if (topic.name.empty()) {
    return Refused("a topic has no name; name every topic");
  }
  if (absl::Status status = CheckQueues(topic); !status.ok()) return status;
  const size_t queues = topic.queues == nullptr ? 0 : topic.queues->size();
  if (!topic.loads.empty() && topic.loads.size() != queues) {
    return Refused("topic \"", topic.name.text(), "\" has ", queues,
                   " queues and ", topic.loads.size(),
                   " loads; give one for each queue, or none");
  }
  for (const int64_t load : topic.loads) {
    if (load < 0) {
      return Refused("topic \"", topic.name.text(), "\" has a load of ", load,
                     "; loads are 0 or more");
    }
  }
  if (!topic.rooms.empty() && topic.rooms.size() != queues) {
    return Refused("topic \"", topic.name.text(), "\" has ", queues,
                   " queues and rooms of ", topic.rooms.size(),
                   "; give the rooms of each queue, or none");
  }
  return absl::OkStatus();
}

absl::Status CheckSubscription(const GroupMember& member,
                               const absl::flat_hash_set<Name>& topic_names) {
  for (const Name topic : *member.subscription) {
    if (!topic_names.contains(topic)) {
      return Refused("member \"", member.id.text(), "\" subscribes to \"",
                     topic.text(),
                     "\", which is unknown; add the topic or drop it from the "
                     "subscription");
    }
  }
  return absl::OkStatus();
}

// `seen_by` holds for each queue one plus the number of the last member that
// owns it.
absl::Status CheckOwned(const GroupMember& member, uint32_t stamp,
                        std::vector<uint32_t>* seen_by) {
  for (const QueuePosition queue : member.owned) {
    if (queue >= seen_by->size()) {
      return Refused("member \"", member.id.text(), "\" owns queue number ",
                     queue, " of ", seen_by->size(),
                     "; leave out queues that are gone");
    }
    if ((*seen_by)[queue] == stamp) {
      return Refused("member \"", member.id.text(), "\" owns queue number ",
                     queue, " twice; list each owned queue once");
    }
    (*seen_by)[queue] = stamp;
  }
  return absl::OkStatus();
}

absl::Status CheckMembers(const GroupView& view, UnknownTopics unknown,
                          const absl::flat_hash_set<Name>& topic_names) {
  absl::flat_hash_set<Name> ids;
  ids.reserve(view.members.size());
  absl::flat_hash_set<const std::vector<Name>*> known_subscriptions;
  std::vector<uint32_t> seen_by(QueueCount(view), 0);
  uint32_t stamp = 0;
  for (const GroupMember& member : view.members) {
    if (member.id.empty()) {
      return Refused("a member has no id; name every member");
    }
    if (!ids.insert(member.id).second) {
      return Refused("member \"", member.id.text(),
                     "\" is there twice; give each member an id of its own");
    }
    if (member.weight < 0) {
      return Refused("member \"", member.id.text(), "\" has weight ",
                     member.weight, "; weights are 0 or more");
    }
    if (member.generation < kNoGeneration) {
      return Refused("member \"", member.id.text(), "\" has generation ",
                     member.generation, "; generations start at 0, ",
                     kNoGeneration, " is none");
    }
    if (unknown == UnknownTopics::kRefused && member.subscription != nullptr &&
        known_subscriptions.insert(member.subscription.get()).second) {
      absl::Status status = CheckSubscription(member, topic_names);
      if (!status.ok()) return status;
    }
    absl::Status status = CheckOwned(member, ++stamp, &seen_by);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

constexpr std::pair<StrategyNeed, absl::string_view> kNeedTexts[] = {
    {StrategyNeed::kPreviousAssignment, "previous assignment"},
    {StrategyNeed::kLoads, "loads"},
    {StrategyNeed::kRooms, "rooms"},
    {StrategyNeed::kWeights, "weights"},
    {StrategyNeed::kConfiguration, "configuration"},
};

using OwnerByQueue = absl::flat_hash_map<MessageQueue, Name>;

OwnerByQueue OwnersOf(const GroupView& view,
                      const GroupAssignment& assignment) {
  CHECK_EQ(view.members.size(), assignment.shares.size());
  const std::vector<MessageQueue> queues = QueuesOf(view);
  OwnerByQueue owners;
  owners.reserve(queues.size());
  for (size_t i = 0; i < assignment.shares.size(); ++i) {
    for (const QueuePosition queue : assignment.shares[i]) {
      CHECK_LT(queue, queues.size());
      owners.emplace(queues[queue], view.members[i].id);
    }
  }
  return owners;
}

}  // namespace

std::string ToString(StrategyNeeds needs) {
  std::string text;
  for (const auto& [need, name] : kNeedTexts) {
    if (!needs.contains(need)) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", name);
  }
  return text.empty() ? "nothing" : text;
}

std::string ToString(BalancePromise balance) {
  switch (balance) {
    case BalancePromise::kNone:
      return "none";
    case BalancePromise::kEvenPerTopic:
      return "<=1 per topic";
    case BalancePromise::kEvenInTotal:
      return "<=1 in total";
    case BalancePromise::kCapped:
      return "capped per topic";
    case BalancePromise::kByWeight:
      return "by weight";
    case BalancePromise::kByLoad:
      return "by load";
    case BalancePromise::kByCapacity:
      return "within capacity";
  }
  CHECK(false) << "not a balance promise";
  return {};
}

std::string ToString(StickinessPromise stickiness) {
  switch (stickiness) {
    case StickinessPromise::kNone:
      return "none";
    case StickinessPromise::kConsistent:
      return "consistent";
    case StickinessPromise::kBestEffort:
      return "best effort";
    case StickinessPromise::kMinimal:
      return "minimal";
  }
  CHECK(false) << "not a stickiness promise";
  return {};
}

absl::Status CheckGroupView(const GroupView& view, UnknownTopics unknown) {
  if (QueueCount(view) > kMaxQueues) {
    return Refused("there are ", QueueCount(view), " queues; at most ",
                   kMaxQueues, " can be allocated");
  }
  absl::flat_hash_set<Name> topic_names;
  for (const GroupTopic& topic : view.topics) {
    if (absl::Status status = CheckTopic(topic); !status.ok()) return status;
    if (!topic_names.insert(topic.name).second) {
      return Refused("topic \"", topic.name.text(),
                     "\" is there twice; list all its queues in one place");
    }
  }
  return CheckMembers(view, unknown, topic_names);
}

size_t QueueCount(const GroupView& view) {
  size_t count = 0;
  for (const GroupTopic& topic : view.topics) {
    if (topic.queues != nullptr) count += topic.queues->size();
  }
  return count;
}

std::vector<MessageQueue> QueuesOf(const GroupView& view) {
  std::vector<MessageQueue> queues;
  queues.reserve(QueueCount(view));
  for (const GroupTopic& topic : view.topics) {
    if (topic.queues == nullptr) continue;
    queues.insert(queues.end(), topic.queues->begin(), topic.queues->end());
  }
  return queues;
}

std::vector<QueuePosition> PositionsOf(absl::Span<const MessageQueue> queues,
                                       const GroupView& view) {
  const std::vector<MessageQueue> all = QueuesOf(view);
  absl::flat_hash_map<MessageQueue, QueuePosition> positions;
  positions.reserve(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    positions.emplace(all[i], static_cast<QueuePosition>(i));
  }
  std::vector<QueuePosition> found;
  found.reserve(queues.size());
  for (const MessageQueue& queue : queues) {
    const auto position = positions.find(queue);
    if (position != positions.end()) found.push_back(position->second);
  }
  return found;
}

void SetOwned(const GroupAssignment& assignment, int64_t generation,
              GroupView* view) {
  CHECK_EQ(assignment.shares.size(), view->members.size());
  for (size_t i = 0; i < view->members.size(); ++i) {
    view->members[i].owned = assignment.shares[i];
    view->members[i].generation = generation;
  }
}

absl::StatusOr<std::vector<GroupAssignment>> AssignInRounds(
    const GroupStrategy& strategy, GroupView view) {
  int64_t generation = kNoGeneration;
  for (const GroupMember& member : view.members) {
    generation = std::max(generation, member.generation);
  }
  CHECK(generation < std::numeric_limits<int64_t>::max() - 2);
  std::vector<GroupAssignment> rounds;
  for (int round = 0; round < strategy.promises().rounds; ++round) {
    absl::StatusOr<GroupAssignment> assignment = strategy.Assign(view);
    if (!assignment.ok()) return assignment.status();
    // A change that moves nothing is over after its first round.
    if (!rounds.empty() && rounds.back() == *assignment) break;
    SetOwned(*assignment, ++generation, &view);
    rounds.push_back(*std::move(assignment));
  }
  return rounds;
}

size_t MovedQueues(const GroupView& before, const GroupAssignment& assigned,
                   const GroupView& after, const GroupAssignment& reassigned) {
  CHECK_EQ(after.members.size(), reassigned.shares.size());
  const OwnerByQueue owners = OwnersOf(before, assigned);
  const std::vector<MessageQueue> queues = QueuesOf(after);
  size_t moved = 0;
  for (size_t i = 0; i < reassigned.shares.size(); ++i) {
    for (const QueuePosition queue : reassigned.shares[i]) {
      CHECK_LT(queue, queues.size());
      const auto owner = owners.find(queues[queue]);
      if (owner != owners.end() && owner->second != after.members[i].id) {
        ++moved;
      }
    }
  }
  return moved;
}

}  // namespace groupsim
