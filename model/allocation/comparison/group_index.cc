#include "model/allocation/comparison/group_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/group_strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

std::vector<uint32_t> FirstNumbers(size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

// Sorts what is most often sorted already.
template <class Less>
void SortIfNeeded(std::vector<uint32_t>* numbers, Less less) {
  if (std::is_sorted(numbers->begin(), numbers->end(), less)) return;
  std::sort(numbers->begin(), numbers->end(), less);
}

}  // namespace

absl::StatusOr<GroupIndex> GroupIndex::Of(const GroupView& view,
                                          Options options) {
  absl::Status status = CheckGroupView(view, options.unknown);
  if (!status.ok()) return status;
  GroupIndex index(view);
  index.NumberTopicsAndQueues();
  index.NumberMembers(options.order);
  index.NumberSubscriptions();
  index.NumberAudiences();
  return index;
}

void GroupIndex::NumberTopicsAndQueues() {
  const std::vector<GroupTopic>& topics = view_->topics;
  std::vector<QueuePosition> first_position;
  QueuePosition total = 0;
  for (const GroupTopic& topic : topics) {
    first_position.push_back(total);
    total += static_cast<QueuePosition>(
        topic.queues == nullptr ? 0 : topic.queues->size());
  }
  std::vector<uint32_t> order = FirstNumbers(topics.size());
  SortIfNeeded(&order, [&topics](uint32_t a, uint32_t b) {
    return topics[a].name < topics[b].name;
  });
  queues_.reserve(total);
  topic_of_.reserve(total);
  bool as_in_view = true;
  for (const uint32_t position : order) {
    const GroupTopic& topic = topics[position];
    const auto count = static_cast<uint32_t>(
        topic.queues == nullptr ? 0 : topic.queues->size());
    std::vector<uint32_t> queues = FirstNumbers(count);
    SortIfNeeded(&queues, [&topic](uint32_t a, uint32_t b) {
      return (*topic.queues)[a] < (*topic.queues)[b];
    });
    const auto first = static_cast<uint32_t>(queues_.size());
    for (const uint32_t queue : queues) {
      const QueuePosition in_view = first_position[position] + queue;
      as_in_view = as_in_view && in_view == queues_.size();
      queues_.push_back(in_view);
      topic_of_.push_back(static_cast<uint32_t>(topics_.size()));
    }
    topics_.push_back(
        {.first = first, .count = count, .audience = 0, .view = &topic});
    first_position_.push_back(first_position[position]);
  }
  if (as_in_view) return;
  number_of_.resize(queues_.size());
  for (uint32_t number = 0; number < queues_.size(); ++number) {
    number_of_[queues_[number]] = number;
  }
}

void GroupIndex::NumberMembers(MemberOrder order) {
  const std::vector<GroupMember>& members = view_->members;
  members_ = FirstNumbers(members.size());
  SortIfNeeded(&members_, [&members, order](uint32_t a, uint32_t b) {
    const GroupMember& x = members[a];
    const GroupMember& y = members[b];
    if (order == MemberOrder::kStaticFirst && x.instance_id != y.instance_id) {
      if (x.instance_id.empty() || y.instance_id.empty()) {
        return y.instance_id.empty();
      }
      return x.instance_id < y.instance_id;
    }
    return x.id < y.id;
  });
}

void GroupIndex::NumberSubscriptions() {
  absl::flat_hash_map<Name, uint32_t> topic_numbers;
  for (uint32_t topic = 0; topic < topics_.size(); ++topic) {
    topic_numbers.emplace(topics_[topic].view->name, topic);
  }
  absl::flat_hash_map<const std::vector<Name>*, uint32_t> by_list;
  absl::flat_hash_map<std::vector<uint32_t>, uint32_t> by_topics;
  subscription_of_.reserve(members_.size());
  for (uint32_t member = 0; member < members_.size(); ++member) {
    const std::vector<Name>* const list =
        this->member(member).subscription.get();
    const auto known = by_list.find(list);
    if (known != by_list.end()) {
      subscription_of_.push_back(known->second);
      continue;
    }
    std::vector<uint32_t> topics;
    if (list == nullptr) {
      topics = FirstNumbers(topics_.size());
    } else {
      for (const Name name : *list) {
        const auto topic = topic_numbers.find(name);
        if (topic != topic_numbers.end()) topics.push_back(topic->second);
      }
      std::sort(topics.begin(), topics.end());
      topics.erase(std::unique(topics.begin(), topics.end()), topics.end());
    }
    const auto [entry, added] =
        by_topics.emplace(topics, static_cast<uint32_t>(subscriptions_.size()));
    if (added) subscriptions_.push_back(std::move(topics));
    by_list.emplace(list, entry->second);
    subscription_of_.push_back(entry->second);
  }
}

