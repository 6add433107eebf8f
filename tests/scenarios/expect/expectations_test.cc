// Verdicts of expectations, on runs of a small scenario.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"
#include "scenarios/runner/summary.h"

namespace groupsim {
namespace {

// Three consumers, eight queues; pod-1 crashes at 30 s.
Report RunWith(const std::string& more) {
  const Scenario scenario = ScenarioFromTextOrDie(absl::StrCat(R"(
    duration: "50s"
    topic { name: "orders" queues_per_broker: 8 }
    producer { name: "shop" rate { per_second: 100 } }
    group { name: "readers" consumer { name: "pod" count: 3 } }
    at { time: "30s" crash { consumer: "pod-1" } }
  )",
                                                               more));
  return RunScenario(scenario, RunOptions()).report;
}

Report::ExpectationReport Judge(const std::string& expectation) {
  const Report report = RunWith(absl::StrCat("expect { ", expectation, " }"));
  EXPECT_EQ(report.expectations_size(), 1);
  EXPECT_EQ(report.verdict(), report.expectations(0).verdict());
  return report.expectations(0);
}

TEST(ExpectationsTest, CountsPassAndFail) {
  EXPECT_EQ(Judge("lost { equals: 0 }").verdict(), Report::PASSED);
  EXPECT_EQ(Judge("skipped { at_most: 0 }").verdict(), Report::PASSED);
  EXPECT_EQ(Judge("skipped { at_least: 1 }").verdict(), Report::FAILED);
}

TEST(ExpectationsTest, AFailureNamesActualValueTimeAndCause) {
  const auto item =
      Judge("unowned_queue_seconds { at_most: 0.001 } from: \"20s\"");
  EXPECT_EQ(item.verdict(), Report::FAILED);
  EXPECT_GT(item.actual_value(), 0.001);
  EXPECT_GE(item.violated_at_seconds(), 30.0);
  EXPECT_LT(item.violated_at_seconds(), 30.1);
  EXPECT_EQ(item.cause(), "after pod-1 crashed at 30 s");
}

TEST(ExpectationsTest, AWindowLooksOnlyAtItsPart) {
  EXPECT_EQ(
      Judge("unowned_queue_seconds { at_most: 0 } from: \"10s\" to: \"30s\"")
          .verdict(),
      Report::PASSED);
}

TEST(ExpectationsTest, TakeoverOfACrashTakesAboutHalfASecond) {
  EXPECT_EQ(Judge("takeover { at_least: \"500ms\" within: \"2s\" } "
                  "from: \"29s\"")
                .verdict(),
            Report::PASSED);
  const auto item = Judge("takeover { within: \"100ms\" } from: \"29s\"");
  EXPECT_EQ(item.verdict(), Report::FAILED);
  EXPECT_NE(item.subject(), "");
}

TEST(ExpectationsTest, WhatNeverHappenedIsVacuous) {
  const auto item = Judge("takeover { within: \"2s\" } from: \"49s\"");
  EXPECT_EQ(item.verdict(), Report::VACUOUS);
  EXPECT_NE(item.cause(), "");
  EXPECT_EQ(Judge("takeover { within: \"2s\" } from: \"49s\" "
                  "may_be_absent: true")
                .verdict(),
            Report::PASSED);
}

TEST(ExpectationsTest, AnAllocationIsExactlyTheseQueues) {
  EXPECT_EQ(Judge("allocation { at: \"25s\" consumer: \"pod-0\" "
                  "queues: \"broker-a#0..2\" }")
                .verdict(),
            Report::PASSED);
  const auto item = Judge(
      "allocation { at: \"25s\" consumer: \"pod-0\" "
      "queues: \"broker-a#0..3\" }");
  EXPECT_EQ(item.verdict(), Report::FAILED);
  EXPECT_EQ(item.actual(), "broker-a#0,broker-a#1,broker-a#2");
  EXPECT_EQ(Judge("allocation { at: \"40s\" consumer: \"pod-1\" queues: \"\" }")
                .verdict(),
            Report::VACUOUS);
}

TEST(ExpectationsTest, AnyMetricCanBeBounded) {
  EXPECT_EQ(
      Judge("metric { name: \"membership_changes\" equals: 4 }").verdict(),
      Report::PASSED);
  EXPECT_EQ(
      Judge("consumer: \"pod-0\" metric { name: \"queues_final\" equals: 4 }")
          .verdict(),
      Report::PASSED);
}

TEST(TimelineTest, AnEventThatHitsNothingMakesTheRunVacuous) {
  const Report report =
      RunWith("at { time: \"40s\" crash { consumer: \"pod-1\" } }");
  EXPECT_EQ(report.verdict(), Report::VACUOUS);
  ASSERT_EQ(report.reasons_size(), 1);
  EXPECT_EQ(report.timeline(1).subjects(), 0);
}

TEST(TimelineTest, ARollingRestartTakesOneAfterTheOther) {
  const Report report = RunWith(R"(
    at { time: "5s" rolling_restart {
      group: "readers" down_for: "2s" pause: "3s" } })");
  const Report::GroupReport& group = report.groups(0);
  std::string changes;
  for (const Report::ChangeReport& change : group.changes()) {
    absl::StrAppend(
        &changes,
        absl::StrFormat("%.0f %s; ", change.time_seconds(), change.cause()));
  }
  EXPECT_EQ(changes,
            "0 pod-0 started; 0 pod-1 started; 0 pod-2 started; "
            "5 pod-0 stopped; 7 pod-0 started; 10 pod-1 stopped; "
            "12 pod-1 started; 15 pod-2 stopped; 17 pod-2 started; "
            "30 pod-1 crashed; ");
}

}  // namespace
}  // namespace groupsim
