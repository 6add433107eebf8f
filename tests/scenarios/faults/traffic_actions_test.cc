#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/scenarios/faults/story.h"

namespace groupsim {
namespace {

Story TellSmall(absl::string_view more) { return Tell(SmallScenario(more)); }

TEST(ChangeRateStory, ArrivalsFollowTheNewRateFromNowOn) {
  const Story story = TellSmall(R"(
    at { time: "20s" change_rate { rate { per_second: 300 } } }
    at { time: "40s" change_rate { producer: "shop" rate { every: "100ms" } } })");
  EXPECT_EQ(story.Of("STORED", 10, 20).size(), 1'000u);
  EXPECT_EQ(story.Of("STORED", 20.001, 30.001).size(), 3'000u);
  EXPECT_EQ(story.Of("STORED", 40.001, 50.001).size(), 100u);
  EXPECT_EQ(story.report.timeline(0).event(), "change rate of shop");
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(ChangeRateStory, TheMostMessagesStayAsPlanned) {
  const Story story = Tell(R"(
    duration: "30s"
    producer { name: "p" rate { per_second: 10 } messages: 150 until: "25s" }
    group { name: "g" consumer { name: "c" } }
    at { time: "10s" change_rate { rate { per_second: 20 } } }
    at { time: "20s" change_rate { rate { per_second: 30 } } })");
  EXPECT_EQ(story.Of("STORED").size(), 150u);
  // All had arrived when the second change came.
  EXPECT_EQ(story.report.timeline(1).subjects(), 0);
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

// The longest time from DELIVERED to FINISHED among deliveries that began in
// [from, to).
double LongestCall(const Story& story, double from, double to,
                   absl::string_view host) {
  std::map<std::tuple<std::string, int64_t, int64_t>, double> begun;
  double longest = 0;
  for (const ToldFact& fact : story.facts) {
    if (fact.host != host) continue;
    const auto key = std::make_tuple(fact.broker, fact.queue, fact.offset);
    if (fact.kind == "DELIVERED" && fact.time >= from && fact.time < to) {
      begun[key] = fact.time;
    } else if (fact.kind == "FINISHED" && begun.count(key) > 0) {
      longest = std::max(longest, fact.time - begun[key]);
    }
  }
  return longest;
}

TEST(ChangeListenerStory, CallsAreSlowForAWhile) {
  const Story story = TellSmall(R"(
    at { time: "20s" change_listener {
      consumer: "pod-1" lasts: "10s"
      listener { service_time { constant: "80ms" } } } })");
  EXPECT_NEAR(LongestCall(story, 0, 20, "pod-1"), 0.001, 1e-6);
  EXPECT_NEAR(LongestCall(story, 20.1, 30, "pod-1"), 0.080, 1e-6);
  EXPECT_NEAR(LongestCall(story, 30.1, 60, "pod-1"), 0.001, 1e-6);
  EXPECT_NEAR(LongestCall(story, 20, 30, "pod-0"), 0.001, 1e-6);
}

TEST(ChangeListenerStory, AConsumerThatStartsLaterGoesByItToo) {
  const Story story = TellSmall(R"(
    at { time: "10s" change_listener {
      group: "readers" listener { service_time { constant: "3ms" }
                                  time_per_cent: 300 } } }
    at { time: "20s" restart { processes { consumer: "pod-2" }
                               down_for: "1s" } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 3);
  EXPECT_NEAR(LongestCall(story, 25, 60, "pod-2"), 0.009, 1e-6);
}

TEST(SuspendStory, ASuspendedConsumerNeitherPullsNorRebalances) {
  const Story story = TellSmall(R"(
    at { time: "20s" suspend_consumer { consumer: "pod-1" lasts: "20s" } }
    at { time: "25s" crash { consumer: "pod-2" } })");
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
  // Pulls under way end; then each queue is looked at once a second.
  EXPECT_EQ(story.Of("PULL_SENT", 21, 40, "pod-1").size(), 0u);
  std::map<std::string, std::vector<double>> looks;
  for (const ToldFact& fact : story.Of("PULL_POSTPONED", 21, 40, "pod-1")) {
    EXPECT_EQ(fact.count, 2);
    EXPECT_EQ(fact.value, 1'000'000'000);
    if (fact.topic == "orders") {
      looks[fact.broker + std::to_string(fact.queue)].push_back(fact.time);
    }
  }
  EXPECT_EQ(looks.size(), 3u);
  for (const auto& [queue, times] : looks) EXPECT_EQ(times.size(), 19u);
  EXPECT_EQ(story.Of("ALLOCATED", 20.1, 40, "pod-1").size(), 0u);
  EXPECT_EQ(story.Of("DELIVERED", 21, 40, "pod-1").size(), 0u);
  // It keeps what it owns, and takes its share of pod-2's when it goes on.
  EXPECT_EQ(story.OwnedBy("pod-1", 39.9), story.OwnedBy("pod-1", 19.9));
  const auto added = story.Of("QUEUE_ADDED", 26, 60, "pod-1");
  ASSERT_FALSE(added.empty());
  EXPECT_GE(added[0].time, 40);
  EXPECT_LT(added[0].time, 40.1);
  EXPECT_FALSE(story.Of("DELIVERED", 40, 43, "pod-1").empty());
}

TEST(SuspendStory, AnotherEventLetsItGoOn) {
  const Story story = TellSmall(R"(
    at { time: "20s" suspend_consumer { consumer: "pod-1" } }
    at { time: "30s" resume_consumer { consumer: "pod-1" } }
    at { time: "40s" resume_consumer { consumer: "pod-1" } })");
  EXPECT_EQ(story.Of("PULL_SENT", 21, 30, "pod-1").size(), 0u);
  EXPECT_FALSE(story.Of("PULL_SENT", 30, 31.1, "pod-1").empty());
  EXPECT_EQ(story.report.timeline(1).subjects(), 1);
  // It was not suspended any more.
  EXPECT_EQ(story.report.timeline(2).subjects(), 0);
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

TEST(SuspendStory, AConsumerThatDoesNotRunCannotBeSuspended) {
  const Story story = TellSmall(R"(
    at { time: "20s" crash { consumer: "pod-1" } }
    at { time: "30s" suspend_consumer { consumer: "pod-1" lasts: "5s" } })");
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
  ASSERT_EQ(story.report.reasons_size(), 1);
}

TEST(SuspendStory, AFrozenConsumerHearsOfItWhenItGoesOn) {
  const Story story = TellSmall(R"(
    at { time: "20s" pause { processes { consumer: "pod-1" } lasts: "10s" } }
    at { time: "22s" suspend_consumer { consumer: "pod-1" lasts: "4s" } }
    at { time: "35s" suspend_consumer { consumer: "pod-1" lasts: "10s" } }
    at { time: "40s" pause { processes { consumer: "pod-1" } lasts: "10s" } }
  )");
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
  // Suspended and resumed at one go.
  EXPECT_EQ(story.Of("ALLOCATED", 20.001, 30, "pod-1").size(), 0u);
  EXPECT_FALSE(story.Of("PULL_SENT", 30, 34, "pod-1").empty());
  // It is to go on at 45 s, and does when it can.
  EXPECT_EQ(story.Of("ALLOCATED", 40.001, 50, "pod-1").size(), 0u);
  const auto allocated = story.Of("ALLOCATED", 50, 50.1, "pod-1");
  EXPECT_FALSE(allocated.empty());
}

// Two topics; the group subscribes to one of them.
constexpr absl::string_view kTwoTopics = R"(
    duration: "2m"
    topic { name: "t" queues_per_broker: 4 }
    topic { name: "u" queues_per_broker: 4 }
    producer { name: "p" topic: "t" rate { per_second: 50 } }
    producer { name: "q" topic: "u" rate { per_second: 50 } }
    group { name: "g" subscribe { topic: "t" }
            consumer { name: "c" count: 2 } } )";

// How often facts of a kind are about the topic.
int64_t CountOf(const Story& story, absl::string_view kind,
                absl::string_view topic, double from, double to) {
  const auto facts = story.Of(kind, from, to);
  return std::count_if(facts.begin(), facts.end(), [&](const ToldFact& fact) {
    return fact.topic == topic;
  });
}

TEST(ChangeSubscriptionStory, TopicsComeAndGoWithTheRounds) {
  const Story story = Tell(absl::StrCat(kTwoTopics, R"(
    at { time: "10s" change_subscription {
      consumer: "c-0" consumer: "c-1" subscribe { topic: "u" } } }
    at { time: "80s" change_subscription {
      consumer: "c-0" consumer: "c-1" unsubscribe: "t" } }
    )"));
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
  EXPECT_EQ(story.report.timeline(0).event(),
            "change subscription of c-0, c-1");
  EXPECT_EQ(story.report.timeline(0).subjects(), 2);
  EXPECT_EQ(CountOf(story, "QUEUE_ADDED", "u", 0, 22), 0);
  EXPECT_EQ(CountOf(story, "QUEUE_ADDED", "u", 22, 60), 4);
  EXPECT_GT(CountOf(story, "DELIVERED", "u", 60, 120), 2'900);
  EXPECT_EQ(CountOf(story, "QUEUE_DROPPED", "t", 0, 80), 0);
  EXPECT_EQ(CountOf(story, "QUEUE_DROPPED", "t", 80, 101), 4);
  for (const ToldFact& fact : story.Of("QUEUE_DROPPED", 80, 101)) {
    EXPECT_EQ(fact.count, 4);
  }
  EXPECT_EQ(CountOf(story, "DELIVERED", "t", 101, 120), 0);
}

TEST(ChangeSubscriptionStory, WhatIsAsItWasIsNoChange) {
  const Story story = Tell(absl::StrCat(kTwoTopics, R"(
    at { time: "10s" change_subscription {
      consumer: "c-0" subscribe { topic: "t" } unsubscribe: "u" } })"));
  EXPECT_EQ(story.report.timeline(0).subjects(), 0);
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

TEST(ChangeSubscriptionStory, ARestartedConsumerSubscribesAsItsGroupDoes) {
  const Story story = Tell(absl::StrCat(kTwoTopics, R"(
    at { time: "10s" change_subscription {
      consumer: "c-1" unsubscribe: "t" } }
    at { time: "50s" restart { processes { consumer: "c-1" } down_for: "1s" } }
  )"));
  EXPECT_EQ(story.OwnedBy("c-1", 49), "");
  EXPECT_EQ(story.OwnedBy("c-0", 49), "broker-a 0 1");
  EXPECT_EQ(story.OwnedBy("c-1", 119), "broker-a 2 3");
}

TEST(ChangeSubscriptionStory, AFrozenConsumerHearsOfItWhenItGoesOn) {
  const Story story = Tell(absl::StrCat(kTwoTopics, R"(
    at { time: "20s" pause { processes { consumer: "c-1" } lasts: "10s" } }
    at { time: "22s" change_subscription {
      consumer: "c-1" subscribe { topic: "u" } } })"));
  EXPECT_EQ(story.Of("QUEUE_ADDED", 20, 30, "c-1").size(), 0u);
  EXPECT_EQ(story.report.timeline(1).subjects(), 1);
  EXPECT_GT(CountOf(story, "QUEUE_ADDED", "u", 30, 80), 0);
}

TEST(HangStory, AHangThatEndsHoldsTheCommitForAsLong) {
  const Story story = Tell(R"(
    duration: "40s"
    topic { name: "t" queues_per_broker: 1 }
    producer { name: "p" rate { per_second: 10 } }
    group {
      name: "g" listener { hang { offset: 100 lasts: "8s" } }
      consumer { name: "c" cpus: 1 }
    })");
  EXPECT_NEAR(LongestCall(story, 0, 30, "c"), 8, 1e-6);
  int64_t committed = 0;
  for (const ToldFact& fact : story.Of("COMMITTED", 0, 17)) {
    committed = std::max(committed, fact.offset);
  }
  EXPECT_EQ(committed, 100);
}

}  // namespace
}  // namespace groupsim
