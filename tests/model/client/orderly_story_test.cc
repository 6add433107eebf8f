// Orderly consumers and brokers together: how locks pass from one to another,
// and how they do not.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/listener_executor.h"
#include "sim/trace/trace.h"
#include "tests/support/story.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Seconds since the start of the story.
double At(const Fact& fact) {
  return static_cast<double>(fact.time.since_start().nanos()) / 1e9;
}

// A story of orderly consumers, none of which has started, and its facts.
class OrderlyStory final : private FactObserver {
 public:
  OrderlyStory(StorySpec spec, int consumers) : story(spec) {
    story.consumer_config().orderly = true;
    for (int i = 0; i < consumers; ++i) story.AddConsumer();
    story.world().trace().ObserveAll(this);
  }

  // Facts of a kind about a process or, with an empty name, any, in order.
  std::vector<Fact> Of(FactKind kind, absl::string_view host = "",
                       int queue = -1) {
    std::vector<Fact> result;
    const uint32_t topic = story.name("topic").id();
    for (const Fact& fact : facts_) {
      if (fact.kind != kind || (fact.topic != 0 && fact.topic != topic) ||
          (!host.empty() && fact.host != story.name(host).id()) ||
          (queue >= 0 && fact.queue != queue)) {
        continue;
      }
      result.push_back(fact);
    }
    return result;
  }
  // The same from a time on.
  std::vector<Fact> Since(double from, FactKind kind,
                          absl::string_view host = "", int queue = -1) {
    std::vector<Fact> result;
    for (const Fact& fact : Of(kind, host, queue)) {
      if (At(fact) >= from) result.push_back(fact);
    }
    return result;
  }
  // How calls go: by call, and the time in seconds.
  void Listen(std::function<ListenerPlan(const ListenerCall&, double)> plan) {
    story.SetListener([this, plan](const ListenerCall& call) {
      return plan(
          call,
          static_cast<double>(story.world().now().since_start().nanos()) / 1e9);
    });
  }

  Story story;

 private:
  void OnFact(const Fact& fact) override { facts_.push_back(fact); }

  std::vector<Fact> facts_;
};

ListenerPlan Takes(Duration time) {
  ListenerPlan plan;
  plan.service_time = time;
  return plan;
}

// The first call for a message of queue 1 after 52 s takes `time`, all others a
// millisecond.
void OneCallTakes(OrderlyStory& told, Duration time) {
  told.Listen(
      [time, done = false](const ListenerCall& call, double now) mutable {
        if (done || now < 52 || call.queue.queue_id != 1) return Takes(1ms);
        done = true;
        return Takes(time);
      });
}

TEST(OrderlyStory, EachMessageIsHadOnceAndInOrder) {
  OrderlyStory told({.brokers = 2, .queues = 4, .messages_per_second = 200}, 3);
  told.story.At(1s).Start("c-1");
  told.story.At(20s).Start("c-2");
  told.story.At(40s).Start("c-3");
  told.story.At(60s).Stop("c-1");
  told.story.At(80s).StopTraffic();
  told.story.RunFor(100s);
  EXPECT_EQ(told.story.delivered(), told.story.stored());
  EXPECT_EQ(told.story.lost(), 0);
  std::map<uint64_t, int64_t> highest;
  for (const Fact& fact : told.Of(FactKind::FINISHED)) {
    if (fact.value != 1) continue;
    const uint64_t queue = uint64_t{fact.broker} << 16 | fact.queue;
    const auto before = highest.find(queue);
    if (before != highest.end()) {
      EXPECT_EQ(fact.offset, before->second + 1);
    }
    highest[queue] = fact.offset;
  }
}

ListenerPlan FailingAtFive(const ListenerCall& call, double /*now*/) {
  ListenerPlan plan = Takes(1ms);
  if (call.messages[0].queue_offset == 5) {
    plan.result.status = ConsumeStatus::kReconsumeLater;
  }
  return plan;
}

