#include "scenarios/laboratory/group_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "model/allocation/group_strategy.h"
#include "model/base/name.h"
#include "model/runtime/random.h"
#include "model/wire/message_queue.h"
#include "scenarios/laboratory/experiment.h"
#include "sim/random/stream.h"

namespace groupsim {
namespace {

absl::Status Wrong(std::string message) {
  return absl::InvalidArgumentError(std::move(message));
}

absl::Status CheckSize(size_t count, const char* what, size_t limit) {
  if (count == 0) return Wrong(absl::StrCat("there are no ", what));
  if (count > limit) {
    return Wrong(absl::StrCat("there are ", count, " ", what, ", but at most ",
                              limit, " can be tried"));
  }
  return absl::OkStatus();
}

// Fails at the second occurrence of a text.
class Unique {
 public:
  explicit Unique(const char* what) : what_(what) {}
  absl::Status Add(const std::string& text) {
    if (text.empty()) return Wrong(absl::StrCat("a ", what_, " has no name"));
    if (seen_.insert(text).second) return absl::OkStatus();
    return Wrong(absl::StrCat("the ", what_, " \"", text, "\" occurs twice"));
  }

 private:
  const char* what_;
  std::set<std::string> seen_;
};

const std::string& NameOf(const MemberPlan& member) {
  return member.name.empty() ? member.id : member.name;
}

// Ids that two members have, or names.
absl::Status CheckIds(const GroupPlan& plan) {
  Unique names("consumer");
  absl::flat_hash_map<std::string, std::string> name_of;  // By id.
  for (const auto* list : {&plan.members, &plan.joiners}) {
    for (const MemberPlan& member : *list) {
      if (absl::Status status = names.Add(NameOf(member)); !status.ok()) {
        return status;
      }
      const auto [other, added] = name_of.emplace(member.id, NameOf(member));
      if (added) continue;
      return Wrong(absl::StrCat("the consumers \"", other->second, "\" and \"",
                                NameOf(member), "\" have one client id, \"",
                                member.id,
                                "\", so that both take the same queues; "
                                "only consumers with ids of their own can "
                                "share queues out"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckMembers(const GroupPlan& plan) {
  if (absl::Status status =
          CheckSize(plan.members.size(), "consumers", kMostMembers);
      !status.ok()) {
    return status;
  }
  if (plan.members.size() + plan.joiners.size() > kMostMembers) {
    return Wrong(absl::StrCat("there are ", plan.members.size(),
                              " consumers and ", plan.joiners.size(),
                              " who join, but at most ", kMostMembers,
                              " in all can be tried"));
  }
  if (absl::Status status = CheckIds(plan); !status.ok()) return status;
  Unique leavers("consumer who leaves");
  for (const std::string& leaver : plan.leavers) {
    if (absl::Status status = leavers.Add(leaver); !status.ok()) return status;
    const bool known = std::any_of(
        plan.members.begin(), plan.members.end(),
        [&](const MemberPlan& member) { return NameOf(member) == leaver; });
    if (!known) {
      return Wrong(absl::StrCat("no consumer is called \"", leaver,
                                "\" and could leave"));
    }
  }
  const bool someone_leaves =
      !plan.leavers.empty() || plan.anyone_leaves || plan.restarts;
  const size_t most_leave = std::max<size_t>(plan.leavers.size(), 1);
  if (someone_leaves && plan.members.size() <= most_leave) {
    return Wrong("nobody is left when consumers leave");
  }
  return absl::OkStatus();
}

absl::Status CheckQueues(const GroupPlan& plan) {
  if (absl::Status status =
          CheckSize(plan.topics.size(), "topics", kMostTopics);
      !status.ok()) {
    return status;
  }
  size_t queues = 0;
  Unique topics("topic");
  for (const TopicPlan& topic : plan.topics) {
    if (absl::Status status = topics.Add(topic.name); !status.ok()) {
      return status;
    }
    queues += topic.queues.size();
    if (queues > kMostQueues) break;
    Unique names("queue");
    for (const QueuePlan& queue : topic.queues) {
      absl::Status status =
          names.Add(absl::StrCat(queue.broker, "#", queue.queue_id));
      if (!status.ok()) return status;
    }
  }
  if (absl::Status status = CheckSize(queues, "queues", kMostQueues);
      !status.ok()) {
    return status;
  }
  if (!plan.loads.empty() && plan.loads.size() != queues) {
    return Wrong(absl::StrCat("there are ", plan.loads.size(), " loads for ",
                              queues, " queues"));
  }
  return absl::OkStatus();
}

class Maker {
 public:
  Maker(const GroupPlan& plan, uint64_t seed, uint64_t trial)
      : plan_(plan),
        random_(StreamKey::For(seed, absl::StrCat("trial-", trial), "group")) {}

  NamedExperiment Make() {
    AddTopics();
    Experiment& experiment = result_.experiment;
    for (const MemberPlan& member : plan_.members) {
      experiment.group.members.push_back(Member(member, Id(member)));
    }
    for (const MemberPlan& member : plan_.joiners) {
      experiment.joiners.push_back(Member(member, Id(member)));
    }
    for (const std::string& leaver : plan_.leavers) {
      const auto member = std::find_if(
          plan_.members.begin(), plan_.members.end(),
          [&](const MemberPlan& m) { return NameOf(m) == leaver; });
      experiment.leavers.push_back(names().Intern(member->id));
    }
    if (plan_.anyone_leaves) {
      const size_t leaver = random_.Below(plan_.members.size());
      experiment.leavers.push_back(experiment.group.members[leaver].id);
    }
    if (plan_.restarts) AddRestarts();
    return std::move(result_);
  }

 private:
  NameTable& names() { return *result_.names; }

  Name Id(const MemberPlan& member) {
    return names().Intern(plan_.draw_ids ? DrawClientId(random_) : member.id);
  }

  GroupMember Member(const MemberPlan& plan, Name id) {
    GroupMember member;
    member.id = id;
    if (!plan.name.empty() && !plan_.draw_ids) {
      result_.experiment.names_of_members.emplace(id, plan.name);
    }
    member.room = names().Intern(plan.room);
    member.weight = plan.weight;
    if (!plan.subscriptions.empty()) {
      std::vector<Name> topics;
      for (const std::string& topic : plan.subscriptions) {
        topics.push_back(names().Intern(topic));
      }
      member.subscription =
          std::make_shared<const std::vector<Name>>(std::move(topics));
    }
    return member;
  }

  void AddTopics() {
    absl::flat_hash_map<std::string, std::string> rooms;
    for (const BrokerRoom& room : plan_.broker_rooms) {
      rooms.emplace(room.broker, room.room);
    }
    size_t first = 0;
    for (const TopicPlan& plan : plan_.topics) {
      GroupTopic topic;
      topic.name = names().Intern(plan.name);
      std::vector<std::pair<MessageQueue, int64_t>> queues;
      for (size_t i = 0; i < plan.queues.size(); ++i) {
        queues.push_back({{.topic = topic.name,
                           .broker = names().Intern(plan.queues[i].broker),
                           .queue_id = plan.queues[i].queue_id},
                          plan_.loads.empty() ? 0 : plan_.loads[first + i]});
      }
      first += plan.queues.size();
      std::sort(queues.begin(), queues.end());
      std::vector<MessageQueue> list;
      for (const auto& [queue, load] : queues) {
        list.push_back(queue);
        if (!plan_.loads.empty()) topic.loads.push_back(load);
        if (rooms.empty()) continue;
        const auto room = rooms.find(queue.broker.text());
        topic.rooms.emplace_back();
        if (room != rooms.end()) {
          topic.rooms.back().push_back(names().Intern(room->second));
        }
      }
      topic.queues =
          std::make_shared<const std::vector<MessageQueue>>(std::move(list));
      result_.experiment.group.topics.push_back(std::move(topic));
    }
  }

  void AddRestarts() {
    std::vector<size_t> order(plan_.members.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (plan_.draw_ids) {
      for (size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random_.Below(i)]);
      }
    }
    for (const size_t i : order) {
      const Name id = result_.experiment.group.members[i].id;
      result_.experiment.restarts.push_back(
          {.leaves = id,
           .returns = Member(plan_.members[i],
                             plan_.draw_ids ? Id(plan_.members[i]) : id)});
    }
  }

  const GroupPlan& plan_;
  CounterStream random_;
  NamedExperiment result_{std::make_unique<NameTable>(), Experiment()};
};

}  // namespace

absl::StatusOr<NamedExperiment> MakeExperiment(const GroupPlan& plan,
                                               uint64_t seed, uint64_t trial) {
  if (absl::Status status = CheckQueues(plan); !status.ok()) return status;
  if (absl::Status status = CheckMembers(plan); !status.ok()) return status;
  return Maker(plan, seed, trial).Make();
}

std::string DrawClientId(RandomStream& random) {
  const uint64_t a = random.Below(256);
  const uint64_t b = random.Below(256);
  const uint64_t c = 1 + random.Below(254);
  const uint64_t pid = 1 + random.Below(65'535);
  const uint64_t nanos =
      100'000'000'000'000 + random.Below(900'000'000'000'000);
  return absl::StrCat("10.", a, ".", b, ".", c, "@", pid, "#", nanos);
}

}  // namespace groupsim
