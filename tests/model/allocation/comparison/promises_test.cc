// Every strategy against what it promises: every small group, and random large
// ones.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/comparison/claims.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/hashes.h"
#include "model/allocation/group_adapter.h"
#include "model/allocation/group_strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "tests/model/allocation/comparison/even.h"

namespace groupsim {
namespace {

// Whole numbers from a seed.
class Numbers {
 public:
  explicit Numbers(uint64_t seed) : state_(Scatter(seed + 1)) {}
  uint64_t Below(uint64_t bound) {
    state_ += 0x9e3779b97f4a7c15u;
    return Scatter(state_) % bound;
  }

 private:
  uint64_t state_;
};

// Strategies that mean something without more settings.
std::vector<const StrategyEntry*> Strategies() {
  std::vector<const StrategyEntry*> entries;
  for (const StrategyEntry& entry : StrategyCatalogue()) {
    if (entry.needs.contains(StrategyNeed::kConfiguration) ||
        entry.needs.contains(StrategyNeed::kRooms)) {
      continue;
    }
    entries.push_back(&entry);
  }
  return entries;
}

GroupStrategyPtr Make(const StrategyEntry& entry) {
  StrategyParameters parameters;
  parameters.table_size = 67;  // Quickly filled.
  const auto strategy = MakeGroupStrategy(entry.name, parameters);
  EXPECT_TRUE(strategy.ok()) << strategy.status();
  return *strategy;
}

class PromisesTest : public testing::TestWithParam<const StrategyEntry*> {
 protected:
  void AddTopic(const std::string& name, size_t count, GroupView* view) {
    GroupTopic& topic = view->topics.emplace_back();
    topic.name = names_.Intern(name);
    std::vector<MessageQueue> queues;
    for (size_t i = 0; i < count; ++i) {
      queues.push_back({.topic = topic.name,
                        .broker = names_.Intern(i % 2 == 0 ? "a" : "b"),
                        .queue_id = static_cast<int32_t>(i / 2)});
      topic.loads.push_back(static_cast<int64_t>((i * 7 + 3) % 11));
    }
    std::sort(queues.begin(), queues.end());
    topic.queues =
        std::make_shared<const std::vector<MessageQueue>>(std::move(queues));
  }

  void AddMember(size_t number, GroupView* view) {
    GroupMember& member = view->members.emplace_back();
    member.id = names_.Intern(absl::StrFormat("m%05d", number));
    member.weight = static_cast<int64_t>(1 + number % 3);
  }

  GroupView SmallGroup(size_t queues, size_t members) {
    GroupView view;
    AddTopic("t", queues, &view);
    for (size_t i = 0; i < members; ++i) AddMember(10 * i, &view);
    return view;
  }

