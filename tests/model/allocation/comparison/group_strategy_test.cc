#include "model/allocation/group_strategy.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "model/allocation/averagely.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/comparison/range.h"
#include "model/allocation/comparison/sticky.h"
#include "model/allocation/comparison/uniform.h"
#include "model/allocation/group_adapter.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "tests/model/allocation/comparison/group_text.h"
#include "tests/support/room_prefix.h"

namespace groupsim {
namespace {

std::string Complaint(const GroupText& group) {
  const absl::Status status =
      CheckGroupView(group.view(), UnknownTopics::kRefused);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(GroupViewTest, MembersWhoAreThereTwiceAreRefused) {
  GroupText group;
  group.Topics("t:2").Members("a b a");
  EXPECT_EQ(Complaint(group),
            "member \"a\" is there twice; give each member an id of its own");
  EXPECT_EQ(group.Assign(Range()),
            "error: member \"a\" is there twice; give each member an id of its "
            "own");
}

TEST(GroupViewTest, NamelessMembersAndTopicsAreRefused) {
  GroupText member;
  member.Topics("t:2").view().members.emplace_back();
  EXPECT_EQ(Complaint(member), "a member has no id; name every member");
  GroupText topic;
  topic.view().topics.emplace_back();
  EXPECT_EQ(Complaint(topic), "a topic has no name; name every topic");
}

TEST(GroupViewTest, UnknownTopicsAreRefusedByTheCoordinatorOnly) {
  GroupText group;
  group.Topics("t:2").Members("a{t,u} b{t}");
  const std::string refusal =
      "member \"a\" subscribes to \"u\", which is unknown; add the topic or "
      "drop it from the subscription";
  EXPECT_EQ(Complaint(group), refusal);
  EXPECT_EQ(group.Assign(ServerRange()), "error: " + refusal);
  EXPECT_EQ(group.Assign(Uniform()), "error: " + refusal);
  EXPECT_EQ(group.Assign(Range()), "a: t-0; b: t-1");
  EXPECT_EQ(group.Assign(Sticky()), "a: t-0; b: t-1");
}

TEST(GroupViewTest, QueuesAndTopicsThatAreListedTwiceAreRefused) {
  GroupText topics;
  topics.Topics("t:1 t:2").Members("a");
  EXPECT_EQ(Complaint(topics),
            "topic \"t\" is there twice; list all its queues in one place");
  GroupText queues;
  queues.Topics("t:3").Members("a");
  std::vector<MessageQueue> list = *queues.Topic("t").queues;
  list.push_back(list[1]);
  queues.Topic("t").queues =
      std::make_shared<const std::vector<MessageQueue>>(list);
  EXPECT_EQ(Complaint(queues),
            "topic \"t\" lists MessageQueue [topic=t, brokerName=b, queueId=1] "
            "twice; list each queue once");
  GroupText foreign;
  foreign.Topics("t:1 u:1").Members("a");
  foreign.Topic("u").queues = foreign.Topic("t").queues;
  EXPECT_EQ(
      Complaint(foreign),
      "topic \"u\" lists MessageQueue [topic=t, brokerName=b, queueId=0]; "
      "list each queue under its own topic");
}

TEST(GroupViewTest, NegativeNumbersAreRefused) {
  GroupText weight;
  weight.Topics("t:2").Members("a").Member("a").weight = -1;
  EXPECT_EQ(Complaint(weight),
            "member \"a\" has weight -1; weights are 0 or more");
  GroupText load;
  load.Topics("t:2").Members("a").Topic("t").loads = {3, -2};
  EXPECT_EQ(Complaint(load),
            "topic \"t\" has a load of -2; loads are 0 or more");
  GroupText generation;
  generation.Topics("t:2").Members("a").Member("a").generation = -2;
  EXPECT_EQ(Complaint(generation),
            "member \"a\" has generation -2; generations start at 0, -1 is "
            "none");
}

TEST(GroupViewTest, LoadsAndRoomsMustFitTheQueues) {
  GroupText loads;
  loads.Topics("t:2").Members("a").Topic("t").loads = {3};
  EXPECT_EQ(Complaint(loads),
            "topic \"t\" has 2 queues and 1 loads; give one for each queue, or "
            "none");
  GroupText rooms;
  rooms.Topics("t:2").Members("a").Topic("t").rooms.resize(3);
  EXPECT_EQ(Complaint(rooms),
            "topic \"t\" has 2 queues and rooms of 3; give the rooms of each "
            "queue, or none");
}

TEST(GroupViewTest, OwnedQueuesMustExistAndBeListedOnce) {
  GroupText gone;
  gone.Topics("t:2").Members("a").Member("a").owned = {2};
  EXPECT_EQ(Complaint(gone),
            "member \"a\" owns queue number 2 of 2; leave out queues that are "
            "gone");
  GroupText twice;
  twice.Topics("t:2").Members("a").Member("a").owned = {1, 1};
  EXPECT_EQ(Complaint(twice),
            "member \"a\" owns queue number 1 twice; list each owned queue "
            "once");
  GroupText both;  // Two members may claim a queue: it happens.
  both.Topics("t:2").Members("a b").Owned("a: t-0; b: t-0");
  EXPECT_TRUE(CheckGroupView(both.view(), UnknownTopics::kRefused).ok());
}

TEST(GroupViewTest, PositionsCountThroughAllTopics) {
  GroupText group;
  group.Topics("t:2 s:3");
  EXPECT_EQ(QueueCount(group.view()), 5u);
  const std::vector<MessageQueue> queues = QueuesOf(group.view());
  EXPECT_EQ(queues[2], (*group.Topic("s").queues)[0]);
  const MessageQueue gone = {
      .topic = group.Intern("s"), .broker = group.Intern("b"), .queue_id = 7};
  EXPECT_EQ(PositionsOf({queues[4], gone, queues[1]}, group.view()),
            (std::vector<QueuePosition>{4, 1}));
}

TEST(GroupStrategyTest, MovesAreCountedByQueueAndMemberNotByPosition) {
  GroupText before;
  before.Topics("t:4").Members("a b");
  GroupText after;  // Its names are others, so take them from before.
  GroupView view = before.view();
  std::swap(view.members[0], view.members[1]);
  EXPECT_EQ(
      MovedQueues(before.view(), {{{0, 1}, {2, 3}}}, view, {{{2, 3}, {0, 1}}}),
      0u);
  EXPECT_EQ(
      MovedQueues(before.view(), {{{0, 1}, {2, 3}}}, view, {{{0, 1}, {2, 3}}}),
      4u);
  // What nobody owned before or owns now has not moved.
  EXPECT_EQ(MovedQueues(before.view(), {{{0}, {2, 3}}}, view, {{{1, 2}, {}}}),
            0u);
}

TEST(GroupStrategyTest, RoundsEndWhenNothingIsHandedOver) {
  GroupText group;
  group.Topics("t:4").Members("a b").Owned("a: t-0 t-1; b: t-2 t-3");
  const auto quiet = AssignInRounds(CooperativeSticky(), group.view());
  ASSERT_TRUE(quiet.ok());
  EXPECT_EQ(quiet->size(), 1u);
  group.Members("c");
  const auto join = AssignInRounds(CooperativeSticky(), group.view());
  ASSERT_TRUE(join.ok());
  ASSERT_EQ(join->size(), 2u);
  EXPECT_EQ(group.Text((*join)[0]), "a: t-0 t-1; b: t-2; c: -");
  EXPECT_EQ(group.Text((*join)[1]), "a: t-0 t-1; b: t-2; c: t-3");
  const auto eager = AssignInRounds(Sticky(), group.view());
  ASSERT_TRUE(eager.ok());
  EXPECT_EQ(eager->size(), 1u);
}

TEST(GroupStrategyTest, NeedsAndPromisesHaveWords) {
  EXPECT_EQ(ToString(StrategyNeeds()), "nothing");
  EXPECT_EQ(ToString(StrategyNeeds{StrategyNeed::kLoads,
                                   StrategyNeed::kPreviousAssignment}),
            "previous assignment, loads");
  EXPECT_EQ(ToString(BalancePromise::kEvenInTotal), "<=1 in total");
  EXPECT_EQ(ToString(StickinessPromise::kMinimal), "minimal");
}

PerClientGroupStrategy Averagely() {
  return PerClientGroupStrategy("averagely",
                                std::make_shared<const AllocateAveragely>(), {},
                                {.balance = BalancePromise::kEvenPerTopic});
}

TEST(PerClientGroupStrategyTest, AsksForEverySubscriberOfEveryTopic) {
  GroupText group;
  group.Topics("u:3 t:3 none:2 empty:0").Members("b a{t} c{u,t}");
  EXPECT_EQ(group.Assign(Averagely()),
            "b: none-0 none-1 t-1 u-0 u-1; a: t-0; c: t-2 u-2");
}

TEST(PerClientGroupStrategyTest, SortsWhatItHandsToTheStrategy) {
  GroupText group;
  group.Topics("t:3").Members("b a");
  std::vector<MessageQueue> queues = *group.Topic("t").queues;
  std::reverse(queues.begin(), queues.end());
  group.Topic("t").queues =
      std::make_shared<const std::vector<MessageQueue>>(queues);
  EXPECT_EQ(group.Assign(Averagely()), "b: t-2; a: t-0 t-1");
}

class RefusesEveryone final : public AllocationStrategy {
 public:
  absl::string_view name() const override { return "NO"; }
  AllocationPlanPtr Prepare(const AllocationView&) const override {
    class Plan final : public AllocationPlan {
      absl::StatusOr<std::vector<MessageQueue>> For(Name) const override {
        return absl::InvalidArgumentError("no room");
      }
    };
    return std::make_shared<const Plan>();
  }
};

TEST(PerClientGroupStrategyTest, ARefusalSaysForWhomAndWhat) {
  GroupText group;
  group.Topics("t:3").Members("a");
  EXPECT_EQ(group.Assign(PerClientGroupStrategy(
                "no", std::make_shared<const RefusesEveryone>(), {}, {})),
            "error: topic \"t\", member \"a\": no room");
}

AllocationView ViewOf(GroupText* group, const std::vector<std::string>& ids) {
  std::vector<Name> names;
  for (const std::string& id : ids) names.push_back(group->Intern(id));
  return {.queues = group->Topic("t").queues,
          .client_ids =
              std::make_shared<const std::vector<Name>>(std::move(names))};
}

TEST(GroupAllocationTest, EachClientIsToldItsShareOfTheGroups) {
  GroupText group;
  group.Topics("t:5");
  const GroupAllocation range(std::make_shared<const Range>());
  EXPECT_EQ(range.name(), "range");
  const AllocationView view = ViewOf(&group, {"a", "b"});
  const AllocationPlanPtr plan = range.Prepare(view);
  const AllocationPlanPtr averagely = AllocateAveragely().Prepare(view);
  for (const char* id : {"a", "b", "stranger"}) {
    EXPECT_EQ(*plan->For(group.Intern(id)), *averagely->For(group.Intern(id)));
  }
  EXPECT_EQ(plan->For(Name()).status().message(), "the client id is empty");
}

TEST(GroupAllocationTest, AnIdThatOccursTwiceCountsOnce) {
  GroupText group;
  group.Topics("t:4");
  const GroupAllocation range(std::make_shared<const Range>());
  const AllocationPlanPtr plan = range.Prepare(ViewOf(&group, {"a", "a", "b"}));
  EXPECT_EQ(plan->For(group.Intern("a"))->size(), 2u);
  EXPECT_EQ(plan->For(group.Intern("b"))->size(), 2u);
}

TEST(GroupAllocationTest, EmptyListsAreRefusedAsByRocketMq) {
  GroupText group;
  group.Topics("t:0 u:1");
  const GroupAllocation range(std::make_shared<const Range>());
  EXPECT_EQ(range.Prepare(ViewOf(&group, {"a"}))
                ->For(group.Intern("a"))
                .status()
                .message(),
            "there are no queues to allocate");
  EXPECT_EQ(
      range.Prepare({.queues = group.Topic("u").queues, .client_ids = nullptr})
          ->For(group.Intern("a"))
          .status()
          .message(),
      "there are no client ids to allocate queues to");
}

TEST(GroupAllocationTest, AStrategyThatNeedsMoreRefusesEveryClient) {
  GroupText group;
  group.Topics("t:4");
  const GroupAllocation sticky(std::make_shared<const Sticky>());
  EXPECT_EQ(sticky.Prepare(ViewOf(&group, {"a"}))
                ->For(group.Intern("a"))
                .status()
                .message(),
            "sticky needs previous assignment, which no client knows alone; "
            "choose a strategy that needs nothing");
}

TEST(CatalogueTest, EveryStrategyIsMadeUnderItsName) {
  StrategyParameters parameters;
  parameters.machine_rooms = std::vector<std::string>{"r"};
  parameters.room_resolver = std::make_shared<const RoomPrefix>('-');
  NameTable names;
  parameters.configured_queues = {
      {.topic = names.Intern("t"), .broker = names.Intern("b"), .queue_id = 0}};
  EXPECT_EQ(StrategyCatalogue().size(), 21u);
  for (const StrategyEntry& entry : StrategyCatalogue()) {
    EXPECT_EQ(FindStrategy(entry.name), &entry);
    EXPECT_FALSE(entry.summary.empty());
    const auto group = MakeGroupStrategy(entry.name, parameters);
    ASSERT_TRUE(group.ok()) << group.status();
    EXPECT_EQ((*group)->name(), entry.name);
    EXPECT_EQ((*group)->needs(), entry.needs);
    const auto allocation = MakeAllocationStrategy(entry.name, parameters);
    EXPECT_EQ(allocation.ok(),
              entry.needs.empty() || entry.origin == StrategyOrigin::kRocketMq)
        << entry.name;
  }
}

TEST(CatalogueTest, UnknownNamesAndMissingSettingsAreRefused) {
  EXPECT_EQ(FindStrategy("stick"), nullptr);
  EXPECT_EQ(MakeGroupStrategy("stick", {}).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(MakeAllocationStrategy("stick", {}).status().code(),
            absl::StatusCode::kNotFound);
  for (const char* name :
       {"by_config", "by_machine_room", "machine_room_nearby"}) {
    EXPECT_EQ(MakeGroupStrategy(name, {}).status().code(),
              absl::StatusCode::kInvalidArgument)
        << name;
  }
  StrategyParameters nearby;
  nearby.room_resolver = std::make_shared<const RoomPrefix>('-');
  nearby.inner = "sticky";
  EXPECT_FALSE(MakeGroupStrategy("machine_room_nearby", nearby).ok());
  nearby.inner = "rendezvous";
  EXPECT_TRUE(MakeGroupStrategy("machine_room_nearby", nearby).ok());
  nearby.inner = "machine_room_nearby";
  EXPECT_FALSE(MakeGroupStrategy("machine_room_nearby", nearby).ok());
}

TEST(CatalogueTest, SettingsOutOfRangeAreRefused) {
  for (const int32_t nodes : {0, -1, 10'001}) {
    EXPECT_FALSE(
        MakeGroupStrategy("consistent_hash", {.virtual_nodes = nodes}).ok());
    EXPECT_FALSE(
        MakeGroupStrategy("bounded_consistent_hash", {.virtual_nodes = nodes})
            .ok());
  }
  for (const uint32_t size : {0u, 1u, 2u, 4u, 65'536u}) {
    EXPECT_FALSE(MakeGroupStrategy("maglev_table", {.table_size = size}).ok());
  }
  for (const Ratio excess : {Ratio{-1, 4}, Ratio{1, 0}, Ratio{1'001, 1}}) {
    EXPECT_FALSE(
        MakeGroupStrategy("bounded_consistent_hash", {.excess = excess}).ok());
  }
}

}  // namespace
}  // namespace groupsim
