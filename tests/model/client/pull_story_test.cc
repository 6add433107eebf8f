// Pull consumers, brokers and a producer together.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/client/pull_consumer.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/task.h"
#include "model/wire/codes.h"
#include "model/wire/message_queue.h"
#include "tests/model/client/application_story.h"
#include "tests/support/story.h"

namespace groupsim {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using PullStory = ApplicationStory<PullConsumer, PullConsumerConfig>;

// How long each fact comes after the one before of its queue.
std::vector<double> Gaps(const std::vector<Fact>& facts) {
  std::vector<double> gaps;
  std::map<uint32_t, double> last;
  for (const Fact& fact : facts) {
    const auto [place, is_first] = last.try_emplace(fact.queue, At(fact));
    if (!is_first) gaps.push_back(At(fact) - place->second);
    place->second = At(fact);
  }
  return gaps;
}

std::vector<Fact> Since(double seconds, std::vector<Fact> facts) {
  std::erase_if(facts, [seconds](const Fact& f) { return At(f) < seconds; });
  return facts;
}

TEST(PullStory, TheFirstHeartbeatBringsItsQueues) {
  PullStory told({.brokers = 1, .queues = 4, .messages_per_second = 0});
  told.Add("l-1");
  told.story.At(2s).Start("l-1");
  told.story.RunUntil(10s);
  const std::vector<Fact> added = told.Of(FactKind::QUEUE_ADDED);
  ASSERT_THAT(added, SizeIs(4));
  EXPECT_GE(At(added[0]), 3.0);  // The heartbeat is a second after the start.
  EXPECT_LE(At(added[0]), 3.1);
  for (const Fact& fact : added) EXPECT_EQ(fact.offset, 0);
  const std::vector<Fact> pulls = told.Of(FactKind::PULL_SENT);
  ASSERT_THAT(pulls, SizeIs(Gt(3)));
  EXPECT_LE(At(pulls[3]), 3.1);
}

TEST(PullStory, APullIsNotHeldAndTheNextFollowsAfterTheDelay) {
  PullStory told({.brokers = 1, .queues = 4, .messages_per_second = 0});
  told.Add("l-1");
  told.story.At(2s).Start("l-1");
  told.story.RunUntil(13s);
  // From the first answer on it knows where to go on, and asks nothing else:
  // 0.25 ms there, 0.25 ms back, and the delay.
  const std::vector<double> gaps =
      Gaps(Since(3.1, told.Of(FactKind::PULL_SENT)));
  EXPECT_THAT(gaps, SizeIs(Gt(4 * 47)));
  EXPECT_THAT(gaps, Each(testing::DoubleNear(0.2005, 1e-6)));
  for (const Fact& fact : told.Of(FactKind::PULL_EMPTY)) {
    EXPECT_EQ(fact.count, static_cast<int64_t>(ResponseCode::kPullNotFound));
  }
}

TEST(PullStory, APullThatMayBeHeldIs) {
  PullStory told({.brokers = 1, .queues = 4, .messages_per_second = 0});
  told.config.settings.block_if_not_found = true;
  told.Add("l-1");
  told.story.At(2s).Start("l-1");
  told.story.RunUntil(60s);
  const std::vector<double> gaps =
      Gaps(Since(3.1, told.Of(FactKind::PULL_SENT)));
  ASSERT_THAT(gaps, SizeIs(Gt(3)));
  // The broker looks every 5 s at what it has held for 20 s.
  EXPECT_THAT(gaps, Each(testing::AllOf(testing::Ge(20.2), testing::Le(25.3))));
}

TEST(PullStory, AHeldPullIsAnsweredWhenAMessageComes) {
  PullStory told({.brokers = 1, .queues = 1, .messages_per_second = 1});
  told.story.At(1s).StopTraffic();
  told.config.settings.block_if_not_found = true;
  told.Add("l-1");
  told.story.At(2s).Start("l-1");
  told.story.At(10s).Do([&] { SendTagged(told.story, ""); });
  told.story.RunUntil(11s);
  const std::vector<Fact> given = told.Of(FactKind::DELIVERED);
  ASSERT_THAT(given, SizeIs(1));
  EXPECT_LE(At(given[0]), 10.01);
  // The next one comes after what the application does, 1 ms, and the delay.
  const std::vector<Fact> pulls = Since(10, told.Of(FactKind::PULL_SENT));
  ASSERT_THAT(pulls, SizeIs(1));
  EXPECT_NEAR(At(pulls[0]) - At(given[0]), 0.201, 1e-6);
}

TEST(PullStory, TwoShareTheQueuesAndMissNothing) {
  PullStory told({.brokers = 2, .queues = 4});
  told.Add("l-1");
  told.Add("l-2");
  told.story.At(1s).Start("l-1");
  told.story.At(20s).Start("l-2");
  told.story.At(60s).StopTraffic();
  told.story.RunFor(80s);
  EXPECT_EQ(told.Distinct(), told.story.stored());
  EXPECT_THAT(told.story.queues_of("l-1"), SizeIs(4));
  EXPECT_THAT(told.story.queues_of("l-2"), SizeIs(4));
  // What is noted is stored when a queue is given up; so what comes again is
  // what was being dealt with, unless the newcomer takes a queue before its
  // owner lets go of it: up to a second of half of the 100 messages.
  EXPECT_LE(told.Again(), 60);
}

TEST(PullStory, ACrashRepeatsWhatWasNotedAndNotStored) {
  PullStory told({.brokers = 1, .queues = 4});
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  // Stored at 11 s and 16 s.
  told.story.At(18s).Crash("l-1");
  told.story.At(20s).Start("l-1");
  told.story.At(40s).StopTraffic();
  told.story.RunFor(60s);
  EXPECT_EQ(told.Distinct(), told.story.stored());
  // 100 messages a second; in 0.2 s, from one pull of a queue to the next, 20.
  EXPECT_GE(told.Again(), 180);
  EXPECT_LE(told.Again(), 220);
}

TEST(PullStory, AShutdownRepeatsOnlyWhatIsAtWork) {
  PullStory told({.brokers = 1, .queues = 4});
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.At(18s).Stop("l-1");
  told.story.At(20s).Start("l-1");
  told.story.At(40s).StopTraffic();
  told.story.RunFor(60s);
  EXPECT_EQ(told.Distinct(), told.story.stored());
  EXPECT_LE(told.Again(), 5);
  EXPECT_EQ(told.consumer("l-1").application().at_work(), 0);
}

TEST(PullStory, AfterAnExceptionATaskRestsForASecond) {
  PullStory told({.brokers = 1, .queues = 1, .messages_per_second = 0});
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.At(10s).Crash("b-1");
  told.story.RunUntil(15s);
  const std::vector<Fact> failed = told.Of(FactKind::PULL_FAILED);
  ASSERT_THAT(failed, SizeIs(Gt(2)));
  const std::vector<Fact> pulls =
      Since(At(failed[0]), told.Of(FactKind::PULL_SENT));
  for (size_t i = 0; i + 1 < pulls.size(); ++i) {
    EXPECT_NEAR(At(pulls[i]) - At(failed[i]), 1, 1e-6);
  }
}

TEST(PullStory, WhatFailsIsForgotten) {
  PullStory told({.brokers = 1, .queues = 2});
  told.Add("l-1");
  told.story.SetListener([](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = 1ms;
    plan.result.status = ConsumeStatus::kReconsumeLater;
    return plan;
  });
  told.story.At(1s).Start("l-1");
  told.story.At(30s).StopTraffic();
  told.story.RunFor(40s);
  EXPECT_EQ(told.Distinct(), told.story.stored());
  EXPECT_EQ(told.Again(), 0);
  for (const Fact& fact : told.Of(FactKind::FINISHED)) EXPECT_EQ(fact.value, 3);
}

TEST(PullStory, WhoHasMoreQueuesThanThreadsLetsSomeWait) {
  PullStory told({.brokers = 1, .queues = 4, .messages_per_second = 0});
  told.config.settings.block_if_not_found = true;
  told.config.settings.pull_thread_nums = 3;
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.RunUntil(15s);
  EXPECT_THAT(told.Of(FactKind::PULL_SENT), SizeIs(3));
  told.story.RunUntil(40s);
  std::set<int64_t> pulled;
  for (const Fact& fact : told.Of(FactKind::PULL_SENT)) {
    pulled.insert(fact.queue);
  }
  EXPECT_THAT(pulled, SizeIs(4));
}

TEST(PullStory, OnePullBringsSoManyAtMost) {
  PullStory told({.brokers = 1, .queues = 1, .messages_per_second = 500});
  told.config.settings.max_nums = 7;
  told.Add("l-1");
  told.story.At(10s).Start("l-1");
  told.story.RunUntil(15s);
  const std::vector<Fact> pulled = told.Of(FactKind::PULLED);
  ASSERT_THAT(pulled, SizeIs(Gt(10)));
  for (const Fact& fact : pulled) EXPECT_EQ(fact.count, 7);
}

TEST(PullStory, TagsAreSiftedByTheBrokerAndByTheConsumer) {
  PullStory told({.brokers = 1, .queues = 1, .messages_per_second = 1});
  told.story.At(1s).StopTraffic();
  told.config.topics = {{told.story.name("topic"), "Aa"}};
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  told.story.At(11s).Do([&] {
    for (const char* tag : {"blue", "BB", "Aa", "", "Aa"}) {
      SendTagged(told.story, tag);
    }
  });
  told.story.RunUntil(15s);
  std::vector<int64_t> given;
  for (const Fact& fact : told.Of(FactKind::DELIVERED)) {
    given.push_back(fact.offset);
  }
  EXPECT_THAT(given, ElementsAre(2, 4));
  EXPECT_EQ(told.consumer("l-1").offsets().Find(told.story.queue("b-1", 0)), 5);
}

// A long call keeps a queue's task although the queue is lost meanwhile, and
// what it notes at its end is of no use to whoever has the queue then.
TEST(PullStory, WhatIsNotedTooLateIsNotStored) {
  PullStory told({.brokers = 1, .queues = 2, .messages_per_second = 1});
  told.story.At(1s).StopTraffic();
  told.Add("l-1");
  told.Add("l-2");
  told.story.SetListener([&told](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = told.story.world().now() < Instant::Start() + 11s
                            ? Duration(20s)
                            : Duration(1ms);
    return plan;
  });
  told.story.At(1s).Start("l-1");
  told.story.At(9s).Do([&] {
    SendTagged(told.story, "");
    SendTagged(told.story, "");
  });
  told.story.At(12s).Start("l-2");
  told.story.RunUntil(40s);
  // Both queues' messages were with l-1 until 29 s; l-2 got one of the queues
  // at 13 s, and with it its message once more.
  const std::vector<Fact> again = told.Of(FactKind::DELIVERED, "l-2");
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_NEAR(At(again[0]), 13, 0.1);
  EXPECT_EQ(told.Distinct(), 2);
  EXPECT_EQ(told.Again(), 1);
  const int32_t lost = static_cast<int32_t>(again[0].queue);
  EXPECT_EQ(told.consumer("l-1").offsets().Find(told.story.queue("b-1", lost)),
            -1);
  EXPECT_EQ(
      told.consumer("l-1").offsets().Find(told.story.queue("b-1", 1 - lost)),
      1);
  // The task of the queue that is lost has run for the last time.
  for (const Fact& fact : Since(29.5, told.Of(FactKind::PULL_SENT, "l-1"))) {
    EXPECT_NE(fact.queue, again[0].queue);
  }
}

TEST(PullStory, PullingAnotherTopicSubscribesToItWithoutTellingBrokers) {
  PullStory told({.brokers = 1, .queues = 2});
  told.config.topics.clear();
  told.Add("l-1");
  told.story.At(1s).Start("l-1");
  std::vector<size_t> found;
  told.story.At(10s).Do([&] {
    told.Spawn([](PullStory& t, std::vector<size_t>& f) -> Task<void> {
      PullConsumer::PullArguments arguments;
      arguments.queue = t.story.queue("b-1", 0);
      arguments.max_nums = 5;
      const std::optional<PullConsumer::PullResult> result =
          co_await t.consumer("l-1").Pull(arguments);
      if (result.has_value()) f.push_back(result->messages.size());
    }(told, found));
  });
  told.story.RunUntil(40s);
  EXPECT_THAT(found, ElementsAre(5));
  EXPECT_THAT(told.Of(FactKind::DELIVERED), IsEmpty());
}

}  // namespace
}  // namespace groupsim
