// Metrics of changes of the members, with the values worked out by hand.
#include <gtest/gtest.h>

#include "scenarios/measure/metrics.h"
#include "scenarios/schema/report.pb.h"
#include "tests/scenarios/measure/fact_stream.h"

namespace groupsim {
namespace {

Report::GroupMetrics MetricsOf(FactStream& s) {
  Report::GroupMetrics metrics;
  FillGroupMetrics(s.measures(), 0, &metrics);
  return metrics;
}

// Four queues. c1 starts at 0 and owns all at 1 s; c2 starts at 5 s and takes
// two; c1 crashes at 10 s, and c2 takes its two as well.
void JoinAndCrash(FactStream& s) {
  s.Start(0, "c1");
  s.Allocated(990, "c1", 1, 4);
  for (int i = 0; i < 4; ++i) s.Add(1'000, "c1", i);
  s.Rebalanced(1'000, "c1");
  s.Start(5'000, "c2");
  s.Allocated(5'100, "c1", 2, 4);
  s.Drop(5'100, "c1", 2);
  s.Drop(5'100, "c1", 3);
  s.Rebalanced(5'100, "c1");
  s.Allocated(6'000, "c2", 2, 4);
  s.Add(6'000, "c2", 2);
  s.Add(6'010, "c2", 3);
  s.Rebalanced(6'010, "c2");
  s.Life(10'000, FactKind::PROCESS_CRASHED, "c1");
  s.Allocated(10'600, "c2", 1, 4);
  s.Add(10'600, "c2", 0);
  s.Add(10'650, "c2", 1);
  s.Rebalanced(10'650, "c2");
  s.Allocated(19'000, "c2", 1, 4, false);
}

// Moved are 2 and 2 of 4, so that 1/2 is kept both times; before the first
// start there was nothing to keep.
TEST(ChangeMetricsTest, StickinessIsTheShareThatStays) {
  FactStream s(4, {"c1", "c2"}, 20s);
  JoinAndCrash(s);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_EQ(metrics.queue_moves(), 4);
  EXPECT_EQ(metrics.necessary_moves(), 4);
  EXPECT_EQ(metrics.excess_moves(), 0);
  EXPECT_DOUBLE_EQ(metrics.stickiness_mean(), 0.5);
  EXPECT_DOUBLE_EQ(metrics.stickiness_min(), 0.5);
  Report::ConsumerMetrics c2;
  FillConsumerMetrics(s.measures(), 1, &c2);
  EXPECT_EQ(c2.queues_added(), 4);
  EXPECT_EQ(c2.queue_moves(), 4);
  EXPECT_EQ(c2.queues_max(), 4);
  EXPECT_EQ(c2.cached_bound_messages(), 4'000);
}

// c2 starts at 1 s; queue 0 goes to it and comes back, queue 1 goes and stays:
// three moves, but one of two queues has another owner in the end.
TEST(ChangeMetricsTest, AQueueThatComesBackHasNotMoved) {
  FactStream s(2, {"c1", "c2"}, 20s);
  s.Start(0, "c1");
  s.Add(0, "c1", 0);
  s.Add(0, "c1", 1);
  s.Start(1'000, "c2");
  s.Drop(2'000, "c1", 0);
  s.Add(2'000, "c2", 0);
  s.Drop(2'500, "c1", 1);
  s.Add(2'500, "c2", 1);
  s.Drop(3'000, "c2", 0);
  s.Add(3'000, "c1", 0);
  s.End();
  EXPECT_EQ(MetricsOf(s).queue_moves(), 3);
  EXPECT_DOUBLE_EQ(MetricsOf(s).stickiness_mean(), 0.5);
  EXPECT_DOUBLE_EQ(MetricsOf(s).stickiness_min(), 0.5);
}

// c1 lives 10 s and c2 15 s, 25 s or 1/144 of an hour in all. Five allocations,
// four of them changed, and four rebalances.
TEST(ChangeMetricsTest, RatesArePerConsumerAndHour) {
  FactStream s(4, {"c1", "c2"}, 20s);
  JoinAndCrash(s);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_EQ(metrics.allocations_run(), 5);
  EXPECT_EQ(metrics.allocations_changed(), 4);
  EXPECT_DOUBLE_EQ(metrics.allocations_run_per_consumer_hour(), 5 * 144);
  EXPECT_DOUBLE_EQ(metrics.allocations_changed_per_consumer_hour(), 4 * 144);
  EXPECT_DOUBLE_EQ(metrics.rebalances_per_consumer_hour(), 4 * 144);
  Report::ConsumerMetrics c1;
  FillConsumerMetrics(s.measures(), 0, &c1);
  EXPECT_EQ(c1.allocations_run(), 2);
  EXPECT_DOUBLE_EQ(c1.rebalances_per_hour(), 2 * 360);
}

// Agreed 990 ms, 1 s and 600 ms after the three changes.
TEST(ChangeMetricsTest, ViewsAgreeOnceAllHaveAllocatedForTheSameMembers) {
  FactStream s(4, {"c1", "c2"}, 20s);
  JoinAndCrash(s);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_NEAR(metrics.view_agreement_p50_seconds(), 0.99, 1e-3);
  EXPECT_DOUBLE_EQ(metrics.view_agreement_max_seconds(), 1);
  const auto& changes = s.ownership().views().by_change();
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0], Duration(990ms));
  EXPECT_EQ(changes[1], Duration(1s));
  EXPECT_EQ(changes[2], Duration(600ms));
}

TEST(ChangeMetricsTest, AConsumerThatSeesAnotherGroupDoesNotAgree) {
  FactStream s(4, {"c1", "c2"}, 20s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Allocated(1'000, "c1", 2, 4);
  s.Allocated(1'000, "c2", 1, 4);  // Does not know of c1.
  EXPECT_FALSE(s.ownership().views().Agrees());
  s.Allocated(2'000, "c2", 2, 3);  // Nor of the fourth queue: later is right.
  EXPECT_FALSE(s.ownership().views().Agrees());
  s.Allocated(3'000, "c1", 2, 3);
  EXPECT_TRUE(s.ownership().views().Agrees());
  // One that stops is no member any more.
  s.Life(4'000, FactKind::PROCESS_STOPPING, "c1");
  EXPECT_FALSE(s.ownership().views().Agrees());
  s.Allocated(4'100, "c2", 1, 3);
  EXPECT_TRUE(s.ownership().views().Agrees());
  s.End();
}

// c1 starts at 0 and owns queue 0 at 1 s, queue 1 at 3 s; it pulls after 500 ms
// and has the first message after 800 ms. It lets queue 0 go at 6 s; c2 adopts
// it at 6.2 s, pulls at 6.5 s and has a message at 6.7 s.
TEST(ChangeMetricsTest, TakeoverEndsWithPullOrMessage) {
  FactStream s(2, {"c1", "c2"}, 10s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Store(100, 0, 0);
  s.Store(100, 0, 1);
  s.Add(1'000, "c1", 0);
  s.OnQueue(1'500, FactKind::PULL_SENT, "c1", 0);
  s.Pulled(1'600, "c1", 0, 0, 1);
  s.Deliver(1'800, "c1", 0, 0);
  s.Add(3'000, "c1", 1);
  s.Drop(6'000, "c1", 0);
  s.Add(6'200, "c2", 0);
  s.OnQueue(6'500, FactKind::PULL_SENT, "c2", 0);
  s.Pulled(6'600, "c2", 0, 1, 1);
  s.Deliver(6'700, "c2", 0, 1);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_DOUBLE_EQ(metrics.takeover_max_seconds(), 0.7);
  EXPECT_DOUBLE_EQ(metrics.takeover_to_pull_max_seconds(), 0.5);
  EXPECT_DOUBLE_EQ(metrics.first_pull_max_seconds(), 0.5);
  EXPECT_NEAR(metrics.first_pull_p50_seconds(), 0.3, 1e-3);
  EXPECT_DOUBLE_EQ(metrics.first_consume_max_seconds(), 0.8);
  EXPECT_NEAR(metrics.first_consume_p50_seconds(), 0.5, 1e-3);
  EXPECT_DOUBLE_EQ(metrics.time_to_first_owner_max_seconds(), 3);
  EXPECT_NEAR(metrics.time_to_first_owner_p50_seconds(), 1, 1e-3);
  const auto queues = QueueMetricsOf(s.measures(), 0);
  EXPECT_DOUBLE_EQ(queues[0].takeover_max_seconds(), 0.7);
  EXPECT_FALSE(queues[1].has_takeover_max_seconds());
  EXPECT_DOUBLE_EQ(queues[1].time_to_first_owner_seconds(), 3);
  EXPECT_DOUBLE_EQ(queues[0].unowned_seconds(), 0.2);
  EXPECT_EQ(queues[0].queue_moves(), 1);
  EXPECT_EQ(queues[0].owners_final(), 1);
}

// c2 starts before c1 has come to rest, and nothing comes to rest after that.
TEST(ChangeMetricsTest, ChangesAreSupersededOrNeverConverge) {
  FactStream s(2, {"c1", "c2"}, 20s);
  s.Start(0, "c1");
  s.Start(10, "c2");
  s.Add(1'000, "c1", 0);
  s.End();
  EXPECT_EQ(MetricsOf(s).superseded_changes(), 1);
  EXPECT_EQ(MetricsOf(s).unconverged_changes(), 1);
}

}  // namespace
}  // namespace groupsim
