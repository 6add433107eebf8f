#include <gtest/gtest.h>

#include <string>

#include "tests/scenarios/faults/story.h"

namespace groupsim {
namespace {

Story TellSmall(absl::string_view more) { return Tell(SmallScenario(more)); }

TEST(TimelineTest, APeriodicEventLeavesAFactEachTime) {
  const Story story = TellSmall(R"(
    at { name: "bounce" every: "10s" from: "15s" until: "40s"
         restart { processes { consumer: "pod-1" } down_for: "2s" } })");
  EXPECT_EQ(story.TimesOf("TIMELINE_EVENT"), "15 25 35");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-1"), "0 17 27 37");
  for (const ToldFact& fact : story.Of("TIMELINE_EVENT")) {
    EXPECT_EQ(fact.value, 1);
  }
  ASSERT_EQ(story.report.timeline_size(), 1);
  const Report::TimelineReport& event = story.report.timeline(0);
  EXPECT_EQ(event.name(), "bounce");
  EXPECT_EQ(event.event(), "restart pod-1");
  EXPECT_EQ(event.when(), "every 10s from 15 s");
  EXPECT_EQ(event.times(), 3);
  EXPECT_EQ(event.subjects(), 3);
  EXPECT_EQ(event.time_seconds(), 15);
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(TimelineTest, WithoutBoundsAPeriodicEventFillsTheRun) {
  const Story story = TellSmall(R"(
    at { every: "20s" restart { processes { consumer: "pod-1" } } })");
  // The last moment of the run belongs to it.
  EXPECT_EQ(story.TimesOf("TIMELINE_EVENT"), "20 40 60");
}

TEST(TimelineTest, OfAPeriodicEventOneHitIsEnough) {
  const Story story = TellSmall(
      "at { every: \"20s\" until: \"50s\" crash { consumer: \"pod-1\" } }");
  EXPECT_EQ(story.report.timeline(0).times(), 2);
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(TimelineTest, AnEventFollowsTheFirstFactThatFits) {
  const Story story = TellSmall(R"(
    at { after { fact: FIRST_DELIVERY consumer: "pod-2" plus: "3s" }
         crash { consumer: "pod-2" } })");
  const auto delivered = story.Of("DELIVERED", 0, 60, "pod-2");
  const auto crashed = story.Of("PROCESS_CRASHED");
  ASSERT_FALSE(delivered.empty());
  ASSERT_EQ(crashed.size(), 1u);
  EXPECT_NEAR(crashed[0].time, delivered[0].time + 3, 1e-9);
  EXPECT_EQ(story.report.timeline(0).when(), "3s after DELIVERED at pod-2");
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(TimelineTest, WhatIsCountedFitsInEveryField) {
  const Story story = TellSmall(R"(
    at { after { fact: STORED topic: "orders" queues: "broker-b#1..2"
                 offset: 100 times: 2 from: "5s" }
         crash { consumer: "pod-2" } })");
  std::vector<ToldFact> fitting;
  for (const ToldFact& fact : story.Of("STORED", 5)) {
    if (fact.broker == "broker-b" && (fact.queue == 1 || fact.queue == 2) &&
        fact.offset == 100) {
      fitting.push_back(fact);
    }
  }
  ASSERT_EQ(fitting.size(), 2u);
  const auto crashed = story.Of("PROCESS_CRASHED");
  ASSERT_EQ(crashed.size(), 1u);
  EXPECT_EQ(crashed[0].time, fitting[1].time);
}

TEST(TimelineTest, FactsBeforeTheirTimeAreNotCounted) {
  const Story story = TellSmall(R"(
    at { after { fact: REBALANCED consumer: "pod-0" from: "30s" }
         crash { consumer: "pod-2" } })");
  const auto rebalanced = story.Of("REBALANCED", 30, 60, "pod-0");
  ASSERT_FALSE(rebalanced.empty());
  EXPECT_EQ(story.Of("PROCESS_CRASHED").at(0).time, rebalanced[0].time);
}

TEST(TimelineTest, AFactThatNeverComesMakesTheRunVacuous) {
  const Story story = TellSmall(R"(
    at { after { fact: PROCESS_CRASHED consumer: "pod-0" }
         crash { consumer: "pod-2" } })");
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
  ASSERT_EQ(story.report.reasons_size(), 1);
  EXPECT_EQ(story.report.reasons(0),
            "timeline: \"crash pod-2\" after PROCESS_CRASHED at pod-0 never "
            "came: the fact was seen 0 of 1 times");
  EXPECT_FALSE(story.report.timeline(0).has_time_seconds());
  EXPECT_EQ(story.Of("TIMELINE_EVENT").size(), 0u);
}

TEST(TimelineTest, AMomentAfterTheEndMakesTheRunVacuous) {
  const Story story = TellSmall(R"(
    at { after { fact: PROCESS_READY consumer: "pod-0" plus: "2m" }
         crash { consumer: "pod-2" } })");
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
  EXPECT_EQ(story.report.timeline(0).vacuous(),
            "would have come after the end of the run");
}

TEST(TimelineTest, AnEventThatHitsNothingMakesTheRunVacuous) {
  const Story story = TellSmall(R"(
    at { time: "10s" crash { consumer: "pod-1" } }
    at { time: "20s" crash { consumer: "pod-1" } })");
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
  ASSERT_EQ(story.report.reasons_size(), 1);
  EXPECT_EQ(story.report.reasons(0),
            "timeline: \"crash pod-1\" at 20 s hit nothing in a state "
            "that it concerns");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
}

}  // namespace
}  // namespace groupsim
