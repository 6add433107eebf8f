#include "scenarios/laboratory/explain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/averagely.h"
#include "model/allocation/by_machine_room.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/hash_ring.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/strategy_setup.h"
#include "scenarios/runner/readable.h"

namespace groupsim {
namespace {

// The most queues that are looked up on a ring before the reader's eyes.
constexpr size_t kMostLookUps = 64;

std::string Plural(size_t n, absl::string_view one) {
  return ReadablePlural(static_cast<int64_t>(n), one);
}

class Explainer {
 public:
  Explainer(const StrategyEntry& strategy, const StrategySettings& settings,
            const Experiment& experiment, const GroupAssignment& assignment,
            size_t member)
      : strategy_(strategy),
        settings_(settings),
        experiment_(experiment),
        view_(experiment.group),
        member_(view_.members[member]),
        name_(experiment.NameOf(member_.id)),
        share_(assignment.shares[member]) {}

  std::vector<std::string> Explain() {
    Say(absl::StrCat(strategy_.name, ": ", strategy_.summary));
    if (name_ != member_.id.text()) {
      Say(absl::StrCat(name_, " has the client id ", member_.id.text()));
    }
    for (const GroupTopic& topic : view_.topics) ExplainTopic(topic);
    if (view_.topics.size() > 1) {
      Say(absl::StrCat(name_, " has ", Plural(share_.size(), "queue"),
                       " in all"));
    }
    return lines_;
  }

 private:
  void Say(std::string line) { lines_.push_back(std::move(line)); }

