#include "scenarios/runner/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "model/facts/causes.h"
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

// Two processes of a kind send apart from each other, each at the whole rate;
// and each has its own life.
TEST(RunnerTest, ProducersOfAKindAreProcessesOfTheirOwn) {
  const RunResult result = RunText(R"(
    duration: "60s"
    broker { name: "broker-a" }
    topic { name: "orders" queues_per_broker: 4 }
    producer { name: "shop" count: 3
               rate { per_second: 100 arrivals: POISSON } }
    group { name: "g" consumer { name: "c" } }
    at { time: "20s" crash { producer: "shop-1" } }
    at { time: "30s" change_rate { producer: "shop-2" rate { every: "1s" } } })");
  ASSERT_EQ(result.report.producers_size(), 3);
  const auto arrived = [&](int i) {
    return result.report.producers(i).arrived();
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(result.report.producers(i).name(), absl::StrCat("shop-", i));
    EXPECT_EQ(result.report.producers(i).topic(), "orders");
  }
  // Four standard deviations of 6,000, 2,000 and 3,000.
  EXPECT_NEAR(static_cast<double>(arrived(0)), 6'000, 310);
  EXPECT_NEAR(static_cast<double>(arrived(1)), 2'000, 179);
  EXPECT_NEAR(static_cast<double>(arrived(2)), 3'030, 220);
  const RunResult even = RunText(Traffic("count: 2"));
  ASSERT_EQ(even.report.producers_size(), 2);
  EXPECT_EQ(even.report.producers(0).sent(), 200);
  EXPECT_EQ(even.report.producers(1).sent(), 200);
}

TEST(RunnerTest, ProducersOfAKindDrawForThemselves) {
  const std::vector<std::string> sizes =
      LinesOf(Traffic("count: 2 key { keys: 1000000 uniform {} }"), "STORED");
  ASSERT_EQ(sizes.size(), 400u);
  std::set<std::string> keys;
  for (const std::string& line : sizes) {
    keys.insert(line.substr(line.find("\"value\":")));
  }
  // By the same draws they would have the same 200 keys.
  EXPECT_GT(keys.size(), 380u);
}

// Of one queue, as "second kind offset", with the result where a call ends.
std::vector<std::string> CallsOf(const std::string& text) {
  std::vector<std::string> calls;
  const auto number = [](absl::string_view line, absl::string_view field) {
    const size_t at = line.find(absl::StrCat("\"", field, "\":"));
    int64_t value = 0;
    if (at == absl::string_view::npos) return value;
    absl::string_view rest = line.substr(at + field.size() + 3);
    rest = rest.substr(0, rest.find_first_of(",}"));
    EXPECT_TRUE(absl::SimpleAtoi(rest, &value)) << line;
    return value;
  };
  for (const std::string& line : LinesOf(text, "FINISHED")) {
    const int64_t status = number(line, "count");
    calls.push_back(absl::StrCat(number(line, "time") / 1'000'000'000, " ",
                                 number(line, "offset"), " ",
                                 NameOf(static_cast<ConsumeStatus>(status))));
  }
  return calls;
}

// The offset that the broker knows in the end.
std::string LastCommit(const std::string& text) {
  std::string last;
  for (const std::string& line : LinesOf(text, "COMMITTED")) {
    if (absl::StrContains(line, "RETRY")) continue;
    const size_t at = line.find("\"offset\":");
    last = at == std::string::npos ? "0" : line.substr(at + 9, 1);
  }
  return last;
}

// A message each second. 0 and 1 stay taken; 2 rolls all three back, once; 3
// commits all up to itself; 4 stays taken; 5 fails twice and stays taken.
TEST(RunnerTest, AnOrderlyListenerMayCommitByItself) {
  const std::string text = R"(
    duration: "60s"
    broker { name: "b" }
    topic { name: "t" queues_per_broker: 1 }
    producer { name: "p" rate { every: "1s" } from: "20s" messages: 6 }
    group { name: "g"
      consume { mode: ORDERLY }
      listener { auto_commit: false
        fails { offset: 2 how: ROLLBACK times: 1 }
        fails { offset: 3 how: COMMIT }
        fails { offset: 5 times: 2 } }
      consumer { name: "c" } })";
  EXPECT_THAT(
      CallsOf(text),
      testing::ElementsAre(
          "20 0 success", "21 1 success", "22 2 rollback", "23 0 success",
          "23 1 success", "23 2 success", "23 3 commit", "24 4 success",
          "25 5 reconsume later", "26 5 reconsume later", "27 5 success"));
  EXPECT_EQ(LastCommit(text), "4");
  const Report report = RunText(text).report;
  // What was rolled back or failed comes again as a retry, not as a duplicate.
  EXPECT_EQ(report.groups(0).metrics().duplicates(), 0);
}

// Batches of up to five messages, one after the other. What fails is forgotten,
// and nothing is lost by a stop.
TEST(RunnerTest, ApplicationsPollAndForgetWhatFails) {
  const std::string text = R"(
    duration: "60s"
    broker { name: "broker-a" }
    topic { name: "orders" queues_per_broker: 4 }
    producer { name: "shop" rate { per_second: 40 } from: "25s" until: "45s" }
    group { name: "g"
      consume { mode: LITE_PULL lite_pull { pull_batch_size: 5 } }
      listener { service_time { constant: "50ms" } fails { per_mille: 100 } }
      consumer { name: "c" count: 2 } }
    at { time: "35s" stop { consumer: "c-1" } }
    at { time: "40s" start { consumer: "c-1" } }
    expect { group: "g" lost { at_most: 0 } })";
  const RunResult result = RunText(text);
  EXPECT_EQ(result.report.verdict(), Report::PASSED)
      << FormatSummary(result.report);
  ASSERT_EQ(result.report.groups_size(), 1);
  EXPECT_EQ(result.report.groups(0).mode(), "lite pull");
  EXPECT_EQ(result.report.groups(0).metrics().retries(), 0);
  // One batch at a time, of at most five messages of one queue.
  std::map<std::string, int64_t> ends;
  for (const std::string& line : LinesOf(text, "FINISHED")) {
    const size_t host = line.find("\"host\":");
    ++ends[line.substr(0, line.find(",\"kind")) + line.substr(host, 12)];
  }
  ASSERT_GT(ends.size(), 100u);
  for (const auto& [moment, count] : ends) EXPECT_LE(count, 5) << moment;
  EXPECT_EQ(RunText(text).report.SerializeAsString(),
            result.report.SerializeAsString());
}

// One task for each queue, at most so many messages in a pull.
TEST(RunnerTest, ApplicationsPullAndForgetWhatFails) {
  const std::string text = R"(
    duration: "60s"
    broker { name: "broker-a" }
    topic { name: "orders" queues_per_broker: 4 }
    producer { name: "shop" rate { per_second: 40 } from: "25s" until: "45s"
      tag { name: "red" } tag { name: "blue" } }
    group { name: "g" subscribe { topic: "orders" expression: "red" }
      consume { mode: PULL pull { max_nums: 3 } }
      listener { service_time { constant: "50ms" } fails { per_mille: 100 } }
      consumer { name: "c" count: 2 } }
    at { time: "35s" stop { consumer: "c-1" } }
    at { time: "40s" start { consumer: "c-1" } }
    expect { group: "g" lost { at_most: 0 } })";
  const RunResult result = RunText(text);
  EXPECT_EQ(result.report.verdict(), Report::PASSED)
      << FormatSummary(result.report);
  ASSERT_EQ(result.report.groups_size(), 1);
  const auto& group = result.report.groups(0);
  EXPECT_EQ(group.mode(), "pull");
  EXPECT_EQ(group.metrics().retries(), 0);
  // Half of 800, and what was being worked on when a queue changed hands.
  EXPECT_GE(group.metrics().deliveries(), 350);
  EXPECT_LE(group.metrics().deliveries(), 470);
  EXPECT_EQ(RunText(text).report.SerializeAsString(),
            result.report.SerializeAsString());
}