void GroupIndex::NumberAudiences() {
  std::vector<std::vector<uint32_t>> subscriptions_of_topic(topics_.size());
  for (uint32_t number = 0; number < subscriptions_.size(); ++number) {
    for (const uint32_t topic : subscriptions_[number]) {
      subscriptions_of_topic[topic].push_back(number);
    }
  }
  absl::flat_hash_map<std::vector<uint32_t>, uint32_t> audience_numbers;
  for (uint32_t topic = 0; topic < topics_.size(); ++topic) {
    const auto [entry, added] =
        audience_numbers.emplace(subscriptions_of_topic[topic],
                                 static_cast<uint32_t>(audiences_.size()));
    if (added) {
      audiences_.push_back(
          {.subscriptions = subscriptions_of_topic[topic], .members = {}});
    }
    topics_[topic].audience = entry->second;
  }
  std::vector<bool> takes_part(subscriptions_.size());
  for (Audience& audience : audiences_) {
    std::fill(takes_part.begin(), takes_part.end(), false);
    for (const uint32_t number : audience.subscriptions) {
      takes_part[number] = true;
    }
    for (uint32_t member = 0; member < members_.size(); ++member) {
      if (takes_part[subscription_of_[member]]) {
        audience.members.push_back(member);
      }
    }
  }
}

const MessageQueue& GroupIndex::queue(uint32_t queue) const {
  const uint32_t topic = topic_of_[queue];
  return (
      *topics_[topic].view->queues)[queues_[queue] - first_position_[topic]];
}

int64_t GroupIndex::Load(uint32_t queue) const {
  const uint32_t topic = topic_of_[queue];
  const std::vector<int64_t>& loads = topics_[topic].view->loads;
  return loads.empty() ? 0 : loads[queues_[queue] - first_position_[topic]];
}

absl::Span<const Name> GroupIndex::Rooms(uint32_t queue) const {
  const uint32_t topic = topic_of_[queue];
  const std::vector<std::vector<Name>>& rooms = topics_[topic].view->rooms;
  if (rooms.empty()) return {};
  return rooms[queues_[queue] - first_position_[topic]];
}

bool GroupIndex::Subscribes(uint32_t member, uint32_t topic) const {
  const std::vector<uint32_t>& topics =
      subscriptions_[subscription_of_[member]];
  // All topics, in the usual case.
  if (topics.size() == topics_.size()) return true;
  return std::binary_search(topics.begin(), topics.end(), topic);
}

std::vector<uint32_t> GroupIndex::OwnedBy(uint32_t member) const {
  std::vector<uint32_t> owned = this->member(member).owned;
  if (!number_of_.empty()) {
    for (uint32_t& queue : owned) queue = number_of_[queue];
  }
  if (!std::is_sorted(owned.begin(), owned.end())) {
    std::sort(owned.begin(), owned.end());
  }
  return owned;
}

GroupAssignment GroupIndex::Restore(
    const std::vector<uint32_t>& owner_of) const {
  CHECK_EQ(owner_of.size(), queues_.size());
  std::vector<uint32_t> sizes(members_.size(), 0);
  for (const uint32_t owner : owner_of) {
    if (owner != kNobody) ++sizes[owner];
  }
  GroupAssignment assignment;
  assignment.shares.resize(members_.size());
  for (uint32_t member = 0; member < members_.size(); ++member) {
    assignment.shares[members_[member]].reserve(sizes[member]);
  }
  for (uint32_t queue = 0; queue < owner_of.size(); ++queue) {
    if (owner_of[queue] == kNobody) continue;
    assignment.shares[members_[owner_of[queue]]].push_back(queues_[queue]);
  }
  return assignment;
}

absl::Status CheckLoads(const GroupView& view, absl::string_view strategy) {
  for (const GroupTopic& topic : view.topics) {
    if (topic.queues == nullptr || topic.queues->empty()) continue;
    if (topic.loads.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(strategy, " needs the load of every queue, and topic \"",
                       topic.name.text(),
                       "\" has none; give loads or choose a strategy "
                       "that does not look at them"));
    }
  }
  return absl::OkStatus();
}

}  // namespace groupsim
