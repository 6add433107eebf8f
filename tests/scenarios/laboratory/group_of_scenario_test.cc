// Groups of scenarios on which strategies are tried.
#include "scenarios/laboratory/group_of_scenario.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using testing::IsEmpty;

Scenario Read(const std::string& text) {
  Reading reading =
      ReadScenario({.name = "s.textproto", .text = text}, ScenarioForm::kText);
  EXPECT_TRUE(reading.ok()) << reading.FormatFindings();
  return std::move(reading.scenario);
}

TEST(GroupOfScenarioTest, QueuesAreThoseThatMayBeRead) {
  const Scenario scenario = Read(R"(
    broker { name: "a" room: "east" }
    broker { name: "b" settings { broker_permission: 2 } }
    topic { name: "t" queues_per_broker: 2 }
    topic { name: "u" permission: WRITE_ONLY }
    group {
      name: "g"
      subscribe { topic: "t" }
      subscribe { topic: "u" }
      consumer { name: "c" count: 2 room: "east" }
    }
  )");
  const ScenarioGroup group = GroupOfScenario(scenario, scenario.group(0));
  ASSERT_EQ(group.plan.topics.size(), 2u);
  ASSERT_EQ(group.plan.topics[0].queues.size(), 2u);
  EXPECT_EQ(group.plan.topics[0].queues[1].broker, "a");
  EXPECT_EQ(group.plan.topics[0].queues[1].queue_id, 1);
  EXPECT_THAT(group.plan.topics[1].queues, IsEmpty());
  ASSERT_EQ(group.plan.members.size(), 2u);
  EXPECT_EQ(group.plan.members[1].name, "c-1");
  EXPECT_EQ(group.plan.members[1].id, "10.1.100.101@1#0");
  EXPECT_TRUE(group.has_rooms);
  EXPECT_TRUE(group.settings.topic_by_topic);
}

TEST(GroupOfScenarioTest, ConfiguredListsAreEachConsumersOwn) {
  const Scenario scenario = Read(R"(
    topic { name: "t" queues_per_broker: 4 }
    group {
      name: "g"
      consumer { name: "c" strategy { by_config { queues: "broker-a#0..2" } } }
      consumer { name: "d" strategy { by_config { queues: "broker-a#3" } } }
    }
  )");
  ScenarioGroup group = GroupOfScenario(scenario, scenario.group(0));
  ASSERT_EQ(group.settings.configured.size(), 4u);
  EXPECT_EQ(group.settings.configured[3].member, "d");
  EXPECT_EQ(group.settings.configured[3].queue.queue_id, 3);
  const auto own = OwnStrategyOf(scenario, scenario.group(0), &group.settings);
  ASSERT_TRUE(own.ok()) << own.status();
  EXPECT_EQ((*own)->name, "by_config");
}

// One group of two consumers with these strategies.
absl::StatusOr<const StrategyEntry*> OwnOf(const std::string& first,
                                           const std::string& second,
                                           StrategySettings* settings) {
  const Scenario scenario =
      Read(absl::StrCat("group { name: \"g\" consumer { name: \"c\" ", first,
                        " } consumer { name: \"d\" ", second, " } }"));
  return OwnStrategyOf(scenario, scenario.group(0), settings);
}

TEST(GroupOfScenarioTest, NoStrategyIsAveragely) {
  StrategySettings settings;
  const auto own = OwnOf("", "strategy { averagely {} }", &settings);
  ASSERT_TRUE(own.ok()) << own.status();
  EXPECT_EQ((*own)->name, "averagely");
}

TEST(GroupOfScenarioTest, SettingsOfTheStrategyAreTaken) {
  const std::string ring = "strategy { consistent_hash { virtual_nodes: 7 } }";
  StrategySettings settings;
  const auto own = OwnOf(ring, ring, &settings);
  ASSERT_TRUE(own.ok()) << own.status();
  EXPECT_EQ((*own)->name, "consistent_hash");
  EXPECT_EQ(settings.parameters.virtual_nodes, 7);
}

TEST(GroupOfScenarioTest, StrategiesThatDifferInASettingAreNotOne) {
  StrategySettings settings;
  EXPECT_EQ(OwnOf("strategy { consistent_hash { virtual_nodes: 7 } }",
                  "strategy { consistent_hash {} }", &settings)
                .status()
                .message(),
            "the consumers c and d do not run the same strategy");
}

}  // namespace
}  // namespace groupsim
