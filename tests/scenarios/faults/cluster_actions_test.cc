#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/scenarios/faults/story.h"

namespace groupsim {
namespace {

Story TellSmall(absl::string_view more, absl::string_view duration = "60s") {
  return Tell(SmallScenario(more, duration));
}

// The same for two minutes.
Story TellLong(absl::string_view more) {
  return Tell(SmallScenario(more, "2m"));
}

int64_t CountStored(const Story& story, double from, double to,
                    absl::string_view broker, int64_t first_queue = 0) {
  const auto stored = story.Of("STORED", from, to, broker);
  return std::count_if(stored.begin(), stored.end(), [&](const auto& fact) {
    return fact.queue >= first_queue;
  });
}

TEST(AddQueuesStory, BothSidesFindNewQueuesWithTheirNextRoute) {
  const Story story = TellLong(R"(
    at { time: "20s" add_queues { queues: 2 broker: "broker-a" } }
    expect { lost { equals: 0 } } expect { skipped { equals: 0 } })");
  EXPECT_EQ(story.report.timeline(0).event(),
            "add 2 queues to orders on broker-a");
  const auto changed = story.Of("TOPIC_CHANGED");
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].count, 6);
  EXPECT_EQ(changed[0].value, 6);
  EXPECT_EQ(changed[0].offset, 6);
  // The name server is told of this topic at once.
  const auto told = story.Of("BROKER_REGISTERED", 20, 20.01, "name-server");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].count, 1);
  // Routes are asked for every 30 s.
  EXPECT_EQ(CountStored(story, 0, 20, "broker-a", 4), 0);
  EXPECT_GT(CountStored(story, 50, 60, "broker-a", 4), 0);
  // Ten queues for three: 4, 3, 3. All know within 30 s and one rebalance.
  EXPECT_EQ(story.OwnedBy("pod-0", 71), "broker-a 0 1 2 3");
  EXPECT_EQ(story.OwnedBy("pod-1", 71), "broker-a 4 5 broker-b 0");
  EXPECT_EQ(story.OwnedBy("pod-2", 71), "broker-b 1 2 3");
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
  EXPECT_EQ(story.report.groups(0).queues(), 10);
}

TEST(AddQueuesStory, WhatCameBeforeTheFirstReaderIsSkippedUnlessInMemory) {
  constexpr absl::string_view kAdd =
      "at { time: \"20s\" add_queues { queues: 1 } }";
  const Story in_memory = TellLong(kAdd);
  const Story on_disk = TellLong(absl::StrCat(
      "broker_defaults { access_message_in_memory_max_ratio: 0 } ", kAdd));
  int64_t new_queues = 0;
  for (const ToldFact& fact : in_memory.Of("QUEUE_ADDED", 20)) {
    if (fact.topic != "orders" || fact.queue < 4) continue;
    EXPECT_EQ(fact.offset, 0);
    ++new_queues;
  }
  EXPECT_GE(new_queues, 2);
  EXPECT_EQ(in_memory.report.groups(0).metrics().skipped(), 0);
  EXPECT_GT(on_disk.report.groups(0).metrics().skipped(), 0);
}

