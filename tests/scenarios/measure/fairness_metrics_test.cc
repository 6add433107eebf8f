// Metrics of fairness, with the values worked out by hand.
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

Report::TopicMetrics TopicMetricsOf(FactStream& s) {
  Report::TopicMetrics metrics;
  FillTopicMetrics(s.measures(), 0, s.Queue(0).topic, &metrics);
  return metrics;
}

// Consumers a, b, c, d own 40, 20, 20, 20 of 100 queues from 0 on:
//   Jain       100^2 / (4 * (1,600 + 3 * 400)) = 0.892857
//   max / mean 40 / 25 = 1.6           max - min 20
//   cv         sqrt((15^2 + 3 * 5^2) / 4) / 25 = 0.346410
//   Gini       2 * 60 / (2 * 16 * 25) = 0.15; score 3 * 20 = 60
void Unequal(FactStream& s) {
  for (const char* who : {"a", "b", "c", "d"}) s.Start(0, who);
  for (int i = 0; i < 40; ++i) s.Add(0, "a", i);
  for (int i = 40; i < 60; ++i) s.Add(0, "b", i);
  for (int i = 60; i < 80; ++i) s.Add(0, "c", i);
  for (int i = 80; i < 100; ++i) s.Add(0, "d", i);
}

TEST(FairnessMetricsTest, UnequalLoadsAtTheEnd) {
  FactStream s(100, {"a", "b", "c", "d"}, 10s);
  Unequal(s);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_NEAR(metrics.jain_final(), 0.892857, 1e-6);
  EXPECT_DOUBLE_EQ(metrics.max_over_mean_final(), 1.6);
  EXPECT_EQ(metrics.max_minus_min_final(), 20);
  EXPECT_NEAR(metrics.cv_final(), 0.346410, 1e-6);
  EXPECT_DOUBLE_EQ(metrics.gini_final(), 0.15);
  EXPECT_EQ(metrics.balance_score_final(), 60);
  EXPECT_EQ(metrics.idle_consumers(), 0);
  EXPECT_DOUBLE_EQ(metrics.jain_best_final(), 1);  // 25 each.
  const Report::TopicMetrics topic = TopicMetricsOf(s);
  EXPECT_NEAR(topic.jain_final(), 0.892857, 1e-6);
  EXPECT_DOUBLE_EQ(topic.max_over_mean_final(), 1.6);
  EXPECT_EQ(topic.idle_consumers(), 0);
  EXPECT_EQ(topic.queues(), 100);
}

