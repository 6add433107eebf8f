#include "sim/random/distribution.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "model/base/ratio.h"
#include "model/runtime/random.h"
#include "sim/random/stream.h"
#include "tests/sim/random/fit.h"

namespace groupsim {
namespace {

// Always the same draw, so that a sample is the quantile at a known place.
class FixedStream final : public RandomStream {
 public:
  explicit FixedStream(uint64_t draw) : draw_(draw) {}
  uint64_t Next() override { return draw_; }

 private:
  uint64_t draw_;
};

Distribution Valid(absl::StatusOr<Distribution> distribution) {
  EXPECT_TRUE(distribution.ok()) << distribution.status();
  return distribution.ok() ? *std::move(distribution) : Distribution();
}

std::string ErrorOf(const absl::StatusOr<Distribution>& distribution) {
  EXPECT_EQ(distribution.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(distribution.status().message());
}

std::vector<double> SampleMany(const Distribution& distribution, int count) {
  CounterStream stream(StreamKey::For(1, "distribution", "law"));
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) {
    const int64_t sample = distribution.Sample(stream);
    EXPECT_GE(sample, 0);
    samples.push_back(static_cast<double>(sample));
  }
  EXPECT_EQ(stream.position(), static_cast<uint64_t>(count) *
                                   static_cast<uint64_t>(distribution.draws()));
  return samples;
}

double MeanOf(const std::vector<double>& samples) {
  double sum = 0;
  for (const double sample : samples) sum += sample;
  return sum / static_cast<double>(samples.size());
}

double PercentileOf(std::vector<double> samples, double p) {
  std::sort(samples.begin(), samples.end());
  return samples[static_cast<size_t>(p * static_cast<double>(samples.size()))];
}

constexpr int kSamples = 200'000;
constexpr int64_t kNoRounding = 1'000'000'000'000;

TEST(DistributionTest, TheDefaultIsAlwaysZero) {
  FixedStream stream(UINT64_MAX);
  EXPECT_EQ(Distribution().Sample(stream), 0);
  EXPECT_EQ(Distribution().Mean(), 0);
}

// ---- Constant ----

TEST(ConstantTest, IsAlwaysItsValueAndDrawsNothing) {
  for (const int64_t value : {int64_t{0}, int64_t{5}, INT64_MAX}) {
    const Distribution constant = Valid(Distribution::Constant(value));
    CounterStream stream(StreamKey::For(1, "constant", "x"));
    EXPECT_EQ(constant.Sample(stream), value);
    EXPECT_EQ(constant.Mean(), value);
    EXPECT_EQ(constant.draws(), 0);
    EXPECT_EQ(stream.position(), 0u);
  }
}

TEST(ConstantTest, ANegativeOneIsRefused) {
  EXPECT_EQ(ErrorOf(Distribution::Constant(-1)),
            "constant is -1; must be at least 0");
}

// ---- Uniform ----

TEST(UniformTest, EveryValueIsEquallyLikelyBothEndsIncluded) {
  const Distribution die = Valid(Distribution::Uniform({.min = 1, .max = 6}));
  std::vector<int64_t> counts(6);
  for (const double sample : SampleMany(die, kSamples)) {
    ++counts.at(static_cast<size_t>(sample) - 1);
  }
  EXPECT_LT(ChiSquareScore(counts, std::vector<double>(6, 1.0 / 6)), 3.1);
  EXPECT_EQ(die.Mean(), 4);  // 3.5, rounded.
}

TEST(UniformTest, AWideOneFollowsItsLaw) {
  const double min = 1e9;
  const double max = 5e12;
  const Distribution wide = Valid(
      Distribution::Uniform({.min = 1'000'000'000, .max = 5'000'000'000'000}));
  const std::vector<double> samples = SampleMany(wide, kSamples);
  EXPECT_LT(KolmogorovScore(samples,
                            [&](double x) { return (x - min) / (max - min); }),
            1.95);
  EXPECT_NEAR(MeanOf(samples) / static_cast<double>(wide.Mean()), 1, 0.004);
}

TEST(UniformTest, TheExtremesAreReached) {
  const Distribution all =
      Valid(Distribution::Uniform({.min = 0, .max = INT64_MAX}));
  FixedStream lowest(0);
  FixedStream highest(UINT64_MAX);
  EXPECT_EQ(all.Sample(lowest), 0);
  EXPECT_EQ(all.Sample(highest), INT64_MAX);
  EXPECT_EQ(all.Mean(), int64_t{1} << 62);
  const Distribution one =
      Valid(Distribution::Uniform({.min = INT64_MAX, .max = INT64_MAX}));
  EXPECT_EQ(one.Sample(highest), INT64_MAX);
  EXPECT_EQ(one.Mean(), INT64_MAX);
}

TEST(UniformTest, ParametersThatMakeNoSenseAreRefused) {
  EXPECT_EQ(ErrorOf(Distribution::Uniform({.min = -3, .max = 6})),
            "min of uniform is -3; must be at least 0");
  EXPECT_EQ(ErrorOf(Distribution::Uniform({.min = 7, .max = 6})),
            "min of uniform is 7, above its max 6");
}

// ---- Exponential ----

TEST(ExponentialTest, FollowsItsLaw) {
  const Distribution exponential =
      Valid(Distribution::Exponential(kNoRounding));
  const std::vector<double> samples = SampleMany(exponential, kSamples);
  EXPECT_LT(
      KolmogorovScore(samples, [](double x) { return -std::expm1(-x / 1e12); }),
      1.95);
  EXPECT_NEAR(MeanOf(samples) / 1e12, 1, 0.007);  // 3.1 standard errors.
  EXPECT_EQ(exponential.Mean(), kNoRounding);
  // The test of fit can tell a mean that is off by one part in fifty.
  EXPECT_GT(KolmogorovScore(samples,
                            [](double x) { return -std::expm1(-x / 1.02e12); }),
            1.95);
}

TEST(ExponentialTest, QuantilesAreRightFarIntoBothTails) {
  const Distribution exponential =
      Valid(Distribution::Exponential(Distribution::kMaxExponentialMean));
  for (const double above :
       {1e-6, 1e-5, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1 - 1e-6}) {
    FixedStream stream(static_cast<uint64_t>(above * 0x1p64));
    const double exact = -std::log(above) *
                         static_cast<double>(Distribution::kMaxExponentialMean);
    EXPECT_NEAR(static_cast<double>(exponential.Sample(stream)) / exact, 1,
                1e-6)
        << above;
  }
}

TEST(ExponentialTest, TheLargestSampleOfTheLargestMeanFits) {
  const Distribution exponential =
      Valid(Distribution::Exponential(Distribution::kMaxExponentialMean));
  FixedStream rarest(0);
  EXPECT_LT(exponential.Sample(rarest), INT64_MAX);
  EXPECT_GT(exponential.Sample(rarest), INT64_MAX / 45 * 44);
}

TEST(ExponentialTest, AMeanOfNothingGivesNothing) {
  const Distribution exponential = Valid(Distribution::Exponential(0));
  FixedStream rarest(0);
  EXPECT_EQ(exponential.Sample(rarest), 0);
}

TEST(ExponentialTest, ParametersThatMakeNoSenseAreRefused) {
  EXPECT_EQ(ErrorOf(Distribution::Exponential(-1)),
            "mean of exponential is -1; must be at least 0");
  EXPECT_EQ(ErrorOf(Distribution::Exponential(INT64_MAX)),
            "mean of exponential is 9223372036854775807; the limit is "
            "204963823041217240");
}

// ---- Lognormal ----

double NormalLaw(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

constexpr double kZ99 = 2.3263478740408408;   // Normal quantile of 0.99.
constexpr double kZ999 = 3.0902323061678132;  // Of 0.999.

TEST(LognormalTest, FollowsItsLaw) {
  const Distribution lognormal = Valid(Distribution::Lognormal(
      {.median = 4'000'000'000, .per_mille = 990, .value = 60'000'000'000}));
  const double sigma = std::log(15.0) / kZ99;
  const std::vector<double> samples = SampleMany(lognormal, kSamples);
  EXPECT_LT(KolmogorovScore(
                samples,
                [&](double x) { return NormalLaw(std::log(x / 4e9) / sigma); }),
            1.95);
  EXPECT_NEAR(PercentileOf(samples, 0.5) / 4e9, 1, 0.015);
  EXPECT_NEAR(PercentileOf(samples, 0.99) / 60e9, 1, 0.05);
  const double mean = 4e9 * std::exp(sigma * sigma / 2);
  EXPECT_NEAR(static_cast<double>(lognormal.Mean()) / mean, 1, 1e-6);
  EXPECT_NEAR(MeanOf(samples) / mean, 1, 0.02);
  // The test of fit can tell a median that is off by one part in fifty.
  EXPECT_GT(KolmogorovScore(samples,
                            [&](double x) {
                              return NormalLaw(std::log(x / 4.08e9) / sigma);
                            }),
            1.95);
}

TEST(LognormalTest, QuantilesAreRightFarIntoBothTails) {
  const Distribution lognormal = Valid(Distribution::Lognormal(
      {.median = kNoRounding, .per_mille = 999, .value = 30 * kNoRounding}));
  const double sigma = std::log(30.0) / kZ999;
  struct Place {
    double below;
    double z;
  };
  const Place places[] = {{1e-6, -4.753424308822899},
                          {1e-3, -kZ999},
                          {0.01, -kZ99},
                          {0.25, -0.6744897501960817},
                          {0.5, 0},
                          {0.75, 0.6744897501960817},
                          {0.99, kZ99},
                          {0.999, kZ999},
                          {1 - 1e-6, 4.753424308822899}};
  for (const Place& place : places) {
    FixedStream stream(static_cast<uint64_t>(place.below * 0x1p64));
    const double exact = 1e12 * std::exp(sigma * place.z);
    EXPECT_NEAR(static_cast<double>(lognormal.Sample(stream)) / exact, 1, 1e-6)
        << place.below;
  }
}

TEST(LognormalTest, EveryPercentileIsMet) {
  for (int64_t per_mille = 501; per_mille <= 999; per_mille += 2) {
    const Distribution lognormal =
        Valid(Distribution::Lognormal({.median = kNoRounding,
                                       .per_mille = per_mille,
                                       .value = kNoRounding / 100 * 101}));
    const auto draw = static_cast<uint64_t>(
        (static_cast<unsigned __int128>(per_mille) << 64) / 1000);
    FixedStream stream(draw);
    EXPECT_NEAR(static_cast<double>(lognormal.Sample(stream)) / 1.01e12, 1,
                1e-8)
        << per_mille;
  }
}

TEST(LognormalTest, WithoutSpreadItIsAConstant) {
  const Distribution lognormal = Valid(
      Distribution::Lognormal({.median = 77, .per_mille = 990, .value = 77}));
  for (const double sample : SampleMany(lognormal, 1'000)) {
    EXPECT_EQ(sample, 77);
  }
  EXPECT_EQ(lognormal.Mean(), 77);
}

TEST(LognormalTest, AHugeSpreadStaysInRange) {
  const Distribution lognormal = Valid(Distribution::Lognormal(
      {.median = 1, .per_mille = 999, .value = int64_t{1} << 40}));
  FixedStream lowest(0);
  FixedStream highest(UINT64_MAX);
  EXPECT_EQ(lognormal.Sample(lowest), 0);
  EXPECT_EQ(lognormal.Sample(highest), INT64_MAX);
}

TEST(LognormalTest, ParametersThatMakeNoSenseAreRefused) {
  EXPECT_EQ(ErrorOf(Distribution::Lognormal(
                {.median = 0, .per_mille = 990, .value = 5})),
            "median of lognormal is 0; must be at least 1");
  EXPECT_EQ(ErrorOf(Distribution::Lognormal(
                {.median = 9, .per_mille = 990, .value = 5})),
            "the value of lognormal at 990 per mille is 5, below its median 9");
  for (const int64_t per_mille : {-1, 0, 99, 500, 1000, 9990}) {
    EXPECT_EQ(ErrorOf(Distribution::Lognormal(
                  {.median = 4, .per_mille = per_mille, .value = 5})),
              "percentile of lognormal is " + std::to_string(per_mille) +
                  " per mille; must lie above the median, from 501 to 999");
  }
  EXPECT_EQ(ErrorOf(Distribution::Lognormal(
                {.median = 1, .per_mille = 501, .value = INT64_MAX})),
            "median 1 and 9223372036854775807 at 501 per mille give a "
            "lognormal mean that exceeds 9223372036854775807");
  EXPECT_EQ(ErrorOf(Distribution::Lognormal({.median = INT64_MAX / 10,
                                             .per_mille = 510,
                                             .value = INT64_MAX / 9})),
            "median 922337203685477580 and 1024819115206086200 at 510 per "
            "mille give a lognormal mean that exceeds 9223372036854775807");
}

// ---- Bimodal ----

TEST(BimodalTest, MixesItsPartsByTheChance) {
  const Distribution bimodal = Valid(Distribution::Bimodal(
      Valid(Distribution::Constant(1'000)),
      Valid(Distribution::Constant(500'000)), Ratio::PerMille(20)));
  std::vector<int64_t> counts(2);
  for (const double sample : SampleMany(bimodal, kSamples)) {
    ASSERT_TRUE(sample == 1'000 || sample == 500'000) << sample;
    ++counts[sample == 1'000 ? 0 : 1];
  }
  EXPECT_LT(ChiSquareScore(counts, {0.98, 0.02}), 3.1);
  EXPECT_EQ(bimodal.Mean(), 10'980);
  EXPECT_EQ(bimodal.draws(), 1);
}

TEST(BimodalTest, PartsMayBeAnyDistributionEvenBimodal) {
  const Distribution inner = Valid(Distribution::Bimodal(
      Valid(Distribution::Exponential(kNoRounding)),
      Valid(Distribution::Constant(7)), Ratio::PerMille(500)));
  const Distribution outer = Valid(Distribution::Bimodal(
      inner, Valid(Distribution::Uniform({.min = 8, .max = 9})),
      Ratio::PerMille(200)));
  EXPECT_EQ(inner.draws(), 2);
  EXPECT_EQ(outer.draws(), 3);
  int64_t sevens = 0;
  int64_t pairs = 0;
  std::vector<double> rest;
  for (const double sample : SampleMany(outer, kSamples)) {
    if (sample == 7) {
      ++sevens;
    } else if (sample == 8 || sample == 9) {
      ++pairs;
    } else {
      rest.push_back(sample);
    }
  }
  EXPECT_LT(ChiSquareScore({sevens, pairs, static_cast<int64_t>(rest.size())},
                           {0.4, 0.2, 0.4}),
            3.1);
  EXPECT_LT(
      KolmogorovScore(rest, [](double x) { return -std::expm1(-x / 1e12); }),
      1.95);
  EXPECT_EQ(outer.Mean(), (kNoRounding / 2 + 4) * 8 / 10 + 2);
}

TEST(BimodalTest, TheMeanOfTheLargestPartsFits) {
  const Distribution large = Valid(Distribution::Constant(INT64_MAX));
  EXPECT_EQ(
      Valid(Distribution::Bimodal(large, large, Ratio{1, INT64_MAX})).Mean(),
      INT64_MAX);
}

TEST(BimodalTest, ParametersThatMakeNoSenseAreRefused) {
  const Distribution part;
  EXPECT_EQ(ErrorOf(Distribution::Bimodal(part, part, Ratio{-1, 10})),
            "chance of bimodal is -1/10; must lie between 0 and 1");
  EXPECT_EQ(ErrorOf(Distribution::Bimodal(part, part, Ratio{11, 10})),
            "chance of bimodal is 11/10; must lie between 0 and 1");
  EXPECT_EQ(ErrorOf(Distribution::Bimodal(part, part, Ratio{0, 0})),
            "chance of bimodal is 0/0; must lie between 0 and 1");
  Distribution nested;
  for (int depth = 0; depth < Distribution::kMaxDepth; ++depth) {
    nested = Valid(Distribution::Bimodal(nested, part, Ratio{1, 2}));
  }
  EXPECT_EQ(ErrorOf(Distribution::Bimodal(nested, part, Ratio{1, 2})),
            "bimodal distributions nested 9 deep; the limit is 8");
}

// ---- Empirical ----

TEST(EmpiricalTest, EachValueComesByItsWeight) {
  const Distribution empirical =
      Valid(Distribution::Empirical({{.value = 10, .weight = 1},
                                     {.value = 20, .weight = 2},
                                     {.value = 1'000, .weight = 0},
                                     {.value = 40, .weight = 5}}));
  std::vector<int64_t> counts(4);
  for (const double sample : SampleMany(empirical, kSamples)) {
    ASSERT_TRUE(sample == 10 || sample == 20 || sample == 40) << sample;
    ++counts[sample == 10 ? 0 : sample == 20 ? 1 : 3];
  }
  EXPECT_LT(ChiSquareScore(counts, {0.125, 0.25, 0, 0.625}), 3.1);
  EXPECT_EQ(empirical.Mean(), 31);  // 31.25, rounded.
}

TEST(EmpiricalTest, ParametersThatMakeNoSenseAreRefused) {
  EXPECT_EQ(ErrorOf(Distribution::Empirical({})), "empirical: no weights");
  EXPECT_EQ(ErrorOf(Distribution::Empirical({{.value = 1, .weight = 0}})),
            "empirical: all weights are zero; at least one must be positive");
  EXPECT_EQ(ErrorOf(Distribution::Empirical({{.value = 1, .weight = -4}})),
            "empirical: weight 1 is -4; weights are not negative");
  EXPECT_EQ(ErrorOf(Distribution::Empirical({{.value = 1}, {.value = -5}})),
            "value 2 of empirical is -5; must be at least 0");
}

TEST(EmpiricalTest, TheMeanOfTheLargestValuesFits) {
  EXPECT_EQ(Valid(Distribution::Empirical(
                      {{.value = INT64_MAX, .weight = INT64_MAX - 1},
                       {.value = INT64_MAX, .weight = 1}}))
                .Mean(),
            INT64_MAX);
}

// ---- Zipf ----

void ExpectZipf(int64_t n, int64_t exponent_per_mille) {
  const Distribution zipf = Valid(
      Distribution::Zipf({.n = n, .exponent_per_mille = exponent_per_mille}));
  std::vector<double> expected;
  double sum = 0;
  for (int64_t rank = 1; rank <= n; ++rank) {
    expected.push_back(
        std::pow(static_cast<double>(rank),
                 -static_cast<double>(exponent_per_mille) / 1000));
    sum += expected.back();
  }
  double mean = 0;
  for (int64_t rank = 1; rank <= n; ++rank) {
    expected[rank - 1] /= sum;
    mean += expected[rank - 1] * static_cast<double>(rank);
  }
  std::vector<int64_t> counts(static_cast<size_t>(n));
  for (const double sample : SampleMany(zipf, kSamples)) {
    ++counts.at(static_cast<size_t>(sample) - 1);
  }
  // Ranks that hardly come are counted together.
  std::vector<double> chances = {0};
  std::vector<int64_t> classes = {0};
  for (size_t i = 0; i < counts.size(); ++i) {
    const bool rare = expected[i] * kSamples < 10;
    if (!rare) {
      chances.push_back(expected[i]);
      classes.push_back(counts[i]);
    } else {
      chances[0] += expected[i];
      classes[0] += counts[i];
    }
  }
  EXPECT_LT(ChiSquareScore(classes, chances), 3.1)
      << n << " " << exponent_per_mille;
  EXPECT_NEAR(static_cast<double>(zipf.Mean()), mean, 0.5 + mean * 1e-9)
      << n << " " << exponent_per_mille;
}

TEST(ZipfTest, RanksComeByTheirPower) {
  ExpectZipf(10, 1'000);
  ExpectZipf(100, 990);
  ExpectZipf(1'000, 1'200);
  ExpectZipf(1'000, 0);
  ExpectZipf(50, 2'500);
  ExpectZipf(100'000, 1'000);
}

TEST(ZipfTest, OneRankIsAlwaysTheFirst) {
  const Distribution one =
      Valid(Distribution::Zipf({.n = 1, .exponent_per_mille = 1'000}));
  FixedStream highest(UINT64_MAX);
  EXPECT_EQ(one.Sample(highest), 1);
  EXPECT_EQ(one.Mean(), 1);
}

TEST(ZipfTest, TheSteepestOneNearlyAlwaysGivesTheFirst) {
  const Distribution steep =
      Valid(Distribution::Zipf({.n = 1'000'000, .exponent_per_mille = 10'000}));
  int64_t firsts = 0;
  for (const double sample : SampleMany(steep, 100'000)) {
    if (sample == 1) ++firsts;
  }
  EXPECT_NEAR(static_cast<double>(firsts), 1e5 / 1.000994575, 40);
}

TEST(ZipfTest, ParametersThatMakeNoSenseAreRefused) {
  EXPECT_EQ(ErrorOf(Distribution::Zipf({.n = 0})),
            "n of zipf is 0; must be from 1 to 1000000");
  EXPECT_EQ(ErrorOf(Distribution::Zipf({.n = 1'000'001})),
            "n of zipf is 1000001; must be from 1 to 1000000");
  EXPECT_EQ(ErrorOf(Distribution::Zipf({.n = 5, .exponent_per_mille = -1})),
            "exponent of zipf is -1 per mille; must be from 0 to 10000");
  EXPECT_EQ(ErrorOf(Distribution::Zipf({.n = 5, .exponent_per_mille = 10'001})),
            "exponent of zipf is 10001 per mille; must be from 0 to 10000");
}

}  // namespace
}  // namespace groupsim
