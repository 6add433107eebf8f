#include "scenarios/laboratory/strategy_setup.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/group_adapter.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/room_resolver.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/group_plan.h"

namespace groupsim {
namespace {

void AddMembers(const Experiment& experiment,
                std::vector<const GroupMember*>* members) {
  for (const GroupMember& member : experiment.group.members) {
    members->push_back(&member);
  }
  for (const GroupMember& member : experiment.joiners) {
    members->push_back(&member);
  }
  for (const Restart& restart : experiment.restarts) {
    members->push_back(&restart.returns);
  }
}

// As if each member had an AllocateByConfig with a list of its own.
class ConfiguredLists final : public GroupStrategy {
 public:
  static absl::StatusOr<GroupStrategyPtr> Create(
      const std::vector<ConfiguredQueue>& configured,
      const Experiment& experiment) {
    auto strategy = std::make_shared<ConfiguredLists>();
    absl::Status status = strategy->Read(configured, experiment);
    if (!status.ok()) return status;
    return GroupStrategyPtr(std::move(strategy));
  }

  absl::string_view name() const override { return "by_config"; }
  StrategyNeeds needs() const override {
    return {StrategyNeed::kConfiguration};
  }
  StrategyPromises promises() const override { return {.one_owner = false}; }

  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override {
    const std::vector<MessageQueue> queues = QueuesOf(view);
    absl::flat_hash_map<MessageQueue, QueuePosition> position_of;
    position_of.reserve(queues.size());
    for (QueuePosition q = 0; q < queues.size(); ++q) {
      position_of.emplace(queues[q], q);
    }
    GroupAssignment assignment;
    assignment.shares.resize(view.members.size());
    for (size_t i = 0; i < view.members.size(); ++i) {
      const auto list = lists_.find(view.members[i].id);
      if (list == lists_.end()) continue;
      for (const MessageQueue& queue : list->second) {
        const auto position = position_of.find(queue);
        if (position == position_of.end()) continue;
        assignment.shares[i].push_back(position->second);
      }
    }
    return assignment;
  }

 private:
  // In every topic, or in one, the queues called "broker-a#3".
  using QueuesByText =
      absl::flat_hash_map<std::string, std::vector<MessageQueue>>;

  static QueuesByText QueuesOfAll(const std::vector<GroupTopic>& topics) {
    QueuesByText queues;
    for (const GroupTopic& topic : topics) {
      for (const MessageQueue& queue : *topic.queues) {
        queues[TextOf(queue)].push_back(queue);
      }
    }
    return queues;
  }

  static std::string TextOf(const MessageQueue& queue) {
    return absl::StrCat(queue.broker.text(), "#", queue.queue_id);
  }

  absl::Status Read(const std::vector<ConfiguredQueue>& configured,
                    const Experiment& experiment) {
    absl::flat_hash_map<std::string, Name> ids;  // By name.
    std::vector<const GroupMember*> members;
    AddMembers(experiment, &members);
    for (const GroupMember* member : members) {
      ids.emplace(experiment.NameOf(member->id), member->id);
    }
    const QueuesByText queues = QueuesOfAll(experiment.group.topics);
    absl::flat_hash_map<MessageQueue, std::string> owner_of;
    for (const ConfiguredQueue& entry : configured) {
      const std::string text =
          absl::StrCat(entry.queue.broker, "#", entry.queue.queue_id);
      const auto id = ids.find(entry.member);
      if (id == ids.end()) {
        return absl::InvalidArgumentError(
            absl::StrCat("the queue ", text, " is configured for \"",
                         entry.member, "\", but no consumer is called so"));
      }
      const auto found = queues.find(text);
      bool known = false;
      for (const MessageQueue& queue : found == queues.end()
                                           ? std::vector<MessageQueue>()
                                           : found->second) {
        if (!entry.topic.empty() && queue.topic.text() != entry.topic) continue;
        known = true;
        const auto [owner, added] = owner_of.emplace(queue, entry.member);
        if (!added) {
          return absl::InvalidArgumentError(
              absl::StrCat("the queue ", text, " is configured twice: for ",
                           owner->second, " and for ", entry.member));
        }
        lists_[id->second].push_back(queue);
      }
      if (!known) {
        return absl::InvalidArgumentError(
            absl::StrCat("the queue ", text, " is configured for ",
                         entry.member, ", but there is no such queue"));
      }
    }
    return absl::OkStatus();
  }

  absl::flat_hash_map<Name, std::vector<MessageQueue>> lists_;  // By client id.
};

// Asks another strategy about one topic after the other, in the order of their
// names, as clients do.
class TopicByTopic final : public GroupStrategy {
 public:
  explicit TopicByTopic(GroupStrategyPtr strategy)
      : strategy_(std::move(strategy)) {}