// As above for 4 s, then 25 each for 6 s: means of both.
TEST(FairnessMetricsTest, MeansAreWeightedByTime) {
  FactStream s(100, {"a", "b", "c", "d"}, 10s);
  Unequal(s);
  for (int i = 25; i < 40; ++i) {
    s.Drop(4'000, "a", i);
    s.Add(4'000, i < 30 ? "b" : i < 35 ? "c" : "d", i);
  }
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_NEAR(metrics.jain_time_weighted(), 0.4 * 0.892857 + 0.6, 1e-6);
  EXPECT_NEAR(metrics.jain_min(), 0.892857, 1e-6);
  EXPECT_DOUBLE_EQ(metrics.max_over_mean(), 1.24);  // 0.4 * 1.6 + 0.6 * 1
  EXPECT_DOUBLE_EQ(metrics.max_minus_min(), 8);
  EXPECT_NEAR(metrics.cv(), 0.4 * 0.346410, 1e-6);
  EXPECT_DOUBLE_EQ(metrics.gini(), 0.06);
  EXPECT_DOUBLE_EQ(metrics.balance_score(), 24);
  EXPECT_DOUBLE_EQ(metrics.jain_final(), 1);
}

// Three consumers for two queues; the third is gone from 7.5 s on.
TEST(FairnessMetricsTest, IdleConsumersAreCountedOverTime) {
  FactStream s(2, {"a", "b", "c"}, 10s);
  for (const char* who : {"a", "b", "c"}) s.Start(0, who);
  s.Add(0, "a", 0);
  s.Add(0, "b", 1);
  s.Life(7'500, FactKind::PROCESS_CRASHED, "c");
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_DOUBLE_EQ(metrics.idle_consumers_mean(), 0.75);
  EXPECT_EQ(metrics.idle_consumers_max(), 1);
  EXPECT_EQ(metrics.idle_consumers(), 0);
  Report::ConsumerMetrics c;
  FillConsumerMetrics(s.measures(), 2, &c);
  EXPECT_DOUBLE_EQ(c.idle_seconds(), 7.5);
  EXPECT_DOUBLE_EQ(c.alive_seconds(), 7.5);
  EXPECT_EQ(c.queues_max(), 0);
}

// Two consumers and three queues can be no fairer than 2 and 1:
// 9 / (2 * 5) = 0.9.
TEST(FairnessMetricsTest, TheBestJainIndexIsThatOfQuotas) {
  FactStream s(3, {"a", "b"}, 10s);
  s.Start(0, "a");
  s.Start(0, "b");
  for (int i = 0; i < 3; ++i) s.Add(0, "a", i);
  s.End();
  EXPECT_DOUBLE_EQ(MetricsOf(s).jain_best_final(), 0.9);
  EXPECT_DOUBLE_EQ(MetricsOf(s).jain_final(), 0.5);
}

// One of four queues is read from the other room for 2 of 10 s, then two are.
TEST(FairnessMetricsTest, CrossRoomShareIsOfQueuesReadFromAnotherRoom) {
  FactStream s(4, {"near", "far"}, 10s);
  s.Start(0, "near");
  s.Start(0, "far");
  for (int i = 0; i < 3; ++i) s.Add(0, "near", i);
  s.Add(0, "far", 3);
  s.Drop(2'000, "near", 2);
  s.Add(2'000, "far", 2);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_DOUBLE_EQ(metrics.cross_room_share(), 0.2 * 0.25 + 0.8 * 0.5);
  EXPECT_DOUBLE_EQ(metrics.cross_room_share_final(), 0.5);
}

// a finishes three messages of 10 ms each, b one of 90 ms:
//   by messages 4^2 / (2 * (9 + 1)) = 0.8, most over mean 3 / 2
//   by time     120^2 / (2 * (900 + 8,100)) = 0.8
// c never lived and does not count.
TEST(FairnessMetricsTest, WorkIsComparedByMessagesAndByTime) {
  FactStream s(2, {"a", "b", "c"}, 10s);
  s.Start(0, "a");
  s.Start(0, "b");
  for (int i = 0; i < 3; ++i) {
    s.Store(100 + 10 * i, 0, i);
    s.Pulled(100 + 10 * i, "a", 0, i, 1);
    s.Deliver(100 + 10 * i, "a", 0, i);
    s.Finish(110 + 10 * i, "a", 0, i);
  }
  s.Store(200, 1, 0);
  s.Pulled(200, "b", 1, 0, 1);
  s.Deliver(200, "b", 1, 0);
  s.Finish(290, "b", 1, 0);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_DOUBLE_EQ(metrics.jain_messages(), 0.8);
  EXPECT_DOUBLE_EQ(metrics.max_over_mean_messages(), 1.5);
  EXPECT_DOUBLE_EQ(metrics.jain_processing(), 0.8);
  Report::ConsumerMetrics b;
  FillConsumerMetrics(s.measures(), 1, &b);
  EXPECT_DOUBLE_EQ(b.processing_seconds(), 0.09);
  EXPECT_EQ(b.finished(), 1);
  EXPECT_TRUE(s.violations().empty());
}

TEST(FairnessMetricsTest, WithoutConsumersThereIsNothingToCompare) {
  FactStream s(2, {"a"}, 10s);
  s.End();
  const Report::GroupMetrics metrics = MetricsOf(s);
  EXPECT_FALSE(metrics.has_jain_final());
  EXPECT_FALSE(metrics.has_jain_time_weighted());
  EXPECT_FALSE(metrics.has_jain_messages());
  EXPECT_FALSE(metrics.has_stickiness_mean());
}

}  // namespace
}  // namespace groupsim
