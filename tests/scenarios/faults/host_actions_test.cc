#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/scenarios/faults/story.h"

namespace groupsim {
namespace {

constexpr int64_t kExpired = 4;  // MemberRemovalCause.

Story TellSmall(absl::string_view more, absl::string_view duration = "60s") {
  return Tell(SmallScenario(more, duration));
}

TEST(PauseStory, AShortCollectionMovesNothing) {
  const Story story = TellSmall(R"(
    at { time: "20s" pause {
      processes { consumer: "pod-1" } lasts: "10s" } }
    expect { lost { equals: 0 } }
    expect { duplicates { equals: 0 } })");
  EXPECT_EQ(story.TimesOf("PROCESS_PAUSED"), "20");
  EXPECT_EQ(story.TimesOf("PROCESS_RESUMED"), "30");
  EXPECT_EQ(story.report.timeline(0).event(), "pause pod-1");
  EXPECT_TRUE(story.Of("DELIVERED", 20, 30, "pod-1").empty());
  EXPECT_FALSE(story.Of("DELIVERED", 30, 32, "pod-1").empty());
  EXPECT_TRUE(story.Of("MEMBER_REMOVED", 20).empty());
  EXPECT_TRUE(story.Of("QUEUE_DROPPED", 20).empty());
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(PauseStory, QueuesMoveWhenHeartbeatsFailToComeAndComeBackAfterwards) {
  const Story story = TellSmall(
      R"(
    at { time: "20s" pause {
      processes { consumer: "pod-1" } lasts: "160s" } }
    expect { lost { equals: 0 } })",
      "260s");
  EXPECT_TRUE(story.Of("MEMBER_REMOVED", 20, 110).empty());
  EXPECT_EQ(story.Of("MEMBER_REMOVED", 110, 165).size(), 2u);
  EXPECT_EQ(story.OwnedBy("pod-0", 178), "broker-a 0 1 2 3");
  EXPECT_EQ(story.OwnedBy("pod-0", 255), story.OwnedBy("pod-0", 19));
  EXPECT_FALSE(story.Of("DELIVERED", 220, 260, "pod-1").empty());
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(PauseStory, APausedBrokerAnswersAfterwards) {
  const Story story = TellSmall(R"(
    at { time: "25s" pause { processes { broker: "broker-a" } lasts: "1s" } }
    expect { lost { equals: 0 } })");
  for (const ToldFact& fact : story.Of("STORED", 25, 26)) {
    EXPECT_EQ(fact.broker, "broker-b");
  }
  EXPECT_FALSE(story.Of("STORED", 26, 27, "broker-a").empty());
  EXPECT_TRUE(story.Of("SEND_FAILED").empty());
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(PauseStory, APausedProducerSendsWhatArrivedAfterwards) {
  const Story story = TellSmall(R"(
    at { time: "25s" pause { processes { producer: "shop" } lasts: "2s" } })");
  EXPECT_TRUE(story.Of("STORED", 25.01, 27).empty());
  EXPECT_EQ(story.Of("STORED", 27, 27.1).size(), 210u);
}

TEST(PauseStory, APausedProcessCanBeCrashed) {
  const Story story = TellSmall(R"(
    at { time: "20s" pause { processes { consumer: "pod-1" } lasts: "30s" } }
    at { time: "25s" crash { consumer: "pod-1" } }
    at { time: "28s" start { consumer: "pod-1" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_CRASHED"), "25");
  EXPECT_EQ(story.TimesOf("PROCESS_RESUMED"), "");
  EXPECT_FALSE(story.Of("DELIVERED", 35, 45, "pod-1").empty());
}

TEST(PauseStory, OneThatIsDoneAgainMeanwhileLastsFromThen) {
  const Story story = TellSmall(R"(
    at { every: "10s" until: "25s" pause {
      processes { consumer: "pod-1" } lasts: "15s" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_PAUSED"), "10");
  EXPECT_EQ(story.TimesOf("PROCESS_RESUMED"), "35");
  EXPECT_EQ(story.report.timeline(0).times(), 2);
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
}

TEST(PauseStory, OfAThreadDoneAgainMeanwhileLastsFromThen) {
  const Story story = TellSmall(R"(
    at { every: "10s" until: "25s" pause {
      processes { consumer: "pod-1" } lane: PULL lasts: "15s" } })");
  EXPECT_EQ(story.TimesOf("LANE_PAUSED"), "10");
  EXPECT_EQ(story.TimesOf("LANE_RESUMED"), "35");
}

TEST(PauseStory, WhatWasStartedAgainMeanwhileIsPausedAndResumedAnew) {
  const Story story = TellSmall(R"(
    at { every: "10s" until: "25s" pause {
      processes { consumer: "pod-1" } lasts: "15s" } }
    at { time: "14s" restart { processes { consumer: "pod-1" }
                               stop: CRASH down_for: "1s" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_PAUSED"), "10 20");
  EXPECT_EQ(story.TimesOf("PROCESS_RESUMED"), "35");
  EXPECT_EQ(story.report.timeline(0).subjects(), 2);
}

TEST(PauseStory, WithoutThePullThreadHeartbeatsGoOn) {
  const Story story = TellSmall(R"(
    at { time: "20s" pause {
      processes { group: "readers" } lane: PULL lasts: "20s" } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 3);
  EXPECT_EQ(story.report.timeline(0).event(),
            "pause pull thread of group readers");
  EXPECT_EQ(story.TimesOf("LANE_PAUSED"), "20 20 20");
  EXPECT_EQ(story.TimesOf("LANE_RESUMED"), "40 40 40");
  EXPECT_TRUE(story.Of("PULL_SENT", 20.01, 40).empty());
  EXPECT_FALSE(story.Of("PULL_SENT", 40, 41).empty());
  EXPECT_FALSE(story.Of("HEARTBEAT_ROUND", 20.01, 40, "pod-1").empty());
}

TEST(PauseStory, WithoutTheRebalanceThreadQueuesAreNotAdopted) {
  const Story story = TellSmall(R"(
    at { time: "19s" pause { processes { group: "readers" } lane: REBALANCE } }
    at { time: "20s" crash { consumer: "pod-2" } }
    at { time: "40s" resume {
      processes { consumer: "pod-0" consumer: "pod-1" } lane: REBALANCE } })");
  EXPECT_TRUE(story.Of("QUEUE_ADDED", 19, 40).empty());
  EXPECT_FALSE(story.Of("QUEUE_ADDED", 40, 42).empty());
  EXPECT_EQ(story.report.timeline(2).subjects(), 2);
}

TEST(PauseStory, WithoutTheSchedulerMembersExpire) {
  const Story story = TellSmall(
      R"(
    at { time: "20s" pause {
      processes { consumer: "pod-1" } lane: INSTANCE } })",
      "200s");
  const std::vector<ToldFact> removed = story.Of("MEMBER_REMOVED", 20);
  ASSERT_FALSE(removed.empty());
  EXPECT_EQ(removed[0].count, kExpired);
  EXPECT_TRUE(story.Of("HEARTBEAT_ROUND", 24, 200, "pod-1").empty());
  EXPECT_FALSE(story.Of("DELIVERED", 60, 100, "pod-1").empty());
}

TEST(ResumeStory, ItEndsAPauseWithoutAnEnd) {
  const Story story = TellSmall(R"(
    at { time: "20s" pause { processes { group: "readers" } } }
    at { time: "28s" resume { processes { consumer: "pod-1" } } })");
  EXPECT_EQ(story.TimesOf("PROCESS_RESUMED"), "28");
  EXPECT_FALSE(story.Of("DELIVERED", 28, 30, "pod-1").empty());
  EXPECT_TRUE(story.Of("DELIVERED", 20.01, 60, "pod-0").empty());
}

TEST(ResumeStory, WhatRunsIsNotHit) {
  const Story story = TellSmall(
      R"(at { time: "20s" resume { processes { consumer: "pod-1" } } })");
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

TEST(ClockJumpStory, ABrokerWhoseClockLeapsForwardForgetsEverybody) {
  const Story story = TellSmall(
      R"(
    at { time: "42s" clock_jump {
      processes { broker: "broker-a" } forward: "10m" } })",
      "100s");
  EXPECT_EQ(story.TimesOf("CLOCK_CHANGED"), "42");
  const std::vector<ToldFact> removed = story.Of("MEMBER_REMOVED", 42, 55);
  ASSERT_GE(removed.size(), 3u);
  for (const ToldFact& fact : removed) EXPECT_EQ(fact.host, "broker-a");
  // It heals: with their next heartbeats they are members again.
  EXPECT_GE(story.Of("MEMBER_REGISTERED", 42, 100, "broker-a").size(), 3u);
  EXPECT_EQ(story.OwnedBy("pod-1", 99), story.OwnedBy("pod-1", 19));
}

TEST(ClockJumpStory, NothingBreaksWhenEveryClockLeapsBack) {
  const Story story = TellSmall(
      R"(
    at { time: "25s" clock_jump {
      processes { group: "readers" broker: "broker-a" producer: "shop"
                  name_server: "name-server" }
      back: "20s" } }
    expect { lost { equals: 0 } })",
      "100s");
  EXPECT_EQ(story.report.timeline(0).subjects(), 6);
  EXPECT_FALSE(story.Of("DELIVERED", 95, 100, "pod-1").empty());
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(ClockSkewStory, AClockThatIsSetBackStopsRebalancing) {
  // The loop looks at the time of day for its pace.
  const Story story = TellSmall(
      R"(
    at { time: "25s" clock_skew {
      processes { consumer: "pod-1" } behind: "60s" lasts: "40s" } })",
      "100s");
  EXPECT_EQ(story.TimesOf("CLOCK_CHANGED"), "25 65");
  EXPECT_TRUE(story.Of("REBALANCED", 26, 65, "pod-1").empty());
  EXPECT_FALSE(story.Of("REBALANCED", 26, 65, "pod-0").empty());
  EXPECT_FALSE(story.Of("REBALANCED", 65, 100, "pod-1").empty());
}

TEST(ClockSkewStory, OneThatIsDoneAgainMeanwhileLastsFromThen) {
  const Story story = TellSmall(R"(
    at { every: "10s" until: "25s" clock_skew {
      processes { consumer: "pod-1" } ahead: "5s" lasts: "15s" } })");
  EXPECT_EQ(story.TimesOf("CLOCK_CHANGED"), "10 35");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
}

TEST(ClockSkewStory, WhatLeaptMeanwhileIsLeftWhenItEnds) {
  const Story story = TellSmall(R"(
    at { every: "10s" until: "25s" clock_skew {
      processes { consumer: "pod-1" } ahead: "5s" lasts: "15s" } }
    at { time: "12s" clock_jump {
      processes { consumer: "pod-1" } forward: "7s" } }
    at { time: "40s" clock_skew {
      processes { consumer: "pod-1" } ahead: "7s" } })");
  EXPECT_EQ(story.TimesOf("CLOCK_CHANGED"), "10 12 20 35");
  EXPECT_EQ(story.report.timeline(2).subjects(), 0);
}

TEST(ClockSkewStory, AClockThatIsSoAlreadyIsNotHit) {
  const Story story = TellSmall(R"(
    at { time: "20s" clock_skew {
      processes { consumer: "pod-1" } ahead: "5s" } }
    at { time: "21s" clock_skew {
      processes { consumer: "pod-1" } ahead: "5s" } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
  EXPECT_EQ(story.report.timeline(1).subjects(), 0);
  EXPECT_EQ(story.report.timeline(0).event(),
            "set the clock of pod-1 5 s ahead");
}

}  // namespace
}  // namespace groupsim
