// Lite pull consumers, brokers and a producer together.
#include <cstdint>
#include <set>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/client/lite_pull_consumer.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/task.h"
#include "tests/model/client/application_story.h"
#include "tests/support/story.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::SizeIs;

using LitePullStory =
    ApplicationStory<LitePullConsumer, LitePullConsumerConfig>;

TEST(LitePullStory, TheFirstHeartbeatBringsItsQueues) {
  LitePullStory told({.brokers = 1, .queues = 4, .messages_per_second = 0});
  told.Add("l-1");
  told.story.At(2s).Start("l-1");
  told.story.RunUntil(10s);
  EXPECT_TRUE(
      absl::EndsWith(told.consumer("l-1").client_id().text(), "@STREAM"));
  const std::vector<Fact> added = told.Of(FactKind::QUEUE_ADDED);
  ASSERT_THAT(added, SizeIs(4));
  EXPECT_GE(At(added[0]), 3.0);  // The heartbeat is a second after the start.
  EXPECT_LE(At(added[0]), 3.1);
  // Nothing waits for half a second before it pulls.
  const std::vector<Fact> pulls = told.Of(FactKind::PULL_SENT);
  ASSERT_THAT(pulls, SizeIs(Gt(3)));
  EXPECT_LE(At(pulls[3]), 3.1);
}

TEST(LitePullStory, TwoShareTheQueuesAndMissNothing) {
  LitePullStory told({.brokers = 2, .queues = 4});
  told.Add("l-1");
  told.Add("l-2");
  told.story.At(1s).Start("l-1");
  told.story.At(20s).Start("l-2");
  told.story.At(60s).StopTraffic();
  told.story.RunFor(80s);
  EXPECT_EQ(told.Distinct(), told.story.stored());
  EXPECT_THAT(told.story.queues_of("l-1"), SizeIs(4));
  EXPECT_THAT(told.story.queues_of("l-2"), SizeIs(4));
  // Messages that were given away and not committed when the queues moved.
  EXPECT_GE(told.Again(), 1);
  EXPECT_LE(told.Again(), 300);
}

TEST(LitePullStory, ACrashRepeatsWhatNoPollCommitted) {
  LitePullStory told({.brokers = 1, .queues = 4});
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  // The first poll is at 1 s, so that polls commit at 6 s, 11 s, 16 s, ...; the
  // broker hears of it at 11 s, 16 s, ...
  told.story.At(18s).Crash("l-1");
  told.story.At(20s).Start("l-1");
  told.story.At(40s).StopTraffic();
  told.story.RunFor(60s);
  EXPECT_EQ(told.Distinct(), told.story.stored());
  EXPECT_GE(told.Again(), 190);
  EXPECT_LE(told.Again(), 800);
}

TEST(LitePullStory, ABatchIsCommittedThoughNobodyHasDealtWithIt) {
  LitePullStory told({.brokers = 1, .queues = 1, .messages_per_second = 1});
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  // The call for what comes at 13 s lasts; who polls beside it commits.
  told.story.SetListener([&told](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = told.story.world().now() < Instant::Start() + 12500ms
                            ? Duration(1ms)
                            : Duration(300s);
    return plan;
  });
  told.story.At(20s).Do([&told] {
    told.Spawn([](LitePullConsumer& consumer) -> Task<void> {
      co_await consumer.Poll(1ms);
    }(told.consumer("l-1")));
  });
  told.story.At(40s).Crash("l-1");
  told.story.At(42s).Start("l-1");
  told.story.RunFor(60s);
  const std::vector<Fact> given = told.Of(FactKind::DELIVERED);
  int64_t unfinished = -1;  // In the call when the process died.
  for (const Fact& fact : given) {
    if (At(fact) < 40) unfinished = fact.offset;
  }
  ASSERT_GE(unfinished, 0);
  ASSERT_GT(At(given.back()), 42) << "it goes on";
  for (const Fact& fact : given) {
    if (At(fact) <= 40) continue;
    EXPECT_NE(fact.offset, unfinished);
  }
}