// C71 and C76: four tries a second apart; then the message is a dead letter, at
// once, and what is behind it moves on.
TEST(OrderlyStory, AMessageThatHasHadItsAttemptsIsGivenUp) {
  OrderlyStory told({.brokers = 1,
                     .queues = 1,
                     .messages_per_second = 10,
                     .consumer = {.max_reconsume_times = 3}},
                    1);
  told.Listen(FailingAtFive);
  told.story.At(1s).Start("c-1");
  told.story.RunFor(30s);
  std::vector<double> tries;
  for (const Fact& fact : told.Of(FactKind::DELIVERED)) {
    if (fact.offset == 5) tries.push_back(At(fact));
  }
  ASSERT_THAT(tries, SizeIs(4));
  for (size_t i = 1; i < tries.size(); ++i) {
    EXPECT_NEAR(tries[i] - tries[i - 1], 1.001, 0.001);
  }
  const std::vector<Fact> dead = told.Of(FactKind::DEAD_LETTERED);
  ASSERT_THAT(dead, SizeIs(1));
  EXPECT_NEAR(At(dead[0]) - tries[3], 0.002, 0.002);
  EXPECT_EQ(told.story.CountOf(FactKind::SCHEDULED), 0);
  EXPECT_EQ(told.story.CountOf(FactKind::RETRY_DELIVERED), 0);
  EXPECT_THAT(told.Of(FactKind::SETTLED), SizeIs(1));
  // All others were consumed once, in order.
  int64_t next = 0;
  for (const Fact& fact : told.Of(FactKind::FINISHED)) {
    if (fact.value != 1) continue;
    if (next == 5) ++next;
    EXPECT_EQ(fact.offset, next++);
  }
  EXPECT_GT(next, 200);
}

// Without a limit it stops its queue for ever.
TEST(OrderlyStory, WithoutALimitAMessageStopsItsQueue) {
  OrderlyStory told({.brokers = 1, .queues = 1, .messages_per_second = 10}, 1);
  told.Listen(FailingAtFive);
  told.story.At(1s).Start("c-1");
  told.story.RunFor(60s);
  EXPECT_GT(told.Of(FactKind::DELIVERED).size(), 50);
  EXPECT_EQ(told.Of(FactKind::DELIVERED).back().offset, 5);
  EXPECT_EQ(told.story.CountOf(FactKind::DEAD_LETTERED), 0);
}

// Of a hand-over: the owner is told, sends the offset and unlocks; the newcomer
// locks at its own first round.
TEST(OrderlyStory, AnIdleOwnerHandsOverWithinTwoSeconds) {
  OrderlyStory told({.brokers = 1, .queues = 4, .messages_per_second = 40}, 2);
  told.story.At(1s).Start("c-1");
  told.story.At(30s).Start("c-2");
  told.story.RunFor(40s);
  EXPECT_THAT(told.story.queues_of("c-2"), ElementsAre("b-1#2", "b-1#3"));
  EXPECT_THAT(told.Of(FactKind::LOCK_REFUSED), IsEmpty());
  for (const Fact& fact : told.Since(29, FactKind::UNLOCKED)) {
    EXPECT_LT(At(fact), 30.2);
  }
  const std::vector<Fact> added = told.Since(29, FactKind::QUEUE_ADDED, "c-2");
  ASSERT_THAT(added, SizeIs(2));
  EXPECT_NEAR(At(added[0]), 31.0, 0.1);
  EXPECT_EQ(told.story.duplicates(), 0);
}

// C64: a queue that comes with its lock is pulled at once, after the half
// second that every new queue waits.
TEST(OrderlyStory, AQueueOfALeaverIsPulledHalfASecondAfterItsLock) {
  OrderlyStory told({.brokers = 1, .queues = 8, .messages_per_second = 8}, 2);
  told.story.At(1s).Start("c-1");
  told.story.At(3s).Start("c-2");
  told.story.At(63s).Stop("c-1");
  told.story.RunFor(75s);
  EXPECT_THAT(told.story.queues_of("c-2"), SizeIs(8));
  EXPECT_THAT(told.Since(10, FactKind::LOCK_REFUSED), IsEmpty());
  const std::vector<Fact> granted = told.Since(62, FactKind::LOCK_GRANTED);
  ASSERT_THAT(granted, SizeIs(4));
  for (const Fact& lock : granted) {
    const std::vector<Fact> pulls =
        told.Since(62, FactKind::PULL_SENT, "c-2", lock.queue);
    ASSERT_FALSE(pulls.empty());
    EXPECT_NEAR(At(pulls[0]) - At(lock), 0.5, 0.05);
    EXPECT_LT(At(pulls[0]), 65.0);
  }
}

