#include "scenarios/measure/delivery.h"

#include <gtest/gtest.h>

#include "tests/scenarios/measure/fact_stream.h"

namespace groupsim {
namespace {

TEST(DeliveryTest, ASecondDeliveryIsADuplicate) {
  FactStream s(1, {"c1", "c2"}, 10s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  for (int i = 0; i < 3; ++i) s.Store(100, 0, i);
  s.Pulled(110, "c1", 0, 0, 2);
  s.Deliver(120, "c1", 0, 0);
  s.Deliver(120, "c1", 0, 1);
  s.Finish(130, "c1", 0, 0);
  s.Pulled(200, "c2", 0, 1, 1);
  s.Deliver(210, "c2", 0, 1);
  s.Finish(220, "c2", 0, 1);
  s.End();
  const auto& counts = s.delivery().counts(0);
  EXPECT_EQ(counts.stored, 3);
  EXPECT_EQ(counts.deliveries, 3);
  EXPECT_EQ(counts.distinct, 2);
  EXPECT_EQ(counts.duplicates, 1);
  EXPECT_EQ(counts.not_yet_delivered, 1);
  EXPECT_EQ(s.delivery().consumer(0).deliveries, 2);
  EXPECT_TRUE(s.violations().empty());
}

TEST(DeliveryTest, BelowTheCommittedOffsetButNeverDeliveredIsSkipped) {
  FactStream s(1, {"c1"}, 10s);
  for (int i = 0; i < 5; ++i) s.Store(100, 0, i);
  s.Commit(200, 0, 4);
  s.Commit(300, 0, 2);  // Going back does not undo it.
  s.End();
  EXPECT_EQ(s.delivery().counts(0).skipped, 4);
  EXPECT_EQ(s.delivery().counts(0).not_yet_delivered, 1);
  EXPECT_EQ(s.delivery().counts(0).lag_at_end, 3);
}

TEST(DeliveryTest, WhatWasCommittedBeforeTheRunIsNotSkipped) {
  FactStream s(1, {"c1"}, 10s);
  for (int i = 0; i < 5; ++i) s.Store(-100, 0, i);
  s.Commit(-50, 0, 2);
  s.Commit(100, 0, 3);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).consumed_before, 2);
  EXPECT_EQ(s.delivery().counts(0).skipped, 1);
  EXPECT_EQ(s.delivery().counts(0).not_yet_delivered, 2);
  EXPECT_TRUE(s.violations().empty());
}

TEST(DeliveryTest, LatencyRunsFromStoreToTheFirstFinish) {
  FactStream s(1, {"c1"}, 10s);
  s.Start(0, "c1");
  s.Store(100, 0, 0);
  s.Pulled(105, "c1", 0, 0, 1);
  s.Deliver(110, "c1", 0, 0);
  s.Finish(137, "c1", 0, 0);
  s.End();
  EXPECT_EQ(s.delivery().LatenciesOf(0).total.count(), 1);
  EXPECT_EQ(s.delivery().LatenciesOf(0).total.max(), Duration(37ms));
}

TEST(DeliveryTest, MessagesOfThePastHaveNoLatency) {
  FactStream s(1, {"c1"}, 10s);
  s.Store(-5'000, 0, 0);
  s.Start(0, "c1");
  s.Pulled(105, "c1", 0, 0, 1);
  s.Deliver(110, "c1", 0, 0);
  s.Finish(137, "c1", 0, 0);
  s.End();
  EXPECT_EQ(s.delivery().LatenciesOf(0).total.count(), 0);
  EXPECT_EQ(s.delivery().counts(0).finished, 1);
}

TEST(DeliveryTest, LagIsStoredLessCommitted) {
  FactStream s(2, {"c1"}, 10s);
  for (int i = 0; i < 10; ++i) s.Store(1'000, 0, i);
  for (int i = 0; i < 4; ++i) s.Store(1'500, 1, i);
  s.Commit(2'000, 0, 7);
  s.End();
  EXPECT_EQ(s.delivery().lag(0).peak(), 14);
  EXPECT_EQ(s.delivery().lag(0).lag(), 7);
  EXPECT_EQ(s.delivery().lag(0).columns().columns()[1].max, 14);
  EXPECT_EQ(s.delivery().lag(0).columns().columns()[9].last, 7);
}

TEST(DeliveryTest, RedeliveryInAChunkGivenBackIsStillADuplicate) {
  FactStream s(1, {"c1"}, 10s);
  s.Start(0, "c1");
  const int n = 4'096 * 2 + 10;
  for (int i = 0; i < n; ++i) {
    s.Store(100, 0, i);
    s.Pulled(100, "c1", 0, i, 1);
    s.Deliver(100, "c1", 0, i);
    s.Finish(100, "c1", 0, i);
  }
  s.Commit(200, 0, n);
  s.Pulled(300, "c1", 0, 7, 1);
  s.Deliver(300, "c1", 0, 7);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).duplicates, 1);
  EXPECT_EQ(s.delivery().counts(0).distinct, n);
  EXPECT_EQ(s.delivery().counts(0).stored, n);
  EXPECT_TRUE(s.violations().empty());
}

TEST(DeliveryTest, TwoConsumersInTheListenerAtOnceCountAsProcessedTwice) {
  FactStream s(1, {"c1", "c2"}, 10s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  for (int i = 0; i < 3; ++i) s.Store(100, 0, i);
  s.Pulled(100, "c1", 0, 0, 2);
  s.Pulled(100, "c2", 0, 1, 1);
  s.Deliver(1'000, "c1", 0, 0);
  s.Deliver(1'000, "c1", 0, 1);
  s.Deliver(2'000, "c2", 0, 1);  // Two at work from here,
  s.Finish(2'500, "c1", 0, 0);
  s.Life(3'000, FactKind::PROCESS_CRASHED, "c1");  // to here.
  s.Finish(4'000, "c2", 0, 1);
  s.End();
  EXPECT_EQ(s.delivery().processed_twice(0), Duration(1s));
}

TEST(DeliveryTest, LagAreaIsLagTimesTime) {
  FactStream s(1, {"c1"}, 10s);
  s.Store(2'000, 0, 0);
  s.Store(3'000, 0, 1);
  s.Commit(5'000, 0, 2);
  s.End();
  // 1 message for 1 s, 2 for 2 s.
  EXPECT_EQ(static_cast<int64_t>(s.delivery().lag(0).area()), 5'000'000'000);
  EXPECT_EQ(s.delivery().flow(0)[2].stored, 1);
  EXPECT_EQ(s.delivery().flow(0)[3].stored, 1);
}

TEST(DeliveryTest, AtRiskIsWhatIsFinishedAboveTheCommittedOffset) {
  FactStream s(1, {"c1"}, 10s);
  s.Start(0, "c1");
  for (int i = 0; i < 4; ++i) {
    s.Store(100, 0, i);
    s.Pulled(100, "c1", 0, i, 1);
    s.Deliver(100, "c1", 0, i);
    s.Finish(100, "c1", 0, i);
  }
  s.Commit(200, 0, 1);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).at_risk, 3);
}

}  // namespace
}  // namespace groupsim
