#include "scenarios/measure/ownership.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/scenarios/measure/fact_stream.h"

namespace groupsim {
namespace {

int64_t Millis(OwnershipMeasure::QueueTime time) {
  return static_cast<int64_t>(time / 1'000'000);
}

TEST(OwnershipTest, UnownedTimeCountsFromTheFirstOwnerOn) {
  FactStream s(2, {"c1", "c2"}, 10s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(1'000, "c1", 0);
  s.Add(1'000, "c1", 1);
  s.Drop(2'000, "c1", 0);
  s.Add(2'700, "c2", 0);   // 700 ms without owner.
  s.Drop(9'000, "c2", 0);  // Unowned until the end: 1,000 ms.
  s.End();
  EXPECT_EQ(Millis(s.ownership().unowned_time()), 1'700);
  EXPECT_EQ(s.ownership().queues()[0].unowned, Duration(1700ms));
  EXPECT_EQ(s.ownership().queues()[1].unowned, Duration(0ms));
  EXPECT_EQ(s.ownership().queues()[0].time_to_first_owner, Duration(1000ms));
}

TEST(OwnershipTest, UnownedTimeDoesNotCountWhileNobodyLives) {
  FactStream s(1, {"c1"}, 10s);
  s.Start(0, "c1");
  s.Add(1'000, "c1", 0);
  s.Life(2'000, FactKind::PROCESS_CRASHED, "c1");
  s.Start(5'000, "c1");
  s.Add(6'500, "c1", 0);
  s.End();
  EXPECT_EQ(Millis(s.ownership().unowned_time()), 1'500);
  EXPECT_EQ(s.ownership().queues()[0].unowned, Duration(1500ms));
}

TEST(OwnershipTest, OverlapCountsAsOwnedTwice) {
  FactStream s(1, {"c1", "c2"}, 10s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(1'000, "c1", 0);
  s.Add(3'000, "c2", 0);
  s.Drop(3'250, "c1", 0);
  s.End();
  EXPECT_EQ(Millis(s.ownership().double_owned_time()), 250);
  EXPECT_EQ(s.ownership().queues()[0].double_owned, Duration(250ms));
  EXPECT_EQ(Millis(s.ownership().unowned_time()), 0);
}

TEST(OwnershipTest, AWindowMeasuresOnlyItsPart) {
  Window window;
  window.from = Instant::Start() + 4s;
  window.to = Instant::Start() + 6s;
  FactStream s(1, {"c1", "c2"}, 10s, window);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(1'000, "c1", 0);
  s.Drop(3'000, "c1", 0);
  s.Add(5'000, "c2", 0);
  s.Drop(5'500, "c2", 0);
  s.End();
  EXPECT_EQ(Millis(s.ownership().unowned_time()), 1'500);
  EXPECT_EQ(s.ownership().moves(), 1);
}

TEST(OwnershipTest, JainIsWeightedByTime) {
  // 4 s with loads 2 and 0 (Jain 0.5), 6 s with 1 and 1 (Jain 1): 0.8.
  FactStream s(2, {"c1", "c2"}, 10s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(0, "c1", 0);
  s.Add(0, "c1", 1);
  s.Drop(4'000, "c1", 1);
  s.Add(4'000, "c2", 1);
  s.End();
  EXPECT_DOUBLE_EQ(*s.ownership().fairness().jain(), 0.8);
  EXPECT_DOUBLE_EQ(s.ownership().at_end().fairness.Jain(), 1.0);
  EXPECT_DOUBLE_EQ(*s.ownership().fairness().max_over_mean(), 1.4);
  EXPECT_DOUBLE_EQ(*s.ownership().fairness().jain_min(), 0.5);
  EXPECT_EQ(s.ownership().fairness().idle_max(), 1);
  EXPECT_EQ(s.ownership().at_end().fairness.idle, 0);
}

TEST(FairnessTest, TheWorkedValuesOfFortyTwentyTwentyTwenty) {
  Fairness f;
  f.consumers = 4;
  f.sum = 100;
  f.squares = 40 * 40 + 3 * 20 * 20;
  f.max = 40;
  EXPECT_NEAR(f.Jain(), 0.8929, 0.00005);
  EXPECT_DOUBLE_EQ(*f.MaxOverMean(), 1.6);
  Fairness nobody;
  nobody.consumers = 3;
  EXPECT_DOUBLE_EQ(nobody.Jain(), 1.0);
  EXPECT_FALSE(nobody.MaxOverMean().has_value());
}

// c1 owns 0..3; c2 joins and takes 2 and 3; then c1 crashes.
void JoinAndCrash(FactStream& s) {
  s.Start(0, "c1");
  for (int q = 0; q < 4; ++q) s.Add(1'000, "c1", q);
  s.Rebalanced(1'000, "c1");
  s.Start(5'000, "c2");
  s.Drop(5'100, "c1", 2);
  s.Drop(5'100, "c1", 3);
  s.Rebalanced(5'100, "c1");
  s.Add(6'000, "c2", 2);
  s.Add(6'010, "c2", 3);
  s.Rebalanced(6'010, "c2");
  s.Life(10'000, FactKind::PROCESS_CRASHED, "c1");
  s.Add(10'600, "c2", 0);
  s.Add(10'650, "c2", 1);
  s.Rebalanced(10'650, "c2");
}

TEST(OwnershipTest, MovesAreCountedAgainstTheNecessaryOnes) {
  FactStream s(4, {"c1", "c2"}, 20s);
  JoinAndCrash(s);
  s.End();
  EXPECT_EQ(s.ownership().membership_changes(), 3);
  EXPECT_EQ(s.ownership().moves(), 4);
  EXPECT_EQ(s.ownership().necessary_moves(), 4);
  EXPECT_EQ(s.ownership().events()[1].necessary_moves, 2);
  EXPECT_EQ(s.ownership().events()[2].necessary_moves, 2);
}

TEST(OwnershipTest, ConvergenceEndsWithTheLastChangeOfOwners) {
  FactStream s(4, {"c1", "c2"}, 20s);
  JoinAndCrash(s);
  s.End();
  const auto& events = s.ownership().events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].convergence, Duration(1000ms));
  EXPECT_EQ(events[1].convergence, Duration(1010ms));
  EXPECT_EQ(events[2].convergence, Duration(650ms));
  EXPECT_EQ(s.ownership().unconverged(), 0);
}

TEST(OwnershipTest, AGroupThatLeavesAQueueAloneDidNotConverge) {
  FactStream s(2, {"c1", "c2"}, 20s);
  s.Start(0, "c1");
  s.Start(10, "c2");  // Before c1 came to rest.
  s.Add(1'000, "c1", 0);
  s.Rebalanced(1'000, "c1");
  s.Rebalanced(1'010, "c2");
  s.End();
  EXPECT_TRUE(s.ownership().events()[0].superseded);
  EXPECT_FALSE(s.ownership().events()[1].convergence.has_value());
  EXPECT_EQ(s.ownership().unconverged(), 1);
}

TEST(OwnershipTest, AThirdOwnerDoesNotCountTwice) {
  FactStream s(1, {"c1", "c2", "c3"}, 10s);
  for (const char* who : {"c1", "c2", "c3"}) s.Start(0, who);
  s.Add(1'000, "c1", 0);
  s.Add(2'000, "c2", 0);  // Owned twice from here,
  s.Add(3'000, "c3", 0);
  s.Drop(4'000, "c2", 0);
  s.Drop(6'000, "c1", 0);  // to here.
  s.End();
  EXPECT_EQ(static_cast<int64_t>(s.ownership().double_owned_time()),
            4'000'000'000);
  EXPECT_EQ(s.ownership().queues()[0].double_owned, Duration(4s));
  EXPECT_EQ(s.ownership().moves(), 2);
}

// c2 had it for a while beside c1, and takes it again.
TEST(OwnershipTest, AQueueGoesFromTheOwnerThatStayed) {
  FactStream s(1, {"c1", "c2"}, 10s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(1'000, "c1", 0);
  s.Add(2'000, "c2", 0);
  s.Drop(3'000, "c2", 0);
  s.Drop(4'000, "c1", 0);
  s.Add(5'000, "c2", 0);
  s.End();
  EXPECT_EQ(s.ownership().moves(), 2);
}

TEST(OwnershipTest, TakeoverRunsFromReleaseToTheFirstDelivery) {
  FactStream s(4, {"c1", "c2"}, 20s);
  JoinAndCrash(s);
  s.OnQueue(11'100, FactKind::PULL_SENT, "c2", 0);
  s.Store(11'150, 0, 0);
  s.Deliver(11'200, "c2", 0, 0);
  s.Store(11'300, 0, 1);
  s.Deliver(11'300, "c2", 0, 1);  // Not the first one.
  s.End();
  EXPECT_EQ(s.ownership().takeovers().takeover().count(), 1);
  EXPECT_EQ(s.ownership().takeovers().takeover().max(), Duration(1200ms));
  EXPECT_EQ(s.ownership().takeovers().takeover_to_pull().max(),
            Duration(1100ms));
  EXPECT_EQ(s.ownership().takeovers().longest(0), Duration(1200ms));
  EXPECT_FALSE(s.ownership().takeovers().longest(1).has_value());
}

TEST(OwnershipTest, ATakeoverBeforeTheReleaseLeavesNoGap) {
  FactStream s(1, {"c1", "c2"}, 10s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(1'000, "c1", 0);
  s.Add(2'000, "c2", 0);
  s.Store(2'500, 0, 0);
  s.Deliver(2'500, "c2", 0, 0);
  s.Drop(3'000, "c1", 0);
  s.End();
  EXPECT_EQ(s.ownership().takeovers().takeover().count(), 1);
  EXPECT_EQ(s.ownership().takeovers().takeover().max(), Duration(0ms));
}

}  // namespace
}  // namespace groupsim
