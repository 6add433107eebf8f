// Groups to try strategies on, made from few words.
#ifndef GROUPSIM_SCENARIOS_LABORATORY_GROUP_PLAN_H_
#define GROUPSIM_SCENARIOS_LABORATORY_GROUP_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/base/name.h"
#include "model/runtime/random.h"
#include "scenarios/laboratory/experiment.h"

namespace groupsim {

// The largest groups that are tried.
inline constexpr size_t kMostQueues = 100'000;
inline constexpr size_t kMostMembers = 10'000;
inline constexpr size_t kMostTopics = 1'000;
inline constexpr size_t kMostTrials = 1'000;

struct QueuePlan {
  std::string broker;
  int32_t queue_id = 0;
};

struct TopicPlan {
  std::string name;
  std::vector<QueuePlan> queues;
};

struct MemberPlan {
  std::string id;
  std::string room = {};                        // Empty: not known.
  int64_t weight = 1;                           // Not negative.
  std::vector<std::string> subscriptions = {};  // Topics; empty: all.
  std::string name = {};  // What people call it; empty: its id.
};

struct BrokerRoom {
  std::string broker;
  std::string room;
};

// A group, and changes to try on it, in texts.
struct GroupPlan {
  std::vector<TopicPlan> topics;
  std::vector<MemberPlan> members;
  std::vector<BrokerRoom> broker_rooms;  // Empty: not known.
  std::vector<int64_t> loads;  // Of the queues of all topics; or none.

  std::vector<MemberPlan> joiners;
  std::vector<std::string> leavers;  // Names.
  // A random member leaves; `leavers` is empty then.
  bool anyone_leaves = false;
  // All members restart, in their order, and come back under their ids.
  bool restarts = false;
  // Ids are drawn as RocketMQ's clients make them ("address@pid#time") for
  // members, joiners and, after restarts, which come in random order, anew.
  // Those of the plan stand for nothing but themselves.
  bool draw_ids = false;
};

// An experiment and the names in it. Not to be copied, as names point into it.
struct NamedExperiment {
  std::unique_ptr<NameTable> names;
  Experiment experiment;
};

// InvalidArgument, in words, for a group that is empty or larger than the
// limits, for names that occur twice, and for names that stand for nothing. One
// seed and trial always give the same.
absl::StatusOr<NamedExperiment> MakeExperiment(const GroupPlan& plan,
                                               uint64_t seed, uint64_t trial);

// A new id like "10.21.5.228@2413#204949999734201".
std::string DrawClientId(RandomStream& random);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LABORATORY_GROUP_PLAN_H_