  NameTable names_;
};

GroupAssignment AssignAll(const GroupStrategy& strategy,
                          const GroupView& view) {
  const auto rounds = AssignInRounds(strategy, view);
  EXPECT_TRUE(rounds.ok()) << rounds.status();
  return rounds->back();
}

// The owner of each queue as a position among the members; kNobody for none. A
// queue with two owners is a failure.
std::vector<uint32_t> Owners(const GroupView& view,
                             const GroupAssignment& assignment) {
  std::vector<uint32_t> owners(QueueCount(view), kNobody);
  for (uint32_t i = 0; i < assignment.shares.size(); ++i) {
    for (const QueuePosition queue : assignment.shares[i]) {
      EXPECT_EQ(owners[queue], kNobody) << "two owners";
      owners[queue] = i;
    }
  }
  return owners;
}

bool Subscribes(const GroupMember& member, Name topic) {
  return member.subscription == nullptr ||
         std::find(member.subscription->begin(), member.subscription->end(),
                   topic) != member.subscription->end();
}

// Queues with a subscriber have one owner, who subscribes; others have none.
void ExpectOneOwner(const GroupView& view, const GroupAssignment& assignment) {
  const std::vector<uint32_t> owners = Owners(view, assignment);
  const std::vector<MessageQueue> queues = QueuesOf(view);
  absl::flat_hash_map<Name, bool> has_subscriber;
  for (const GroupTopic& topic : view.topics) {
    has_subscriber[topic.name] = std::any_of(
        view.members.begin(), view.members.end(),
        [&](const GroupMember& m) { return Subscribes(m, topic.name); });
  }
  for (size_t i = 0; i < queues.size(); ++i) {
    if (!has_subscriber[queues[i].topic]) {
      EXPECT_EQ(owners[i], kNobody);
      continue;
    }
    ASSERT_NE(owners[i], kNobody) << queues[i];
    EXPECT_TRUE(Subscribes(view.members[owners[i]], queues[i].topic));
  }
}

std::vector<int64_t> Sizes(const GroupAssignment& assignment) {
  std::vector<int64_t> sizes;
  for (const auto& share : assignment.shares) {
    sizes.push_back(static_cast<int64_t>(share.size()));
  }
  return sizes;
}

// No total exceeds another by more than the smallest load that it was given
// last, so taking that away leaves it not above any other.
void ExpectLoadsEven(const GroupView& view, const GroupAssignment& assignment) {
  std::vector<int64_t> loads;
  for (const GroupTopic& topic : view.topics) {
    loads.insert(loads.end(), topic.loads.begin(), topic.loads.end());
  }
  int64_t least = INT64_MAX;
  int64_t most = 0;  // Without the smallest load.
  for (const auto& share : assignment.shares) {
    int64_t total = 0;
    int64_t smallest = share.empty() ? 0 : INT64_MAX;
    for (const QueuePosition queue : share) {
      total += loads[queue];
      smallest = std::min(smallest, loads[queue]);
    }
    least = std::min(least, total);
    most = std::max(most, total - smallest);
  }
  EXPECT_LE(most, least);
}

// Of a group in which all members subscribe to the one topic.
void ExpectBalance(BalancePromise promise, const GroupView& view,
                   const GroupAssignment& assignment) {
  const std::vector<int64_t> sizes = Sizes(assignment);
  const auto queues = static_cast<int64_t>(QueueCount(view));
  const auto members = static_cast<int64_t>(sizes.size());
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  switch (promise) {
    case BalancePromise::kNone:
    case BalancePromise::kByCapacity:
      break;
    case BalancePromise::kEvenPerTopic:
    case BalancePromise::kEvenInTotal:
      EXPECT_LE(*most - *least, 1);
      break;
    case BalancePromise::kCapped:  // At the default excess of a quarter.
      EXPECT_LE(*most, (5 * queues + 4 * members - 1) / (4 * members));
      break;
    case BalancePromise::kByWeight: {
      int64_t weights = 0;
      for (const GroupMember& member : view.members) weights += member.weight;
      for (size_t i = 0; i < sizes.size(); ++i) {
        const int64_t off =
            sizes[i] * weights - queues * view.members[i].weight;
        EXPECT_LT(off, weights);
        EXPECT_GT(off, -weights);
      }
      break;
    }
    case BalancePromise::kByLoad:
      ExpectLoadsEven(view, assignment);
      break;
  }
}

// The same group, listed in another order.
GroupView Shuffled(const GroupView& view, uint64_t seed) {
  Numbers numbers(seed);
  const auto shuffle = [&numbers](auto* list) {
    for (size_t i = list->size(); i > 1; --i) {
      std::swap((*list)[i - 1], (*list)[numbers.Below(i)]);
    }
  };
  GroupView result = view;
  shuffle(&result.topics);
  shuffle(&result.members);
  for (GroupTopic& topic : result.topics) {
    std::vector<size_t> order;
    for (size_t i = 0; i < topic.queues->size(); ++i) order.push_back(i);
    shuffle(&order);
    std::vector<MessageQueue> queues;
    std::vector<int64_t> loads;
    for (const size_t i : order) {
      queues.push_back((*topic.queues)[i]);
      loads.push_back(topic.loads[i]);
    }
    topic.queues =
        std::make_shared<const std::vector<MessageQueue>>(std::move(queues));
    topic.loads = std::move(loads);
  }
  const std::vector<MessageQueue> all = QueuesOf(view);
  for (GroupMember& member : result.members) {
    std::vector<MessageQueue> owned;
    for (const QueuePosition queue : member.owned) owned.push_back(all[queue]);
    member.owned = PositionsOf(owned, result);
  }
  return result;
}

void ExpectSameInAnyOrder(const GroupStrategy& strategy, const GroupView& view,
                          uint64_t seed) {
  const GroupView shuffled = Shuffled(view, seed);
  const auto one = strategy.Assign(view);
  const auto other = strategy.Assign(shuffled);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(MovedQueues(view, *one, shuffled, *other), 0u);
  EXPECT_EQ(MovedQueues(shuffled, *other, view, *one), 0u);
}

// How many queues have to move, at the least, if all members subscribe to the
// same topics: what leavers held, and what members hold beyond an even part.
size_t NecessaryMoves(const std::vector<uint32_t>& owners, size_t members) {
  std::vector<size_t> held(members, 0);
  size_t queues = 0;
  size_t assigned = 0;
  for (const uint32_t owner : owners) {
    ++queues;
    if (owner == kNobody) continue;
    ++assigned;
    if (owner < members) ++held[owner];
  }
  const size_t part = queues / members;
  size_t larger = queues % members;
  size_t kept = 0;
  for (const size_t size : held) {
    kept += std::min(size, part);
    if (size > part && larger > 0) {
      ++kept;
      --larger;
    }
  }
  return assigned - kept;
}

// Each client alone is told the same.
void ExpectCallerIndependent(const GroupStrategyPtr& strategy,
                             const GroupView& view,
                             const GroupAssignment& assignment) {
  std::vector<Name> ids;
  for (const GroupMember& member : view.members) ids.push_back(member.id);
  const AllocationView alone = {
      .queues = view.topics[0].queues,
      .client_ids = std::make_shared<const std::vector<Name>>(std::move(ids))};
  const std::vector<MessageQueue> queues = QueuesOf(view);
  const GroupAllocation allocation(strategy);
  // As if one client had made the plan, and another one.
  const AllocationPlanPtr plans[] = {allocation.Prepare(alone),
                                     allocation.Prepare(alone)};
  for (size_t i = 0; i < view.members.size(); ++i) {
    const auto share = plans[i % 2]->For(view.members[i].id);
    ASSERT_TRUE(share.ok()) << share.status();
    ASSERT_EQ(share->size(), assignment.shares[i].size());
    for (size_t j = 0; j < share->size(); ++j) {
      EXPECT_EQ((*share)[j], queues[assignment.shares[i][j]]);
    }
  }
}

TEST_P(PromisesTest, HoldForEverySmallGroup) {
  const GroupStrategyPtr strategy = Make(*GetParam());
  const StrategyPromises promises = strategy->promises();
  for (size_t queues = 0; queues <= 64; ++queues) {
    for (size_t members = 0; members <= 16; ++members) {
      SCOPED_TRACE(absl::StrCat(queues, " x ", members));
      const GroupView view = SmallGroup(queues, members);
      const GroupAssignment assignment = AssignAll(*strategy, view);
      ASSERT_EQ(assignment.shares.size(), members);
      ExpectOneOwner(view, assignment);
      if (members == 0) continue;
      ExpectBalance(promises.balance, view, assignment);
      if (queues > 0 && strategy->needs().empty()) {
        ExpectCallerIndependent(strategy, view, assignment);
      }
      if (promises.any_order) {
        ExpectSameInAnyOrder(*strategy, view, queues * 17 + members);
      }
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(PromisesTest, StickinessHoldsForEverySmallGroup) {
  const GroupStrategyPtr strategy = Make(*GetParam());
  const StrategyPromises promises = strategy->promises();
  if (promises.stickiness != StickinessPromise::kMinimal) GTEST_SKIP();
  for (size_t queues = 0; queues <= 64; ++queues) {
    for (size_t members = 1; members <= 16; ++members) {
      SCOPED_TRACE(absl::StrCat(queues, " x ", members));
      GroupView view = SmallGroup(queues, members);
      const GroupAssignment assignment = AssignAll(*strategy, view);
      SetOwned(assignment, 0, &view);
      const GroupAssignment again = AssignAll(*strategy, view);
      EXPECT_EQ(again, assignment);
      // Somebody joins in the middle.
      const std::vector<uint32_t> owners = Owners(view, assignment);
      GroupView joined = view;
      AddMember(10 * (members / 2) + 5, &joined);
      const GroupAssignment after_join = AssignAll(*strategy, joined);
      ExpectOneOwner(joined, after_join);
      ExpectBalance(promises.balance, joined, after_join);
      EXPECT_EQ(MovedQueues(view, assignment, joined, after_join),
                NecessaryMoves(owners, members + 1));
      // Somebody leaves.
      if (members == 1) continue;
      GroupView left = view;
      left.members.erase(left.members.begin() +
                         static_cast<std::ptrdiff_t>(members / 2));
      const GroupAssignment after_leave = AssignAll(*strategy, left);
      ExpectOneOwner(left, after_leave);
      ExpectBalance(promises.balance, left, after_leave);
      EXPECT_EQ(MovedQueues(view, assignment, left, after_leave),
                assignment.shares[members / 2].size());
      ASSERT_FALSE(HasFailure());
    }
  }
}

// Members who claim anything, of different generations, twice or not at all.
TEST_P(PromisesTest, HoldForRandomClaims) {
  const GroupStrategyPtr strategy = Make(*GetParam());
  const StrategyPromises promises = strategy->promises();
  if (!strategy->needs().contains(StrategyNeed::kPreviousAssignment)) {
    GTEST_SKIP();
  }
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(seed);
    GroupView view = SmallGroup(numbers.Below(65), 1 + numbers.Below(16));
    for (GroupMember& member : view.members) {
      member.generation = static_cast<int64_t>(numbers.Below(3)) - 1;
      for (QueuePosition queue = 0; queue < QueueCount(view); ++queue) {
        if (numbers.Below(3) == 0) member.owned.push_back(queue);
      }
    }
    const GroupAssignment assignment = AssignAll(*strategy, view);
    ExpectOneOwner(view, assignment);
    ExpectBalance(promises.balance, view, assignment);
    ExpectSameInAnyOrder(*strategy, view, seed);
    if (promises.stickiness == StickinessPromise::kMinimal) {
      const auto index = GroupIndex::Of(view, {});
      ASSERT_TRUE(index.ok());
      const std::vector<uint32_t> claimed = ReadClaims(*index).owner;
      const std::vector<uint32_t> owners = Owners(view, assignment);
      size_t moved = 0;
      for (size_t i = 0; i < owners.size(); ++i) {
        if (claimed[i] != kNobody && claimed[i] != owners[i]) ++moved;
      }
      EXPECT_EQ(moved, NecessaryMoves(claimed, view.members.size()));
    }
    ASSERT_FALSE(HasFailure());
  }
}

// Several topics; all members subscribe to all, or each to some.
TEST_P(PromisesTest, HoldForRandomTopicsAndSubscriptions) {
  const GroupStrategyPtr strategy = Make(*GetParam());
  const StrategyPromises promises = strategy->promises();
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(seed);
    GroupView view;
    const size_t topics = 1 + numbers.Below(8);
    for (size_t i = 0; i < topics; ++i) {
      AddTopic(absl::StrCat("t", i), numbers.Below(40), &view);
    }
    const size_t members = 1 + numbers.Below(20);
    for (size_t i = 0; i < members; ++i) AddMember(10 * i, &view);
    const bool alike = seed % 3 == 0;
    for (GroupMember& member : view.members) {
      if (alike) break;
      std::vector<Name> subscription;
      for (const GroupTopic& topic : view.topics) {
        if (numbers.Below(3) > 0) subscription.push_back(topic.name);
      }
      member.subscription =
          std::make_shared<const std::vector<Name>>(std::move(subscription));
    }
    const GroupAssignment assignment = AssignAll(*strategy, view);
    ExpectOneOwner(view, assignment);
    ExpectSameInAnyOrder(*strategy, view, seed);
    if (alike && promises.balance == BalancePromise::kEvenInTotal) {
      ExpectBalance(promises.balance, view, assignment);
    }
    if (strategy->needs().contains(StrategyNeed::kPreviousAssignment) &&
        !strategy->needs().contains(StrategyNeed::kLoads)) {
      // Who has what it should have keeps it.
      GroupView again = view;
      SetOwned(assignment, 0, &again);
      EXPECT_EQ(AssignAll(*strategy, again), assignment);
      // A new topic and a leaver: still one owner, and a stable result.
      AddTopic("u", 1 + numbers.Below(30), &again);
      if (members > 1) again.members.pop_back();
      const GroupAssignment changed = AssignAll(*strategy, again);
      ExpectOneOwner(again, changed);
      ExpectSameInAnyOrder(*strategy, again, seed);
    }
    ASSERT_FALSE(HasFailure());
  }
}

TEST_P(PromisesTest, HoldForALargeGroup) {
  const GroupStrategyPtr strategy = Make(*GetParam());
  if (GetParam()->name == "maglev_table") GTEST_SKIP() << "too few slots";
  const StrategyPromises promises = strategy->promises();
  GroupView view;
  AddTopic("t", 5'003, &view);
  for (size_t i = 0; i < 301; ++i) AddMember(10 * i, &view);
  GroupAssignment assignment = AssignAll(*strategy, view);
  ExpectOneOwner(view, assignment);
  ExpectBalance(promises.balance, view, assignment);
  if (promises.stickiness != StickinessPromise::kMinimal) return;
  SetOwned(assignment, 0, &view);
  GroupView left = view;
  left.members.erase(left.members.begin() + 100);
  const GroupAssignment after = AssignAll(*strategy, left);
  ExpectOneOwner(left, after);
  EXPECT_EQ(MovedQueues(view, assignment, left, after),
            assignment.shares[100].size());
}

INSTANTIATE_TEST_SUITE_P(
    , PromisesTest, testing::ValuesIn(Strategies()),
    [](const testing::TestParamInfo<const StrategyEntry*>& info) {
      return std::string(info.param->name);
    });

// Besides what all promise: nothing that one move could improve is left, and
// no pass over the queues goes on for ever.
TEST(StickyGeneralTest, LeavesNothingThatOneMoveCouldEvenOut) {
  const auto strategy = MakeGroupStrategy("sticky", {});
  ASSERT_TRUE(strategy.ok());
  NameTable names;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(seed);
    GroupView view;
    const size_t topics = 2 + numbers.Below(6);
    for (size_t i = 0; i < topics; ++i) {
      GroupTopic& topic = view.topics.emplace_back();
      topic.name = names.Intern(absl::StrCat("t", i));
      std::vector<MessageQueue> queues(numbers.Below(30));
      for (size_t j = 0; j < queues.size(); ++j) {
        queues[j] = {.topic = topic.name,
                     .broker = names.Intern("b"),
                     .queue_id = static_cast<int32_t>(j)};
      }
      topic.queues =
          std::make_shared<const std::vector<MessageQueue>>(std::move(queues));
    }
    const size_t members = 2 + numbers.Below(12);
    for (size_t i = 0; i < members; ++i) {
      GroupMember& member = view.members.emplace_back();
      member.id = names.Intern(absl::StrFormat("m%02d", i));
      member.generation = static_cast<int64_t>(numbers.Below(4)) - 1;
      std::vector<Name> subscription;
      for (const GroupTopic& topic : view.topics) {
        if (numbers.Below(2) > 0) subscription.push_back(topic.name);
      }
      member.subscription =
          std::make_shared<const std::vector<Name>>(std::move(subscription));
      for (QueuePosition queue = 0; queue < QueueCount(view); ++queue) {
        if (numbers.Below(members) == 0) member.owned.push_back(queue);
      }
    }
    const auto assignment = (*strategy)->Assign(view);
    ASSERT_TRUE(assignment.ok());
    ExpectOneOwner(view, *assignment);
    const auto index = GroupIndex::Of(view, {});
    ASSERT_TRUE(index.ok());
    EXPECT_TRUE(NoMoveEvensOut(*index, Owners(view, *assignment)));
    GroupView again = view;
    SetOwned(*assignment, 9, &again);
    EXPECT_EQ(*(*strategy)->Assign(again), *assignment);
  }
}

}  // namespace
}  // namespace groupsim