  // Members that subscribe, in the order of their ids.
  std::vector<Name> Subscribers(Name topic) const {
    std::vector<Name> ids;
    for (const GroupMember& member : view_.members) {
      if (member.subscription == nullptr ||
          std::find(member.subscription->begin(), member.subscription->end(),
                    topic) != member.subscription->end()) {
        ids.push_back(member.id);
      }
    }
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  void ExplainTopic(const GroupTopic& topic) {
    const std::vector<MessageQueue>& queues = *topic.queues;
    const std::vector<Name> clients = Subscribers(topic.name);
    const auto found = std::find(clients.begin(), clients.end(), member_.id);
    Say(absl::StrCat(topic.name.text(), ": ", Plural(queues.size(), "queue"),
                     ", ", Plural(clients.size(), "consumer")));
    if (found == clients.end()) {
      Say(absl::StrCat("  ", name_, " does not subscribe to it"));
      return;
    }
    const absl::string_view name = strategy_.name;
    if (name == "averagely" || name == "averagely_by_circle") {
      Cut(name, queues, clients);
    } else if (name == "by_machine_room") {
      MachineRoom(queues, clients);
    } else if (name == "machine_room_nearby") {
      Nearby(topic, clients);
    } else if (name == "consistent_hash") {
      Ring(queues, clients);
    } else {
      Promise(queues, clients);
    }
    std::vector<MessageQueue> own;
    const std::vector<MessageQueue> all = QueuesOf(view_);
    for (const QueuePosition queue : share_) {
      if (all[queue].topic == topic.name) own.push_back(all[queue]);
    }
    Say(absl::StrCat("  so ", name_, " gets ", Plural(own.size(), "queue"),
                     own.empty() ? "" : ": ", QueuesInShort(own)));
  }

  size_t Position(const std::vector<Name>& clients) {
    const auto found = std::find(clients.begin(), clients.end(), member_.id);
    CHECK(found != clients.end());
    const auto position = static_cast<size_t>(found - clients.begin());
    Say(absl::StrCat("  in the order of ids, ", name_, " is number ", position,
                     ", counted from 0"));
    return position;
  }

  // By a strategy that cuts by position.
  void Cut(absl::string_view how, const std::vector<MessageQueue>& queues,
           const std::vector<Name>& clients) {
    const size_t i = Position(clients);
    const size_t n = clients.size();
    const size_t each = queues.size() / n;
    const size_t rest = queues.size() % n;
    if (how == "averagely_by_circle") {
      Say(absl::StrCat("  every ", n, "th queue from position ", i, " on: ", i,
                       ", ", i + n, ", ", i + 2 * n, " and so on, below ",
                       queues.size()));
      return;
    }
    Say(absl::StrCat("  ", queues.size(), " = ", n, " * ", each, " + ", rest,
                     rest == 0
                         ? absl::StrCat(": everyone gets ", each)
                         : absl::StrCat(": the first ", rest, " get ", each + 1,
                                        ", the others ", each)));
    const QueueShare share =
        AveragelyShare({.queues = queues.size(), .clients = n}, i);
    if (share.count == 0) return;
    Say(absl::StrCat("  positions ", share.first, " = ",
                     i < rest ? absl::StrCat(i, " * ", each + 1)
                              : absl::StrCat(i, " * ", each, " + ", rest),
                     " to ", share.first + share.count - 1));
  }

  void MachineRoom(const std::vector<MessageQueue>& queues,
                   const std::vector<Name>& clients) {
    const std::vector<std::string> rooms = MachineRoomsOf(settings_, view_);
    const auto counts = std::count_if(
        queues.begin(), queues.end(), [&](const MessageQueue& queue) {
          const auto room = RoomInBrokerName(queue.broker.text());
          return room.has_value() &&
                 std::binary_search(rooms.begin(), rooms.end(), *room);
        });
    const auto count = static_cast<size_t>(counts);
    Say(absl::StrCat("  ", Plural(count, "queue"), " of brokers called ",
                     absl::StrJoin(rooms, "@..., "), "@..."));
    const size_t i = Position(clients);
    const size_t n = clients.size();
    Say(absl::StrCat(
        "  ", count, " = ", n, " * ", count / n, " + ", count % n,
        ": a block of ", count / n, " from position ", i, " * ", count / n,
        i < count % n
            ? absl::StrCat(", and one more at ", n, " * ", count / n, " + ", i)
            : ""));
  }

  void Nearby(const GroupTopic& topic, const std::vector<Name>& clients) {
    const Name own = member_.room;
    std::vector<MessageQueue> near;
    std::set<std::string> abandoned;
    for (size_t i = 0; i < topic.rooms.size(); ++i) {
      if (topic.rooms[i].empty()) continue;
      const Name room = topic.rooms[i][0];
      const bool has_members = std::any_of(
          view_.members.begin(), view_.members.end(),
          [&](const GroupMember& member) { return member.room == room; });
      if (room == own) near.push_back((*topic.queues)[i]);
      if (!has_members) abandoned.insert(room.text());
    }
    std::vector<Name> neighbours;
    for (const GroupMember& member : view_.members) {
      if (member.room == own) neighbours.push_back(member.id);
    }
    std::sort(neighbours.begin(), neighbours.end());
    Say(absl::StrCat("  room ", own.text(), " has ",
                     Plural(near.size(), "queue"), " and ",
                     Plural(neighbours.size(), "consumer"), "; ",
                     settings_.parameters.inner, " shares them out"));
    if (!near.empty()) Inner(near, neighbours);
    for (const std::string& room : abandoned) {
      Say(absl::StrCat("  nobody is in room ", room, ": ",
                       settings_.parameters.inner,
                       " shares its queues out among all ", clients.size()));
    }
  }

  void Inner(const std::vector<MessageQueue>& queues,
             const std::vector<Name>& clients) {
    if (settings_.parameters.inner == "consistent_hash") {
      Ring(queues, clients);
    } else if (settings_.parameters.inner == "averagely" ||
               settings_.parameters.inner == "averagely_by_circle") {
      Cut(settings_.parameters.inner, queues, clients);
    }
  }

  void Ring(const std::vector<MessageQueue>& queues,
            const std::vector<Name>& clients) {
    const HashRing ring(clients, settings_.parameters.virtual_nodes,
                        &Md5RingHash);
    Say(absl::StrCat("  the ring has ", Plural(ring.size(), "place"), ", ",
                     settings_.parameters.virtual_nodes,
                     " for each consumer, at the "
                     "first four bytes of the MD5 of \"",
                     member_.id.text(), "-0\" and so on"));
    for (size_t i = 0; i < std::min(queues.size(), kMostLookUps); ++i) {
      const int64_t hash = Md5RingHash(ToString(queues[i]));
      const std::optional<HashRing::Place> place = ring.Next(hash);
      if (!place.has_value()) return;
      Say(absl::StrFormat("  %s#%d  at %10d  next place %10d of %s%s",
                          queues[i].broker.text(), queues[i].queue_id, hash,
                          place->hash,
                          experiment_.NameOf(clients[place->owner]),
                          clients[place->owner] == member_.id ? "  <" : ""));
    }
    if (queues.size() > kMostLookUps) {
      Say(absl::StrCat("  and ", queues.size() - kMostLookUps,
                       " more queues likewise"));
    }
  }

  void Promise(const std::vector<MessageQueue>& queues,
               const std::vector<Name>& clients) {
    const double mean = static_cast<double>(queues.size()) /
                        static_cast<double>(clients.size());
    Say(absl::StrFormat("  %d / %d = %.2f queues on average", queues.size(),
                        clients.size(), mean));
    Say(absl::StrCat(
        "  balance promised: ", ToString(strategy_.promises.balance),
        "; stickiness: ", ToString(strategy_.promises.stickiness), "; needs ",
        ToString(strategy_.needs)));
  }

  const StrategyEntry& strategy_;
  const StrategySettings& settings_;
  const Experiment& experiment_;
  const GroupView& view_;
  const GroupMember& member_;
  const std::string& name_;
  const std::vector<QueuePosition>& share_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> Explain(const StrategyEntry& strategy,
                                 const StrategySettings& settings,
                                 const Experiment& experiment,
                                 const GroupAssignment& assignment,
                                 size_t member) {
  CHECK_LT(member, experiment.group.members.size());
  return Explainer(strategy, settings, experiment, assignment, member)
      .Explain();
}

std::string QueuesInShort(absl::Span<const MessageQueue> queues) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < queues.size();) {
    size_t end = i + 1;
    while (end < queues.size() && queues[end].broker == queues[i].broker &&
           queues[end].topic == queues[i].topic &&
           queues[end].queue_id == queues[end - 1].queue_id + 1) {
      ++end;
    }
    std::string part =
        absl::StrCat(queues[i].broker.text(), "#", queues[i].queue_id);
    if (end - i > 1) {
      absl::StrAppend(&part, "..", queues[end - 1].queue_id);
    }
    parts.push_back(std::move(part));
    i = end;
  }
  return absl::StrJoin(parts, " ");
}

}  // namespace groupsim
