// Strategies known from papers and load balancers, against their definitions.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/allocation/comparison/bounded_consistent_hash.h"
#include "model/allocation/comparison/hashes.h"
#include "model/allocation/comparison/jump_hash.h"
#include "model/allocation/comparison/largest_lag_first.h"
#include "model/allocation/comparison/maglev_fill.h"
#include "model/allocation/comparison/maglev_table.h"
#include "model/allocation/comparison/rendezvous.h"
#include "model/allocation/comparison/weighted_averagely.h"
#include "model/allocation/comparison/worst_fit_packing.h"
#include "model/allocation/group_strategy.h"
#include "model/wire/message_queue.h"
#include "tests/model/allocation/comparison/group_text.h"

namespace groupsim {
namespace {

// Values that other implementations publish.
TEST(HashesTest, AreThePublishedOnes) {
  EXPECT_EQ(TextHash("", 0), 0xef46db3751d8e999u);
  EXPECT_EQ(TextHash("abc", 0), 0x44bc2cf5ad770999u);
  EXPECT_EQ(Scatter(0), 0u);
  EXPECT_EQ(Scatter(1), 0xb456bcfc34c2cb2cu);
}

TEST(HashesTest, EveryPartOfAQueueCounts) {
  GroupText group;
  const MessageQueue queue = {
      .topic = group.Intern("t"), .broker = group.Intern("b"), .queue_id = 1};
  MessageQueue other = queue;
  other.queue_id = 256;
  EXPECT_NE(QueueHash(queue), QueueHash(other));
  other = queue;
  std::swap(other.topic, other.broker);
  EXPECT_NE(QueueHash(queue), QueueHash(other));
  EXPECT_EQ(QueueHash(queue), TextHash({"t\0b\0\1\0\0\0", 8}, 0));
}

TEST(JumpHashTest, GivesThePublishedBuckets) {
  EXPECT_EQ(JumpBucket(1, 1), 0u);
  EXPECT_EQ(JumpBucket(42, 57), 43u);
  EXPECT_EQ(JumpBucket(0xDEAD10CC, 1), 0u);
  EXPECT_EQ(JumpBucket(0xDEAD10CC, 666), 361u);
  EXPECT_EQ(JumpBucket(256, 1024), 520u);
}

TEST(JumpHashTest, AgreesWithTheFloatingPointFormOfThePaper) {
  for (uint64_t i = 0; i < 20'000; ++i) {
    const uint64_t start = Scatter(i);
    const auto buckets = static_cast<int64_t>(1 + Scatter(~i) % 5'000);
    uint64_t key = start;
    int64_t bucket = -1;
    int64_t next = 0;
    while (next < buckets) {
      bucket = next;
      key = key * 2862933555777941757u + 1;
      next = static_cast<int64_t>(static_cast<double>(bucket + 1) *
                                  (static_cast<double>(int64_t{1} << 31) /
                                   static_cast<double>((key >> 33) + 1)));
    }
    ASSERT_EQ(JumpBucket(start, static_cast<uint32_t>(buckets)), bucket) << i;
  }
}

TEST(JumpHashTest, ANewLastMemberTakesQueuesAndNothingElseMoves) {
  GroupText group;
  group.Topics("t:200").Members("a b c d");
  const auto before = JumpHash().Assign(group.view());
  group.Members("e");
  const auto after = JumpHash().Assign(group.view());
  ASSERT_TRUE(before.ok() && after.ok());
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(std::includes(before->shares[i].begin(),
                              before->shares[i].end(), after->shares[i].begin(),
                              after->shares[i].end()));
  }
  EXPECT_FALSE(after->shares[4].empty());
}

// The example of the Maglev paper, table 1.
TEST(MaglevTableTest, FillsTheTableOfThePaper) {
  const std::vector<MaglevPreference> all = {{3, 4}, {0, 2}, {3, 1}};
  EXPECT_EQ(FillMaglevTable(all, 7),
            (std::vector<uint32_t>{1, 0, 1, 0, 2, 2, 0}));
  // Without the second one; here it is numbered 1 what was 2.
  EXPECT_EQ(FillMaglevTable({{3, 4}, {3, 1}}, 7),
            (std::vector<uint32_t>{0, 0, 0, 0, 1, 1, 1}));
}

TEST(MaglevTableTest, RefusesMoreMembersThanSlots) {
  GroupText group;
  group.Topics("t:4").Members("a b c d");
  const auto strategy = MaglevTable::Create(3);
  ASSERT_TRUE(strategy.ok());
  EXPECT_EQ(group.Assign(**strategy),
            "error: a Maglev table of 3 slots cannot hold 4 members; choose a "
            "larger prime");
}

TEST(RendezvousTest, OnlyQueuesOfTheMemberThatComesOrGoesMove) {
  for (int trial = 0; trial < 20; ++trial) {
    GroupText group;
    group.Topics("t:100 u:30");
    for (int i = 0; i < 8; ++i) group.Members(absl::StrCat(trial, "m", i));
    const auto before = Rendezvous().Assign(group.view());
    const GroupView all = group.view();
    group.Leave(absl::StrCat(trial, "m5"));
    const auto after = Rendezvous().Assign(group.view());
    ASSERT_TRUE(before.ok() && after.ok());
    for (size_t i = 0; i < 7; ++i) {
      const size_t was = i < 5 ? i : i + 1;
      EXPECT_TRUE(std::includes(
          after->shares[i].begin(), after->shares[i].end(),
          before->shares[was].begin(), before->shares[was].end()));
    }
  }
}

// Every member's full ranking, as the definition has it.
std::vector<std::vector<QueuePosition>> NaiveMaglevFill(const GroupView& view) {
  const std::vector<MessageQueue> queues = QueuesOf(view);
  std::vector<std::vector<QueuePosition>> shares(view.members.size());
  std::set<QueuePosition> free;
  for (QueuePosition i = 0; i < queues.size(); ++i) free.insert(i);
  for (size_t turn = 0; !free.empty(); turn = (turn + 1) % shares.size()) {
    const uint64_t member = TextHash(view.members[turn].id.text(), 0);
    const QueuePosition best = *std::max_element(
        free.begin(), free.end(), [&](QueuePosition a, QueuePosition b) {
          return PairHash(QueueHash(queues[a]), member) <
                 PairHash(QueueHash(queues[b]), member);
        });
    shares[turn].push_back(best);
    free.erase(best);
  }
  for (auto& share : shares) std::sort(share.begin(), share.end());
  return shares;
}

TEST(MaglevFillTest, IsWhatFullRankingsGive) {
  for (const auto& [queues, members] : std::vector<std::pair<int, int>>{
           {1, 1}, {7, 3}, {5, 9}, {64, 10}, {300, 2}, {257, 16}, {40, 39}}) {
    GroupText group;
    group.AddTopic("t", static_cast<size_t>(queues));
    for (int i = 0; i < members; ++i) {
      group.Members(absl::StrCat("m", 1000 + i));
    }
    const auto assignment = MaglevFill().Assign(group.view());
    ASSERT_TRUE(assignment.ok());
    EXPECT_EQ(assignment->shares, NaiveMaglevFill(group.view()))
        << queues << " x " << members;
  }
}

// Walking the ring point by point.
std::vector<std::vector<QueuePosition>> NaiveBounded(const GroupView& view,
                                                     int nodes,
                                                     size_t capacity) {
  std::set<std::pair<uint64_t, size_t>> ring;
  for (size_t i = 0; i < view.members.size(); ++i) {
    for (int node = 0; node < nodes; ++node) {
      ring.emplace(
          TextHash(view.members[i].id.text(), static_cast<uint64_t>(node)), i);
    }
  }
  const std::vector<MessageQueue> queues = QueuesOf(view);
  std::map<uint64_t, QueuePosition> by_hash;
  for (QueuePosition i = 0; i < queues.size(); ++i) {
    by_hash.emplace(QueueHash(queues[i]), i);
  }
  std::vector<std::vector<QueuePosition>> shares(view.members.size());
  for (const auto& [hash, queue] : by_hash) {
    auto point = ring.lower_bound({hash, 0});
    while (true) {
      if (point == ring.end()) point = ring.begin();
      if (shares[point->second].size() < capacity) break;
      ++point;
    }
    shares[point->second].push_back(queue);
  }
  for (auto& share : shares) std::sort(share.begin(), share.end());
  return shares;
}

TEST(BoundedConsistentHashTest, IsWhatWalkingTheRingGives) {
  struct Case {
    Ratio excess;
    size_t capacity;  // Of 61 queues and 7 members.
  };
  for (const Case& c : {Case{{0, 1}, 9}, Case{{1, 4}, 11}, Case{{1, 1}, 18},
                        Case{{1'000, 1}, 61}}) {
    for (const int nodes : {1, 10, 100}) {
      GroupText group;
      group.Topics("t:61").Members("a b c d e f g");
      const auto strategy = BoundedConsistentHash::Create(
          {.virtual_nodes = nodes, .excess = c.excess});
      ASSERT_TRUE(strategy.ok());
      const auto assignment = (*strategy)->Assign(group.view());
      ASSERT_TRUE(assignment.ok());
      EXPECT_EQ(assignment->shares,
                NaiveBounded(group.view(), nodes, c.capacity))
          << nodes << " nodes, capacity " << c.capacity;
    }
  }
}

TEST(WeightedAveragelyTest, PartsFollowTheLargestRemainders) {
  EXPECT_EQ(ProportionalParts(8, {3, 1}), (std::vector<uint32_t>{6, 2}));
  // 3.5, 1.75 and 1.75.
  EXPECT_EQ(ProportionalParts(7, {2, 1, 1}), (std::vector<uint32_t>{3, 2, 2}));
  // Equal fractions: the first ones.
  EXPECT_EQ(ProportionalParts(8, {1, 1, 1}), (std::vector<uint32_t>{3, 3, 2}));
  EXPECT_EQ(ProportionalParts(5, {0, 1, 0}), (std::vector<uint32_t>{0, 5, 0}));
  EXPECT_EQ(ProportionalParts(0, {1, 2}), (std::vector<uint32_t>{0, 0}));
  EXPECT_EQ(ProportionalParts(3, {INT64_MAX, INT64_MAX, INT64_MAX}),
            (std::vector<uint32_t>{1, 1, 1}));
}

TEST(WeightedAveragelyTest, BlocksFollowEachOtherInTheOrderOfIds) {
  GroupText group;
  group.Topics("t:8").Members("b a c");
  group.Member("a").weight = 2;
  group.Member("c").weight = 0;
  EXPECT_EQ(group.Assign(WeightedAveragely()),
            "b: t-5 t-6 t-7; a: t-0 t-1 t-2 t-3 t-4; c: -");
}

TEST(WeightedAveragelyTest, SomebodyMustHaveAWeight) {
  GroupText group;
  group.Topics("t:8").Members("a b");
  group.Member("a").weight = group.Member("b").weight = 0;
  EXPECT_EQ(group.Assign(WeightedAveragely()),
            "error: all subscribers of topic \"t\" have weight 0; give one of "
            "them a positive weight");
}

TEST(LargestLagFirstTest, EachQueueGoesToTheSmallestTotal) {
  GroupText group;
  group.Topics("t:5").Members("a b");
  group.Topic("t").loads = {7, 5, 4, 3, 1};
  EXPECT_EQ(group.Assign(LargestLagFirst()), "a: t-0 t-3; b: t-1 t-2 t-4");
}

TEST(LargestLagFirstTest, EqualTotalsAreSharedOutByCount) {
  GroupText group;
  group.Topics("t:5").Members("a b");
  group.Topic("t").loads = {0, 0, 9, 0, 0};
  EXPECT_EQ(group.Assign(LargestLagFirst()), "a: t-2; b: t-0 t-1 t-3 t-4");
  group.Topic("t").loads = {0, 0, 0, 0, 0};
  EXPECT_EQ(group.Assign(LargestLagFirst()), "a: t-0 t-2 t-4; b: t-1 t-3");
}

TEST(LargestLagFirstTest, HugeLagsDoNotOverflow) {
  GroupText group;
  group.Topics("t:4").Members("a b");
  group.Topic("t").loads = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
  EXPECT_EQ(group.Assign(LargestLagFirst()), "a: t-0 t-2; b: t-1 t-3");
}

TEST(LargestLagFirstTest, LagsMustBeKnown) {
  GroupText group;
  group.Topics("t:2 u:0 v:2").Members("a");
  group.Topic("t").loads = {1, 2};
  EXPECT_EQ(group.Assign(LargestLagFirst()),
            "error: largest_lag_first needs the load of every queue, and topic "
            "\"v\" has none; give loads or choose a strategy that does not "
            "look at them");
}

TEST(WorstFitPackingTest, FreeQueuesGoWhereTheMostRoomIsAndOpenMembersLate) {
  GroupText group;
  group.Topics("t:5").Members("a b c d");
  group.Topic("t").loads = {6, 5, 4, 3, 2};
  for (GroupMember& member : group.view().members) member.weight = 10;
  // 6 opens a, 5 opens b, 4 goes to b (room 5), 3 to a (room 4), 2 opens c.
  EXPECT_EQ(group.Assign(WorstFitPacking()),
            "a: t-0 t-3; b: t-1 t-2; c: t-4; d: -");
}

TEST(WorstFitPackingTest, ASmallMembersQueuesMoveInWithLargerOnes) {
  GroupText group;
  group.Topics("t:3").Members("a b");
  group.Topic("t").loads = {6, 2, 1};
  for (GroupMember& member : group.view().members) member.weight = 10;
  group.Owned("a: t-0; b: t-1 t-2");
  EXPECT_EQ(group.Assign(WorstFitPacking()), "a: t-0 t-1 t-2; b: -");
  // What does not fit stays, and so does everything larger.
  group.Topic("t").loads = {8, 3, 1};
  EXPECT_EQ(group.Assign(WorstFitPacking()), "a: t-0 t-2; b: t-1");
}

TEST(WorstFitPackingTest, WhatHasOutgrownItsMemberMovesOut) {
  GroupText group;
  group.Topics("t:3").Members("a b");
  group.Topic("t").loads = {5, 6, 2};
  for (GroupMember& member : group.view().members) member.weight = 10;
  group.Owned("a: t-0 t-1 t-2");
  EXPECT_EQ(group.Assign(WorstFitPacking()), "a: t-1 t-2; b: t-0");
}

TEST(WorstFitPackingTest, WithoutRoomTheRoomiestIsOverloaded) {
  GroupText group;
  group.Topics("t:4").Members("a b");
  group.Topic("t").loads = {8, 8, 7, 20};
  for (GroupMember& member : group.view().members) member.weight = 10;
  // 20 fits nowhere: a, first of equals; 8 opens b; the rest where most room.
  EXPECT_EQ(group.Assign(WorstFitPacking()), "a: t-3; b: t-0 t-1 t-2");
}

TEST(WorstFitPackingTest, CapacitiesMayDiffer) {
  GroupText group;
  group.Topics("t:2").Members("a b");
  group.Topic("t").loads = {8, 3};
  group.Member("a").weight = 4;
  group.Member("b").weight = 10;
  EXPECT_EQ(group.Assign(WorstFitPacking()), "a: t-1; b: t-0");
}

}  // namespace
}  // namespace groupsim