// C65: the members know of a death at once, the lock does not.
TEST(OrderlyStory, ADeadOwnersLockLivesForAMinuteAfterItsLastRenewal) {
  OrderlyStory told({.brokers = 1, .queues = 1, .messages_per_second = 10}, 2);
  told.story.At(2s).Start("c-1");  // Renews at 3, 23, 43, 63, 83.
  told.story.At(4s).Start("c-2");
  told.story.At(97s).Crash("c-1");
  told.story.RunFor(160s);
  const std::vector<Fact> refused =
      told.Since(97, FactKind::LOCK_REFUSED, "b-1");
  // Asked for each second, from the death to the end of the lock at 143.
  ASSERT_FALSE(refused.empty());
  EXPECT_LT(At(refused.front()), 98.1);
  EXPECT_NEAR(static_cast<double>(refused.size()), 46, 2);
  const std::vector<Fact> granted = told.Since(97, FactKind::LOCK_GRANTED);
  ASSERT_THAT(granted, SizeIs(1));
  EXPECT_GT(At(granted[0]), 143.0);
  EXPECT_LT(At(granted[0]), 144.2);
  const std::vector<Fact> expired = told.Of(FactKind::LOCK_EXPIRED);
  ASSERT_THAT(expired, SizeIs(1));
  EXPECT_GT(expired[0].offset, 60'000);
  EXPECT_LT(expired[0].offset, 61'200);
  const std::vector<Fact> pulled = told.Of(FactKind::PULL_SENT, "c-2");
  ASSERT_FALSE(pulled.empty());
  EXPECT_NEAR(At(pulled[0]) - At(granted[0]), 0.5, 0.05);
  EXPECT_EQ(told.story.lost(), 0);
}

// C73: the lock of a lost queue is given away while the listener is still at
// work on it.
TEST(OrderlyStory, ASlowListenerLosesItsLockAndTwoWorkOnOneQueue) {
  OrderlyStory told({.brokers = 1, .queues = 2, .messages_per_second = 2}, 2);
  OneCallTakes(told, 60s);
  told.story.At(2s).Start("c-1");   // Renews at 3, 23, 43, 63.
  told.story.At(61s).Start("c-2");  // It is due queue 1.
  told.story.RunFor(130s);
  const std::vector<Fact> dropped = told.Of(FactKind::QUEUE_DROPPED, "c-1", 1);
  ASSERT_THAT(dropped, SizeIs(1));
  const double lost = At(dropped[0]);
  EXPECT_NEAR(lost, 61.1, 0.2);
  const std::vector<Fact> put_off = told.Of(FactKind::REMOVAL_PUT_OFF, "c-1");
  ASSERT_THAT(put_off, SizeIs(1));
  EXPECT_NEAR(At(put_off[0]) - lost, 0.5, 0.01);
  // The round counted as balanced: the next try is 20 s later, and by then the
  // lock is older than that.
  const std::vector<Fact> forced = told.Of(FactKind::UNLOCK_FORCED, "c-1");
  ASSERT_THAT(forced, SizeIs(1));
  EXPECT_NEAR(At(forced[0]) - At(put_off[0]), 20.0, 0.05);
  EXPECT_NEAR(static_cast<double>(told.Of(FactKind::LOCK_REFUSED).size()), 20,
              2);
  const std::vector<Fact> granted = told.Since(61, FactKind::LOCK_GRANTED);
  ASSERT_FALSE(granted.empty());
  EXPECT_LT(At(granted.back()) - At(forced[0]), 1.1);
  // The message in hand is delivered again while it is.
  const std::vector<Fact> again = told.Of(FactKind::DELIVERED, "c-2", 1);
  ASSERT_FALSE(again.empty());
  std::optional<Fact> slow;
  for (const Fact& fact : told.Since(100, FactKind::FINISHED, "c-1", 1)) {
    slow = fact;
  }
  ASSERT_TRUE(slow.has_value());
  EXPECT_EQ(slow->value, 0);  // Its result does not count.
  EXPECT_EQ(again[0].offset, slow->offset);
  EXPECT_NEAR(At(*slow) - At(again[0]), 28, 3);
  EXPECT_EQ(told.story.duplicates(), 1);
}

// A queue that is to come back before it could be removed blocks itself.
TEST(OrderlyStory, AQueueThatComesBackTooEarlyIsStuckForTwoMinutes) {
  OrderlyStory told({.brokers = 1, .queues = 2, .messages_per_second = 2}, 2);
  OneCallTakes(told, 30s);
  told.story.At(2s).Start("c-1");
  told.story.At(61s).Start("c-2");
  told.story.At(70s).Stop("c-2");  // Queue 1 goes back to c-1.
  told.story.RunFor(240s);
  EXPECT_THAT(told.Of(FactKind::REMOVAL_PUT_OFF, "c-1"), SizeIs(1));
  double last_pull = 0;
  for (const Fact& fact : told.Of(FactKind::PULL_SENT, "c-1", 1)) {
    if (At(fact) < 100) last_pull = At(fact);
  }
  const std::vector<Fact> added =
      told.Since(62, FactKind::QUEUE_ADDED, "c-1", 1);
  ASSERT_THAT(added, SizeIs(1));
  EXPECT_GT(At(added[0]) - last_pull, 120.0);
  EXPECT_LT(At(added[0]) - last_pull, 122.5);
  // Meanwhile it tries each second: what it owns is not what it is due.
  int64_t unbalanced = 0;
  for (const Fact& fact : told.Since(72, FactKind::REBALANCED, "c-1")) {
    if (At(fact) < At(added[0]) && fact.value == 0) ++unbalanced;
  }
  EXPECT_GT(unbalanced, 80);
  EXPECT_EQ(told.story.lost(), 0);
}

// C67: after a hand-over the old owner does not go on with what it has cached.
TEST(OrderlyStory, AnOldOwnerEndsTheMessageInHandAndNoOther) {
  OrderlyStory told({.brokers = 1, .queues = 2, .messages_per_second = 40}, 2);
  told.Listen([](const ListenerCall&, double) { return Takes(1s); });
  told.story.At(2s).Start("c-1");
  told.story.At(60s).Start("c-2");
  told.story.RunFor(120s);
  const std::vector<Fact> dropped = told.Of(FactKind::QUEUE_DROPPED, "c-1", 1);
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_THAT(told.Since(At(dropped[0]), FactKind::DELIVERED, "c-1", 1),
              IsEmpty());
  EXPECT_LE(told.story.duplicates(), 1);
}

// C62: what is taken and not finished is not committed.
TEST(OrderlyStory, ACrashRepeatsWhatWasNotCommittedAndLosesNothing) {
  OrderlyStory told({.brokers = 1, .queues = 1, .messages_per_second = 100}, 2);
  told.Listen([](const ListenerCall&, double) { return Takes(1s); });
  told.story.At(4s).StopTraffic();  // 100 messages, from 3 s on.
  told.story.At(5s).Start("c-1");
  told.story.At(17'500ms).Crash("c-1");  // Offsets went out at 15 s.
  told.story.At(18s).Start("c-2");
  told.story.RunFor(240s);
  const std::vector<Fact> committed = told.Of(FactKind::COMMITTED, "b-1");
  int64_t at_crash = 0;
  for (const Fact& fact : committed) {
    if (At(fact) < 17.5) at_crash = fact.offset;
  }
  EXPECT_EQ(at_crash, 8);  // Begun at 6.5 s, one a second.
  const std::vector<Fact> begun = told.Of(FactKind::DELIVERED, "c-1");
  EXPECT_EQ(begun.back().offset, 10);
  EXPECT_EQ(told.story.duplicates(), 3);  // 8, 9 and 10.
  EXPECT_EQ(told.story.lost(), 0);
  EXPECT_EQ(told.story.delivered(), told.story.stored());
}

// C74: one poison message blocks its queue, with an attempt a second.
TEST(OrderlyStory, APoisonMessageBlocksItsQueueAndNoOther) {
  OrderlyStory told({.brokers = 1, .queues = 2, .messages_per_second = 20}, 1);
  told.Listen([](const ListenerCall& call, double) {
    ListenerPlan plan = Takes(1ms);
    if (call.queue.queue_id == 0 && call.messages[0].queue_offset == 100) {
      plan.result.status = ConsumeStatus::kReconsumeLater;
    }
    return plan;
  });
  told.story.At(1s).Start("c-1");
  told.story.RunFor(200s);
  const std::vector<Fact> calls = told.Of(FactKind::DELIVERED, "c-1", 0);
  const double first = [&] {
    for (const Fact& fact : calls) {
      if (fact.offset == 100) return At(fact);
    }
    return 0.0;
  }();
  EXPECT_EQ(calls.back().offset, 100);
  EXPECT_NEAR(static_cast<double>(calls.back().count), 200 - first, 2);
  for (const Fact& fact : told.Of(FactKind::COMMITTED, "b-1", 0)) {
    EXPECT_LE(fact.offset, 100);
  }
  EXPECT_GT(told.Of(FactKind::FINISHED, "c-1", 1).back().offset, 1'900);
  // Its cache fills up to its limit and one pull.
  int64_t cached = 0;
  for (const Fact& fact : told.Of(FactKind::PULLED, "c-1", 0)) {
    cached += fact.count;
  }
  EXPECT_GT(cached - 100, 1'000);
  EXPECT_LE(cached - 100, 1'032);
}

// C34: an outage of ten minutes in which every listener suspends.
TEST(OrderlyStory, QueuesDrainOnceTheirListenersWorkAgain) {
  OrderlyStory told({.brokers = 2, .queues = 6, .messages_per_second = 12}, 5);
  told.Listen([](const ListenerCall&, double now) {
    ListenerPlan plan = Takes(0ms);
    if (now >= 60 && now < 660) {
      plan.result.status = ConsumeStatus::kReconsumeLater;
    }
    return plan;
  });
  for (const char* name : {"c-1", "c-2", "c-3", "c-4", "c-5"}) {
    told.story.At(1s).Start(name);
  }
  told.story.RunFor(700s);
  std::vector<size_t> shares;
  for (const char* name : {"c-1", "c-2", "c-3", "c-4", "c-5"}) {
    shares.push_back(told.story.queues_of(name).size());
  }
  EXPECT_THAT(shares, ElementsAre(3, 3, 2, 2, 2));
  // One attempt a second of the head of each queue.
  std::map<uint64_t, int64_t> attempts;
  for (const Fact& fact : told.Since(60, FactKind::DELIVERED)) {
    if (At(fact) >= 660) break;
    ++attempts[uint64_t{fact.broker} << 16 | fact.queue];
  }
  EXPECT_THAT(attempts, SizeIs(12));
  for (const auto& [queue, count] : attempts) {
    EXPECT_NEAR(static_cast<double>(count), 600, 1);
  }
  // 600 messages each, and nobody drops a queue.
  EXPECT_THAT(told.Since(30, FactKind::QUEUE_DROPPED), IsEmpty());
  EXPECT_LE(told.story.stored() - told.story.delivered(), 12);
  EXPECT_EQ(told.story.lost(), 0);
}

// A restarted broker knows of no locks, but of nobody else who wants them.
TEST(OrderlyStory, AfterARestartOfTheBrokerItsOwnerRenewsAnUnknownLock) {
  OrderlyStory told({.brokers = 1, .queues = 2, .messages_per_second = 10}, 1);
  told.story.At(1s).Start("c-1");
  told.story.At(30s).Crash("b-1");
  told.story.At(31s).Start("b-1");
  told.story.RunFor(70s);
  const std::vector<Fact> granted = told.Since(31, FactKind::LOCK_GRANTED);
  ASSERT_THAT(granted, SizeIs(2));
  EXPECT_NEAR(At(granted[0]), 42.0, 0.1);
  EXPECT_THAT(told.Of(FactKind::LOCK_LOST), IsEmpty());
}

// A queue whose task is gone at a shutdown is not held back by its lock.
TEST(OrderlyStory, AShutdownUnlocksUnderABusyListener) {
  OrderlyStory told({.brokers = 1, .queues = 1, .messages_per_second = 1}, 2);
  bool slow_done = false;
  told.Listen([&](const ListenerCall&, double now) {
    if (slow_done || now < 30) return Takes(1ms);
    slow_done = true;
    return Takes(30s);
  });
  told.story.At(1s).Start("c-1");
  told.story.At(3s).Start("c-2");
  told.story.At(35s).Stop("c-1");
  told.story.RunFor(50s);
  EXPECT_THAT(told.story.queues_of("c-2"), ElementsAre("b-1#0"));
  const std::vector<Fact> unlocked = told.Since(30, FactKind::UNLOCKED);
  ASSERT_THAT(unlocked, SizeIs(1));
  EXPECT_LT(At(unlocked[0]), 35.1);
  EXPECT_EQ(told.story.duplicates(), 1);
}

}  // namespace
}  // namespace groupsim
