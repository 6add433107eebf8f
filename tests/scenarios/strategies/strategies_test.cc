// Allocation strategies in scenarios.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "model/allocation/catalogue.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"
#include "scenarios/schema/report.pb.h"
#include "scenarios/schema/rule.pb.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kThree[] = "consumer { name: 'c' count: 3 }";
constexpr char kTwelve[] = "topic { name: 't' queues_per_broker: 12 }";

Report ReportOf(const std::string& cluster, const std::string& strategy,
                const std::string& consumers) {
  const Scenario scenario = ScenarioFromTextOrDie(absl::StrCat(
      "duration: '40s' ", cluster, " group { name: 'g' strategy { ", strategy,
      " } ", consumers, " }"));
  return RunScenario(scenario, RunOptions()).report;
}

// What each consumer owns at the end.
std::vector<std::string> Owned(const std::string& cluster,
                               const std::string& strategy,
                               const std::string& consumers = kThree) {
  const Report report = ReportOf(cluster, strategy, consumers);
  std::vector<std::string> owned;
  for (const Report::ConsumerReport& consumer : report.groups(0).consumer()) {
    std::string queues = absl::StrCat(consumer.name(), ":");
    for (const Report::QueueReport& queue : report.groups(0).queue()) {
      for (const std::string& owner : queue.owners()) {
        if (owner == consumer.name()) {
          absl::StrAppend(&queues, " ", queue.queue());
        }
      }
    }
    owned.push_back(queues);
  }
  return owned;
}

TEST(StrategiesTest, ByCircleDealsQueuesOut) {
  EXPECT_THAT(Owned(kTwelve, "averagely_by_circle {}"),
              ElementsAre("c-0: 0 3 6 9", "c-1: 1 4 7 10", "c-2: 2 5 8 11"));
}

TEST(StrategiesTest, AConsumerMayHaveAStrategyOfItsOwn) {
  EXPECT_THAT(Owned(kTwelve, "averagely {}",
                    "consumer { name: 'c' count: 2 } consumer { name: 'd' "
                    "strategy { averagely_by_circle {} } }"),
              ElementsAre("c-0: 0 1 2 3", "c-1: 4 5 6 7", "d: 2 5 8 11"));
}

TEST(StrategiesTest, ByConfigGivesEachWhatIsWrittenForIt) {
  EXPECT_THAT(
      Owned(kTwelve, "averagely {}",
            "consumer { name: 'c' strategy { by_config { queues: "
            "'broker-a#0..2' } } } consumer { name: 'd' strategy { by_config { "
            "queues: 'broker-a#2..3' } } }"),
      ElementsAre("c: 0 1 2", "d: 2 3"));
}

TEST(StrategiesTest, ByMachineRoomReadsTheRoomsOfBrokers) {
  EXPECT_THAT(Owned("broker { name: 'r0@a' } broker { name: 'r1@b' } topic { "
                    "name: 't' queues_per_broker: 6 }",
                    "by_machine_room { room: 'r1' }"),
              ElementsAre("c-0: 0 1", "c-1: 2 3", "c-2: 4 5"));
}

TEST(StrategiesTest, NearbyKeepsQueuesInTheRoom) {
  EXPECT_THAT(
      Owned("broker { name: 'a' room: 'east' } broker { name: 'b' room: 'west' "
            "} topic { name: 't' queues_per_broker: 4 broker: 'a' }",
            "machine_room_nearby { within { averagely_by_circle {} } }",
            "consumer { name: 'e' count: 2 room: 'east' } consumer { name: 'w' "
            "room: 'west' }"),
      ElementsAre("e-0: 0 2", "e-1: 1 3", "w:"));
}

TEST(StrategiesTest, WhateverNeedsNothingGivesEachQueueOneOwner) {
  for (const std::string strategy :
       {"consistent_hash {}", "consistent_hash { virtual_nodes: 200 }",
        "rendezvous {}", "jump_hash {}", "maglev_table { table_size: 251 }",
        "maglev_fill {}", "bounded_consistent_hash { excess_per_cent: 0 }",
        "range {}", "server_range {}", "round_robin {}"}) {
    const Report report = ReportOf(kTwelve, strategy, kThree);
    for (const Report::QueueReport& queue : report.groups(0).queue()) {
      EXPECT_EQ(queue.owners_size(), 1) << strategy << " " << queue.queue();
    }
  }
}

// What a client can compute alone is supported, what it cannot is refused with
// the reason.
TEST(StrategiesTest, TheSchemaHasTheStrategiesOfTheCatalogue) {
  const auto* type = schema::Strategy::descriptor();
  EXPECT_EQ(static_cast<size_t>(type->field_count()),
            StrategyCatalogue().size());
  for (const StrategyEntry& entry : StrategyCatalogue()) {
    const auto* field = type->FindFieldByName(std::string(entry.name));
    ASSERT_NE(field, nullptr) << entry.name;
    const FieldRule& rule_of = field->options().GetExtension(rule);
    const bool alone =
        !entry.needs.contains(StrategyNeed::kPreviousAssignment) &&
        !entry.needs.contains(StrategyNeed::kLoads) &&
        !entry.needs.contains(StrategyNeed::kWeights);
    EXPECT_EQ(rule_of.has_not_yet(), !alone) << entry.name;
    EXPECT_TRUE(alone || !rule_of.not_yet().empty()) << entry.name;
  }
}

TEST(StrategiesTest, SettingsThatDoNotFitAreFindings) {
  const auto with = [](const std::string& strategy) {
    const Source source{
        .name = "s",
        .text = absl::StrCat("group { name: 'g' consumer { name: 'c' } ",
                             "strategy { ", strategy, " } }")};
    const Reading reading = ReadScenario(source, ScenarioForm::kText);
    EXPECT_FALSE(reading.ok()) << strategy;
    return reading.findings.empty() ? std::string()
                                    : reading.findings.all()[0].message;
  };
  EXPECT_THAT(with("maglev_table { table_size: 100 }"), HasSubstr("prime"));
  EXPECT_THAT(with("machine_room_nearby {}"),
              HasSubstr("needs the room of broker"));
  EXPECT_THAT(with("by_machine_room { room: 'r' }"), HasSubstr("ROOM@NAME"));
  EXPECT_THAT(with("by_config { queues: 'broker-a#99' }"), HasSubstr("99"));
  EXPECT_THAT(with("sticky {}"), HasSubstr("previous assignment"));
  EXPECT_THAT(with("machine_room_nearby { within { machine_room_nearby {} } }"),
              HasSubstr("itself"));
}

}  // namespace
}  // namespace groupsim
