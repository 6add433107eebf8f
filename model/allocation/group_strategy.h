// Which member of a group reads which queue, decided for the whole group at
// once.
//
//   GroupView view;                       // Topics and members, any order.
//   view.topics.push_back({.name = orders, .queues = queues});
//   view.members.push_back({.id = first});
//   view.members.push_back({.id = second});
//   absl::StatusOr<GroupAssignment> assignment = strategy.Assign(view);
//
// An AllocationStrategy (strategy.h) answers one client about one topic. A
// GroupStrategy sees all topics and members, and may know more of them: who
// owned what, lags, rooms, weights. group_adapter.h turns one kind into the
// other. An assignment is a pure function of the view: no state, no chance, no
// clock.
#ifndef GROUPSIM_MODEL_ALLOCATION_GROUP_STRATEGY_H_
#define GROUPSIM_MODEL_ALLOCATION_GROUP_STRATEGY_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// Stands for a queue of a view: its position if the queue lists of all topics
// are written one after the other, in the order of GroupView::topics.
using QueuePosition = uint32_t;

// Topic names, shared by all members with the same subscription. Members that
// share one list are compared without a look at the names.
using TopicNames = std::shared_ptr<const std::vector<Name>>;

struct GroupTopic {
  Name name = {};
  // Queues of this topic, none twice. Null is as good as empty.
  QueueList queues = {};
  // Lag (messages) or rate (messages per second, or any unit that the weights
  // of members use too) of each queue, in the order of `queues`; not negative.
  // Empty: not known.
  std::vector<int64_t> loads = {};
  // The rooms (racks) in which each queue can be read, in the order of
  // `queues`. Empty: not known.
  std::vector<std::vector<Name>> rooms = {};
};

// The generation of a member that brings none.
inline constexpr int64_t kNoGeneration = -1;

struct GroupMember {
  Name id = {};
  // Static instance id: some strategies order by it first. Usually empty.
  Name instance_id = {};
  // Where the member is; empty if not known.
  Name room = {};
  // Its part of the whole, compared with those of the others, or its capacity
  // in the unit of GroupTopic::loads. Not negative.
  int64_t weight = 1;
  // What it subscribes to. Null: all topics of the view.
  TopicNames subscription = {};
  // The previous assignment as this member reports it, each queue once, and
  // the generation in which it got it.
  std::vector<QueuePosition> owned = {};
  int64_t generation = kNoGeneration;
};

struct GroupView {
  std::vector<GroupTopic> topics;
  std::vector<GroupMember> members;
};

struct GroupAssignment {
  // The share of each member, in the order of GroupView::members.
  std::vector<std::vector<QueuePosition>> shares;

  friend bool operator==(const GroupAssignment&,
                         const GroupAssignment&) = default;
};

// What a strategy has to be told besides queues, members and subscriptions.
enum class StrategyNeed : uint8_t {
  kPreviousAssignment = 1,  // GroupMember::owned and generation.
  kLoads = 2,               // GroupTopic::loads.
  kRooms = 4,    // GroupMember::room and GroupTopic::rooms, or rooms in names.
  kWeights = 8,  // GroupMember::weight.
  kConfiguration = 16,  // A setting without which it means nothing.
};

