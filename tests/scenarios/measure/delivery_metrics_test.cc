// Metrics of messages, lag and flow control, with the values worked out by
// hand.
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

// Stored, delivered, finished.
void Consume(FactStream& s, const char* who, int offset, int64_t stored,
             int64_t delivered, int64_t finished) {
  s.Store(stored, 0, offset);
  s.Pulled(stored, who, 0, offset, 1);
  s.Deliver(delivered, who, 0, offset);
  s.Finish(finished, who, 0, offset);
}

// Offsets 0 and 2 are finished when 1 is delivered again, and 2 when 1 comes
// the first time: two deliveries below a finished offset.
TEST(DeliveryMetricsTest, OutOfOrderIsWhatComesBelowAFinishedOffset) {
  FactStream s(1, {"c1", "c2"}, 10s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  for (int i = 0; i < 3; ++i) s.Store(100, 0, i);
  s.Pulled(100, "c1", 0, 0, 3);
  s.Pulled(100, "c2", 0, 1, 1);
  s.Deliver(110, "c1", 0, 0);
  s.Finish(120, "c1", 0, 0);
  s.Deliver(120, "c1", 0, 2);
  s.Finish(130, "c1", 0, 2);
  s.Deliver(140, "c1", 0, 1);
  s.Deliver(150, "c2", 0, 1);
  s.End();
  EXPECT_EQ(MetricsOf(s).out_of_order(), 2);
  EXPECT_EQ(MetricsOf(s).duplicates(), 1);
  EXPECT_EQ(QueueMetricsOf(s.measures(), 0)[0].out_of_order(), 2);
  EXPECT_TRUE(s.violations().empty());
}

// Four are finished, three at risk after the commit of 1; then one more comes,
// and all are committed, and the offset is set back by two.
TEST(DeliveryMetricsTest, AtRiskIsWhatACrashWouldDeliverAgain) {
  FactStream s(1, {"c1"}, 10s);
  s.Start(0, "c1");
  for (int i = 0; i < 4; ++i) Consume(s, "c1", i, 100, 100, 100);
  s.Commit(200, 0, 1);
  Consume(s, "c1", 4, 300, 300, 300);
  s.Commit(400, 0, 5);
  s.Commit(500, 0, 3);
  s.End();
  EXPECT_EQ(MetricsOf(s).at_risk_peak(), 4);
  EXPECT_EQ(MetricsOf(s).at_risk_final(), 2);
  EXPECT_EQ(s.delivery().at_risk_columns(0).columns()[0].max, 4);
  EXPECT_TRUE(s.violations().empty());
}

// A commit of 4 passes 0, 1 and 3; then 1 comes after all.
TEST(DeliveryMetricsTest, WhatComesAfterAllIsNotSkipped) {
  FactStream s(1, {"c1"}, 10s);
  s.Start(0, "c1");
  for (int i = 0; i < 5; ++i) s.Store(100, 0, i);
  s.Pulled(100, "c1", 0, 2, 1);
  s.Deliver(110, "c1", 0, 2);
  s.Commit(200, 0, 4);
  EXPECT_EQ(s.delivery().counts(0).skipped, 3);
  s.Pulled(300, "c1", 0, 1, 1);
  s.Deliver(300, "c1", 0, 1);
  s.End();
  EXPECT_EQ(MetricsOf(s).skipped(), 2);
  EXPECT_EQ(MetricsOf(s).not_yet_delivered(), 1);
  EXPECT_TRUE(s.violations().empty());
}

// One message: due at 40, stored at 100, delivered at 130, finished at 137, all
// in milliseconds. Another is due at 190, stored at 200, delivered at once, and
// finished at 205, before its producer hears of the store.
TEST(DeliveryMetricsTest, LatencyHasPartsAndALongerSister) {
  FactStream s(1, {"c1"}, 10s);
  s.Start(0, "c1");
  s.Store(100, 0, 0);
  s.Sent(101, 0, 0, 40);
  s.Pulled(120, "c1", 0, 0, 1);
  s.Deliver(130, "c1", 0, 0);
  s.Finish(137, "c1", 0, 0);
  Consume(s, "c1", 1, 200, 200, 205);
  s.Sent(206, 0, 1, 190);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_DOUBLE_EQ(metrics.latency_max_seconds(), 0.037);
  EXPECT_NEAR(metrics.latency_p50_seconds(), 0.005, 1e-5);
  EXPECT_DOUBLE_EQ(metrics.latency_mean_seconds(), 0.021);
  EXPECT_DOUBLE_EQ(metrics.queueing_max_seconds(), 0.03);
  EXPECT_DOUBLE_EQ(metrics.queueing_p50_seconds(), 0);
  EXPECT_DOUBLE_EQ(metrics.processing_max_seconds(), 0.007);
  EXPECT_NEAR(metrics.processing_p50_seconds(), 0.005, 1e-5);
  EXPECT_DOUBLE_EQ(metrics.end_to_end_from_schedule_max_seconds(), 0.097);
  EXPECT_NEAR(metrics.end_to_end_from_schedule_p50_seconds(), 0.015, 2e-5);
  Report::TopicMetrics topic;
  FillTopicMetrics(s.measures(), 0, s.Queue(0).topic, &topic);
  EXPECT_DOUBLE_EQ(topic.latency_max_seconds(), 0.037);
  EXPECT_DOUBLE_EQ(topic.end_to_end_from_schedule_max_seconds(), 0.097);
  EXPECT_EQ(topic.sent(), 2);
}

// Lag 2 at 5 s, the highest of the ten seconds before. A crash at 6 s; lag 5 at
// 7 s, 2 at 9 s, 6 (the highest) at 11 s, 1 at 14 s: 8 s after the crash.
TEST(DeliveryMetricsTest, LagRecoversAfterItsHighestValue) {
  FactStream s(1, {"c1", "c2"}, 20s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  auto store = [&s, next = 0](int64_t ms, int count) mutable {
    for (int i = 0; i < count; ++i) s.Store(ms, 0, next++);
  };
  store(5'000, 2);
  s.Life(6'000, FactKind::PROCESS_CRASHED, "c1");
  store(7'000, 3);
  s.Commit(9'000, 0, 3);
  store(11'000, 4);
  s.Commit(14'000, 0, 8);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_DOUBLE_EQ(metrics.lag_recovery_max_seconds(), 8);
  EXPECT_EQ(metrics.unrecovered_changes(), 0);
  EXPECT_EQ(metrics.peak_lag(), 6);
  EXPECT_EQ(metrics.final_lag(), 1);
  // 2 s * 2 + 2 s * 5 + 2 s * 2 + 3 s * 6 + 6 s * 1
  EXPECT_DOUBLE_EQ(metrics.lag_area_message_seconds(), 42);
}

TEST(DeliveryMetricsTest, LagThatStaysAboveDoesNotRecover) {
  FactStream s(1, {"c1"}, 20s);
  s.Start(0, "c1");
  s.Life(6'000, FactKind::PROCESS_CRASHED, "c1");
  s.Store(7'000, 0, 0);
  s.End();
  EXPECT_EQ(MetricsOf(s).unrecovered_changes(), 1);
}

// Queue 0 is put off by count for 2 s; queue 1 by span for 3 s, of which 2 are
// cut off as c1 loses it; queue 1 at c2 by size for 5 s, cut to 1 s by a crash.
// The last one is no flow control.
TEST(DeliveryMetricsTest, FlowControlEndsWithTheOwnership) {
  FactStream s(2, {"c1", "c2"}, 20s);
  s.Start(0, "c1");
  s.Start(0, "c2");
  s.Add(0, "c1", 0);
  s.Add(0, "c1", 1);
  s.Postponed(1'000, "c1", 0, PostponeReason::kCount, 1'000);
  s.Postponed(2'000, "c1", 0, PostponeReason::kCount, 1'000);
  s.Postponed(5'000, "c1", 1, PostponeReason::kSpan, 3'000);
  s.Drop(6'000, "c1", 1);
  s.Add(6'000, "c2", 1);
  s.Postponed(7'000, "c2", 1, PostponeReason::kSize, 5'000);
  s.Life(8'000, FactKind::PROCESS_CRASHED, "c2");
  s.Postponed(9'000, "c1", 0, PostponeReason::kSuspended, 500);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_DOUBLE_EQ(metrics.flow_control_count_seconds(), 2);
  EXPECT_DOUBLE_EQ(metrics.flow_control_span_seconds(), 1);
  EXPECT_DOUBLE_EQ(metrics.flow_control_size_seconds(), 1);
  EXPECT_DOUBLE_EQ(metrics.flow_control_seconds(), 4);
  EXPECT_DOUBLE_EQ(metrics.postponed_seconds(), 4.5);
  const auto queues = QueueMetricsOf(s.measures(), 0);
  EXPECT_DOUBLE_EQ(queues[0].flow_control_seconds(), 2);
  EXPECT_DOUBLE_EQ(queues[1].flow_control_span_seconds(), 1);
  EXPECT_DOUBLE_EQ(queues[1].flow_control_size_seconds(), 1);
  Report::ConsumerMetrics c1;
  FillConsumerMetrics(s.measures(), 0, &c1);
  EXPECT_DOUBLE_EQ(c1.flow_control_seconds(), 3);
  EXPECT_DOUBLE_EQ(c1.flow_control_count_seconds(), 2);
}

// What is put off since a queue is not locked is flow control, too.
TEST(DeliveryMetricsTest, FlowControlIncludesTheWaitForALock) {
  FactStream s(1, {"c1"}, 10s);
  s.Start(0, "c1");
  s.Add(100, "c1", 0);
  s.OnQueue(150, FactKind::LOCK_GRANTED, "b", 0);
  s.Postponed(1'000, "c1", 0, PostponeReason::kNotLocked, 3'000);
  s.Postponed(5'000, "c1", 0, PostponeReason::kCount, 1'000);
  s.Postponed(7'000, "c1", 0, PostponeReason::kSuspended, 1'000);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_DOUBLE_EQ(metrics.flow_control_lock_seconds(), 3);
  EXPECT_DOUBLE_EQ(metrics.flow_control_seconds(), 4);
  EXPECT_DOUBLE_EQ(metrics.postponed_seconds(), 5);
}

// They are counts; only times need something that happened.
TEST(DeliveryMetricsTest, WithoutAFailureItsCountsAreZero) {
  FactStream s(1, {"c1"}, 10s);
  s.Start(0, "c1");
  Consume(s, "c1", 0, 100, 130, 137);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_TRUE(metrics.has_failed());
  EXPECT_TRUE(metrics.has_sent_back());
  EXPECT_TRUE(metrics.has_resubmitted());
  EXPECT_TRUE(metrics.has_dropped_by_broker());
  EXPECT_EQ(metrics.failed() + metrics.sent_back() + metrics.resubmitted() +
                metrics.dropped_by_broker() + metrics.dead_letters(),
            0);
  EXPECT_FALSE(metrics.has_retry_delay_max_seconds());
}

TEST(DeliveryMetricsTest, APullPutOffBeyondTheEndCountsToTheEnd) {
  FactStream s(1, {"c1"}, 20s,
               Window{Instant::Start(), Instant::Start() + 20s});
  s.Start(0, "c1");
  s.Add(0, "c1", 0);
  s.Postponed(19'000, "c1", 0, PostponeReason::kCount, 5'000);
  s.End();
  EXPECT_DOUBLE_EQ(MetricsOf(s).flow_control_count_seconds(), 1);
}

TEST(DeliveryMetricsTest, AQueueHasItsOwnNumbers) {
  FactStream s(2, {"c1"}, 10s);
  s.Start(0, "c1");
  Consume(s, "c1", 0, 100, 110, 120);
  s.Store(200, 1, 0);
  s.Store(200, 1, 1);
  s.Commit(300, 0, 1);
  s.End();
  const auto queues = QueueMetricsOf(s.measures(), 0);
  EXPECT_EQ(queues[0].stored(), 1);
  EXPECT_EQ(queues[0].deliveries(), 1);
  EXPECT_EQ(queues[0].distinct(), 1);
  EXPECT_EQ(queues[0].finished(), 1);
  EXPECT_EQ(queues[0].peak_lag(), 1);
  EXPECT_EQ(queues[0].final_lag(), 0);
  EXPECT_EQ(queues[1].stored(), 2);
  EXPECT_EQ(queues[1].not_yet_delivered(), 2);
  EXPECT_EQ(queues[1].final_lag(), 2);
  Report::TopicMetrics topic;
  FillTopicMetrics(s.measures(), 0, s.Queue(0).topic, &topic);
  EXPECT_EQ(topic.stored(), 3);
  EXPECT_EQ(topic.peak_lag(), 3);
  EXPECT_EQ(topic.final_lag(), 2);
}

}  // namespace
}  // namespace groupsim
