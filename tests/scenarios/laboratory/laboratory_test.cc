// What strategies do to groups, without a clock.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/allocation/catalogue.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/explain.h"
#include "scenarios/laboratory/group_plan.h"
#include "scenarios/laboratory/strategy_setup.h"
#include "scenarios/laboratory/survey.h"
#include "sim/random/stream.h"

namespace groupsim {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TopicPlan Topic(const std::string& name, int32_t queues, int32_t brokers = 1) {
  TopicPlan topic;
  topic.name = name;
  for (int32_t i = 0; i < queues; ++i) {
    topic.queues.push_back({absl::StrCat("broker-", i / (queues / brokers)),
                            i % (queues / brokers)});
  }
  return topic;
}

std::vector<MemberPlan> Members(const std::vector<std::string>& ids) {
  std::vector<MemberPlan> members;
  for (const std::string& id : ids) members.push_back({.id = id});
  return members;
}

GroupPlan Plan(int32_t queues, const std::vector<std::string>& ids) {
  GroupPlan plan;
  plan.topics.push_back(Topic("T", queues));
  plan.members = Members(ids);
  return plan;
}

NamedExperiment Make(const GroupPlan& plan) {
  absl::StatusOr<NamedExperiment> named = MakeExperiment(plan, 1, 0);
  EXPECT_TRUE(named.ok()) << named.status();
  return *std::move(named);
}

absl::StatusOr<Outcome> TryPlan(absl::string_view strategy,
                                const GroupPlan& plan,
                                const StrategySettings& settings = {}) {
  const NamedExperiment named = Make(plan);
  const absl::StatusOr<GroupStrategyPtr> made =
      SetUp(*FindStrategy(strategy), settings, named);
  if (!made.ok()) return made.status();
  return Try(**made, named.experiment);
}

Outcome TryOrDie(absl::string_view strategy, const GroupPlan& plan,
                 const StrategySettings& settings = {}) {
  absl::StatusOr<Outcome> outcome = TryPlan(strategy, plan, settings);
  EXPECT_TRUE(outcome.ok()) << outcome.status();
  return *std::move(outcome);
}

TEST(LaboratoryTest, SurplusQueuesOfAllTopicsAddUp) {
  GroupPlan plan = Plan(5, {"c1", "c2"});
  for (const char* topic : {"T2", "T3", "T4"}) {
    plan.topics.push_back(Topic(topic, 5));
  }
  for (const char* strategy : {"averagely", "averagely_by_circle"}) {
    EXPECT_THAT(TryOrDie(strategy, plan).balance.counts, ElementsAre(12, 8));
  }
  EXPECT_THAT(TryOrDie("round_robin", plan).balance.counts,
              ElementsAre(10, 10));
}

TEST(LaboratoryTest, WhoeverLeavesFirstShiftsAllQueuesOfAveragely) {
  GroupPlan plan = Plan(4, {"c1", "c2", "c3", "c4", "c5", "c6"});
  plan.leavers = {"c1"};
  const Outcome outcome = TryOrDie("averagely", plan);
  EXPECT_EQ(outcome.balance.queues.idle, 2);
  ASSERT_TRUE(outcome.leave.has_value());
  EXPECT_EQ(outcome.leave->moved, 4);
  EXPECT_EQ(outcome.leave->necessary, 1);
  EXPECT_DOUBLE_EQ(outcome.leave->MovedPerQueue(), 1.0);
}

TEST(LaboratoryTest, SmallTopicsPileUpOnTheFirstMember) {
  GroupPlan plan;
  plan.topics = {Topic("t0", 4), Topic("t1", 1), Topic("t2", 1)};
  plan.members = Members({"c1", "c2", "c3"});
  EXPECT_THAT(TryOrDie("range", plan).balance.counts, ElementsAre(4, 1, 1));
  EXPECT_THAT(TryOrDie("round_robin", plan).balance.counts,
              ElementsAre(2, 2, 2));
}

TEST(LaboratoryTest, StickyMovesNoMoreThanItMust) {
  GroupPlan plan = Plan(64, {"a", "b", "c", "d", "e", "f", "g"});
  plan.joiners = Members({"h"});
  plan.leavers = {"c"};
  plan.restarts = true;
  const Outcome outcome = TryOrDie("sticky", plan);
  EXPECT_EQ(outcome.join->moved, outcome.join->necessary);
  EXPECT_EQ(outcome.leave->moved, outcome.leave->necessary);
  EXPECT_EQ(outcome.restart->moved, outcome.restart->necessary);
  EXPECT_EQ(outcome.restart->changes, 14);
  EXPECT_EQ(outcome.join->rounds, 1);
}

TEST(LaboratoryTest, ACooperativeHandOverTakesASecondRound) {
  GroupPlan plan = Plan(8, {"a", "b"});
  plan.joiners = Members({"c", "d"});
  const Outcome outcome = TryOrDie("cooperative_sticky", plan);
  EXPECT_EQ(outcome.join->moved, 4);
  EXPECT_EQ(outcome.join->rounds, 2);
  EXPECT_EQ(outcome.join->waiting, 4);
  EXPECT_EQ(outcome.balance.unowned, 0);
}

TEST(LaboratoryTest, ConsistentHashMovesOnlyToTheJoiner) {
  GroupPlan plan = Plan(64, {"a", "b", "c", "d"});
  plan.joiners = Members({"e"});
  const Outcome before = TryOrDie("consistent_hash", plan);
  GroupPlan more = Plan(64, {"a", "b", "c", "d", "e"});
  const Outcome after = TryOrDie("consistent_hash", more);
  EXPECT_EQ(before.join->moved, after.balance.counts[4]);
}

TEST(LaboratoryTest, RoomsDecideWhatIsNear) {
  GroupPlan plan;
  plan.topics = {Topic("T", 8, 2)};
  plan.broker_rooms = {{"broker-0", "east"}, {"broker-1", "west"}};
  plan.members = {{.id = "a", .room = "east"}, {.id = "b", .room = "west"}};
  EXPECT_DOUBLE_EQ(*TryOrDie("machine_room_nearby", plan).balance.cross_room,
                   0.0);
  EXPECT_DOUBLE_EQ(*TryOrDie("averagely_by_circle", plan).balance.cross_room,
                   0.5);
  EXPECT_FALSE(
      TryOrDie("averagely", Plan(8, {"a"})).balance.cross_room.has_value());
}

TEST(LaboratoryTest, LagsAndWeightsAreMeasuredWhereKnown) {
  GroupPlan plan = Plan(4, {"a", "b"});
  plan.loads = {9, 1, 1, 9};
  const Balance even = TryOrDie("averagely", plan).balance;
  EXPECT_DOUBLE_EQ(even.loads->Jain(), 1.0);
  plan.loads = {9, 9, 1, 1};
  EXPECT_EQ(TryOrDie("averagely", plan).balance.loads->max, 18);
  EXPECT_EQ(TryOrDie("largest_lag_first", plan).balance.loads->max, 10);

  GroupPlan weighted = Plan(8, {"a", "b"});
  weighted.members[0].weight = 3;
  EXPECT_NEAR(*TryOrDie("averagely", weighted).balance.weighted_jain, 0.8,
              1e-9);
  EXPECT_DOUBLE_EQ(
      *TryOrDie("weighted_averagely", weighted).balance.weighted_jain, 1.0);
}

TEST(LaboratoryTest, AConfiguredListIsEachMembersOwn) {
  GroupPlan plan = Plan(4, {"a", "b"});
  StrategySettings settings;
  settings.configured = {
      {"a", {"broker-0", 0}}, {"b", {"broker-0", 1}}, {"b", {"broker-0", 3}}};
  const Balance balance = TryOrDie("by_config", plan, settings).balance;
  EXPECT_THAT(balance.counts, ElementsAre(1, 2));
  EXPECT_EQ(balance.unowned, 1);
  settings.configured.push_back({"a", {"broker-0", 1}});
  EXPECT_EQ(TryPlan("by_config", plan, settings).status().message(),
            "the queue broker-0#1 is configured twice: for b and for a");
}

TEST(LaboratoryTest, AConfiguredListNamesWhatThereIs) {
  const auto message = [](GroupPlan plan, const ConfiguredQueue& wrong) {
    StrategySettings settings;
    settings.configured = {{"a", {"broker-0", 0}}, wrong};
    return std::string(TryPlan("by_config", plan, settings).status().message());
  };
  GroupPlan plan = Plan(4, {"a", "b"});
  EXPECT_EQ(message(plan, {"c", {"broker-0", 1}}),
            "the queue broker-0#1 is configured for \"c\", but no consumer is "
            "called so");
  EXPECT_EQ(message(plan, {"a", {"broker-1", 1}}),
            "the queue broker-1#1 is configured for a, but there is no such "
            "queue");
  // A joiner's queue is its own from the beginning.
  plan.joiners = Members({"c"});
  EXPECT_EQ(message(plan, {"c", {"broker-0", 0}}),
            "the queue broker-0#0 is configured twice: for a and for c");
}

TEST(LaboratoryTest, AHundredThousandConfiguredQueuesFindTheirMembers) {
  GroupPlan plan = Plan(100'000, {});
  StrategySettings settings;
  for (int32_t i = 0; i < 10'000; ++i) {
    plan.members.push_back({.id = absl::StrCat("m", i)});
  }
  for (int32_t i = 0; i < 100'000; ++i) {
    settings.configured.push_back(
        {absl::StrCat("m", i % 10'000), {"broker-0", i}});
  }
  EXPECT_EQ(TryOrDie("by_config", plan, settings).balance.queues.min, 10);
}

TEST(LaboratoryTest, AStrategyCanBeKeptToOneTopicAtATime) {
  GroupPlan plan = Plan(5, {"c1", "c2"});
  plan.topics.push_back(Topic("T2", 5));
  StrategySettings settings;
  settings.topic_by_topic = true;
  EXPECT_THAT(TryOrDie("round_robin", plan, settings).balance.counts,
              ElementsAre(6, 4));
  plan.joiners = Members({"c3"});
  const Outcome outcome = TryOrDie("sticky", plan, settings);
  EXPECT_THAT(outcome.balance.counts, ElementsAre(6, 4));
  EXPECT_EQ(outcome.join->moved, 2);
}

TEST(LaboratoryTest, AMachineRoomServesTheRoomsOfItsMembers) {
  GroupPlan plan;
  TopicPlan topic;
  topic.name = "T";
  topic.queues = {{"east@a", 0}, {"east@a", 1}, {"west@b", 0}};
  plan.topics = {topic};
  plan.broker_rooms = {{"east@a", "east"}, {"west@b", "west"}};
  plan.members = {{.id = "x", .room = "east"}, {.id = "y", .room = "east"}};
  const Balance balance = TryOrDie("by_machine_room", plan).balance;
  EXPECT_THAT(balance.counts, ElementsAre(1, 1));
  EXPECT_EQ(balance.unowned, 1);
}

// ---- Plans ----

TEST(LaboratoryTest, PlansThatMakeNoSenseAreRefusedInWords) {
  struct Case {
    std::string message;
    GroupPlan plan;
  };
  std::vector<Case> cases;
  cases.push_back({"there are no topics", {}});
  cases.push_back({"there are no queues", Plan(0, {"a"})});
  cases.push_back({"there are no consumers", Plan(4, {})});
  cases.push_back(
      {"the consumer \"a\" occurs twice", Plan(4, {"a", "b", "a"})});
  cases.push_back({"a consumer has no name", Plan(4, {"a", ""})});
  cases.push_back({"there are 100001 queues, but at most 100000 can be tried",
                   Plan(100'001, {"a"})});
  GroupPlan plan = Plan(4, {"a", "b"});
  plan.joiners = Members({"b"});
  cases.push_back({"the consumer \"b\" occurs twice", plan});
  plan = Plan(4, {"a", "b"});
  plan.leavers = {"c"};
  cases.push_back({"no consumer is called \"c\" and could leave", plan});
  plan.leavers = {"a", "a"};
  cases.push_back({"the consumer who leaves \"a\" occurs twice", plan});
  plan.leavers = {"a", "b"};
  cases.push_back({"nobody is left when consumers leave", plan});
  plan = Plan(4, {"a"});
  plan.restarts = true;
  cases.push_back({"nobody is left when consumers leave", plan});
  plan = Plan(4, {"a"});
  plan.topics.push_back(plan.topics[0]);
  cases.push_back({"the topic \"T\" occurs twice", plan});
  plan = Plan(4, {"a"});
  plan.topics[0].queues.push_back({"broker-0", 2});
  cases.push_back({"the queue \"broker-0#2\" occurs twice", plan});
  plan = Plan(4, {"a"});
  plan.loads = {1, 2};
  cases.push_back({"there are 2 loads for 4 queues", plan});
  for (const Case& one : cases) {
    const auto named = MakeExperiment(one.plan, 1, 0);
    EXPECT_EQ(named.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(named.status().message(), one.message);
  }
}

TEST(LaboratoryTest, DrawnIdsHaveTheShapeOfRocketMqsAndRepeat) {
  CounterStream random(StreamKey::For(1, "a", "b"));
  for (int i = 0; i < 100; ++i) {
    EXPECT_THAT(DrawClientId(random),
                testing::MatchesRegex(
                    "10\\.[0-9]+\\.[0-9]+\\.[0-9]+@[0-9]+#[0-9]{15}"));
  }
  GroupPlan plan = Plan(8, {"x", "y", "z"});
  plan.draw_ids = true;
  plan.restarts = true;
  const auto ids = [&](uint64_t seed, uint64_t trial) {
    const auto named = MakeExperiment(plan, seed, trial);
    std::string text;
    for (const Restart& restart : named->experiment.restarts) {
      absl::StrAppend(&text, restart.leaves.text(), " ",
                      restart.returns.id.text(), "\n");
      EXPECT_NE(restart.leaves, restart.returns.id);
    }
    return text;
  };
  EXPECT_EQ(ids(1, 0), ids(1, 0));
  EXPECT_NE(ids(1, 0), ids(1, 1));
  EXPECT_NE(ids(1, 0), ids(2, 0));
}

// ---- Surveys ----

// Values of an independent model with hashes of its own: the shape must be the
// same, the digits not.
TEST(LaboratoryTest, StrategiesAreAsGoodAndBadAsAnIndependentModelSays) {
  GroupPlan plan;
  plan.topics = {Topic("T", 64, 4)};
  plan.members = Members({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
  plan.joiners = Members({"10"});
  plan.anyone_leaves = true;
  plan.restarts = true;
  plan.draw_ids = true;
  std::vector<NamedExperiment> experiments;
  for (uint64_t trial = 0; trial < 40; ++trial) {
    auto named = MakeExperiment(plan, 1, trial);
    ASSERT_TRUE(named.ok());
    experiments.push_back(*std::move(named));
  }
  struct Row {
    absl::string_view strategy;
    double jain, max_minus_min, join, leave, restart;
  };
  for (const Row& row : std::vector<Row>{
           {"averagely", 0.994, 1, 0.419, 0.362, 7.73},
           {"averagely_by_circle", 0.994, 1, 0.918, 0.938, 18.57},
           {"consistent_hash", 0.822, 9.8, 0.080, 0.109, 2.12},
           {"bounded_consistent_hash", 0.933, 5.0, 0.117, 0.127, 2.53},
           {"rendezvous", 0.874, 8.0, 0.093, 0.106, 2.01},
           {"jump_hash", 0.902, 8, 0.491, 0.563, 10.10},
           {"maglev_fill", 0.994, 1, 0.204, 0.211, 4.13},
           {"sticky", 0.994, 1, 0.078, 0.101, 1.98}}) {
    SCOPED_TRACE(row.strategy);
    const auto survey = SurveyOf(*FindStrategy(row.strategy), {}, experiments);
    ASSERT_TRUE(survey.ok()) << survey.status();
    EXPECT_EQ(survey->trials, 40);
    EXPECT_NEAR(survey->jain.mean, row.jain, 0.04);
    EXPECT_NEAR(survey->max_minus_min.mean, row.max_minus_min, 2);
    EXPECT_NEAR(survey->join->moved.mean, row.join, 0.07);
    EXPECT_NEAR(survey->leave->moved.mean, row.leave, 0.07);
    EXPECT_NEAR(survey->restart->moved.mean, row.restart,
                0.2 * row.restart + 0.1);
    EXPECT_LE(survey->jain.min, survey->jain.mean);
    EXPECT_GE(survey->jain.max, survey->jain.mean);
  }
}

TEST(LaboratoryTest, EveryStrategyCanBeTried) {
  GroupPlan plan;
  plan.topics = {Topic("T", 8, 2), Topic("U", 4, 2)};
  plan.broker_rooms = {{"broker-0", "east"}, {"broker-1", "west"}};
  plan.members = {{.id = "a", .room = "east"},
                  {.id = "b", .room = "west"},
                  {.id = "c", .room = "west"}};
  plan.joiners = {{.id = "d", .room = "east"}};
  plan.loads.assign(12, 5);
  plan.leavers = {"b"};
  plan.restarts = true;
  for (const StrategyEntry& entry : StrategyCatalogue()) {
    SCOPED_TRACE(entry.name);
    const auto outcome = TryPlan(entry.name, plan);
    ASSERT_TRUE(outcome.ok()) << outcome.status();
    if (entry.promises.one_owner) {
      EXPECT_EQ(outcome->balance.unowned, 0);
    }
    EXPECT_LE(outcome->join->moved, 12);
    const NamedExperiment named = Make(plan);
    EXPECT_FALSE(
        Explain(entry, {}, named.experiment, outcome->assignment, 1).empty());
  }
}

// ---- Explanations ----

std::vector<std::string> ExplainPlan(absl::string_view strategy,
                                     const GroupPlan& plan, size_t member) {
  const NamedExperiment named = Make(plan);
  const auto made = SetUp(*FindStrategy(strategy), {}, named);
  const auto outcome = Try(**made, named.experiment);
  EXPECT_TRUE(outcome.ok()) << outcome.status();
  return Explain(*FindStrategy(strategy), {}, named.experiment,
                 outcome->assignment, member);
}

TEST(LaboratoryTest, TheArithmeticOfAveragelyIsShown) {
  EXPECT_THAT(ExplainPlan("averagely", Plan(8, {"a", "b", "c"}), 2),
              ElementsAre("averagely: neighbouring queues in blocks of equal "
                          "size",
                          "T: 8 queues, 3 consumers",
                          "  in the order of ids, c is number 2, counted from "
                          "0",
                          "  8 = 3 * 2 + 2: the first 2 get 3, the others 2",
                          "  positions 6 = 2 * 2 + 2 to 7",
                          "  so c gets 2 queues: broker-0#6..7"));
}

TEST(LaboratoryTest, TheRingIsShownQueueByQueue) {
  const auto lines = ExplainPlan("consistent_hash", Plan(4, {"a", "b"}), 0);
  EXPECT_THAT(lines,
              Contains(HasSubstr("the ring has 20 places, 10 for each")));
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) {
                            return line.find("next place") != std::string::npos;
                          }),
            4);
}

TEST(LaboratoryTest, RoomsAreExplained) {
  GroupPlan plan;
  plan.topics = {Topic("T", 8, 2)};
  plan.broker_rooms = {{"broker-0", "east"}, {"broker-1", "west"}};
  plan.members = {{.id = "a", .room = "east"}, {.id = "b", .room = "east"}};
  const auto lines = ExplainPlan("machine_room_nearby", plan, 1);
  EXPECT_THAT(lines, Contains("  room east has 4 queues and 2 consumers; "
                              "averagely shares them out"));
  EXPECT_THAT(lines, Contains("  nobody is in room west: averagely shares its "
                              "queues out among all 2"));
  EXPECT_EQ(lines.back(), "  so b gets 4 queues: broker-0#2..3 broker-1#2..3");
}

}  // namespace
}  // namespace groupsim