// A set of needs; the empty one says that membership is enough, so that each
// member alone can compute the same assignment.
class StrategyNeeds {
 public:
  constexpr StrategyNeeds() = default;
  constexpr StrategyNeeds(std::initializer_list<StrategyNeed> needs) {
    for (const StrategyNeed need : needs) {
      bits_ |= static_cast<uint8_t>(need);
    }
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool contains(StrategyNeed need) const {
    return (bits_ & static_cast<uint8_t>(need)) != 0;
  }
  friend constexpr bool operator==(StrategyNeeds, StrategyNeeds) = default;

 private:
  uint8_t bits_ = 0;
};

// "nothing", "previous assignment", "loads, weights".
std::string ToString(StrategyNeeds needs);

// How sizes of shares are bounded while all members subscribe to the same
// topics.
enum class BalancePromise : uint8_t {
  kNone,          // Only what chance gives.
  kEvenPerTopic,  // Sizes differ by at most one in each topic.
  kEvenInTotal,   // Sizes differ by at most one over all topics.
  kCapped,        // No share of a topic exceeds a stated multiple of the mean.
  kByWeight,      // Per topic less than one queue off the weighted share.
  kByLoad,        // Loads are evened out, counts are not.
  kByCapacity,    // Loads stay within capacities where they can.
};

// How many queues a change of membership moves.
enum class StickinessPromise : uint8_t {
  kNone,
  // Queues move from a leaver or to a joiner, hardly ever between others.
  kConsistent,
  // Owners are kept where the other aims allow.
  kBestEffort,
  // While all members subscribe to the same topics: a queue moves only if its
  // owner left, or had to give it up for the balance promised.
  kMinimal,
};

struct StrategyPromises {
  // Each queue of a topic with a subscriber has exactly one owner once `rounds`
  // assignments were made, each from the one before; never two. Without this
  // promise a queue may have no owner, or several.
  bool one_owner = true;
  BalancePromise balance = BalancePromise::kNone;
  StickinessPromise stickiness = StickinessPromise::kNone;
  // The result does not depend on the order of topics, queues and members in
  // the view.
  bool any_order = true;
  // 2: a queue that changes hands is nobody's in a first assignment, so that
  // its owner can let it go, and is given out in a second.
  int rounds = 1;
};

std::string ToString(BalancePromise balance);        // "<=1 per topic".
std::string ToString(StickinessPromise stickiness);  // "minimal".

// A strategy is immutable and may serve many groups at once.
class GroupStrategy {
 public:
  virtual ~GroupStrategy() = default;

  // In snake case: "cooperative_sticky".
  virtual absl::string_view name() const = 0;
  virtual StrategyNeeds needs() const = 0;
  virtual StrategyPromises promises() const = 0;

  // The shares, each in the order of its topics' names and then of
  // MessageQueue, except where a strategy has an order of its own. Queues of
  // topics without a subscriber are nobody's; without members there are no
  // shares. InvalidArgument for a view that CheckGroupView refuses, or that
  // lacks what the strategy needs.
  virtual absl::StatusOr<GroupAssignment> Assign(
      const GroupView& view) const = 0;
};
using GroupStrategyPtr = std::shared_ptr<const GroupStrategy>;

// Whether a member may subscribe to a topic that the view does not have.
enum class UnknownTopics : uint8_t { kIgnored, kRefused };

// Refuses (InvalidArgument, with what, where and the remedy): topics or members
// without a name or named twice, queues of another topic or listed twice, loads
// or rooms that do not fit the queues, negative loads, weights
// and generations, owned queues that do not exist or are listed twice, unknown
// topics, more than 2^31 queues.
absl::Status CheckGroupView(const GroupView& view, UnknownTopics unknown);

// How many queues a view has.
size_t QueueCount(const GroupView& view);

// The queues of a view by their position.
std::vector<MessageQueue> QueuesOf(const GroupView& view);

// Positions of those queues that the view has, in the order given.
std::vector<QueuePosition> PositionsOf(absl::Span<const MessageQueue> queues,
                                       const GroupView& view);

// Lets each member own its share, as of the given generation.
void SetOwned(const GroupAssignment& assignment, int64_t generation,
              GroupView* view);

// Makes the assignments of a change, each from the one before, until all queues
// that change hands have a new owner (StrategyPromises::rounds). Generations
// follow the highest of the view. Never empty; the last one is the result.
absl::StatusOr<std::vector<GroupAssignment>> AssignInRounds(
    const GroupStrategy& strategy, GroupView view);

// How many queues have in `after` an owner other than in `before`, owned in
// both. Members are told apart by their ids, queues by themselves, so members
// and topics may have come and gone.
size_t MovedQueues(const GroupView& before, const GroupAssignment& assigned,
                   const GroupView& after, const GroupAssignment& reassigned);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_GROUP_STRATEGY_H_
