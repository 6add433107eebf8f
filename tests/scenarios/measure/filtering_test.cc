// What is measured of messages that subscriptions by tags leave out.
#include <gtest/gtest.h>

#include <string>

#include "scenarios/measure/delivery.h"
#include "tests/scenarios/measure/fact_stream.h"

namespace groupsim {
namespace {

void Consume(FactStream& s, const std::string& who, int64_t offset) {
  s.Pulled(300, who, 0, offset, 1);
  s.Deliver(300, who, 0, offset);
  s.Finish(300, who, 0, offset);
}

TEST(FilteringTest, WhatNobodyWantsIsFilteredAndNotSkipped) {
  FactStream s(1, {"c1"}, 10s, Window(), false, {{"c1", {"red", "blue"}}});
  s.Start(0, "c1");
  s.Add(10, "c1", 0);
  s.Store(100, 0, 0, "red");
  s.Store(110, 0, 1, "green");
  s.Store(120, 0, 2);
  s.Store(130, 0, 3, "blue");
  s.Store(140, 0, 4, "blue");  // Wanted, and passed over.
  Consume(s, "c1", 0);
  Consume(s, "c1", 3);
  s.Commit(400, 0, 5);
  s.Store(500, 0, 5, "green");  // Not passed over yet.
  s.Store(500, 0, 6, "red");
  s.End();
  const DeliveryMeasure::Counts& counts = s.delivery().counts(0);
  EXPECT_TRUE(s.delivery().filters(0));
  EXPECT_EQ(counts.stored, 7);
  EXPECT_EQ(counts.distinct, 2);
  EXPECT_EQ(counts.filtered, 3);
  EXPECT_EQ(counts.skipped, 1);
  EXPECT_EQ(counts.not_yet_delivered, 1);
  EXPECT_EQ(counts.lag_at_end, 2);
  EXPECT_EQ(s.delivery().QueueResults(0)[0].counts.filtered, 3);
  EXPECT_TRUE(s.violations().empty());
}

TEST(FilteringTest, WhatOneOfTheGroupWantsIsSkippedWherePassedOver) {
  FactStream s(1, {"c1", "c2"}, 10s, Window(), false,
               {{"c1", {"red"}}, {"c2", {"blue"}}});
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Store(100, 0, 0, "red");
  s.Store(110, 0, 1, "blue");
  s.Store(120, 0, 2, "green");
  Consume(s, "c1", 0);
  s.Commit(400, 0, 3);
  s.End();
  const DeliveryMeasure::Counts& counts = s.delivery().counts(0);
  EXPECT_EQ(counts.skipped, 1);
  EXPECT_EQ(counts.filtered, 1);
  EXPECT_TRUE(s.violations().empty());
}

TEST(FilteringTest, OneThatWantsAllMakesTheGroupWantAll) {
  FactStream s(1, {"c1", "c2"}, 10s, Window(), false, {{"c1", {"red"}}});
  s.Store(100, 0, 0, "green");
  s.Store(100, 0, 1);
  s.Commit(400, 0, 2);
  s.End();
  EXPECT_FALSE(s.delivery().filters(0));
  EXPECT_EQ(s.delivery().counts(0).skipped, 2);
  EXPECT_EQ(s.delivery().counts(0).filtered, 0);
}

TEST(FilteringTest, WhereAGroupBroadcastsEachWantsItsOwn) {
  FactStream s(1, {"c1", "c2"}, 10s, Window(), true,
               {{"c1", {"red"}}, {"c2", {"blue"}}});
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(10, "c1", 0);
  s.Add(10, "c2", 0);
  s.Store(100, 0, 0, "red");
  s.Store(110, 0, 1, "blue");
  Consume(s, "c1", 0);
  s.Write(400, "c1", 0, 2);
  s.Write(400, "c2", 0, 2);
  s.End();
  const DeliveryMeasure::Counts& counts = s.delivery().counts(0);
  EXPECT_EQ(counts.stored, 2);
  EXPECT_EQ(counts.distinct, 1);
  EXPECT_EQ(counts.filtered, 2);
  EXPECT_EQ(counts.skipped, 1);
  EXPECT_TRUE(s.violations().empty());
}

TEST(FilteringTest, WhatNobodyWantsIsNotLostWithItsBroker) {
  FactStream s(1, {"c1"}, 10s, Window(), false, {{"c1", {"red"}}});
  s.Start(0, "c1");
  s.Store(100, 0, 0, "green");
  s.Sent(110, 0, 0, 90);
  s.Store(120, 0, 1, "red");
  s.Sent(130, 0, 1, 110);
  s.Life(200, FactKind::PROCESS_VANISHED, "b",
         static_cast<int64_t>(ProcessRole::kBroker));
  s.End();
  EXPECT_EQ(s.delivery().counts(0).lost, 1);
}

TEST(FilteringTest, RolledBackMessagesMayHaveGaps) {
  FactStream s(1, {"c1"}, 10s, Window(), false, {{"c1", {"red"}}});
  s.Start(0, "c1");
  s.Store(100, 0, 0, "red");
  s.Store(100, 0, 1, "green");
  s.Store(100, 0, 2, "red");
  for (const int64_t offset : {0, 2}) s.Deliver(200, "c1", 0, offset);
  for (const int64_t offset : {0, 2}) {
    s.OnQueue(210, FactKind::FINISHED, "c1", 0, offset,
              static_cast<int64_t>(offset == 2 ? ConsumeStatus::kRollback
                                               : ConsumeStatus::kSuccess),
              2);
  }
  for (const int64_t offset : {0, 2}) s.Deliver(300, "c1", 0, offset);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).retries, 2);
  EXPECT_EQ(s.delivery().counts(0).duplicates, 0);
}

}  // namespace
}  // namespace groupsim
