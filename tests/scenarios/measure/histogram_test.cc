#include "scenarios/measure/histogram.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "scenarios/measure/columns.h"

namespace groupsim {
namespace {

TEST(HistogramTest, SmallValuesAreExact) {
  Histogram h;
  for (int i = 1; i <= 1'000; ++i) h.Add(Duration::Nanos(i));
  EXPECT_EQ(h.Percentile(500), Duration::Nanos(500));
  EXPECT_EQ(h.Percentile(990), Duration::Nanos(990));
  EXPECT_EQ(h.Percentile(1), Duration::Nanos(1));
  EXPECT_EQ(h.Percentile(1'000), Duration::Nanos(1'000));
  EXPECT_EQ(h.Mean(), Duration::Nanos(500));
}

TEST(HistogramTest, LargeValuesAreAtMostAThousandthTooHigh) {
  for (int64_t n = 3; n < INT64_MAX / 3; n = n * 3 + 1) {
    Histogram h;
    h.Add(Duration::Nanos(n));
    h.Add(Duration::Max());
    const int64_t p = h.Percentile(500).nanos();
    EXPECT_GE(p, n);
    EXPECT_LE(p - n, n / 1'000);
  }
}

TEST(HistogramTest, AMergeIsWhatAddingAllWouldBe) {
  Histogram a;
  Histogram b;
  Histogram all;
  for (int64_t i = 1; i < 100'000; i += 7) {
    (i % 2 == 0 ? a : b).Add(Duration::Micros(i));
    all.Add(Duration::Micros(i));
  }
  a.Merge(b);
  EXPECT_EQ(a.count(), all.count());
  EXPECT_EQ(a.max(), all.max());
  EXPECT_EQ(a.min(), all.min());
  EXPECT_EQ(a.Mean(), all.Mean());
  for (int p = 1; p <= 1'000; p += 37) {
    EXPECT_EQ(a.Percentile(p), all.Percentile(p));
  }
}

TEST(HistogramTest, AnEmptyOneHasNoPercentiles) {
  const Histogram h;
  EXPECT_EQ(h.Percentile(500), Duration());
  EXPECT_EQ(h.count(), 0);
}

TEST(ColumnsTest, AColumnKnowsItsExtremesAndItsLastValue) {
  Columns c(10s, 5);
  c.Set(Instant::Start() + 1s, 4);
  c.Set(Instant::Start() + 3s, 9);
  c.Set(Instant::Start() + 3500ms, 1);
  c.Finish();
  EXPECT_EQ(c.columns()[0].min, 0);
  EXPECT_EQ(c.columns()[0].max, 4);
  EXPECT_EQ(c.columns()[1].max, 9);
  EXPECT_EQ(c.columns()[1].min, 1);
  EXPECT_EQ(c.columns()[1].last, 1);
  EXPECT_EQ(c.columns()[4].min, 1);
  EXPECT_EQ(c.columns()[4].max, 1);
}

TEST(ColumnsTest, AValueThatHoldsForNoTimeDoesNotCount) {
  Columns c(10s, 10);
  c.Set(Instant::Start() + 1s, 50);
  c.Set(Instant::Start() + 1s, 2);
  c.Finish();
  EXPECT_EQ(c.columns()[0].max, 0);
  EXPECT_EQ(c.columns()[1].max, 2);
}

}  // namespace
}  // namespace groupsim
