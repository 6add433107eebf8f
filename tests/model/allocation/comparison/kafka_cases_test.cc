// Kafka's assignors: cases from its issues, and examples done by hand. The
// vectors of tests/vectors/data/assignors.jsonl are run elsewhere.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/range.h"
#include "model/allocation/comparison/round_robin.h"
#include "model/allocation/comparison/sticky.h"
#include "model/allocation/comparison/uniform.h"
#include "model/allocation/group_strategy.h"
#include "model/wire/message_queue.h"
#include "tests/model/allocation/comparison/even.h"
#include "tests/model/allocation/comparison/group_text.h"

namespace groupsim {
namespace {

// How many queues of each topic each member has.
std::map<std::string, std::map<std::string, int>> CountsByTopic(
    const GroupView& view) {
  const std::vector<MessageQueue> queues = QueuesOf(view);
  std::map<std::string, std::map<std::string, int>> counts;
  for (const GroupMember& member : view.members) {
    for (const QueuePosition queue : member.owned) {
      ++counts[member.id.text()][queues[queue].topic.text()];
    }
  }
  return counts;
}

// KAFKA-16277: the order in which queues are kept once gave whole topics to
// single members.
TEST(StickyTest, EachTopicIsSharedByAllMembersAsTheyJoin) {
  GroupText group;
  group.Topics("t1:12 t2:12").Members("c1");
  group.Run(Sticky());
  for (const auto& [joiner, each] :
       std::map<std::string, int>{{"c2", 6}, {"c3", 4}, {"c4", 3}}) {
    group.Members(joiner);
    const GroupView before = group.view();
    GroupAssignment owned;
    for (const GroupMember& member : before.members) {
      owned.shares.push_back(member.owned);
    }
    group.Run(Sticky());
    for (const auto& [member, topics] : CountsByTopic(group.view())) {
      for (const auto& [topic, count] : topics) {
        EXPECT_EQ(count, each) << member << " of " << topic;
      }
    }
    GroupAssignment now;
    for (const GroupMember& member : group.view().members) {
      now.shares.push_back(member.owned);
    }
    if (joiner == "c2") {
      EXPECT_EQ(MovedQueues(before, owned, group.view(), now), 12u);
    }
  }
}

// KAFKA-15106: sizes that differ by one were once called unbalanced.
TEST(StickyTest, SizesThatDifferByOneAreBalancedWithOtherSubscriptionsToo) {
  GroupText three;  // A topic without queues makes the subscriptions differ.
  three.Topics("t:5 u:0").Members("a{t,u} b{t}");
  three.Owned("a: t-0 t-1 t-2; b: t-3 t-4");
  EXPECT_EQ(three.Assign(Sticky()), "a: t-0 t-1 t-2; b: t-3 t-4");
  GroupText four;
  four.Topics("t:6 u:0").Members("a{t,u} b{t}");
  four.Owned("a: t-0 t-1 t-2 t-3; b: t-4 t-5");
  EXPECT_EQ(four.Assign(Sticky()), "a: t-1 t-2 t-3; b: t-0 t-4 t-5");
  const auto index = GroupIndex::Of(four.view(), {});
  ASSERT_TRUE(index.ok());
  EXPECT_TRUE(NoMoveEvensOut(*index, {0, 0, 0, 1, 1, kNobody}));
  EXPECT_FALSE(NoMoveEvensOut(*index, {0, 0, 0, 0, 1, 1}));
  EXPECT_TRUE(NoMoveEvensOut(*index, {0, 0, 0, 1, 1, 1}));
}

// KAFKA-12984.
TEST(StickyTest, AQueueClaimedTwiceInOneGenerationGoesToOneMember) {
  GroupText group;
  group.Topics("t:3").Members("a b c");
  group.Owned("a: t-0 t-1; b: t-0 t-2", /*generation=*/5);
  EXPECT_EQ(group.Assign(Sticky()), "a: t-1; b: t-2; c: t-0");
  // Both claimants have to let it go first.
  EXPECT_EQ(group.Run(CooperativeSticky()), "a: t-1; b: t-2; c: -");
  EXPECT_EQ(group.Run(CooperativeSticky()), "a: t-1; b: t-2; c: t-0");
}

TEST(StickyTest, AnOlderClaimNeverBeatsANewerOne) {
  GroupText group;
  group.Topics("t:2").Members("a b");
  group.Owned("a: t-0 t-1", /*generation=*/4).Owned("b: t-0 t-1", 5);
  EXPECT_EQ(group.Assign(Sticky()), "a: t-1; b: t-0");
  // Two void claims are not beaten by an older one either.
  group.Members("c").Owned("c: t-0 t-1", 5);
  EXPECT_EQ(group.Assign(Sticky()), "a: t-0; b: t-1; c: -");
}

TEST(StickyTest, AStaleClaimDoesNotHoldUpItsPresentOwner) {
  GroupText group;
  group.Topics("t:2").Members("a b");
  group.Owned("a: t-0 t-1", /*generation=*/4).Owned("b: t-1", 5);
  EXPECT_EQ(group.Assign(CooperativeSticky()), "a: t-0; b: t-1");
}

TEST(StickyTest, AClaimWithoutGenerationCountsLeast) {
  GroupText group;
  group.Topics("t:2").Members("a b");
  group.Owned("a: t-0 t-1", kNoGeneration).Owned("b: t-0", 0);
  EXPECT_EQ(group.Assign(Sticky()), "a: t-1; b: t-0");
}

TEST(RangeTest, PilesSmallTopicsOnTheFirstMember) {
  GroupText group;
  group.Topics("t0:4 t1:1 t2:1").Members("c1 c2 c3");
  const auto range = Range().Assign(group.view());
  ASSERT_TRUE(range.ok());
  EXPECT_EQ(SizesOf(*range), (std::vector<size_t>{4, 1, 1}));
  const auto joint = RoundRobin().Assign(group.view());
  ASSERT_TRUE(joint.ok());
  EXPECT_EQ(SizesOf(*joint), (std::vector<size_t>{2, 2, 2}));
}

TEST(StickyTest, AJoinMovesNoMoreThanTheNewcomersPart) {
  GroupText group;
  group.Topics("t:10").Members("c1 c2 c3");
  group.Owned("c1: t-0 t-1 t-2 t-3 t-4; c2: t-5 t-6 t-7 t-8 t-9");
  EXPECT_EQ(group.Assign(Sticky()),
            "c1: t-0 t-1 t-2 t-3; c2: t-5 t-6 t-7; c3: t-4 t-8 t-9");
  // Cooperatively, the three are nobody's for one round, the others are read
  // all the time.
  EXPECT_EQ(group.Run(CooperativeSticky()),
            "c1: t-0 t-1 t-2 t-3; c2: t-5 t-6 t-7; c3: -");
  EXPECT_EQ(group.Run(CooperativeSticky()),
            "c1: t-0 t-1 t-2 t-3; c2: t-5 t-6 t-7; c3: t-4 t-8 t-9");
  EXPECT_EQ(group.Run(CooperativeSticky()),
            "c1: t-0 t-1 t-2 t-3; c2: t-5 t-6 t-7; c3: t-4 t-8 t-9");
}

TEST(StickyTest, QueuesThatAreNoLongerSubscribedToAreGivenUp) {
  GroupText group;
  group.Topics("t:2 u:2").Members("a{t} b{t,u}");
  group.Owned("a: t-0 u-0 u-1; b: t-1");
  EXPECT_EQ(group.Assign(Sticky()), "a: t-0 t-1; b: u-0 u-1");
  EXPECT_EQ(group.Assign(CooperativeSticky()), "a: t-0; b: -");
  EXPECT_EQ(group.Assign(Uniform()), "a: t-0 t-1; b: u-0 u-1");
}

// The previous owner of an older generation gets its queue back if the present
// one has two more.
TEST(StickyTest, AQueueGoesBackToItsOwnerOfAnOlderGeneration) {
  GroupText group;
  group.Topics("t:4 u:0").Members("a{t,u} b{t} c{t}");
  group.Owned("a: t-0 t-1 t-2 t-3", /*generation=*/5).Owned("c: t-3", 4);
  EXPECT_EQ(group.Assign(Sticky()), "a: t-2 t-3; b: t-0; c: t-1");
  group.Owned("c: t-0", 4);
  EXPECT_EQ(group.Assign(Sticky()), "a: t-2 t-3; b: t-1; c: t-0");
}

TEST(StaticMembersTest, ComeFirstInRangeAndRoundRobinButNotInSticky) {
  GroupText group;
  group.Topics("t:3").Members("a b c");
  group.Member("c").instance_id = group.Intern("i1");
  group.Member("b").instance_id = group.Intern("i2");
  EXPECT_EQ(group.Assign(Range()), "a: t-2; b: t-1; c: t-0");
  EXPECT_EQ(group.Assign(ServerRange()), "a: t-2; b: t-1; c: t-0");
  EXPECT_EQ(group.Assign(RoundRobin()), "a: t-2; b: t-1; c: t-0");
  EXPECT_EQ(group.Assign(Sticky()), "a: t-0; b: t-1; c: t-2");
}

TEST(RangeTest, WithMoreMembersThanQueuesTheLastGetNothing) {
  GroupText group;
  group.Topics("t:2").Members("a b c");
  EXPECT_EQ(group.Assign(Range()), "a: t-0; b: t-1; c: -");
}

TEST(GroupTest, ATopicWithoutASubscriberIsNobodys) {
  GroupText group;
  group.Topics("t:2 u:2").Members("a{t} b{t}");
  EXPECT_EQ(group.Assign(Range()), "a: t-0; b: t-1");
  EXPECT_EQ(group.Assign(RoundRobin()), "a: t-0; b: t-1");
  EXPECT_EQ(group.Assign(Sticky()), "a: t-0; b: t-1");
  EXPECT_EQ(group.Assign(Uniform()), "a: t-0; b: t-1");
}

// Rooms.

// Gives "t-0" and so on the room "r1" for '1'; '*' is both rooms.
void SetRooms(GroupText* group, absl::string_view topic,
              absl::string_view rooms) {
  for (const char c : rooms) {
    std::vector<Name> names;
    if (c != '2') names.push_back(group->Intern("r1"));
    if (c != '1') names.push_back(group->Intern("r2"));
    group->Topic(topic).rooms.push_back(names);
  }
}

void SetRoom(GroupText* group, absl::string_view member,
             absl::string_view room) {
  group->Member(member).room = group->Intern(room);
}

TEST(RoomsTest, MembersTakeQueuesOfTheirRoomFirst) {
  GroupText group;
  group.Topics("t:4").Members("a b");
  SetRooms(&group, "t", "2121");
  EXPECT_EQ(group.Assign(Range()), "a: t-0 t-1; b: t-2 t-3");
  SetRoom(&group, "a", "r1");
  SetRoom(&group, "b", "r2");
  EXPECT_EQ(group.Assign(Range()), "a: t-1 t-3; b: t-0 t-2");
  EXPECT_EQ(group.Assign(Sticky()), "a: t-1 t-3; b: t-0 t-2");
  EXPECT_EQ(group.Assign(ServerRange()), "a: t-0 t-1; b: t-2 t-3");
}

TEST(RoomsTest, SizesComeBeforeRooms) {
  GroupText group;
  group.Topics("t:4").Members("a b");
  SetRooms(&group, "t", "2221");
  SetRoom(&group, "a", "r1");
  SetRoom(&group, "b", "r2");
  EXPECT_EQ(group.Assign(Range()), "a: t-2 t-3; b: t-0 t-1");
  EXPECT_EQ(group.Assign(Sticky()), "a: t-2 t-3; b: t-0 t-1");
}

TEST(RoomsTest, DoNotMatterWhereEveryQueueIsInEveryRoom) {
  GroupText group;
  group.Topics("t:4").Members("a b");
  SetRooms(&group, "t", "****");
  SetRoom(&group, "a", "r1");
  SetRoom(&group, "b", "r2");
  EXPECT_EQ(group.Assign(Range()), "a: t-0 t-1; b: t-2 t-3");
  EXPECT_EQ(group.Assign(Sticky()), "a: t-0 t-2; b: t-1 t-3");
  SetRoom(&group, "a", "r3");
  SetRoom(&group, "b", "r4");
  EXPECT_EQ(group.Assign(Range()), "a: t-0 t-1; b: t-2 t-3");
}

TEST(RoomsTest, TopicsOfOneKindStayTogether) {
  GroupText group;
  group.Topics("t:2 u:2").Members("a b");
  SetRooms(&group, "t", "21");
  SetRooms(&group, "u", "21");
  SetRoom(&group, "a", "r1");
  SetRoom(&group, "b", "r2");
  EXPECT_EQ(group.Assign(Range()), "a: t-1 u-1; b: t-0 u-0");
  // Number 1 is in no common room, so it is cut as without rooms.
  group.Topic("u").rooms.clear();
  SetRooms(&group, "u", "22");
  EXPECT_EQ(group.Assign(Range()), "a: t-1 u-1; b: t-0 u-0");
}

TEST(RoomsTest, AMemberWithoutARoomMayTakeAnything) {
  GroupText group;
  group.Topics("t:4").Members("a b");
  SetRooms(&group, "t", "1122");
  SetRoom(&group, "a", "r2");
  EXPECT_EQ(group.Assign(Range()), "a: t-2 t-3; b: t-0 t-1");
  // It comes first by id, and leaves nothing of its room to the other.
  SetRoom(&group, "a", "");
  SetRoom(&group, "b", "r1");
  EXPECT_EQ(group.Assign(Range()), "a: t-0 t-1; b: t-2 t-3");
}

TEST(RoomsTest, StickyGivesUpQueuesOfOtherRooms) {
  GroupText group;
  group.Topics("t:4").Members("a b");
  SetRooms(&group, "t", "2121");
  SetRoom(&group, "a", "r1");
  SetRoom(&group, "b", "r2");
  group.Owned("a: t-0 t-1; b: t-2 t-3");
  EXPECT_EQ(group.Assign(Sticky()), "a: t-1 t-3; b: t-0 t-2");
  EXPECT_EQ(group.Assign(CooperativeSticky()), "a: t-1; b: t-2");
  group.Topics("u:0").Member("a").subscription =
      std::make_shared<const std::vector<Name>>(
          std::vector<Name>{group.Intern("t")});
  EXPECT_EQ(group.Assign(Sticky()), "a: t-1 t-3; b: t-0 t-2");
}

// Uniform with differing subscriptions.

TEST(UniformTest, FreeQueuesFillTheLowestLevelFirst) {
  GroupText group;
  group.Topics("t1:4 t2:4").Members("a{t1} b{t1,t2} c{t2}");
  EXPECT_EQ(group.Assign(Uniform()),
            "a: t1-0 t1-2; b: t1-1 t1-3 t2-3; c: t2-0 t2-1 t2-2");
}

TEST(UniformTest, TopicsWithTheMostQueuesPerSubscriberComeFirst) {
  GroupText group;  // 3 a subscriber against 1: the big one goes first.
  group.Topics("t1:2 t2:3").Members("a{t1} b{t1,t2}");
  EXPECT_EQ(group.Assign(Uniform()), "a: t1-0 t1-1; b: t2-0 t2-1 t2-2");
}

TEST(UniformTest, TheFullestGivesItsLastQueuesToTheEmptiest) {
  GroupText group;
  group.Topics("t:6 u:0").Members("a{t,u} b{t}");
  group.Owned("a: t-0 t-1 t-2 t-3 t-4 t-5");
  EXPECT_EQ(group.Assign(Uniform()), "a: t-0 t-1 t-2; b: t-3 t-4 t-5");
}

// What the published description says of a chain of topics.
TEST(UniformTest, AChainOfTopicsMayEndOneStepShort) {
  GroupText group;
  group.Topics("t1:14 t2:16").Members("a{t1} b{t1,t2} c{t2}");
  const auto first = [](absl::string_view topic, int from, int to) {
    std::string text;
    for (int i = from; i < to; ++i) absl::StrAppend(&text, " ", topic, "-", i);
    return text;
  };
  const std::string chain =
      absl::StrCat("a:", first("t1", 0, 9), "; b:", first("t1", 9, 14),
                   first("t2", 0, 5), "; c:", first("t2", 5, 16));
  group.Owned(chain);
  EXPECT_EQ(group.Assign(Uniform()), chain);
  EXPECT_EQ(group.Assign(Sticky()), chain);
}

TEST(UniformTest, AMemberWithoutQueuesOfTheTopicIsPassedOver) {
  GroupText group;  // c is the fullest, but of u only.
  group.Topics("t:5 u:8").Members("a{t} b{t} c{t,u}");
  group.Owned(
      "a: t-0 t-1 t-2 t-3 t-4; b: -; c: u-0 u-1 u-2 u-3 u-4 u-5 u-6 u-7");
  EXPECT_EQ(group.Assign(Uniform()),
            "a: t-0 t-1 t-2; b: t-3 t-4; c: u-0 u-1 u-2 u-3 u-4 u-5 u-6 u-7");
}

}  // namespace
}  // namespace groupsim
