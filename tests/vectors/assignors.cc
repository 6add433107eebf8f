// Strategies for whole groups against the published steps of Kafka's assignors.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/group_strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "tests/vectors/vector_test.h"

namespace groupsim {
namespace {

using nlohmann::json;

// Topic and number of each queue, sorted, by member.
using Shares =
    std::map<std::string, std::vector<std::pair<std::string, int32_t>>>;

MessageQueue QueueOf(const std::pair<std::string, int32_t>& queue,
                     NameTable* names) {
  return {.topic = names->Intern(queue.first),
          .broker = names->Intern("broker"),
          .queue_id = queue.second};
}

GroupView ReadView(const json& vector, NameTable* names) {
  GroupView view;
  for (const auto& [name, count] :
       vector.at("topics")
           .get<std::vector<std::pair<std::string, int32_t>>>()) {
    std::vector<MessageQueue> queues;
    for (int32_t i = 0; i < count; ++i) {
      queues.push_back(QueueOf({name, i}, names));
    }
    view.topics.push_back(
        {.name = names->Intern(name),
         .queues = std::make_shared<const std::vector<MessageQueue>>(
             std::move(queues))});
    if (!vector.contains("rooms") || !vector["rooms"].contains(name)) continue;
    for (const auto& rooms :
         vector["rooms"][name].get<std::vector<std::vector<std::string>>>()) {
      std::vector<Name>& of_queue = view.topics.back().rooms.emplace_back();
      for (const std::string& room : rooms) {
        of_queue.push_back(names->Intern(room));
      }
    }
  }
  for (const json& value : vector.at("members")) {
    GroupMember member = {.id =
                              names->Intern(value.at("id").get<std::string>())};
    member.room = names->Intern(value.value("room", ""));
    if (value.contains("topics")) {
      std::vector<Name> topics;
      for (const auto& topic :
           value["topics"].get<std::vector<std::string>>()) {
        topics.push_back(names->Intern(topic));
      }
      member.subscription =
          std::make_shared<const std::vector<Name>>(std::move(topics));
    }
    if (value.contains("owned")) {
      std::vector<MessageQueue> owned;
      for (const auto& queue :
           value["owned"].get<std::vector<std::pair<std::string, int32_t>>>()) {
        owned.push_back(QueueOf(queue, names));
      }
      member.owned = PositionsOf(owned, view);
      member.generation = value.at("generation").get<int64_t>();
    }
    view.members.push_back(std::move(member));
  }
  return view;
}

Shares SharesOf(const GroupView& view, const GroupAssignment& assignment) {
  const std::vector<MessageQueue> queues = QueuesOf(view);
  Shares shares;
  for (size_t i = 0; i < assignment.shares.size(); ++i) {
    auto& share = shares[view.members[i].id.text()];
    for (const QueuePosition queue : assignment.shares[i]) {
      share.emplace_back(queues[queue].topic.text(), queues[queue].queue_id);
    }
    std::sort(share.begin(), share.end());
  }
  return shares;
}

VectorResult Compare(const json& vector, const Shares& got) {
  if (vector.contains("sizes")) {
    const auto expected = vector["sizes"].get<std::map<std::string, size_t>>();
    std::map<std::string, size_t> sizes;
    for (const auto& [member, share] : got) sizes[member] = share.size();
    if (sizes == expected) return VectorResult::Match();
    return VectorResult::Mismatch(
        absl::StrCat("expected sizes ", json(expected).dump(),
                     "\ngot            ", json(sizes).dump()));
  }
  auto expected = vector.at("result").get<Shares>();
  for (auto& [member, share] : expected) std::sort(share.begin(), share.end());
  if (got == expected) return VectorResult::Match();
  return VectorResult::Mismatch(absl::StrCat("expected ", json(expected).dump(),
                                             "\ngot      ", json(got).dump()));
}

VectorResult Check(const json& vector) {
  const auto name = vector.at("strategy").get<std::string>();
  const absl::StatusOr<GroupStrategyPtr> strategy =
      MakeGroupStrategy(name, StrategyParameters());
  if (!strategy.ok()) {
    return VectorResult::Malformed(std::string(strategy.status().message()));
  }
  NameTable names;
  const GroupView view = ReadView(vector, &names);
  const absl::StatusOr<GroupAssignment> assignment = (*strategy)->Assign(view);
  if (!assignment.ok()) {
    return VectorResult::Mismatch(
        absl::StrCat("got an error: ", assignment.status().message()));
  }
  VectorResult result = Compare(vector, SharesOf(view, *assignment));
  if (result.kind == VectorResult::Kind::kMismatch) {
    result.text = absl::StrCat(vector.at("name").get<std::string>(), ", ", name,
                               "\n", result.text);
  }
  return result;
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  return groupsim::VectorMain({.program = "assignors",
                               .file = "tests/vectors/data/assignors.jsonl",
                               .check = groupsim::Check},
                              argc, argv);
}