// The workers get through half of what comes. Polls at 1 s, 6 s, ..., and a
// little later each time, commit all that was handed over; the broker hears of
// it at 11 s, 16 s, ...
TEST(LitePullStory, WhatIsHandedOverIsCommittedAndNeverDealtWith) {
  LitePullStory told({.brokers = 1,
                      .queues = 1,
                      .messages_per_second = 100,
                      .service_time = 100ms});
  told.config.settings.worker_threads = 5;
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.At(28s).Crash("l-1");
  told.story.At(30s).Start("l-1");
  told.story.At(40s).StopTraffic();
  told.story.RunFor(80s);
  EXPECT_EQ(told.Again(), 0);
  // At 26 s the broker heard of what was handed over until 21 s, that is 1,800
  // messages; at 28 s, 1,250 of them were dealt with or nearly so.
  EXPECT_NEAR(static_cast<double>(told.story.stored() - told.Distinct()), 550,
              30);
}

TEST(LitePullStory, WithoutCommitsOfPollsTheApplicationCommits) {
  LitePullStory told({.brokers = 1, .queues = 4});
  told.config.settings.auto_commit = false;
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.At(24s).Stop("l-1");
  told.story.At(26s).Start("l-1");
  told.story.At(40s).StopTraffic();
  told.story.RunFor(50s);
  EXPECT_EQ(told.Distinct(), told.story.stored());
  EXPECT_LE(told.Again(), 10);  // In the call at that moment.
}

TEST(LitePullStory, WhoHasMoreQueuesThanThreadsLetsSomeWait) {
  LitePullStory told({.brokers = 1, .queues = 4, .messages_per_second = 0});
  told.config.settings.pull_thread_nums = 3;
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.RunUntil(15s);
  EXPECT_THAT(told.Of(FactKind::PULL_SENT), SizeIs(3));
  told.story.RunUntil(40s);  // A broker holds a pull for 20 s and some more.
  std::set<int64_t> pulled;
  for (const Fact& fact : told.Of(FactKind::PULL_SENT)) {
    pulled.insert(fact.queue);
  }
  EXPECT_THAT(pulled, SizeIs(4));
}

TEST(LitePullStory, PullsRestWhileTooMuchIsCached) {
  LitePullStory told({.brokers = 1,
                      .queues = 1,
                      .messages_per_second = 500,
                      .service_time = 1s});
  told.config.settings.pull_threshold_for_queue = 100;
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.RunUntil(20s);
  const std::vector<Fact> rests = told.Of(FactKind::PULL_POSTPONED);
  ASSERT_THAT(rests, SizeIs(Gt(10)));
  for (const Fact& fact : rests) {
    EXPECT_EQ(fact.count, static_cast<int64_t>(PostponeReason::kCount));
    EXPECT_EQ(fact.value, Duration(50ms).nanos());
  }
  const std::vector<Fact> cached = told.Of(FactKind::CACHED);
  EXPECT_LE(cached.back().count, 110);
}

TEST(LitePullStory, AllBatchesTogetherHaveALimitToo) {
  LitePullStory told({.brokers = 1,
                      .queues = 4,
                      .messages_per_second = 500,
                      .service_time = 1s});
  told.config.settings.pull_threshold_for_all = 40;
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.RunUntil(20s);
  EXPECT_LE(told.consumer("l-1").pulls().cached_messages(), 80);
  EXPECT_THAT(told.Of(FactKind::PULL_POSTPONED), SizeIs(Gt(10)));
}

TEST(LitePullStory, APausedQueueRestsAndGoesOn) {
  LitePullStory told({.brokers = 1, .queues = 2});
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  const MessageQueue queue = told.story.queue("b-1", 0);
  told.story.At(10s).Do([&] { told.consumer("l-1").Pause(queue); });
  told.story.At(30s).Do([&] { told.consumer("l-1").Resume(queue); });
  told.story.At(40s).StopTraffic();
  told.story.RunFor(50s);
  int64_t meanwhile = 0;
  for (const Fact& fact : told.Of(FactKind::PULL_SENT)) {
    if (fact.queue == 0 && At(fact) > 11 && At(fact) < 30) ++meanwhile;
  }
  EXPECT_EQ(meanwhile, 0);
  EXPECT_EQ(told.Distinct(), told.story.stored());
}

