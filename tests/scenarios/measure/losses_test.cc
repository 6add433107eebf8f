#include "scenarios/measure/losses.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/scenarios/measure/fact_stream.h"

namespace groupsim {
namespace {

constexpr auto kBroker = static_cast<int64_t>(ProcessRole::kBroker);
constexpr int kRetryQueue = 9;

// Four messages of queue 0, of which the producer heard but for the last one.
void StoreFour(FactStream& s) {
  s.Start(0, "c1");
  for (int64_t i = 0; i < 4; ++i) s.Store(100, 0, i);
  for (int64_t i = 0; i < 3; ++i) s.Sent(105, 0, i, 90);
}

void Consume(FactStream& s, int64_t ms, int64_t offset) {
  s.Pulled(ms - 1, "c1", 0, offset, 1);
  s.Deliver(ms, "c1", 0, offset);
  s.Finish(ms + 5, "c1", 0, offset);
}

// A call that fails, and what the broker does then.
void Fail(FactStream& s, int64_t ms, int64_t offset, FactKind then) {
  s.Pulled(ms - 1, "c1", 0, offset, 1);
  s.Deliver(ms, "c1", 0, offset);
  s.OnQueue(ms + 10, FactKind::FINISHED, "c1", 0, offset, 1, 2);
  s.OnQueue(ms + 11, then, "b", 0, offset, 1);
  s.OnQueue(ms + 12, FactKind::SENT_BACK, "c1", 0, offset);
  s.OnQueue(ms + 12, FactKind::SETTLED, "c1", 0, offset, 1);
}

int64_t LostOf(FactStream& s) {
  s.End();
  EXPECT_EQ(s.delivery().counts(0).lost,
            s.delivery().QueueResults(0)[0].counts.lost);
  EXPECT_TRUE(s.violations().empty());
  return s.delivery().counts(0).lost;
}

TEST(LossesTest, WhatABrokerTookBackAndDidNotKeepIsLost) {
  FactStream s(1, {"c1"}, 100s);
  StoreFour(s);
  Consume(s, 200, 0);
  Fail(s, 300, 1, FactKind::RETRY_DROPPED);
  Fail(s, 400, 3, FactKind::RETRY_DROPPED);  // Nobody was told of it.
  EXPECT_EQ(LostOf(s), 1);
  EXPECT_EQ(s.measures().retrying().group(0).dropped, 2);
  EXPECT_EQ(s.delivery().counts(0).acknowledged, 3);
}

TEST(LossesTest, ADroppedMessageThatComesAgainAndSucceedsIsNotLost) {
  FactStream s(1, {"c1"}, 100s);
  StoreFour(s);
  Fail(s, 300, 0, FactKind::RETRY_DROPPED);
  Consume(s, 400, 0);  // Its offset was never committed.
  EXPECT_EQ(LostOf(s), 0);
}

TEST(LossesTest, WhatADeadBrokerHasIsLostIfItWasNeverDelivered) {
  FactStream s(1, {"c1"}, 100s);
  StoreFour(s);
  Consume(s, 200, 0);
  s.Life(1'000, FactKind::PROCESS_CRASHED, "b", kBroker);
  EXPECT_EQ(LostOf(s), 2);  // Offsets 1 and 2.
  EXPECT_EQ(s.delivery().counts(0).not_yet_delivered, 3);
}

// Offsets 1 and 2 lie in the cache of c1 when their broker dies.
int64_t LostOfCached(FactKind then, int64_t ms) {
  FactStream s(1, {"c1"}, 100s);
  StoreFour(s);
  Consume(s, 200, 0);
  s.Pulled(300, "c1", 0, 1, 2);
  s.Life(1'000, FactKind::PROCESS_CRASHED, "b", kBroker);
  if (then == FactKind::QUEUE_DROPPED) s.Drop(ms, "c1", 0);
  if (then == FactKind::PROCESS_CRASHED) s.Life(ms, then, "c1");
  if (then == FactKind::PROCESS_STARTED) {
    s.Life(ms, FactKind::PROCESS_CRASHED, "c1");
    s.Start(ms + 1'000, "c1");
  }
  return LostOf(s);
}

TEST(LossesTest, WhatALivingConsumerHasPulledIsNotLost) {
  EXPECT_EQ(LostOfCached(FactKind::HEARTBEAT_ROUND, 0), 0);
  EXPECT_EQ(LostOfCached(FactKind::QUEUE_DROPPED, 2'000), 2);
  EXPECT_EQ(LostOfCached(FactKind::PROCESS_CRASHED, 2'000), 2);
  EXPECT_EQ(LostOfCached(FactKind::PROCESS_STARTED, 2'000), 2);
}

TEST(LossesTest, WhatWasPassedByIsSkippedAndNotLost) {
  FactStream s(1, {"c1"}, 100s);
  StoreFour(s);
  s.Commit(500, 0, 2);
  s.Life(1'000, FactKind::PROCESS_VANISHED, "b", kBroker);
  EXPECT_EQ(LostOf(s), 1);
  EXPECT_EQ(s.delivery().counts(0).skipped, 2);
}

TEST(LossesTest, ABrokerThatComesBackLosesNothing) {
  FactStream s(1, {"c1"}, 100s);
  StoreFour(s);
  s.Life(1'000, FactKind::PROCESS_CRASHED, "b", kBroker);
  s.Life(90'000, FactKind::PROCESS_STARTED, "b", kBroker);
  EXPECT_EQ(LostOf(s), 0);
}

TEST(LossesTest, WhatLiesInAQueueThatMayNotBeReadAnyMoreIsLost) {
  FactStream s(2, {"c1"}, 100s);
  s.Start(0, "c1");
  for (int queue : {0, 1}) s.Store(100, queue, 0);
  for (int queue : {0, 1}) s.Sent(105, queue, 0, 90);
  // Queue 0 stays.
  s.OnQueue(2'000, FactKind::TOPIC_CHANGED, "b", 0, /*offset=*/6, /*count=*/1);
  s.End();
  EXPECT_EQ(s.delivery().QueueResults(0)[0].counts.lost, 0);
  EXPECT_EQ(s.delivery().QueueResults(0)[1].counts.lost, 1);
}

// All are consumed but offset 1, of which the broker keeps a copy.
void ConsumeButOne(FactStream& s) {
  StoreFour(s);
  Consume(s, 200, 0);
  Consume(s, 210, 2);
  Fail(s, 300, 1, FactKind::RETRY_STORED);
  s.Commit(400, 0, 4);
}

TEST(LossesTest, ACopyThatWaitsAtADeadBrokerIsLost) {
  FactStream s(1, {"c1"}, 100s);
  ConsumeButOne(s);
  s.Life(1'000, FactKind::PROCESS_CRASHED, "b", kBroker);
  EXPECT_EQ(LostOf(s), 1);
}

TEST(LossesTest, ACopyThatWasFinishedIsNot) {
  FactStream s(1, {"c1"}, 100s);
  ConsumeButOne(s);
  s.Pulled(10'310, "c1", kRetryQueue, 0, 1);
  s.OnQueue(10'311, FactKind::DELIVERED, "c1", kRetryQueue, 0, 1);
  s.OnQueue(10'311, FactKind::RETRY_DELIVERED, "c1", 0, 1, 1);
  s.Finish(10'320, "c1", kRetryQueue, 0);
  s.Life(20'000, FactKind::PROCESS_CRASHED, "b", kBroker);
  EXPECT_EQ(LostOf(s), 0);
}

TEST(LossesTest, ADeadLetterIsNotLost) {
  FactStream s(1, {"c1"}, 100s);
  StoreFour(s);
  for (int64_t i = 0; i < 3; ++i) {
    Fail(s, 300 + 20 * i, i, FactKind::DEAD_LETTERED);
  }
  s.Life(20'000, FactKind::PROCESS_CRASHED, "b", kBroker);
  EXPECT_EQ(LostOf(s), 0);
}

// It is lost when the broker dies, of the messages stored until the end of the
// window.
TEST(LossesTest, ALossCountsInTheWindowInWhichItHappens) {
  Window window;
  window.from = Instant::Start() + Duration(1s);
  window.to = Instant::Start() + Duration(2s);
  FactStream before(1, {"c1"}, 100s, window);
  StoreFour(before);
  before.Life(900, FactKind::PROCESS_CRASHED, "b", kBroker);
  EXPECT_EQ(LostOf(before), 0);
  FactStream within(1, {"c1"}, 100s, window);
  StoreFour(within);
  within.Life(1'500, FactKind::PROCESS_CRASHED, "b", kBroker);
  EXPECT_EQ(LostOf(within), 3);
  EXPECT_EQ(within.delivery().counts(0).sent, 0);
  EXPECT_EQ(within.delivery().counts(0).acknowledged, 3);
}

}  // namespace
}  // namespace groupsim
