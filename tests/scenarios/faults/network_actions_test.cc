#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/scenarios/faults/story.h"

namespace groupsim {
namespace {

constexpr int64_t kChannelClosed = 2;  // MemberRemovalCause.
constexpr int64_t kReset = 3;          // CloseReason.

Story TellSmall(absl::string_view more, absl::string_view duration = "60s") {
  return Tell(SmallScenario(more, duration));
}

// The longest time from store to delivery within some seconds, of messages of
// one broker at one consumer.
double Latest(const Story& story, double from, double to,
              const std::string& consumer, const std::string& broker) {
  double latest = 0;
  for (const ToldFact& fact : story.Of("DELIVERED", from, to, consumer)) {
    if (fact.broker == broker) {
      latest = std::max(latest, static_cast<double>(fact.value) / 1e9);
    }
  }
  return latest;
}

TEST(PartitionStory, QueuesOfAConsumerThatIsCutOffMoveOnceItsBrokersGiveItUp) {
  const Story story =
      TellSmall(R"(at { time: "20s" partition { from: "pod-1" } })", "200s");
  EXPECT_EQ(story.TimesOf("LINK_CUT", "pod-1"), "20");
  EXPECT_EQ(story.report.timeline(0).event(),
            "partition of pod-1 and everybody else");
  // Its last heartbeats were sent before the cut; brokers forget it when they
  // have heard none for 120 s, at the next scan, or find its connection idle.
  EXPECT_TRUE(story.Of("MEMBER_REMOVED", 20, 110).empty());
  EXPECT_EQ(story.Of("MEMBER_REMOVED", 110, 165).size(), 2u);
  EXPECT_EQ(story.OwnedBy("pod-0", 100), story.OwnedBy("pod-0", 19));
  EXPECT_EQ(story.OwnedBy("pod-0", 190), "broker-a 0 1 2 3");
  EXPECT_EQ(story.OwnedBy("pod-2", 190), "broker-b 0 1 2 3");
  EXPECT_TRUE(story.Of("DELIVERED", 25, 200, "pod-1").empty());
}

TEST(PartitionStory, AShortOneMovesNothingAndLosesNothing) {
  const Story story = TellSmall(R"(
    at { time: "25s" partition {
      from: "pod-1" to: "broker-a" to: "broker-b" lasts: "2s" } }
    expect { lost { equals: 0 } }
    expect { duplicates { equals: 0 } })");
  EXPECT_EQ(story.TimesOf("LINK_CUT", "pod-1"), "25");
  EXPECT_EQ(story.TimesOf("LINK_HEALED", "pod-1"), "27");
  EXPECT_EQ(story.report.timeline(0).subjects(), 4);
  EXPECT_TRUE(story.Of("MEMBER_REMOVED", 20, 60).empty());
  EXPECT_TRUE(story.Of("QUEUE_DROPPED", 20, 60).empty());
  EXPECT_TRUE(story.Of("DELIVERED", 25.2, 27, "pod-1").empty());
  EXPECT_FALSE(story.Of("DELIVERED", 27, 29, "pod-1").empty());
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(PartitionStory, CutOffFromOneBrokerAConsumerIsForgottenThereOnly) {
  const Story story = TellSmall(
      R"(at { time: "20s" partition {
           from: "pod-1" to: "broker-a" one_way: true } })",
      "200s");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
  EXPECT_TRUE(story.Of("LINK_CUT", 0, 200, "broker-a").empty());
  const std::vector<ToldFact> removed =
      story.Of("MEMBER_REMOVED", 20, 200, "broker-a");
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_GE(removed[0].time, 110);
  EXPECT_TRUE(story.Of("MEMBER_REMOVED", 20, 200, "broker-b").empty());
}