TEST(LitePullStory, SeekingGoesOnWhereItIsAskedTo) {
  LitePullStory told({.brokers = 1, .queues = 1});
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  std::vector<bool> answers;
  told.story.At(20s).Do([&] {
    told.Spawn([](LitePullStory& t, std::vector<bool>& a) -> Task<void> {
      const MessageQueue queue = t.story.queue("b-1", 0);
      const bool there = co_await t.consumer("l-1").Seek(queue, 5);
      a.push_back(there);
      const bool beyond = co_await t.consumer("l-1").Seek(queue, 1'000'000);
      a.push_back(beyond);
    }(told, answers));
  });
  told.story.At(30s).StopTraffic();
  told.story.RunFor(40s);
  EXPECT_THAT(answers, ElementsAre(true, false));
  EXPECT_EQ(told.Distinct(), told.story.stored());
  // From 5 to what had been given away by then, 17 s at 100 a second.
  EXPECT_GE(told.Again(), 1'690);
  EXPECT_LE(told.Again(), 1'700);
}

TEST(LitePullStory, SeekingEndsThePullUnderWay) {
  LitePullStory told({.brokers = 1, .queues = 1});
  told.config.settings.pull_thread_nums = 1;
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.At(10s).StopTraffic();
  std::vector<bool> answers;
  told.story.At(20s).Do([&] {
    told.Spawn([](LitePullStory& t, std::vector<bool>& a) -> Task<void> {
      const MessageQueue queue = t.story.queue("b-1", 0);
      const bool there = co_await t.consumer("l-1").Seek(queue, 695);
      a.push_back(there);
    }(told, answers));
  });
  // The only thread waits for a broker that holds its pull; and yet the next
  // one goes out when two questions are answered, 0.5 ms each.
  told.story.RunUntil(21s);
  EXPECT_THAT(answers, ElementsAre(true));
  std::vector<int64_t> asked;
  for (const Fact& fact : told.Of(FactKind::PULL_SENT)) {
    if (At(fact) < 20) continue;
    if (asked.empty()) {
      EXPECT_NEAR(At(fact), 20.001, 1e-6);
    }
    asked.push_back(fact.offset);
  }
  // 100 a second from 3 s to 10 s make 700, five of which come again.
  EXPECT_EQ(told.story.stored(), 700);
  EXPECT_THAT(asked, ElementsAre(695, 700));
  EXPECT_EQ(told.Again(), 5);
}

TEST(LitePullStory, WhoPollsWaitsForWhoPolled) {
  LitePullStory told({.brokers = 1, .queues = 1, .messages_per_second = 0});
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  std::vector<double> ends;
  told.story.At(9s).Do([&] {
    told.Spawn([](LitePullStory& t, std::vector<double>& e) -> Task<void> {
      co_await t.consumer("l-1").Poll(1s);
      e.push_back(
          static_cast<double>(t.story.world().now().since_start().nanos()) /
          1e9);
    }(told, ends));
  });
  told.story.RunUntil(30s);
  // The application began at 1 s, and each of its polls lasts 5 s; so the third
  // one would begin at 11 s, but this one was there before.
  ASSERT_THAT(ends, SizeIs(1));
  EXPECT_NEAR(ends[0], 12, 0.1);
}

TEST(LitePullStory, TagsAreSiftedByTheBrokerAndByTheConsumer) {
  LitePullStory told({.brokers = 1, .queues = 1, .messages_per_second = 1});
  told.story.At(1s).StopTraffic();
  told.config.topics = {{told.story.name("topic"), "Aa || red"}};
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.At(11s).Do([&] { SendTagged(told.story, "blue"); });
  told.story.At(12s).Do([&] { SendTagged(told.story, "BB"); });
  told.story.At(13s).Do([&] { SendTagged(told.story, "Aa"); });
  told.story.At(14s).Do([&] { SendTagged(told.story, ""); });
  told.story.At(15s).Do([&] { SendTagged(told.story, "red"); });
  told.story.RunUntil(16s);
  std::vector<int64_t> given;
  for (const Fact& fact : told.Of(FactKind::DELIVERED)) {
    given.push_back(fact.offset);
  }
  EXPECT_THAT(given, ElementsAre(2, 4));
  // "Aa" and "BB" have one hash, so the broker wakes the pull for both.
  std::vector<int64_t> kept;
  for (const Fact& fact : told.Of(FactKind::PULLED)) kept.push_back(fact.count);
  EXPECT_THAT(kept, ElementsAre(0, 1, 1));
}

TEST(LitePullStory, AssignedQueuesAreSiftedToo) {
  LitePullStory told({.brokers = 1, .queues = 1, .messages_per_second = 1});
  told.story.At(1s).StopTraffic();
  told.config.topics = {{told.story.name("topic"), "red"}};
  told.config.queues = {told.story.queue("b-1", 0)};
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.At(11s).Do([&] { SendTagged(told.story, "blue"); });
  told.story.At(12s).Do([&] { SendTagged(told.story, "red"); });
  told.story.RunUntil(15s);
  const std::vector<Fact> given = told.Of(FactKind::DELIVERED);
  ASSERT_THAT(given, SizeIs(1));
  EXPECT_EQ(given[0].offset, 1);
  EXPECT_EQ(told.story.CountOf(FactKind::REBALANCED), 0);
}

// A queue leaves and returns while a pull of it is held. What that one is
// answered then belongs to nobody: upstream before 4.9.0 went on behind it, so
// that nobody got these messages.
TEST(LitePullStory, AQueueThatReturnsForgetsThePullOfBefore) {
  LitePullStory told({.brokers = 1, .queues = 2, .messages_per_second = 1});
  told.story.At(1s).StopTraffic();
  told.Add("l-1");
  told.Add("l-2");
  told.story.At(1s).Start("l-1");
  told.story.At(10s).Start("l-2");
  told.story.At(13s).Stop("l-2");
  told.story.RunUntil(15s);
  EXPECT_THAT(told.story.queues_of("l-1"), ElementsAre("b-1#0", "b-1#1"));
  EXPECT_THAT(told.Of(FactKind::QUEUE_DROPPED, "l-1"), SizeIs(1));
  for (int i = 0; i < 6; ++i) SendTagged(told.story, "");
  told.story.RunUntil(20s);
  EXPECT_EQ(told.story.stored(), 6);
  EXPECT_EQ(told.Distinct(), 6);
  EXPECT_EQ(told.Again(), 0);
}

TEST(LitePullStory, AssignedQueuesAreItsOwnWhateverOthersHave) {
  LitePullStory told({.brokers = 1, .queues = 2});
  told.config.topics.clear();
  told.config.queues = {told.story.queue("b-1", 1)};
  told.config.watched_topics = {told.story.name("topic")};
  told.Add("l-1");
  told.Add("l-2");
  told.story.At(1s).Start("l-1").Start("l-2");
  told.story.RunUntil(20s);
  EXPECT_THAT(told.story.queues_of("l-1"), ElementsAre("b-1#1"));
  EXPECT_THAT(told.story.queues_of("l-2"), ElementsAre("b-1#1"));
  EXPECT_EQ(told.story.CountOf(FactKind::REBALANCED), 0);
  for (const Fact& fact : told.Of(FactKind::DELIVERED)) {
    EXPECT_EQ(fact.queue, 1);
  }
  EXPECT_THAT(told.Of(FactKind::DELIVERED, "l-2"), SizeIs(Gt(100)));
}

TEST(LitePullStory, WhoWatchesATopicHearsOfItsQueues) {
  LitePullStory told({.brokers = 2, .queues = 2});
  told.config.watched_topics = {told.story.name("topic")};
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  std::vector<size_t> heard;
  told.story.At(2s).Do([&] {
    told.consumer("l-1").WatchTopics(
        [&heard](Name, const std::vector<MessageQueue>& queues) {
          heard.push_back(queues.size());
        });
  });
  told.story.At(20s).Stop("b-2");
  told.story.RunUntil(60s);  // Looked at 11 s and 41 s.
  EXPECT_THAT(heard, ElementsAre(2));
}

}  // namespace
}  // namespace groupsim
