#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "scenarios/lint/lints.h"

namespace groupsim {
namespace {

// Whether each topic is shared out in the order of client ids, so that the
// first ones get its surplus queues. Of the turns of round_robin too: a member
// asks it for one topic at a time.
bool SharesInOrder(const schema::Strategy& strategy) {
  return strategy.strategy_case() == schema::Strategy::STRATEGY_NOT_SET ||
         strategy.has_averagely() || strategy.has_averagely_by_circle() ||
         strategy.has_range() || strategy.has_server_range() ||
         strategy.has_round_robin();
}

bool SharesByHash(const schema::Strategy& strategy) {
  return strategy.has_consistent_hash() || strategy.has_rendezvous() ||
         strategy.has_jump_hash() || strategy.has_maglev_table();
}

int64_t AllQueues(const LintGroup& group) {
  int64_t queues = 0;
  for (const LintTopic& topic : group.topics) queues += topic.queues;
  return queues;
}

std::string NameOf(const LintGroup& group) {
  return absl::StrCat("group \"", group.group->name(), "\"");
}

}  // namespace

void LookAtMoreConsumersThanQueues(const LintSubject& subject,
                                   LintNotes& notes) {
  for (const LintGroup& group : subject.groups()) {
    if (group.broadcasts()) continue;
    const bool in_order = SharesInOrder(group.group->strategy());
    int64_t most = 0;
    for (const LintTopic& topic : group.topics) {
      most = in_order ? std::max(most, topic.queues) : most + topic.queues;
    }
    if (group.members <= most) continue;
    notes.Add(
        group.PathOf(group.consumers.back().block),
        absl::StrCat(
            NameOf(group), " has ", group.members, " consumers and ",
            Counted(most, "queue"),
            in_order && group.topics.size() > 1 ? " in its largest topic" : "",
            ": ", group.members - most, " will own none"));
  }
}

void LookAtRemainderSkew(const LintSubject& subject, LintNotes& notes) {
  for (const LintGroup& group : subject.groups()) {
    if (group.broadcasts()) continue;
    if (group.topics.size() < 2 || group.members < 2 ||
        !SharesInOrder(group.group->strategy())) {
      continue;
    }
    int64_t first = 0;
    int64_t last = 0;
    int64_t uneven = 0;
    for (const LintTopic& topic : group.topics) {
      last += topic.queues / group.members;
      first += (topic.queues + group.members - 1) / group.members;
      if (topic.queues % group.members != 0) ++uneven;
    }
    // One queue more or less is as even as it gets.
    if (first - last <= 1) continue;
    notes.Add(
        group.path,
        absl::StrFormat("the surplus queues of %s go to the same consumers of "
                        "%s: the first one gets %s, the last one %d",
                        Counted(uneven, "topic"), NameOf(group),
                        Counted(first, "queue"), last));
  }
}

void LookAtFewQueuesForHash(const LintSubject& subject, LintNotes& notes) {
  constexpr int64_t kEnough = 10;
  for (const LintGroup& group : subject.groups()) {
    if (group.broadcasts()) continue;
    const int64_t queues = AllQueues(group);
    if (!SharesByHash(group.group->strategy()) ||
        queues >= kEnough * group.members) {
      continue;
    }
    notes.Add(absl::StrCat(group.path, ".strategy"),
              absl::StrCat(NameOf(group), " shares ", Counted(queues, "queue"),
                           " among ", Counted(group.members, "consumer"),
                           " by hash: the shares will be uneven"));
  }
}

void LookAtEmptyMachineRoom(const LintSubject& subject, LintNotes& notes) {
  for (const LintGroup& group : subject.groups()) {
    if (group.broadcasts()) continue;
    const schema::Strategy& strategy = group.group->strategy();
    if (!strategy.has_machine_room_nearby() &&
        !strategy.has_by_machine_room()) {
      continue;
    }
    std::set<std::string> with_brokers;
    for (const LintTopic& topic : group.topics) {
      for (const std::string& name : topic.topic->broker()) {
        const schema::Broker* const broker = subject.BrokerNamed(name);
        if (broker != nullptr) with_brokers.insert(broker->room());
      }
    }
    if (strategy.has_by_machine_room()) {
      for (int i = 0; i < strategy.by_machine_room().room_size(); ++i) {
        const std::string& room = strategy.by_machine_room().room(i);
        if (with_brokers.contains(room)) continue;
        notes.Add(
            absl::StrCat(group.path, ".strategy.by_machine_room.room[", i, "]"),
            absl::StrCat("no broker of the topics of ", NameOf(group),
                         " is in room \"", room, "\""));
      }
      continue;
    }
    std::set<std::string> with_consumers;
    for (int block = 0; block < group.group->consumer_size(); ++block) {
      const std::string& room = group.group->consumer(block).room();
      if (!with_consumers.insert(room).second || with_brokers.contains(room)) {
        continue;
      }
      notes.Add(
          group.PathOf(block),
          absl::StrCat("room \"", room, "\" has consumers of ", NameOf(group),
                       " and no broker of its topics: "
                       "they own queues of rooms without consumers only"));
    }
    for (int i = 0; i < subject.scenario().broker_size(); ++i) {
      const std::string& room = subject.scenario().broker(i).room();
      if (!with_brokers.contains(room) || !with_consumers.insert(room).second) {
        continue;
      }
      notes.Add(
          absl::StrCat("broker[", i, "]"),
          absl::StrCat("room \"", room, "\" has no consumer of ", NameOf(group),
                       ": its queues go to those of other rooms"));
    }
  }
}

}  // namespace groupsim