TEST(RunnerTest, AGroupMayHaveConsumersOfAllKinds) {
  const RunResult result = RunText(R"(
    duration: "90s"
    broker { name: "broker-a" }
    topic { name: "orders" queues_per_broker: 6 }
    producer { name: "shop" rate { per_second: 40 } from: "25s" until: "60s" }
    group { name: "g"
      consumer { name: "push" }
      consumer { name: "pull" consume { mode: PULL } }
      consumer { name: "poll" consume { mode: LITE_PULL } } }
    expect { group: "g" lost { at_most: 0 } }
    expect { group: "g" duplicates { at_most: 0 } })");
  EXPECT_EQ(result.report.verdict(), Report::PASSED)
      << FormatSummary(result.report);
  EXPECT_EQ(result.report.groups(0).mode(),
            "concurrently and pull and lite pull");
  EXPECT_EQ(result.report.groups(0).metrics().deliveries(), 1'400);
}

TEST(RunnerTest, ApplicationsThatBroadcastGetAllEach) {
  const RunResult result = RunText(R"(
    duration: "120s"
    broker { name: "broker-a" }
    topic { name: "orders" queues_per_broker: 2 }
    producer { name: "shop" rate { per_second: 40 } from: "25s" until: "60s" }
    group { name: "g" message_model: BROADCASTING
      consumer { name: "pull" consume { mode: PULL } }
      consumer { name: "poll" consume { mode: LITE_PULL } } }
    at { time: "70s" restart {
      processes { consumer: "pull" consumer: "poll" } down_for: "5s" } }
    expect { group: "g" lost { at_most: 0 } }
    expect { group: "g" duplicates { at_most: 0 } })");
  EXPECT_EQ(result.report.verdict(), Report::PASSED)
      << FormatSummary(result.report);
  EXPECT_EQ(result.report.groups(0).metrics().deliveries(), 2'800);
}

TEST(RunnerTest, AssignedQueuesAreHadByAllWhoNameThem) {
  const RunResult result = RunText(R"(
    duration: "60s"
    broker { name: "broker-a" }
    topic { name: "orders" queues_per_broker: 4 }
    producer { name: "shop" rate { per_second: 40 } from: "25s" until: "45s" }
    group { name: "g" consume { mode: LITE_PULL }
      consumer { name: "all" assign { queues: "broker-a#*" } }
      consumer { name: "one" assign { queues: "broker-a#2" } } })");
  EXPECT_NE(result.report.verdict(), Report::FAILED)
      << FormatSummary(result.report);
  // 800 messages and once more the 200 of the queue that both have.
  EXPECT_EQ(result.report.groups(0).metrics().deliveries(), 1'000);
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