TEST(AddQueuesStory, ABrokerThatIsDownCannotBeTold) {
  const Story story = TellSmall(R"(
    at { time: "10s" crash { broker: "broker-a" } }
    at { time: "20s" add_queues { queues: 2 broker: "broker-a" } })");
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

TEST(AddQueuesStory, AFrozenBrokerHearsOfThemWhenItGoesOn) {
  const Story story = TellSmall(R"(
    at { time: "20s" pause { processes { broker: "broker-a" } lasts: "5s" } }
    at { time: "21s" add_queues { queues: 2 broker: "broker-a" } }
    at { time: "22s" add_queues { queues: 1 broker: "broker-a" } }
    at { time: "23s" change_permission {
      broker: "broker-a" permission: READ_ONLY } }
    at { time: "24s" change_permission {
      broker: "broker-a" permission: READ_WRITE } })");
  const auto changed = story.Of("TOPIC_CHANGED");
  ASSERT_GE(changed.size(), 4u);
  for (const ToldFact& fact : changed) EXPECT_NEAR(fact.time, 25, 1e-9);
  EXPECT_EQ(changed[0].count, 6);
  EXPECT_EQ(changed[1].count, 7);
  EXPECT_EQ(changed[2].offset, 4);
  EXPECT_EQ(changed.back().offset, 6);
}

TEST(AddQueuesStory, NewQueuesSurviveARestartOfTheBroker) {
  const Story story = TellLong(R"(
    at { time: "10s" add_queues { queues: 2 } }
    at { time: "20s" restart { processes { broker: "broker-a" }
                               stop: CRASH down_for: "5s" } })");
  EXPECT_GT(CountStored(story, 100, 120, "broker-a", 4), 0);
}

TEST(ShrinkQueuesStory, ProducersLeaveFirstAndReadersFinish) {
  const Story story = TellLong(R"(
    at { time: "20s" shrink_queues { write_to: 1 } }
    at { time: "80s" shrink_queues { read_to: 1 } }
    expect { lost { equals: 0 } })");
  EXPECT_GT(CountStored(story, 0, 20, "broker-a", 1), 0);
  EXPECT_EQ(CountStored(story, 50.1, 120, "broker-a", 1), 0);
  EXPECT_GT(CountStored(story, 50.1, 120, "broker-a", 0), 0);
  EXPECT_EQ(story.OwnedBy("pod-0", 79), "broker-a 0 1 2");
  // One queue on each broker for three consumers.
  EXPECT_EQ(story.OwnedBy("pod-0", 119), "broker-a 0");
  EXPECT_EQ(story.OwnedBy("pod-1", 119), "broker-b 0");
  EXPECT_EQ(story.OwnedBy("pod-2", 119), "");
  // Pulls of a queue that is not there any more are refused meanwhile.
  EXPECT_FALSE(story.Of("PULL_FAILED", 80, 119).empty());
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(ShrinkQueuesStory, AsManyAsBeforeIsNoChange) {
  const Story story =
      TellSmall("at { time: \"20s\" shrink_queues { write_to: 4 } }");
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

TEST(PermissionStory, ProducersAvoidATopicThatMayOnlyBeRead) {
  const Story story = TellLong(R"(
    at { time: "20s" change_permission {
      topic: "orders" broker: "broker-a" permission: READ_ONLY } }
    at { time: "70s" change_permission {
      topic: "orders" permission: READ_WRITE } }
    expect { lost { equals: 0 } })");
  EXPECT_EQ(CountStored(story, 50.1, 70, "broker-a"), 0);
  EXPECT_GT(CountStored(story, 50.1, 70, "broker-b"), 1'900);
  EXPECT_GT(CountStored(story, 101, 120, "broker-a"), 900);
  EXPECT_EQ(story.report.timeline(1).subjects(), 1);
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(PermissionStory, ABrokerThatMayNotBeReadRefusesPulls) {
  const Story story = TellLong(R"(
    at { time: "20s" change_permission { broker: "broker-a"
                                         permission: WRITE_ONLY } }
    at { time: "70s" change_permission { broker: "broker-a"
                                         permission: READ_WRITE } }
    at { time: "75s" restart { processes { broker: "broker-a" }
                               down_for: "1s" } }
    expect { lost { equals: 0 } })");
  // NO_PERMISSION, for every queue and every second.
  const auto refused = story.Of("PULL_FAILED", 20, 30);
  ASSERT_FALSE(refused.empty());
  for (const ToldFact& fact : refused) EXPECT_EQ(fact.count, 16);
  // With their next route consumers give the queues up.
  EXPECT_EQ(story.OwnedBy("pod-0", 71), "broker-b 0 1");
  EXPECT_EQ(story.OwnedBy("pod-0", 119), "broker-a 0 1 2");
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(PermissionStory, ATopicCanBeSuchFromTheStart) {
  const Story story = Tell(R"(
    duration: "60s"
    broker { name: "broker-a" } broker { name: "broker-b" }
    topic { name: "archive" queues_per_broker: 2 permission: READ_ONLY
            stored { messages: 10 } }
    topic { name: "wide" read_queues: 2 write_queues: 3 }
    producer { name: "p" topic: "wide" rate { per_second: 30 } }
    group { name: "others" subscribe { topic: "archive" }
            subscribe { topic: "wide" }
            consume_from_where: CONSUME_FROM_FIRST_OFFSET
            consumer { name: "other" } })");
  std::map<std::string, int64_t> delivered;
  std::map<int64_t, int64_t> stored;
  for (const ToldFact& fact : story.facts) {
    if (fact.kind == "DELIVERED" && fact.host == "other") {
      ++delivered[fact.topic];
    }
    if (fact.kind == "STORED" && fact.topic == "wide") ++stored[fact.queue];
  }
  EXPECT_EQ(delivered["archive"], 40);
  // A third of the messages lie where nobody reads.
  EXPECT_EQ(stored.size(), 3u);
  EXPECT_NEAR(static_cast<double>(delivered["wide"]), 1'200, 20);
}

double LongestSend(const Story& story, double from, double to) {
  double longest = 0;
  for (const ToldFact& fact : story.Of("SENT", from, to)) {
    longest =
        std::max(longest, fact.time - static_cast<double>(fact.value) / 1e9);
  }
  return longest;
}

TEST(SlowBrokerStory, EveryRequestTakesLongerForAWhile) {
  const Story story = TellSmall(R"(
    at { time: "20s" slow_broker { broker: "broker-a" lasts: "20s"
                                   service_time { constant: "20ms" } } })");
  EXPECT_NEAR(LongestSend(story, 1, 20), 0.0005, 1e-6);
  EXPECT_NEAR(LongestSend(story, 21, 40), 0.0205, 1e-6);
  EXPECT_NEAR(LongestSend(story, 41, 60), 0.0005, 1e-6);
}

TEST(SlowBrokerStory, MoreThanItsThreadsCanDoIsRefused) {
  // The four threads of each of two brokers do 40 sends a second; 50 come.
  const Story story = TellSmall(R"(
    at { time: "20s" slow_broker { service_time { constant: "100ms" } } })");
  // Each attempt waits for 200 ms, and up to 10 more for the look that finds
  // it; the third one may find a thread, for 100 ms.
  EXPECT_GT(LongestSend(story, 30, 31), 0.6);
  EXPECT_LT(LongestSend(story, 20, 60), 0.735);
  // A send waits in vain once eight are before it, after a second; none has
  // failed three times by then.
  EXPECT_EQ(story.Of("SEND_FAILED", 0, 21).size(), 0u);
  // Eighty of a hundred a second find a thread.
  EXPECT_NEAR(static_cast<double>(story.Of("SEND_FAILED", 40, 50).size()), 200,
              10);
}

// The time-out of a send is 3 s in all.
TEST(SlowBrokerStory, HowLongRequestsMayWaitIsASetting) {
  const Story patient = TellSmall(R"(
    broker_defaults { wait_time_mills_in_send_queue: "700ms" }
    at { time: "20s" slow_broker { service_time { constant: "100ms" } } })");
  EXPECT_GT(LongestSend(patient, 50, 60), 1.5);
  const Story endless = TellSmall(R"(
    broker_defaults { broker_fast_failure_enable: false }
    at { time: "20s" slow_broker { service_time { constant: "100ms" } } })");
  EXPECT_GT(LongestSend(endless, 20, 60), 2.5);
  EXPECT_LE(LongestSend(endless, 20, 60), 3.0);
}

TEST(LostNoticesStory, MembersFindOutByTheirTimer) {
  constexpr absl::string_view kCrash =
      "at { time: \"25s\" crash { consumer: \"pod-2\" } }";
  const Story told = TellSmall(kCrash);
  const Story lost = TellSmall(absl::StrCat(
      "at { time: \"20s\" lose_change_notices { group: \"readers\" } } ",
      kCrash));
  EXPECT_FALSE(told.Of("NOTICE_RECEIVED", 25, 26).empty());
  EXPECT_EQ(lost.Of("NOTICE_RECEIVED", 20, 60).size(), 0u);
  EXPECT_FALSE(lost.Of("MEMBERS_NOTIFIED", 25, 26).empty());
  const auto soon = told.Of("QUEUE_ADDED", 25, 60);
  const auto late = lost.Of("QUEUE_ADDED", 25, 60);
  ASSERT_FALSE(soon.empty());
  ASSERT_FALSE(late.empty());
  EXPECT_LT(soon.back().time, 27);
  // Each rebalances 20 s after it did so last.
  EXPECT_GT(late.front().time, 30);
  EXPECT_LT(late.back().time, 25 + 21);
  EXPECT_EQ(lost.OwnedBy("pod-0", 59), told.OwnedBy("pod-0", 59));
}

TEST(LostNoticesStory, TheyGetThroughAgain) {
  const Story story = TellSmall(R"(
    at { time: "20s" lose_change_notices { lasts: "10s" } }
    at { time: "25s" crash { consumer: "pod-2" } }
    at { time: "45s" start { consumer: "pod-2" } })");
  EXPECT_EQ(story.Of("NOTICE_RECEIVED", 20, 45).size(), 0u);
  EXPECT_FALSE(story.Of("NOTICE_RECEIVED", 45, 46).empty());
}

TEST(RefusedCommitsStory, NothingIsCommittedMeanwhile) {
  const Story story = TellSmall(R"(
    at { time: "20s" refuse_offset_commits { broker: "broker-a" lasts: "20s" } })");
  EXPECT_EQ(story.report.timeline(0).event(),
            "refuse offset commits on broker-a");
  EXPECT_FALSE(story.Of("COMMITTED", 10, 20, "broker-a").empty());
  EXPECT_TRUE(story.Of("COMMITTED", 20, 40, "broker-a").empty());
  EXPECT_FALSE(story.Of("COMMITTED", 20, 40, "broker-b").empty());
  EXPECT_FALSE(story.Of("COMMITTED", 40, 60, "broker-a").empty());
}

TEST(RefusedCommitsStory, OtherGroupsGoOn) {
  const Story story = TellSmall(R"(
    group { name: "others" consumer { name: "other" } }
    at { time: "20s" refuse_offset_commits { group: "others" } })");
  const auto commits = [&story](const std::string& group, double from,
                                double to) {
    int64_t count = 0;
    for (const ToldFact& fact : story.Of("COMMITTED", from, to)) {
      count += fact.group == group ? 1 : 0;
    }
    return count;
  };
  EXPECT_GT(commits("others", 0, 20), 0);
  EXPECT_EQ(commits("others", 20, 60), 0);
  EXPECT_GT(commits("readers", 20, 60), 0);
}

// 100 messages a second for a minute, of which the consumer sees the first ten
// seconds; then files of 100 KiB to which nothing was written for 20 s go.
std::string Deleted(absl::string_view more) {
  return absl::StrCat(R"(
    duration: "150s"
    broker { name: "broker-a" settings {
      file_reserved_time: "20s" mapped_file_size_commit_log: "100KiB" } }
    topic { name: "orders" queues_per_broker: 1 }
    producer { name: "shop" rate { per_second: 100 } until: "60s" }
    group { name: "readers" consumer { name: "pod" } }
    at { time: "10s" stop { consumer: "pod" } }
    at { time: "70s" delete_expired_files {} } )",
                      more);
}

// How many messages the consumer had not come to when they were deleted, up to
// a time. Ten files go at a look, each of about eighty messages.
int64_t DeletedUnseen(const Story& story, double until) {
  const std::vector<ToldFact> deleted = story.Of("LOG_DELETED", 0, until);
  const std::vector<ToldFact> committed = story.Of("COMMITTED", 0, 20);
  if (deleted.empty() || committed.empty()) return -1;
  EXPECT_GE(deleted.front().time, 70);
  return deleted.back().offset - committed.back().offset;
}

TEST(DeletedFilesStory, WhoComesBackGoesOnWhereTheLogBegins) {
  const Story story =
      Tell(Deleted("at { time: '100s' start { consumer: 'pod' } }"));
  const int64_t unseen = DeletedUnseen(story, 100);
  EXPECT_GT(unseen, 1'000);
  EXPECT_LT(unseen, 3'000);
  const auto& metrics = story.report.groups(0).metrics();
  EXPECT_EQ(metrics.skipped(), unseen);
  EXPECT_EQ(metrics.lost(), 0);
  EXPECT_EQ(metrics.distinct(), 6'000 - unseen);
  EXPECT_EQ(metrics.final_lag(), 0);
}

TEST(DeletedFilesStory, WhoDoesNotComeBackHasLostThem) {
  const Story story = Tell(Deleted(""));
  const int64_t unseen = DeletedUnseen(story, 150);
  EXPECT_GT(unseen, 3'000);
  EXPECT_EQ(story.report.groups(0).metrics().lost(), unseen);
  EXPECT_EQ(story.report.groups(0).metrics().skipped(), 0);
}

// Each ends at its own time.
TEST(StaleRouteStory, TwoAtATimeLastAsLongAsTheLonger) {
  const Story story = TellSmall(R"(
    at { time: "15s" stale_route { lasts: "10s" } }
    at { time: "18s" stale_route { lasts: "60s" } }
    at { time: "20s" add_queues {
      topic: "orders" broker: "broker-a" queues: 2 } })",
                                "120s");
  EXPECT_TRUE(story.Of("ROUTE_CHANGED", 20, 78, "pod-0").empty());
  EXPECT_FALSE(story.Of("ROUTE_CHANGED", 78, 110, "pod-0").empty());
}

// A consumer asks for routes at most 30 s later; who asks meanwhile hears of
// the queues of before.
TEST(StaleRouteStory, NewQueuesAreUnknownMeanwhile) {
  constexpr absl::string_view kAdd =
      "at { time: '20s' add_queues { topic: 'orders' broker: 'broker-a' "
      "queues: 2 } } ";
  const Story fresh = TellSmall(kAdd, "120s");
  const Story stale = TellSmall(
      absl::StrCat("at { time: '15s' stale_route { lasts: '60s' } } ", kAdd),
      "120s");
  EXPECT_FALSE(fresh.Of("ROUTE_CHANGED", 20, 60, "pod-0").empty());
  EXPECT_TRUE(stale.Of("ROUTE_CHANGED", 20, 75, "pod-0").empty());
  EXPECT_FALSE(stale.Of("ROUTE_CHANGED", 75, 110, "pod-0").empty());
  EXPECT_EQ(stale.OwnedBy("pod-0", 119), fresh.OwnedBy("pod-0", 119));
}

// ---- Offsets ----

// One queue of 1000 messages, which pod-0 has consumed, for two consumers.
std::string OneQueue(absl::string_view more) {
  return absl::StrCat(
      "duration: '100s' broker { name: 'broker-a' } "
      "topic { name: 'orders' queues_per_broker: 1 } "
      "producer { name: 'shop' rate { per_second: 100 } until: '13s' } "
      "group { name: 'readers' consume_from_where: CONSUME_FROM_FIRST_OFFSET "
      "consumer { name: 'pod' count: 2 } } "
      "expect { lost { equals: 0 } } ",
      more);
}

int64_t Repeated(const Story& story) {
  return story.report.groups(0).metrics().duplicates();
}

constexpr absl::string_view kByMembers =
    "broker_defaults { use_server_side_reset_offset: false } ";
constexpr absl::string_view kBackTo200 =
    "at { time: '60s' reset_offset { to_offset: 200 queues: 'broker-a#0' } } ";

TEST(ResetOffsetStory, ByMembersTheQueueStandsStillForTenSeconds) {
  const Story story = Tell(OneQueue(absl::StrCat(kByMembers, kBackTo200)));
  EXPECT_EQ(story.report.timeline(0).event(),
            "reset offsets of readers in orders");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
  EXPECT_EQ(story.Of("DELIVERED", 60, 70).size(), 0u);
  const auto delivered = story.Of("DELIVERED", 70, 72);
  ASSERT_EQ(delivered.size(), static_cast<size_t>(Repeated(story)));
  EXPECT_EQ(delivered[0].offset, 200);
  EXPECT_EQ(Repeated(story), story.report.groups(0).metrics().stored() - 200);
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(ResetOffsetStory, ByMembersACrashMeanwhileLosesIt) {
  const Story story =
      Tell(OneQueue(absl::StrCat(kByMembers, kBackTo200,
                                 "at { time: '65s' crash { consumer: 'pod-0' "
                                 "} }")));
  EXPECT_EQ(story.OwnedBy("pod-1", 99), "broker-a 0");
  EXPECT_EQ(Repeated(story), 0);
}

TEST(ResetOffsetStory, ByMembersASecondOneMeanwhileRepeatsNothingTwice) {
  const Story story = Tell(OneQueue(
      absl::StrCat(kByMembers, kBackTo200, "at { time: '62s' reset_offset { ",
                   "to_offset: 200 queues: 'broker-a#0' } }")));
  EXPECT_EQ(story.report.timeline(1).subjects(), 1);
  EXPECT_EQ(story.Of("DELIVERED", 60, 80).size(), 0u);
  EXPECT_EQ(Repeated(story), story.report.groups(0).metrics().stored() - 200);
}

TEST(ResetOffsetStory, ByTheBrokerACrashMeanwhileDoesNotLoseIt) {
  const Story story = Tell(OneQueue(absl::StrCat(
      kBackTo200, "at { time: '60.1s' crash { consumer: 'pod-0' } }")));
  EXPECT_EQ(Repeated(story), story.report.groups(0).metrics().stored() - 200);
  for (const ToldFact& fact : story.Of("QUEUE_ADDED", 60, 99, "pod-1")) {
    if (fact.topic != "orders") continue;
    EXPECT_EQ(fact.offset, 200);
  }
}

TEST(ResetOffsetStory, ByTheBrokerMembersLearnOfItAtTheirNextPulls) {
  const Story story = TellLong(R"(
    at { time: "60s" reset_offset { to_time: "30s" } }
    expect { lost { equals: 0 } } expect { skipped { equals: 0 } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 8);
  const auto corrected = story.Of("OFFSET_CORRECTED", 60, 61);
  ASSERT_EQ(corrected.size(), 8u);
  // 100 messages a second and eight queues.
  EXPECT_NEAR(static_cast<double>(Repeated(story)), 3'000, 30);
  EXPECT_EQ(story.report.verdict(), Report::PASSED);
}

TEST(ResetOffsetStory, TheFutureIsTheEnd) {
  const Story story = Tell(SmallScenario(R"(
    at { time: "10s" change_listener {
      group: "readers" listener { service_time { constant: "1m" } } } }
    at { time: "40s" reset_offset { to_time: "1h" } })",
                                         "80s"));
  EXPECT_EQ(story.report.timeline(1).subjects(), 8);
  const auto reset = story.Of("COMMITTED", 40, 40.0001);
  ASSERT_EQ(reset.size(), 8u);
  for (const ToldFact& fact : reset) {
    // A quarter of half of the 100 messages of each second since the third.
    EXPECT_NEAR(static_cast<double>(fact.offset), 40 * 12.5, 15);
  }
}

// One beyond the end of a queue without messages is allowed.
TEST(ResetOffsetStory, AnEmptyQueueMayBeResetBeyondItsEnd) {
  const Story story = Tell(R"(
    duration: "60s" broker { name: "broker-a" }
    topic { name: "orders" queues_per_broker: 1 }
    producer { name: "shop" rate { per_second: 10 } from: "40s" }
    group { name: "readers" consumer { name: "pod" } }
    at { time: "20s" reset_offset { to_offset: 1 } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 1);
  EXPECT_GT(story.report.groups(0).metrics().distinct(), 150);
  EXPECT_EQ(story.report.groups(0).metrics().lost(), 0);
}

TEST(ResetOffsetStory, EachQueueIsResetOnceHoweverOftenItIsNamed) {
  const Story story = TellSmall(R"(
    at { time: "30s" reset_offset {
      to_offset: 10 queues: "broker-b#2,broker-b#1..3,broker-b#2" } }
    at { time: "40s" reset_offset {
      to_offset: 10 queues: "broker-a#0..1,broker-a#*" } }
    at { time: "50s" reset_offset { to_offset: 10 queues: " " } })");
  EXPECT_EQ(story.report.timeline(0).subjects(), 3);
  EXPECT_EQ(story.Of("COMMITTED", 30, 30.0001, "broker-a").size(), 0u);
  EXPECT_EQ(story.report.timeline(1).subjects(), 4);
  EXPECT_EQ(story.report.timeline(2).subjects(), 8);
}

TEST(ResetOffsetStory, BrokersThatAreDownAndOffsetsThatAreNotThereAreNoHits) {
  const Story story = TellSmall(R"(
    at { time: "20s" crash { broker: "broker-a" } }
    at { time: "30s" reset_offset { to_time: "5s" queues: "broker-a#0" } }
    at { time: "40s" reset_offset { to_offset: 100000 } })");
  EXPECT_EQ(story.report.timeline(1).subjects(), 0);
  EXPECT_EQ(story.report.timeline(2).subjects(), 0);
  EXPECT_EQ(story.report.verdict(), Report::VACUOUS);
}

TEST(CloneOffsetsStory, AGroupBeginsWhereAnotherOneIs) {
  const Story story = Tell(SmallScenario(R"(
    group { name: "copy" consume_from_where: CONSUME_FROM_FIRST_OFFSET
            subscribe { topic: "orders" }
            consumer { name: "late" } }
    at { time: "10s" stop { consumer: "late" } }
    at { time: "30s" clone_offsets { from: "readers" to: "copy" } }
    at { time: "40s" start { consumer: "late" } }
    at { time: "50s" clone_offsets { from: "readers" to: "copy" } })"));
  EXPECT_EQ(story.report.timeline(1).event(),
            "clone offsets of readers for copy");
  EXPECT_EQ(story.report.timeline(1).subjects(), 8);
  std::map<std::string, int64_t> copied;
  for (const ToldFact& fact : story.Of("COMMITTED", 30, 30.0001)) {
    if (fact.group != "copy") continue;
    copied[absl::StrCat(fact.broker, fact.queue)] = fact.offset;
  }
  EXPECT_EQ(copied.size(), 8u);
  int64_t added = 0;
  for (const ToldFact& fact : story.Of("QUEUE_ADDED", 40, 60, "late")) {
    if (fact.topic != "orders") continue;
    EXPECT_EQ(fact.offset, copied[absl::StrCat(fact.broker, fact.queue)]);
    EXPECT_GT(fact.offset, 0);
    ++added;
  }
  EXPECT_EQ(added, 8);
  // Who runs does not learn of the second copy.
  EXPECT_EQ(story.Of("OFFSET_CORRECTED").size(), 0u);
}

TEST(BrokerCrashStory, OffsetsSinceTheLastWriteAreLost) {
  const Story story = TellSmall(R"(
    at { time: "33s" restart { processes { broker: "broker-a" }
                               stop: CRASH down_for: "2s" } })");
  std::map<int64_t, int64_t> before;
  for (const ToldFact& fact : story.Of("COMMITTED", 0, 33, "broker-a")) {
    if (fact.topic == "orders") before[fact.queue] = fact.offset;
  }
  int64_t lost = 0;
  for (const ToldFact& fact : story.Of("COMMITTED", 33, 60, "broker-a")) {
    if (fact.topic != "orders" || before.count(fact.queue) == 0) continue;
    // What was there when it came back.
    EXPECT_LE(fact.count, before[fact.queue]);
    if (fact.count < before[fact.queue]) ++lost;
    before.erase(fact.queue);
  }
  EXPECT_GT(lost, 0);
}

}  // namespace
}  // namespace groupsim
