// What is measured of a part of a run.
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

Window Between(Duration from, Duration to) {
  return Window{Instant::Start() + from, Instant::Start() + to};
}

// Stored at 1, 2, ..., 9 s; finished 100 ms later, committed 500 ms later. The
// queue is c1's up to 6.9 s, then c2's.
void Fill(FactStream& s) {
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(0, "c1", 0);
  for (int i = 0; i < 9; ++i) {
    const int64_t at = 1'000 * (i + 1);
    const char* who = i < 6 ? "c1" : "c2";
    if (i == 6) {
      s.Drop(6'900, "c1", 0);
      s.Add(6'900, "c2", 0);
    }
    s.Store(at, 0, i);
    s.Pulled(at, who, 0, i, 1);
    s.Deliver(at, who, 0, i);
    s.Finish(at + 100, who, 0, i);
    s.Commit(at + 500, 0, i + 1);
  }
}

TEST(WindowMetricsTest, OnlyWhatLiesInTheWindowCounts) {
  FactStream s(1, {"c1", "c2"}, 10s, Between(Duration(2500ms), Duration(4s)));
  Fill(s);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_EQ(metrics.stored(), 1);  // At 3 s; that at 4 s is after the window.
  EXPECT_EQ(metrics.deliveries(), 1);
  EXPECT_EQ(metrics.finished(), 1);
  EXPECT_EQ(metrics.peak_lag(), 1);
  EXPECT_DOUBLE_EQ(metrics.lag_area_message_seconds(), 0.5);
  EXPECT_EQ(metrics.queue_moves(), 0);
  EXPECT_TRUE(s.violations().empty());
}

// At 8.2 s message 7 is finished and not committed, and c2 owns the queue.
TEST(WindowMetricsTest, TheEndIsThatOfTheWindow) {
  FactStream s(1, {"c1", "c2"}, 10s, Between(Duration(5s), Duration(8200ms)));
  Fill(s);
  s.Life(9'900, FactKind::PROCESS_CRASHED, "c1");
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_EQ(metrics.at_risk_final(), 1);
  EXPECT_EQ(metrics.final_lag(), 1);
  EXPECT_EQ(metrics.idle_consumers(), 1);
  EXPECT_EQ(metrics.queue_moves(), 1);
  Report::ConsumerMetrics c1;
  FillConsumerMetrics(s.measures(), 0, &c1);
  EXPECT_EQ(c1.queues_final(), 0);
  EXPECT_DOUBLE_EQ(c1.alive_seconds(), 3.2);
  EXPECT_DOUBLE_EQ(c1.idle_seconds(), 1.3);
}

// The window ends where c1 crashes: at that moment it still owned the queue.
TEST(WindowMetricsTest, WhatHappensAtTheEndIsAfterTheWindow) {
  FactStream s(1, {"c1"}, 10s, Between(Duration(1s), Duration(5s)));
  s.Start(0, "c1");
  s.Add(0, "c1", 0);
  s.Life(5'000, FactKind::PROCESS_CRASHED, "c1");
  s.End();
  EXPECT_EQ(MetricsOf(s).membership_changes(), 0);
  Report::ConsumerMetrics c1;
  FillConsumerMetrics(s.measures(), 0, &c1);
  EXPECT_EQ(c1.queues_final(), 1);
}

// Message 0 is finished at 1 s and never committed: at risk all the time,
// though nothing changes in the window.
TEST(WindowMetricsTest, AQuietWindowHasThePeaksThatStoodBefore) {
  FactStream s(1, {"c1"}, 10s, Between(Duration(4s), Duration(6s)));
  s.Start(0, "c1");
  s.Add(0, "c1", 0);
  s.Store(900, 0, 0);
  s.Pulled(900, "c1", 0, 0, 1);
  s.Deliver(900, "c1", 0, 0);
  s.Finish(1'000, "c1", 0, 0);
  s.End();
  EXPECT_EQ(MetricsOf(s).at_risk_final(), 1);
  EXPECT_EQ(MetricsOf(s).at_risk_peak(), 1);
  Report::TopicMetrics topic;
  FillTopicMetrics(s.measures(), 0, s.Queue(0).topic, &topic);
  EXPECT_EQ(topic.peak_lag(), 1);
}

// Put off from 3 s to 8 s; the window is set at 4 s, and c1 dies at 4.5 s.
TEST(WindowMetricsTest, WhatIsPutOffWhenTheWindowIsSetCountsFromThere) {
  FactStream s(1, {"c1"}, 10s, Window{Instant::Max(), Instant::Max()});
  s.Start(0, "c1");
  s.Add(0, "c1", 0);
  s.Postponed(3'000, "c1", 0, PostponeReason::kSpan, 5'000);
  s.measures().SetWindow(Between(Duration(4s), Duration(7s)));
  s.Life(4'500, FactKind::PROCESS_CRASHED, "c1");
  s.End();
  EXPECT_DOUBLE_EQ(MetricsOf(s).flow_control_span_seconds(), 0.5);
}

// A window that nobody knows before it begins.
TEST(WindowMetricsTest, AWindowCanBeSetWhenItBegins) {
  FactStream s(1, {"c1", "c2"}, 10s, Window{Instant::Max(), Instant::Max()});
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(0, "c1", 0);
  s.Drop(1'000, "c1", 0);
  s.Add(1'400, "c1", 0);  // Unowned before the window.
  s.measures().SetWindow(Between(Duration(4s), Duration(7s)));
  s.Life(4'000, FactKind::PROCESS_CRASHED, "c1");
  s.Add(5'500, "c2", 0);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_DOUBLE_EQ(metrics.unowned_queue_seconds(), 1.5);
  EXPECT_EQ(metrics.membership_changes(), 1);
  EXPECT_EQ(metrics.queue_moves(), 1);
}

// What a change within the window leads to is followed beyond it.
TEST(WindowMetricsTest, ConvergenceMayEndAfterTheWindow) {
  FactStream s(1, {"c1", "c2"}, 10s, Between(Duration(3s), Duration(5s)));
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(1'000, "c1", 0);
  s.Rebalanced(1'000, "c1");
  s.Rebalanced(1'000, "c2");
  s.Life(4'000, FactKind::PROCESS_CRASHED, "c1");
  s.Add(6'000, "c2", 0);
  s.End();
  EXPECT_DOUBLE_EQ(MetricsOf(s).convergence_max_seconds(), 2);
  EXPECT_EQ(MetricsOf(s).unconverged_changes(), 0);
}

}  // namespace
}  // namespace groupsim