TEST(PartitionStory, TwoConsumersThatAreCutOffFromEachOtherDoNotNotice) {
  const Story story = TellSmall(
      R"(at { time: "20s" partition { from: "pod-0" to: "pod-1" } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 2);
  EXPECT_TRUE(story.Of("QUEUE_DROPPED", 20).empty());
}

TEST(PartitionStory, OneWithinAnotherEndsNothing) {
  const Story story = TellSmall(R"(
    at { time: "20s" partition { from: "pod-1" to: "pod-0" lasts: "30s" } }
    at { time: "25s" partition { from: "pod-1" to: "pod-0" lasts: "5s" } }
    )");
  EXPECT_EQ(story.TimesOf("LINK_CUT", "pod-1"), "20");
  EXPECT_EQ(story.TimesOf("LINK_HEALED", "pod-1"), "50");
}

TEST(PartitionStory, OneThatIsDoneAgainBeforeItsEndEndsOnce) {
  const Story story = TellSmall(R"(
    at { every: "4s" from: "20s" until: "29s" partition {
      from: "pod-1" to: "pod-0" lasts: "6s" } })");
  EXPECT_EQ(story.TimesOf("LINK_CUT", "pod-1"), "20");
  EXPECT_EQ(story.TimesOf("LINK_HEALED", "pod-1"), "34");
}

TEST(HealStory, ItEndsAllPartitions) {
  const Story story = TellSmall(R"(
    at { time: "25s" partition { from: "pod-1" to: "broker-a" } }
    at { time: "26s" partition { from: "pod-2" to: "broker-b" one_way: true } }
    at { time: "27s" heal {} })");
  EXPECT_EQ(story.TimesOf("LINK_HEALED"), "27 27 27");
  EXPECT_EQ(story.report.timeline(2).subjects(), 3);
  EXPECT_EQ(story.report.timeline(2).event(), "heal all partitions");
  EXPECT_FALSE(story.Of("DELIVERED", 28, 30, "pod-1").empty());
}

TEST(HealStory, ItMayBeAboutSomeOnly) {
  const Story story = TellSmall(R"(
    at { time: "25s" partition { from: "readers" to: "broker-a" } }
    at { time: "27s" heal { from: "pod-1" } }
    at { time: "28s" heal { from: "pod-1" } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 6);
  EXPECT_EQ(story.report.timeline(1).subjects(), 2);
  EXPECT_EQ(story.report.timeline(2).subjects(), 0);
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

TEST(LinkChangeStory, MessagesTakeLongerForAWhile) {
  const Story story = TellSmall(R"(
    at { time: "20s" link_change {
      from: "pod-0" to: "broker-a" latency { constant: "300ms" }
      lasts: "20s" } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 2);
  EXPECT_EQ(story.TimesOf("LINK_CHANGED", "pod-0"), "20 40");
  EXPECT_LT(Latest(story, 15, 20, "pod-0", "broker-a"), 0.1);
  EXPECT_GE(Latest(story, 22, 40, "pod-0", "broker-a"), 0.3);
  EXPECT_LT(Latest(story, 45, 60, "pod-0", "broker-a"), 0.1);
  EXPECT_LT(Latest(story, 22, 40, "pod-1", "broker-b"), 0.1);
}

TEST(LinkChangeStory, OneWayItIsHalfAsMuch) {
  const Story story = TellSmall(R"(
    at { time: "20s" link_change {
      from: "broker-a" to: "pod-0" one_way: true
      latency { constant: "300ms" } } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
  EXPECT_TRUE(story.Of("LINK_CHANGED", 0, 60, "pod-0").empty());
  EXPECT_GE(Latest(story, 22, 60, "pod-0", "broker-a"), 0.3);
}

TEST(LossStory, WhatIsLostComesLateButComes) {
  const Story story = TellSmall(R"(
    at { time: "20s" loss {
      from: "readers" to: "broker-a" to: "broker-b" per_mille: 50
      lasts: "20s" } }
    expect { lost { equals: 0 } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 12);
  const auto latest = [&story](double from, double to) {
    return std::max(Latest(story, from, to, "pod-0", "broker-a"),
                    Latest(story, from, to, "pod-2", "broker-b"));
  };
  EXPECT_LT(latest(10, 20), 0.1);
  EXPECT_GE(latest(20, 40), 0.2);
  EXPECT_LT(latest(45, 60), 0.1);
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(LossStory, ALossOfNothingEndsAnEarlierOne) {
  const Story story = TellSmall(R"(
    at { time: "20s" loss { from: "pod-0" to: "broker-a" per_mille: 300 } }
    at { time: "30s" loss { from: "pod-0" to: "broker-a" per_mille: 0 } }
    at { time: "31s" loss { from: "pod-0" to: "broker-a" per_mille: 0 } })");
  EXPECT_GE(Latest(story, 20, 30, "pod-0", "broker-a"), 0.2);
  EXPECT_LT(Latest(story, 40, 60, "pod-0", "broker-a"), 0.1);
  EXPECT_EQ(story.report.timeline(1).subjects(), 2);
  EXPECT_EQ(story.report.timeline(2).subjects(), 0);
}

// A heartbeat that gets no answer closes its connection after 3 s; the broker
// removes the member, and no heartbeat brings it back.
TEST(DropStory, WhoseHeartbeatsAreThrownAwayIsNoMemberAnyMore) {
  const Story story = TellSmall(R"(
    at { time: "20s" drop {
      from: "pod-1" to: "broker-a" request: "HEART_BEAT" } })",
                                "90s");
  EXPECT_EQ(story.report.timeline(0).event(),
            "drop HEART_BEAT from pod-1 to broker-a");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
  const std::vector<ToldFact> dropped = story.Of("REQUEST_DROPPED", 20, 90);
  ASSERT_FALSE(dropped.empty());
  for (const ToldFact& fact : dropped) EXPECT_EQ(fact.count, 34);
  EXPECT_EQ(story.Of("REQUEST_DROPPED", 20, 90, "pod-1").size(),
            dropped.size());
  const std::vector<ToldFact> removed =
      story.Of("MEMBER_REMOVED", 20, 90, "broker-a");
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].count, kChannelClosed);
  EXPECT_NEAR(removed[0].time, dropped[0].time + 3, 0.1);
  EXPECT_TRUE(story.Of("MEMBER_REGISTERED", 20, 90, "broker-a").empty());
  EXPECT_TRUE(story.Of("MEMBER_REMOVED", 20, 90, "broker-b").empty());
}

TEST(DropStory, TheyGetThroughAgain) {
  const Story story = TellSmall(R"(
    at { time: "20s" drop {
      from: "pod-1" to: "broker-a" request: "HEART_BEAT" lasts: "20s" } })",
                                "100s");
  EXPECT_FALSE(story.Of("REQUEST_DROPPED", 20, 40).empty());
  EXPECT_TRUE(story.Of("REQUEST_DROPPED", 40, 100).empty());
  EXPECT_FALSE(story.Of("MEMBER_REGISTERED", 40, 100, "broker-a").empty());
}

// The last one about a direction holds, and the timeline is on top of it.
TEST(LinkStory, AScenarioSaysHowItsLinksAre) {
  const Story story = TellSmall(R"(
    network {
      link { from: "readers" to: "broker-a" latency { constant: "100ms" } }
      link { from: "pod-0" to: "broker-a" one_way: true
        latency { constant: "300ms" } }
      link { from: "pod-2" to: "broker-b" loss_per_mille: 200 }
    }
    at { time: "40s" link_change { from: "pod-0" to: "broker-a"
      latency { constant: "1ms" } lasts: "10s" } })");
  // To the broker 300 ms, back 100.
  EXPECT_GE(Latest(story, 20, 40, "pod-0", "broker-a"), 0.1);
  EXPECT_LT(Latest(story, 42, 50, "pod-0", "broker-a"), 0.1);
  EXPECT_GE(Latest(story, 52, 60, "pod-0", "broker-a"), 0.1);
  EXPECT_GE(Latest(story, 20, 60, "pod-2", "broker-b"), 0.2);
}

TEST(ConnectionResetStory, BothEndsSeeItAndTheConsumerComesBack) {
  const Story story = TellSmall(R"(
    at { time: "20s" connection_reset { from: "pod-1" to: "broker-a" } }
    expect { lost { equals: 0 } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
  for (const char* host : {"pod-1", "broker-a"}) {
    const std::vector<ToldFact> closed =
        story.Of("CONNECTION_CLOSED", 20, 20.1, host);
    ASSERT_EQ(closed.size(), 1u) << host;
    EXPECT_EQ(closed[0].count, kReset);
  }
  const std::vector<ToldFact> removed =
      story.Of("MEMBER_REMOVED", 20, 21, "broker-a");
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].count, kChannelClosed);
  EXPECT_EQ(story.OwnedBy("pod-1", 60), story.OwnedBy("pod-1", 19));
  EXPECT_FALSE(story.Of("DELIVERED", 55, 60, "pod-1").empty());
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(ConnectionResetStory, WithoutConnectionsNothingIsHit) {
  const Story story = TellSmall(R"(
    at { time: "20s" connection_reset { from: "pod-1" to: "pod-2" } })");
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

TEST(HalfOpenStory, NobodyIsToldUntilACallHasNoAnswer) {
  const Story story = TellSmall(
      R"(
    at { time: "20s" half_open { from: "pod-1" to: "broker-a" } }
    expect { lost { equals: 0 } })",
      "90s");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
  EXPECT_EQ(story.TimesOf("CONNECTION_FORGOTTEN"), "20 20");
  // A question with a time-out of some seconds has no answer and closes the
  // channel at pod-1; broker-a does not hear of that.
  const std::vector<ToldFact> closed =
      story.Of("CONNECTION_CLOSED", 20, 90, "pod-1");
  ASSERT_FALSE(closed.empty());
  EXPECT_GT(closed[0].time, 20.5);
  EXPECT_TRUE(
      story.Of("MEMBER_REMOVED", 20, closed[0].time + 1, "broker-a").empty());
  // A new connection works.
  EXPECT_FALSE(
      story.Of("CONNECTION_OPENED", closed[0].time, 90, "pod-1").empty());
  EXPECT_FALSE(story.Of("DELIVERED", 70, 90, "pod-1").empty());
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(HalfOpenStory, TheSameConnectionsAreNotForgottenTwice) {
  const Story story = TellSmall(R"(
    at { time: "25s" half_open { from: "pod-1" to: "broker-a" } }
    at { time: "25100ms" half_open { from: "broker-a" to: "pod-1" } })");
  EXPECT_EQ(story.report.timeline(1).subjects(), 0);
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

}  // namespace
}  // namespace groupsim
