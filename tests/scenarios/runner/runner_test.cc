#include "scenarios/runner/runner.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/summary.h"

namespace groupsim {
namespace {

constexpr char kSmall[] = R"(
  duration: "60s"
  broker { name: "broker-a" }
  broker { name: "broker-b" }
  topic { name: "orders" queues_per_broker: 4 }
  producer { name: "shop" rate { per_second: 200 } }
  group {
    name: "readers"
    listener { service_time { constant: "2ms" } }
    consumer { name: "pod" count: 3 stagger: "2s" }
  }
  at { time: "30s" crash { consumer: "pod-1" } }
  expect { duplicates { at_most: 200 } }
)";

RunResult RunText(const std::string& text, uint64_t seed = 1) {
  const Scenario scenario = ScenarioFromTextOrDie(text);
  RunOptions options;
  options.seed = seed;
  options.scenario_name = "small";
  options.reproduce = "groupsim run small";
  return RunScenario(scenario, options);
}

TEST(RunnerTest, TheSameSeedGivesTheSameReport) {
  const RunResult a = RunText(kSmall);
  const RunResult b = RunText(kSmall);
  std::cout << FormatSummary(a.report);
  EXPECT_EQ(a.report.SerializeAsString(), b.report.SerializeAsString());
  EXPECT_EQ(a.report.verdict(), Report::PASSED);
}

TEST(RunnerTest, AnotherSeedGivesOtherFacts) {
  EXPECT_NE(RunText(kSmall, 1).report.fingerprints().facts(),
            RunText(kSmall, 2).report.fingerprints().facts());
}

// Facts of one kind, as lines of the event log.
std::vector<std::string> LinesOf(const std::string& text,
                                 absl::string_view kind) {
  const Scenario scenario = ScenarioFromTextOrDie(text);
  std::ostringstream log;
  RunOptions options;
  options.scenario_name = "small";
  options.event_log = &log;
  RunScenario(scenario, options);
  std::vector<std::string> lines;
  for (absl::string_view line : absl::StrSplit(log.str(), '\n')) {
    if (absl::StrContains(line, absl::StrCat("\"kind\":\"", kind, "\""))) {
      lines.emplace_back(line);
    }
  }
  return lines;
}

std::string Traffic(absl::string_view producer) {
  return absl::StrCat(
      R"(duration: "20s"
         broker { name: "broker-a" }
         topic { name: "orders" queues_per_broker: 4 }
         producer { name: "shop" rate { per_second: 10 } )",
      producer, " }");
}

TEST(RunnerTest, HotQueuesGetTheirShareOfTheMessages) {
  const std::vector<std::string> lines = LinesOf(
      Traffic("hot_queue { queues: 'broker-a#1, broker-a#3' per_mille: 1000 }"),
      "STORED");
  ASSERT_EQ(lines.size(), 200u);
  int of_queue_3 = 0;
  for (const std::string& line : lines) {
    if (absl::StrContains(line, "\"queue\":3")) {
      ++of_queue_3;
    } else {
      EXPECT_TRUE(absl::StrContains(line, "\"queue\":1")) << line;
    }
  }
  EXPECT_EQ(of_queue_3, 100);
}

TEST(RunnerTest, AKeySelectsItsQueue) {
  const std::vector<std::string> lines = LinesOf(
      Traffic("key { keys: 6 sequence {} selects_queue: true }"), "STORED");
  ASSERT_EQ(lines.size(), 200u);
  int of_key_5 = 0;
  int of_key_6 = 0;
  for (const std::string& line : lines) {
    // Keys begin with 1, for 0 is none.
    if (absl::StrContains(line, "\"value\":6")) ++of_key_6;
    if (!absl::StrContains(line, "\"value\":5")) continue;
    ++of_key_5;
    EXPECT_TRUE(absl::StrContains(line, "\"queue\":1")) << line;  // 5 mod 4.
  }
  EXPECT_EQ(of_key_5, 33);
  EXPECT_EQ(of_key_6, 33);
}

TEST(RunnerTest, WhatIsSentOneWayIsStoredWithoutAcknowledgement) {
  const std::string text = Traffic("send_mode: ONEWAY");
  EXPECT_EQ(LinesOf(text, "STORED").size(), 200u);
  const RunResult result = RunText(text);
  ASSERT_EQ(result.report.producers_size(), 1);
  EXPECT_EQ(result.report.producers(0).sent_oneway(), 200);
  EXPECT_EQ(result.report.producers(0).sent(), 0);
  EXPECT_NE(FormatSummary(result.report).find("one way 200"),
            std::string::npos);
}

TEST(RunnerTest, SettingsOfTheFaultStrategyReachTheProducer) {
  const std::string text = Traffic(R"(settings {
      send_latency_enable: true
      latency_max: ["500ms"] not_available_duration: ["4s"] } )") +
                           R"(
      at { time: "5s" slow_broker { service_time { constant: "700ms" }
                                    lasts: "1s" } })";
  const RunResult result = RunText(text);
  ASSERT_EQ(result.report.producers_size(), 1);
  // From 5.7 s on, each time for four seconds, until the last slow one is back.
  EXPECT_GE(result.report.producers(0).isolated_seconds(), 4);
  EXPECT_LE(result.report.producers(0).isolated_seconds(), 8);
}

// When the producer first asks for the route, the only broker of the topic is
// gone; so the other one makes the topic. The consumer gets these queues, too.
TEST(RunnerTest, AnotherBrokerMayMakeATopicThatIsNotReached) {
  const std::string text = R"(
      duration: "90s"
      broker { name: "broker-a" }
      broker { name: "broker-b" }
      topic { name: "orders" broker: "broker-a" }
      producer { name: "shop" rate { per_second: 10 } from: "10s" }
      group { name: "readers" consumer { name: "pod" } }
      at { time: "5s" crash { broker: "broker-a" } })";
  EXPECT_EQ(LinesOf(text, "TOPIC_CREATED").size(), 1u);
  for (const std::string& line : LinesOf(text, "STORED")) {
    EXPECT_TRUE(absl::StrContains(line, "broker-b")) << line;
  }
  EXPECT_FALSE(LinesOf(text, "DELIVERED").empty());
}

}  // namespace
}  // namespace groupsim