  absl::string_view name() const override { return strategy_->name(); }
  StrategyNeeds needs() const override { return strategy_->needs(); }
  StrategyPromises promises() const override { return strategy_->promises(); }

  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override {
    std::vector<QueuePosition> firsts;
    std::vector<size_t> order;
    QueuePosition next = 0;
    for (size_t i = 0; i < view.topics.size(); ++i) {
      firsts.push_back(next);
      order.push_back(i);
      next += static_cast<QueuePosition>(view.topics[i].queues->size());
    }
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return view.topics[a].name < view.topics[b].name;
    });
    // By topic and member: what the member has of it.
    std::vector<std::vector<std::vector<QueuePosition>>> owned(
        view.topics.size());
    for (auto& of_topic : owned) of_topic.resize(view.members.size());
    for (size_t m = 0; m < view.members.size(); ++m) {
      for (const QueuePosition queue : view.members[m].owned) {
        const size_t topic = static_cast<size_t>(
            std::upper_bound(firsts.begin(), firsts.end(), queue) -
            firsts.begin() - 1);
        owned[topic][m].push_back(queue - firsts[topic]);
      }
    }
    GroupAssignment assignment;
    assignment.shares.resize(view.members.size());
    for (const size_t topic : order) {
      if (view.topics[topic].queues->empty()) continue;
      const absl::StatusOr<GroupAssignment> part =
          strategy_->Assign(ViewOf(view, topic, std::move(owned[topic])));
      if (!part.ok()) return part.status();
      for (size_t m = 0; m < view.members.size(); ++m) {
        for (const QueuePosition queue : part->shares[m]) {
          assignment.shares[m].push_back(firsts[topic] + queue);
        }
      }
    }
    return assignment;
  }

 private:
  static GroupView ViewOf(const GroupView& view, size_t topic,
                          std::vector<std::vector<QueuePosition>> owned) {
    GroupView one;
    one.topics.push_back(view.topics[topic]);
    for (size_t m = 0; m < view.members.size(); ++m) {
      const GroupMember& from = view.members[m];
      GroupMember member = {.id = from.id,
                            .instance_id = from.instance_id,
                            .room = from.room,
                            .weight = from.weight,
                            .owned = std::move(owned[m]),
                            .generation = from.generation};
      if (from.subscription != nullptr) {
        std::vector<Name> names;
        if (std::find(from.subscription->begin(), from.subscription->end(),
                      view.topics[topic].name) != from.subscription->end()) {
          names.push_back(view.topics[topic].name);
        }
        member.subscription =
            std::make_shared<const std::vector<Name>>(std::move(names));
      }
      one.members.push_back(std::move(member));
    }
    return one;
  }

  const GroupStrategyPtr strategy_;
};

// A queue is in the first of its rooms.
std::shared_ptr<RoomTable> RoomsOf(const Experiment& experiment) {
  auto rooms = std::make_shared<RoomTable>();
  for (const GroupTopic& topic : experiment.group.topics) {
    for (size_t i = 0; i < topic.rooms.size(); ++i) {
      if (topic.rooms[i].empty()) continue;
      rooms->SetBroker((*topic.queues)[i].broker, topic.rooms[i][0].text());
    }
  }
  std::vector<const GroupMember*> members;
  AddMembers(experiment, &members);
  for (const GroupMember* member : members) {
    rooms->SetClient(member->id, member->room.text());
  }
  return rooms;
}

}  // namespace

std::vector<std::string> MachineRoomsOf(const StrategySettings& settings,
                                        const GroupView& view) {
  std::set<std::string> rooms;
  if (settings.parameters.machine_rooms.has_value()) {
    rooms.insert(settings.parameters.machine_rooms->begin(),
                 settings.parameters.machine_rooms->end());
  } else {
    for (const GroupMember& member : view.members) {
      rooms.insert(member.room.text());
    }
  }
  return {rooms.begin(), rooms.end()};
}

absl::StatusOr<GroupStrategyPtr> SetUp(const StrategyEntry& strategy,
                                       const StrategySettings& settings,
                                       const NamedExperiment& experiment) {
  if (settings.as_in_client) {
    absl::StatusOr<AllocationStrategyPtr> made =
        settings.as_in_client(RoomsOf(experiment.experiment));
    if (!made.ok()) return made.status();
    return GroupStrategyPtr(std::make_shared<const PerClientGroupStrategy>(
        std::string(strategy.name), *std::move(made), strategy.needs,
        strategy.promises));
  }
  if (strategy.name == "by_config") {
    return ConfiguredLists::Create(settings.configured, experiment.experiment);
  }
  StrategyParameters parameters = settings.parameters;
  if (strategy.needs.contains(StrategyNeed::kRooms)) {
    parameters.machine_rooms =
        MachineRoomsOf(settings, experiment.experiment.group);
    parameters.room_resolver = RoomsOf(experiment.experiment);
  }
  absl::StatusOr<GroupStrategyPtr> made =
      MakeGroupStrategy(strategy.name, parameters);
  if (!made.ok() || !settings.topic_by_topic) return made;
  return GroupStrategyPtr(
      std::make_shared<const TopicByTopic>(*std::move(made)));
}

}  // namespace groupsim
