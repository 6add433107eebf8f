#include "scenarios/laboratory/strategy_setup.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/room_resolver.h"
#include "model/wire/message_queue.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/group_plan.h"

namespace groupsim {
namespace {

// As if each member had an AllocateByConfig with a list of its own.
class ConfiguredLists final : public GroupStrategy {
 public:
  explicit ConfiguredLists(std::vector<ConfiguredQueue> lists)
      : lists_(std::move(lists)) {}

  absl::string_view name() const override { return "by_config"; }
  StrategyNeeds needs() const override {
    return {StrategyNeed::kConfiguration};
  }
  StrategyPromises promises() const override { return {.one_owner = false}; }

  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override {
    const std::vector<MessageQueue> queues = QueuesOf(view);
    GroupAssignment assignment;
    assignment.shares.resize(view.members.size());
    std::vector<char> taken(queues.size());
    for (size_t i = 0; i < view.members.size(); ++i) {
      for (const ConfiguredQueue& entry : lists_) {
        if (entry.member != view.members[i].id.text()) continue;
        for (QueuePosition q = 0; q < queues.size(); ++q) {
          if (queues[q].broker.text() != entry.queue.broker ||
              queues[q].queue_id != entry.queue.queue_id) {
            continue;
          }
          if (taken[q]++ > 0) {
            return absl::InvalidArgumentError(
                absl::StrCat("the queue ", entry.queue.broker, "#",
                             entry.queue.queue_id, " is configured twice"));
          }
          assignment.shares[i].push_back(q);
        }
      }
    }
    return assignment;
  }

 private:
  const std::vector<ConfiguredQueue> lists_;
};

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

absl::StatusOr<GroupStrategyPtr> SetUp(const StrategyEntry& strategy,
                                       const StrategySettings& settings,
                                       const NamedExperiment& experiment) {
  if (strategy.name == "by_config") {
    return GroupStrategyPtr(
        std::make_shared<const ConfiguredLists>(settings.configured));
  }
  StrategyParameters parameters;
  parameters.virtual_nodes = settings.virtual_nodes;
  parameters.inner = settings.inner;
  if (strategy.needs.contains(StrategyNeed::kRooms)) {
    std::set<std::string> rooms;
    for (const GroupMember& member : experiment.experiment.group.members) {
      rooms.insert(member.room.text());
    }
    parameters.machine_rooms.emplace(rooms.begin(), rooms.end());
    parameters.room_resolver = RoomsOf(experiment.experiment);
  }
  return MakeGroupStrategy(strategy.name, parameters);
}

}  // namespace groupsim
