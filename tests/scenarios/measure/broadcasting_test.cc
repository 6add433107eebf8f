// What is measured of a group that broadcasts.
#include <gtest/gtest.h>

#include "scenarios/measure/delivery.h"
#include "scenarios/measure/ownership.h"
#include "tests/scenarios/measure/fact_stream.h"

namespace groupsim {
namespace {

class BroadcastingMeasuresTest : public ::testing::Test {
 protected:
  // Both consumers have a message that is stored after 100 ms.
  void OneMessageForBoth() {
    s.Start(0, "c1");
    s.Start(0, "c2");
    s.Add(10, "c1", 0);
    s.Add(20, "c2", 0);
    s.Store(100, 0, 0);
    s.Pulled(110, "c1", 0, 0, 1);
    s.Pulled(110, "c2", 0, 0, 1);
    s.Deliver(120, "c1", 0, 0);
    s.Deliver(120, "c2", 0, 0);
    s.Finish(130, "c1", 0, 0);
    s.Finish(130, "c2", 0, 0);
  }

  FactStream s{1, {"c1", "c2"}, 10s, Window(), /*broadcasts=*/true};
};

TEST_F(BroadcastingMeasuresTest, AMessageForBothIsNoDuplicate) {
  OneMessageForBoth();
  s.Deliver(140, "c2", 0, 0);
  s.Finish(150, "c2", 0, 0);
  s.End();
  const DeliveryMeasure::Counts& counts = s.delivery().counts(0);
  EXPECT_EQ(counts.stored, 1);
  EXPECT_EQ(counts.deliveries, 3);
  EXPECT_EQ(counts.distinct, 2);
  EXPECT_EQ(counts.duplicates, 1);
  EXPECT_EQ(s.delivery().consumer(0).duplicates, 0);
  EXPECT_EQ(s.delivery().consumer(1).duplicates, 1);
}

TEST_F(BroadcastingMeasuresTest, TwoAtWorkOnOneQueueAreNoOverlap) {
  OneMessageForBoth();
  s.End();
  EXPECT_EQ(s.delivery().overlaps(0), 0);
  EXPECT_EQ(s.delivery().processed_twice(0), Duration::Zero());
  EXPECT_TRUE(s.violations().empty());
}

TEST_F(BroadcastingMeasuresTest, TwoOwnersAreNoHarmAndNoMove) {
  OneMessageForBoth();
  s.End();
  EXPECT_EQ(s.ownership().double_owned_time(), 0);
  EXPECT_EQ(s.ownership().moves(), 0);
  EXPECT_EQ(s.ownership().necessary_moves(), 0);
  EXPECT_EQ(s.ownership().queues()[0].owners_at_end.size(), 2);
  EXPECT_DOUBLE_EQ(s.ownership().at_end().fairness.Jain(), 1);
}

TEST_F(BroadcastingMeasuresTest, AGroupIsAtRestWhenEachHasAll) {
  s.Start(0, "c1");
  s.Add(10, "c1", 0);
  EXPECT_TRUE(s.ownership().AtRest());
  s.Start(20, "c2");
  EXPECT_FALSE(s.ownership().AtRest());
  s.Add(30, "c2", 0);
  EXPECT_TRUE(s.ownership().AtRest());
  s.End();
}

TEST_F(BroadcastingMeasuresTest, EachHasALagOfItsOwn) {
  OneMessageForBoth();
  for (int i = 1; i < 5; ++i) s.Store(200, 0, i);
  EXPECT_EQ(s.delivery().lag(0).lag(), 10);
  s.Write(300, "c1", 0, 1);
  s.Write(400, "c2", 0, 1);
  s.Write(500, "c2", 0, 0);  // Going back.
  s.End();
  EXPECT_EQ(s.delivery().consumer(0).lag, 4);
  EXPECT_EQ(s.delivery().consumer(1).lag, 5);
  EXPECT_EQ(s.delivery().consumer(1).peak_lag, 5);
  EXPECT_EQ(s.delivery().counts(0).lag_at_end, 9);
  EXPECT_EQ(s.delivery().QueueResults(0)[0].committed, 0);
  EXPECT_TRUE(s.violations().empty());
}

TEST_F(BroadcastingMeasuresTest, WhatWasBeforeTheFirstStartIsNotDue) {
  for (int i = 0; i < 3; ++i) s.Store(100, 0, i);
  s.Start(200, "c1");
  s.Store(300, 0, 3);
  s.Add(400, "c1", 0);
  s.OnQueue(500, FactKind::QUEUE_DROPPED, "c1", 0);
  s.End();
  EXPECT_EQ(s.delivery().consumer(0).lag, 4);  // It began at 0 after all.
  EXPECT_EQ(s.delivery().consumer(1).lag, 0);  // It never started.
}

TEST_F(BroadcastingMeasuresTest, WhatCameBetweenStartAndBeginningIsSkipped) {
  s.Store(100, 0, 0);
  s.Start(200, "c1");
  s.Store(300, 0, 1);
  s.OnQueue(400, FactKind::QUEUE_ADDED, "c1", 0, 2);
  s.Store(500, 0, 2);
  s.Pulled(510, "c1", 0, 2, 1);
  s.Deliver(520, "c1", 0, 2);
  s.Finish(530, "c1", 0, 2);
  s.Write(600, "c1", 0, 3);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).skipped, 1);
  EXPECT_EQ(s.delivery().consumer(0).lag, 0);
  EXPECT_TRUE(s.violations().empty());
}

TEST_F(BroadcastingMeasuresTest, WhatWasWrittenBeforeTheRunIsNotSkipped) {
  for (int i = 0; i < 5; ++i) s.Store(-100, 0, i);
  s.Write(-50, "c1", 0, 2);
  s.Start(0, "c1");
  s.End();
  EXPECT_EQ(s.delivery().consumer(0).lag, 3);
  EXPECT_EQ(s.delivery().counts(0).skipped, 0);
  EXPECT_TRUE(s.violations().empty());
}

TEST_F(BroadcastingMeasuresTest, WhatFailedIsForgotten) {
  OneMessageForBoth();
  s.Store(200, 0, 1);
  s.Pulled(210, "c1", 0, 1, 1);
  s.Deliver(220, "c1", 0, 1);
  s.OnQueue(230, FactKind::FINISHED, "c1", 0, 1, 1, 3);
  s.End();
  EXPECT_EQ(s.retrying().group(0).failed, 1);
  EXPECT_EQ(s.retrying().group(0).given_up, 1);
  EXPECT_EQ(s.delivery().counts(0).finished, 3);
  EXPECT_TRUE(s.violations().empty());
}

}  // namespace
}  // namespace groupsim
