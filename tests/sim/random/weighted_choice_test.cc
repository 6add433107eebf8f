#include "sim/random/weighted_choice.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "model/base/ratio.h"
#include "sim/random/stream.h"
#include "tests/sim/random/fit.h"

namespace groupsim {
namespace {

std::string ErrorOf(const std::vector<int64_t>& weights) {
  const absl::StatusOr<WeightedChoice> choice = WeightedChoice::Of(weights);
  EXPECT_EQ(choice.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(choice.status().message());
}

TEST(WeightedChoiceTest, WeightsThatMakeNoSenseAreRefusedWithTheReason) {
  EXPECT_EQ(ErrorOf({}), "no weights");
  EXPECT_EQ(ErrorOf({0, 0}),
            "all weights are zero; at least one must be positive");
  EXPECT_EQ(ErrorOf({3, -1}), "weight 2 is -1; weights are not negative");
  EXPECT_EQ(ErrorOf({INT64_MAX, 1}),
            "the sum of the weights exceeds 9223372036854775807");
  EXPECT_EQ(ErrorOf(std::vector<int64_t>(1'000'001, 1)),
            "1000001 weights; the limit is 1000000");
}

void ExpectChances(const std::vector<int64_t>& weights) {
  const absl::StatusOr<WeightedChoice> choice = WeightedChoice::Of(weights);
  ASSERT_TRUE(choice.ok()) << choice.status();
  double sum = 0;
  for (const int64_t weight : weights) sum += static_cast<double>(weight);
  std::vector<double> expected;
  for (const int64_t weight : weights) {
    expected.push_back(static_cast<double>(weight) / sum);
  }
  CounterStream stream(StreamKey::For(1, "choice", "x"));
  std::vector<int64_t> counts(weights.size());
  constexpr int kPicks = 300'000;
  for (int i = 0; i < kPicks; ++i) ++counts.at(choice->Pick(stream));
  EXPECT_LT(ChiSquareScore(counts, expected), 3.1);
  EXPECT_EQ(stream.position(), static_cast<uint64_t>(kPicks));
}

TEST(WeightedChoiceTest, PicksAreProportionalToWeights) {
  ExpectChances({1});
  ExpectChances({1, 1});
  ExpectChances({5, 3, 2});
  ExpectChances({1, 1'000, 30, 7, 500, 500, 2});
  ExpectChances({INT64_MAX / 4, INT64_MAX / 2});
  std::vector<int64_t> ramp;
  for (int64_t i = 1; i <= 100; ++i) ramp.push_back(i);
  ExpectChances(ramp);
}

TEST(WeightedChoiceTest, AChoiceOfWeightZeroIsNeverPicked) {
  ExpectChances({0, 1});
  ExpectChances({0, 7, 0, 0, 9, 0});
}

TEST(WeightedChoiceTest, AMillionChoicesAreFine) {
  std::vector<int64_t> weights(1'000'000, 0);
  weights[123'456] = 1;
  weights[999'999] = 1;
  const absl::StatusOr<WeightedChoice> choice = WeightedChoice::Of(weights);
  ASSERT_TRUE(choice.ok());
  CounterStream stream(StreamKey::For(1, "choice", "million"));
  int last = 0;
  for (int i = 0; i < 1'000; ++i) {
    const size_t pick = choice->Pick(stream);
    ASSERT_TRUE(pick == 123'456 || pick == 999'999) << pick;
    if (pick == 999'999) ++last;
  }
  EXPECT_NEAR(last, 500, 60);
}

TEST(WeightedChoiceTest, TheTestOfFitNoticesASmallError) {
  const absl::StatusOr<WeightedChoice> choice = WeightedChoice::Of({51, 49});
  ASSERT_TRUE(choice.ok());
  CounterStream stream(StreamKey::For(1, "choice", "x"));
  std::vector<int64_t> counts(2);
  for (int i = 0; i < 300'000; ++i) ++counts[choice->Pick(stream)];
  EXPECT_GT(ChiSquareScore(counts, {0.5, 0.5}), 5);
}

TEST(HappensTest, AChanceOfNothingNeverHappensAndOfAllAlwaysDoes) {
  CounterStream stream(StreamKey::For(1, "happens", "x"));
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_FALSE(Happens(Ratio{0, 1}, stream));
    EXPECT_TRUE(Happens(Ratio{1, 1}, stream));
    EXPECT_TRUE(Happens(Ratio{INT64_MAX, INT64_MAX}, stream));
  }
  EXPECT_EQ(stream.position(), 3'000u);
}

TEST(HappensTest, AChanceOfTwoPerMilleHappensAboutThatOften) {
  CounterStream stream(StreamKey::For(1, "happens", "y"));
  int64_t count = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    if (Happens(Ratio::PerMille(2), stream)) ++count;
  }
  EXPECT_NEAR(static_cast<double>(count), 2'000, 140);  // 3.1 deviations.
}

}  // namespace
}  // namespace groupsim
