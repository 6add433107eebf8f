#include <gtest/gtest.h>

#include <string>

#include "tests/scenarios/faults/story.h"

namespace groupsim {
namespace {

Story TellSmall(absl::string_view more) { return Tell(SmallScenario(more)); }

TEST(RestartStory, ProcessesEndTogetherAndComeBackOneByOneOnceDown) {
  const Story story = TellSmall(R"(
    at { time: "20s" restart {
      processes { consumer: "pod-0" consumer: "pod-1" }
      stop: CRASH down_for: "5s" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_CRASHED"), "20 20");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-0"), "0 25");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-2"), "0");
  EXPECT_EQ(story.report.timeline(0).event(), "restart pod-0, pod-1 (crash)");
  EXPECT_EQ(story.report.timeline(0).subjects(), 2);
  // It heals: shares are as before.
  EXPECT_EQ(story.OwnedBy("pod-0", 60), story.OwnedBy("pod-0", 19));
  EXPECT_NE(story.OwnedBy("pod-0", 60), "");
}

TEST(RestartStory, AVanishedBrokerComesBackWithItsMessages) {
  const Story story = TellSmall(R"(
    at { time: "20s" restart { processes { broker: "broker-a" }
                               stop: VANISH down_for: "8s" } }
    expect { lost { equals: 0 } })");
  EXPECT_EQ(story.TimesOf("PROCESS_VANISHED", "broker-a"), "20");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "broker-a", -60).substr(3), " 28");
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(RestartStory, ANameServerThatCrashedComesBack) {
  const Story story = TellSmall(R"(
    at { time: "20s" restart { processes { name_server: "name-server" }
                               stop: CRASH down_for: "5s" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_CRASHED", "name-server"), "20");
  // Both brokers register again with it, each at its next round.
  const auto again = story.Of("BROKER_REGISTERED", 25, 60, "name-server");
  EXPECT_GE(again.size(), 2u);
  EXPECT_LE(again.front().time, 25 + 31);
}

TEST(ProcessSetStory, AGroupIsAllItsConsumers) {
  const Story story =
      TellSmall("at { time: \"20s\" crash { group: \"readers\" } }");
  EXPECT_EQ(story.report.timeline(0).event(), "crash group readers");
  EXPECT_EQ(story.report.timeline(0).subjects(), 3);
  EXPECT_EQ(story.TimesOf("PROCESS_CRASHED"), "20 20 20");
}

TEST(RollingRestartStory, HostsCanVanishOneAfterTheOther) {
  const Story story = TellSmall(R"(
    at { time: "10s" rolling_restart {
      stop: VANISH down_for: "3s" pause: "7s" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_VANISHED"), "10 20 30");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "", 1), "13 23 33");
}

TEST(RollingRestartStory, ASecondOneDoesNotCutIntoTheFirst) {
  const Story story = TellSmall(R"(
    at { every: "15s" until: "30s" rolling_restart {
      down_for: "3s" pause: "7s" } })");
  EXPECT_EQ(story.report.timeline(0).times(), 2);
  EXPECT_EQ(story.report.timeline(0).subjects(), 3);
  EXPECT_EQ(story.TimesOf("PROCESS_STOPPING"), "15 25 35");
}

TEST(ScaleStory, ABlockGrowsByNewConsumers) {
  const Story story = TellSmall(R"(
    at { time: "20s" scale { consumer: "pod" to: 5 stagger: "2s" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-3"), "20");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-4"), "22");
  EXPECT_EQ(story.report.timeline(0).subjects(), 2);
  // Eight queues for five: 2, 2, 2, 1, 1.
  EXPECT_EQ(story.OwnedBy("pod-0", 50), "broker-a 0 1");
  EXPECT_EQ(story.OwnedBy("pod-4", 50), "broker-b 3");
}

TEST(ScaleStory, TheLastConsumersGoFirst) {
  const Story story = TellSmall(R"(
    at { time: "20s" scale { consumer: "pod" to: 1 stagger: "5s" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_STOPPING", "pod-2"), "20");
  EXPECT_EQ(story.TimesOf("PROCESS_STOPPING", "pod-1"), "25");
  EXPECT_EQ(story.TimesOf("PROCESS_STOPPING", "pod-0"), "");
  EXPECT_EQ(story.OwnedBy("pod-0", 50), "broker-a 0 1 2 3 broker-b 0 1 2 3");
}

TEST(ScaleStory, WhatWasScaledAwayStaysAway) {
  const Story story = TellSmall(R"(
    at { time: "10s" scale { consumer: "pod" to: 2 stop: CRASH } }
    at { time: "20s" rolling_restart { down_for: "2s" pause: "2s" } }
    at { time: "40s" crash { group: "readers" } }
    at { time: "45s" start { group: "readers" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-2"), "0");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-1"), "0 26 45");
  EXPECT_EQ(story.report.timeline(1).subjects(), 2);
  EXPECT_EQ(story.report.timeline(3).subjects(), 2);
}

TEST(ScaleStory, WhatIsScaledAwayBeforeItStartedNeverStarts) {
  const Story story = TellSmall(R"(
    at { time: "10s" scale { consumer: "pod" to: 8 stagger: "5s" } }
    at { time: "12s" scale { consumer: "pod" to: 1 } })");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-3"), "10");
  EXPECT_EQ(story.Of("PROCESS_STARTED", 10.5).size(), 0u);
  EXPECT_EQ(story.OwnedBy("pod-0", 50), "broker-a 0 1 2 3 broker-b 0 1 2 3");
}

TEST(ScaleStory, WhatIsScaledAwayAndBackStartsOnce) {
  const Story story = TellSmall(R"(
    at { time: "10s" scale { consumer: "pod" to: 5 stagger: "10s" } }
    at { time: "12s" scale { consumer: "pod" to: 1 } }
    at { time: "14s" scale { consumer: "pod" to: 5 } })");
  EXPECT_EQ(story.Of("PROCESS_STARTED", 0, 60, "pod-4").size(), 1u);
  EXPECT_NE(story.OwnedBy("pod-4", 50), "");
}

TEST(ScaleStory, NobodyReturnsToARollingRestart) {
  const Story story = TellSmall(R"(
    at { time: "10s" rolling_restart { down_for: "5s" pause: "5s" } }
    at { time: "13s" scale { consumer: "pod" to: 0 } })");
  EXPECT_EQ(story.Of("PROCESS_STARTED", 1).size(), 0u);
  EXPECT_EQ(story.Of("PROCESS_STOPPING", 13).size(), 2u);
}

TEST(ScaleStory, ARollingRestartGoesOnWithThoseWhoAreLeft) {
  const Story story = TellSmall(R"(
    at { time: "10s" rolling_restart { down_for: "4s" pause: "6s" } }
    at { time: "16s" scale { consumer: "pod" to: 2 } }
    at { time: "45s" rolling_restart { down_for: "4s" pause: "6s" } })");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-0"), "0 14 49");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-1", 1), "24 59");
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-2", 1), "");
  EXPECT_EQ(story.report.timeline(2).subjects(), 2);
}

TEST(ScaleStory, NobodyReturnsFromARestart) {
  const Story story = TellSmall(R"(
    at { time: "10s" restart { processes { group: "readers" }
                               stop: CRASH down_for: "5s" } }
    at { time: "12s" scale { consumer: "pod" to: 1 } }
    at { time: "30s" restart { processes { consumer: "pod-0" }
                               stop: CRASH down_for: "5s" } }
    at { time: "32s" scale { consumer: "pod" to: 0 } }
    at { time: "40s" restart { processes { consumer: "pod-1" } } })");
  EXPECT_EQ(story.Of("PROCESS_STARTED", 1, 39).size(), 1u);
  // To the one that is asked for by its name although it is not wanted.
  EXPECT_EQ(story.TimesOf("PROCESS_STARTED", "pod-1", 1), "55");
}

TEST(ScaleStory, ABlockThatStartsLateIsNoLargerThanItWasMadeBefore) {
  const Story story = Tell(R"(
    duration: "60s"
    group { name: "readers" consumer { name: "pod" count: 3 start_at: "20s" } }
    at { time: "10s" scale { consumer: "pod" to: 1 } })");
  EXPECT_EQ(story.Of("PROCESS_STARTED", 0, 60, "pod-0").size(), 1u);
  EXPECT_EQ(story.Of("PROCESS_STARTED", 0, 60, "pod-1").size(), 0u);
  EXPECT_EQ(story.Of("PROCESS_STARTED", 0, 60, "pod-2").size(), 0u);
}

TEST(ScaleStory, ABlockOfThatSizeIsNotHit) {
  const Story story =
      TellSmall("at { time: \"20s\" scale { consumer: \"pod\" to: 3 } }");
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

}  // namespace
}  // namespace groupsim
