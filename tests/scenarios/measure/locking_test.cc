// Locks of queues and what orderly consumption does with messages, from facts
// written by hand.
#include "scenarios/measure/locking.h"

#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "tests/scenarios/measure/fact_stream.h"

namespace groupsim {
namespace {

using ::testing::IsEmpty;

constexpr int64_t kOne = 1'001;  // Client ids.
constexpr int64_t kTwo = 1'002;

const LockingMeasure::GroupResult& Of(FactStream& s) {
  return s.measures().locking().group(0);
}

void Refuse(FactStream& s, int64_t ms, int queue, int64_t client) {
  s.OnQueue(ms, FactKind::LOCK_REFUSED, "b", queue, 0, kOne, client);
}

void Grant(FactStream& s, int64_t ms, int queue, int64_t client) {
  s.OnQueue(ms, FactKind::LOCK_GRANTED, "b", queue, 0, 0, client);
}

TEST(LockingMeasureTest, AWaitLastsFromTheFirstRefusalToTheLock) {
  FactStream s(2, {"c1", "c2"}, 100s);
  Grant(s, 1'000, 0, kOne);
  Refuse(s, 10'000, 0, kTwo);
  Refuse(s, 11'000, 0, kTwo);
  Refuse(s, 11'000, 1, kTwo);
  Grant(s, 12'000, 0, kTwo);
  s.End();
  EXPECT_TRUE(Of(s).orderly);
  EXPECT_EQ(Of(s).refused, 3);
  EXPECT_EQ(Of(s).waits.count(), 1);
  EXPECT_EQ(Of(s).waits.Percentile(1'000), Duration(2s));
  EXPECT_EQ(Of(s).waited, Duration(2s));  // Queue 1 was asked for once.
}

TEST(LockingMeasureTest, WhoDoesNotAskForHalfAMinuteHasGivenUp) {
  FactStream s(1, {"c1", "c2"}, 200s);
  Refuse(s, 10'000, 0, kTwo);
  Refuse(s, 15'000, 0, kTwo);
  Refuse(s, 60'000, 0, kTwo);
  Grant(s, 61'000, 0, kTwo);
  Refuse(s, 100'000, 0, kOne);
  Refuse(s, 104'000, 0, kOne);
  s.End();
  EXPECT_EQ(Of(s).waits.count(), 1);
  EXPECT_EQ(Of(s).waits.Percentile(1'000), Duration(1s));
  EXPECT_EQ(Of(s).waited, Duration(5s) + Duration(1s) + Duration(4s));
}

// Consumers that rebalance every minute ask as seldom.
TEST(LockingMeasureTest, WhoAsksAtEachRebalanceHasNotGivenUp) {
  FactStream s(1, {"c1", "c2"}, 300s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  for (int64_t ms = 10'000; ms <= 130'000; ms += 60'000) {
    s.Rebalanced(ms - 5'000, "c1");
    Refuse(s, ms, 0, kTwo);
    s.Rebalanced(ms + 1, "c2");
  }
  s.Rebalanced(185'000, "c1");
  Grant(s, 190'000, 0, kTwo);
  s.End();
  EXPECT_EQ(Of(s).waits.count(), 1);
  EXPECT_EQ(Of(s).waits.Percentile(1'000), Duration(180s));
  EXPECT_EQ(Of(s).waited, Duration(180s));
}

// Who could not start is not waited for.
TEST(LockingMeasureTest, AStartThatFailedIsNoConsumerThatRebalancesLate) {
  FactStream s(1, {"c1", "c2"}, 200s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.OnQueue(1'000, FactKind::START_FAILED, "c1", 0, 0);
  Refuse(s, 10'000, 0, kTwo);
  Refuse(s, 15'000, 0, kTwo);
  s.Rebalanced(35'000, "c2");
  s.Rebalanced(55'000, "c2");
  Grant(s, 60'000, 0, kTwo);
  s.End();
  EXPECT_EQ(Of(s).waits.count(), 0);
  EXPECT_EQ(Of(s).waited, Duration(5s));
}

// A client that still waits has waited until the end.
TEST(LockingMeasureTest, AWaitWithoutALockLastsUntilTheEndOfTheRun) {
  FactStream s(1, {"c1", "c2"}, 100s);
  Refuse(s, 60'000, 0, kTwo);
  Refuse(s, 80'000, 0, kTwo);
  s.End();
  EXPECT_EQ(Of(s).waits.count(), 0);
  EXPECT_EQ(Of(s).waited, Duration(40s));
}

TEST(LockingMeasureTest, AThirdConsumerAtWorkOnAQueueIsOneMoreOverlap) {
  FactStream s(1, {"c1", "c2", "c3"}, 100s);
  for (const char* who : {"c1", "c2", "c3"}) s.Start(0, who);
  s.Store(1'000, 0, 0);
  for (const char* who : {"c1", "c2", "c3"}) s.Pulled(1'000, who, 0, 0, 1);
  s.Deliver(2'000, "c1", 0, 0);
  s.Deliver(3'000, "c2", 0, 0);  // Two at work from here,
  s.Deliver(4'000, "c3", 0, 0);
  s.Finish(5'000, "c1", 0, 0);
  s.Finish(7'000, "c3", 0, 0);  // to here.
  s.Finish(9'000, "c2", 0, 0);
  s.End();
  EXPECT_EQ(s.delivery().overlaps(0), 2);
  EXPECT_EQ(s.delivery().processed_twice(0), Duration(4s));
  EXPECT_EQ(s.delivery().counts(0).finished, 1);
  EXPECT_EQ(s.delivery().consumer(0).finished, 1);
  EXPECT_EQ(s.delivery().consumer(1).finished, 0);
  EXPECT_EQ(s.delivery().consumer(1).processing, 6'000'000'000);
}

TEST(LockingMeasureTest, ALossEndsWithTheLockTheQueueOrTheProcess) {
  FactStream s(3, {"c1"}, 100s);
  s.Start(0, "c1");
  for (int queue = 0; queue < 3; ++queue) {
    s.Add(1'000, "c1", queue);
    s.OnQueue(10'000, FactKind::LOCK_LOST, "c1", queue, 0,
              static_cast<int64_t>(LockLossCause::kRefused));
  }
  s.OnQueue(12'000, FactKind::LOCK_REGAINED, "c1", 0);
  s.Drop(14'000, "c1", 1);
  s.Life(20'000, FactKind::PROCESS_CRASHED, "c1");
  s.End();
  EXPECT_EQ(Of(s).lost, 3);
  EXPECT_EQ(Of(s).without, Duration(16s));
}

TEST(LockingMeasureTest, OnlyTheWindowCounts) {
  Window window;
  window.from = Instant::Start() + Duration(10s);
  window.to = Instant::Start() + Duration(20s);
  FactStream s(1, {"c1"}, 100s, window);
  s.Start(0, "c1");
  s.Add(1'000, "c1", 0);
  Refuse(s, 5'000, 0, kTwo);
  Refuse(s, 12'000, 0, kTwo);
  s.OnQueue(18'000, FactKind::LOCK_LOST, "c1", 0, 0, 1);
  Grant(s, 25'000, 0, kTwo);
  s.OnQueue(30'000, FactKind::UNLOCK_FORCED, "c1", 0);
  s.End();
  EXPECT_EQ(Of(s).refused, 1);
  EXPECT_EQ(Of(s).waited, Duration(10s));
  EXPECT_EQ(Of(s).waits.count(), 0);  // It ended later.
  EXPECT_EQ(Of(s).without, Duration(2s));
  EXPECT_EQ(Of(s).forced, 0);
}

TEST(LockingMeasureTest, ASecondConsumerAtWorkOnAQueueIsAnOverlap) {
  FactStream s(1, {"c1", "c2"}, 100s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(500, "c1", 0);
  for (int64_t i = 0; i < 3; ++i) s.Store(1'000, 0, i);
  s.Pulled(1'000, "c1", 0, 0, 1);
  s.Pulled(1'000, "c2", 0, 0, 2);
  s.Deliver(2'000, "c1", 0, 0);
  s.Deliver(4'000, "c2", 0, 0);
  s.Finish(5'000, "c2", 0, 0);
  s.Deliver(5'000, "c2", 0, 1);
  s.Finish(6'000, "c2", 0, 1);
  s.End();
  EXPECT_EQ(s.delivery().overlaps(0), 2);
  EXPECT_EQ(s.delivery().processed_twice(0), Duration(2s));
}

// What stays cached is neither finished nor gone, and comes as a retry unless
// it had succeeded.
TEST(LockingMeasureTest, MessagesThatStayCachedAreFinishedWhenTheyAreSettled) {
  FactStream s(1, {"c1", "c2"}, 100s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(500, "c1", 0);
  for (int64_t i = 0; i < 2; ++i) s.Store(1'000, 0, i);
  s.Pulled(1'000, "c1", 0, 0, 2);
  const auto stays = [&](int64_t ms, int64_t offset, ConsumeStatus status) {
    s.OnQueue(ms, FactKind::FINISHED, "c1", 0, offset,
              static_cast<int64_t>(status), 2);
  };
  s.Deliver(2'000, "c1", 0, 0);
  stays(3'000, 0, ConsumeStatus::kRollback);
  s.Deliver(4'000, "c1", 0, 0);
  stays(5'000, 0, ConsumeStatus::kSuccess);
  EXPECT_EQ(s.measures().pulling().cached(0), 2);
  EXPECT_EQ(s.delivery().counts(0).finished, 0);
  s.Deliver(6'000, "c1", 0, 1);
  s.OnQueue(7'000, FactKind::FINISHED, "c1", 0, 1,
            static_cast<int64_t>(ConsumeStatus::kCommit), 1);
  s.OnQueue(7'000, FactKind::SETTLED, "c1", 0, 0);
  EXPECT_EQ(s.measures().pulling().cached(0), 0);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).finished, 2);
  EXPECT_EQ(s.delivery().counts(0).retries, 1);
  EXPECT_EQ(s.delivery().counts(0).duplicates, 0);
  EXPECT_THAT(s.violations(), IsEmpty());
}

}  // namespace
}  // namespace groupsim
