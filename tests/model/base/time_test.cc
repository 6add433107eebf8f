#include "model/base/time.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace groupsim {
namespace {

using ::testing::ExitedWithCode;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(DurationTest, LiteralsOfEveryUnitAreExact) {
  static_assert(Duration(7ns).nanos() == 7);
  static_assert(Duration(7us).nanos() == 7'000);
  static_assert(Duration(7ms).nanos() == 7'000'000);
  static_assert(Duration(7s).nanos() == 7'000'000'000);
  static_assert(Duration(7min).nanos() == 420'000'000'000);
  static_assert(Duration(7h).nanos() == 25'200'000'000'000);
  static_assert(Duration(-7s).nanos() == -7'000'000'000);
}

TEST(DurationTest, FactoriesAgreeWithLiterals) {
  EXPECT_EQ(Duration::Nanos(7), Duration(7ns));
  EXPECT_EQ(Duration::Micros(7), Duration(7us));
  EXPECT_EQ(Duration::Millis(7), Duration(7ms));
  EXPECT_EQ(Duration::Seconds(7), Duration(7s));
  EXPECT_EQ(Duration::Zero(), Duration());
  EXPECT_EQ(Duration::Max().nanos(), kMax);
}

TEST(DurationTest, WholeUnitsAreRoundedTowardsZero) {
  const Duration d = Duration::Nanos(1'999'999'999);
  EXPECT_EQ(d.micros(), 1'999'999);
  EXPECT_EQ(d.millis(), 1'999);
  EXPECT_EQ(d.seconds(), 1);
  EXPECT_EQ((-d).millis(), -1'999);
  EXPECT_EQ((-d).seconds(), -1);
}

TEST(DurationTest, Arithmetic) {
  constexpr Duration a = 7s;
  constexpr Duration b = 2s;
  EXPECT_EQ(a + b, Duration(9s));
  EXPECT_EQ(b - a, Duration(-5s));
  EXPECT_EQ(a * 3, Duration(21s));
  EXPECT_EQ(3 * a, Duration(21s));
  EXPECT_EQ(a / 2, Duration(3500ms));
  EXPECT_EQ(a / b, 3);
  EXPECT_EQ(a % b, Duration(1s));
  Duration sum = a;
  sum += b;
  EXPECT_EQ(sum, Duration(9s));
  sum -= a;
  EXPECT_EQ(sum, Duration(2s));
}

TEST(DurationTest, OrdersByLength) {
  EXPECT_LT(Duration(-1ns), Duration::Zero());
  EXPECT_LT(Duration(999ms), Duration(1s));
  EXPECT_GT(Duration::Max(), Duration(24h));
}

TEST(DurationDeathTest, LeavingTheRangeIsABug) {
  const Duration max = Duration::Max();
  const Duration min = Duration::Nanos(kMin);
  EXPECT_EXIT((void)(max + 1ns), ExitedWithCode(70), "duration overflow");
  EXPECT_EXIT((void)(min - 1ns), ExitedWithCode(70), "duration overflow");
  EXPECT_EXIT((void)(max * 2), ExitedWithCode(70), "duration overflow");
  EXPECT_EXIT((void)-min, ExitedWithCode(70), "duration overflow");
  EXPECT_EXIT((void)Duration::Seconds(kMax / 1'000), ExitedWithCode(70),
              "duration overflow");
  EXPECT_EXIT((void)Duration(std::chrono::hours(kMax / 1'000'000)),
              ExitedWithCode(70), "duration overflow");
}

TEST(InstantTest, CountsFromTheStartOfTheRun) {
  EXPECT_EQ(Instant(), Instant::Start());
  EXPECT_EQ(Instant::Start().nanos(), 0);
  EXPECT_EQ(Instant::FromNanos(5).since_start(), Duration(5ns));
  EXPECT_EQ(Instant::Max().nanos(), kMax);
}

TEST(InstantTest, MovesByDurationsAndTheDistanceIsOne) {
  Instant t = Instant::Start() + 90s;
  EXPECT_EQ(t - 30s, Instant::FromNanos(60'000'000'000));
  EXPECT_EQ(t - Instant::Start(), Duration(90s));
  EXPECT_EQ(Instant::Start() - t, Duration(-90s));
  t += 10s;
  EXPECT_EQ(t, Instant::Start() + 100s);
  EXPECT_LT(Instant::Start(), t);
}

TEST(InstantDeathTest, LeavingTheRangeIsABug) {
  EXPECT_EXIT((void)(Instant::Max() + 1ns), ExitedWithCode(70),
              "time overflow");
  EXPECT_EXIT((void)(Instant::FromNanos(kMin) - 1ns), ExitedWithCode(70),
              "time overflow");
  EXPECT_EXIT((void)(Instant::FromNanos(kMin) - Instant::Max()),
              ExitedWithCode(70), "time overflow");
}

TEST(CheckedAddTest, GivesTheSumOrNothing) {
  EXPECT_EQ(CheckedAdd(Instant::Start(), 5s), Instant::Start() + 5s);
  EXPECT_EQ(CheckedAdd(Instant::FromNanos(kMax - 1), 1ns), Instant::Max());
  EXPECT_EQ(CheckedAdd(Instant::Max(), 1ns), std::nullopt);
  EXPECT_EQ(CheckedAdd(Instant::FromNanos(kMin), -1ns), std::nullopt);
}

TEST(ToStringTest, ChoosesTheUnit) {
  const struct {
    Duration duration;
    std::string text;
  } cases[] = {
      {0s, "0 s"},
      {1ns, "1 ns"},
      {999ns, "999 ns"},
      {1us, "1 us"},
      {1500ns, "1.5 us"},
      {999'999ns, "999.999 us"},
      {20ms, "20 ms"},
      {20'050us, "20.05 ms"},
      {1s, "1 s"},
      {1500ms, "1.5 s"},
      {59'999ms, "59.999 s"},
      {60s, "1m00s"},
      {150s, "2m30s"},
      {59min + 59s, "59m59s"},
      {1h, "1h00m"},
      {1h + 5min, "1h05m"},
      {25h + 5min + 7s, "25h05m07s"},
      {-1500ms, "-1.5 s"},
      {-150s, "-2m30s"},
  };
  for (const auto& [duration, text] : cases) {
    EXPECT_EQ(ToString(duration), text);
  }
}

TEST(ToStringTest, WhatIsFinerThanAThousandthOfTheUnitIsCutOff) {
  EXPECT_EQ(ToString(Duration::Nanos(1'999'999'999)), "1.999 s");
  EXPECT_EQ(ToString(Duration(60'999ms)), "1m00s");
}

TEST(ToStringTest, HandlesBothEndsOfTheRange) {
  EXPECT_EQ(ToString(Duration::Max()), "2562047h47m16s");
  EXPECT_EQ(ToString(Duration::Nanos(kMin)), "-2562047h47m16s");
}

TEST(ToStringTest, AnInstantReadsAsTheTimeSinceTheStart) {
  std::ostringstream out;
  out << Instant::Start() + 150s << " " << Duration(20ms);
  EXPECT_EQ(out.str(), "2m30s 20 ms");
}

}  // namespace
}  // namespace groupsim
