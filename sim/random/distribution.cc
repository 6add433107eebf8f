#include "sim/random/distribution.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "model/base/ratio.h"
#include "model/runtime/random.h"
#include "sim/random/fixed_point.h"
#include "sim/random/weighted_choice.h"

namespace groupsim {
namespace {

using Int128 = __int128;
using Uint128 = unsigned __int128;

template <class... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// Calls the one of several functions that takes the argument.
template <class... Functions>
struct Overload : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overload(Functions...) -> Overload<Functions...>;

int64_t DivideRounded(Uint128 dividend, Uint128 divisor) {
  return static_cast<int64_t>((dividend + divisor / 2) / divisor);
}

// `value` times `factor`, the factor in Q57 and not negative.
int64_t ScaleQ57(int64_t value, Q57 factor) {
  const Uint128 product =
      static_cast<Uint128>(value) * static_cast<uint64_t>(factor);
  constexpr Uint128 kHalf = static_cast<Uint128>(1) << 56;
  return static_cast<int64_t>(
      std::min((product + kHalf) >> 57, static_cast<Uint128>(INT64_MAX)));
}

// sigma * z of the binary logarithm as an exponent, kept in the range of Q57.
Q57 Exponent(int64_t sigma, Q56 z) {
  constexpr Int128 kLimit = INT64_MAX;
  const Int128 product = static_cast<Int128>(sigma) * z >> 55;
  return static_cast<Q57>(std::clamp(product, -kLimit, kLimit));
}

// The largest standard deviation of a binary logarithm that leaves a mean in
// the range of 64 bits, whatever the median: 2^(s^2 ln(2) / 2) < 2^63.
constexpr int64_t kMaxSigma = 14;

}  // namespace

struct Distribution::Mixture {
  Distribution often;
  Distribution seldom;
  Ratio chance;
};

absl::StatusOr<Distribution> Distribution::Constant(int64_t value) {
  if (value < 0) return Invalid("constant is ", value, "; must be at least 0");
  return Distribution(ConstantSampler{value}, value, /*draws=*/0);
}

absl::StatusOr<Distribution> Distribution::Uniform(const UniformLaw& law) {
  if (law.min < 0) {
    return Invalid("min of uniform is ", law.min, "; must be at least 0");
  }
  if (law.min > law.max) {
    return Invalid("min of uniform is ", law.min, ", above its max ", law.max);
  }
  const auto width = static_cast<uint64_t>(law.max - law.min);
  return Distribution(UniformSampler{law.min, width + 1},
                      law.min + static_cast<int64_t>((width + 1) / 2),
                      /*draws=*/1);
}

absl::StatusOr<Distribution> Distribution::Exponential(int64_t mean) {
  if (mean < 0) {
    return Invalid("mean of exponential is ", mean, "; must be at least 0");
  }
  if (mean > kMaxExponentialMean) {
    return Invalid("mean of exponential is ", mean, "; the limit is ",
                   kMaxExponentialMean);
  }
  return Distribution(ExponentialSampler{mean}, mean, /*draws=*/1);
}

absl::StatusOr<Distribution> Distribution::Lognormal(const LognormalLaw& law) {
  if (law.median < 1) {
    return Invalid("median of lognormal is ", law.median,
                   "; must be at least 1");
  }
  if (law.per_mille < 501 || law.per_mille > 999) {
    return Invalid("percentile of lognormal is ", law.per_mille,
                   " per mille; must lie above the median, from 501 to 999");
  }
  if (law.value < law.median) {
    return Invalid("the value of lognormal at ", law.per_mille,
                   " per mille is ", law.value, ", below its median ",
                   law.median);
  }
  const auto spread =
      static_cast<Int128>(Log2(static_cast<uint64_t>(law.value)) -
                          Log2(static_cast<uint64_t>(law.median)));
  // The part above the percentile, of 2^64.
  const auto above = static_cast<uint64_t>(
      (static_cast<Uint128>(1000 - law.per_mille) << 64) / 1000);
  const Q56 z = NormalUpperQuantile(above - 1);
  const Int128 sigma = (spread << 55) / z;
  // The mean is median * e^(sigma_e^2 / 2), sigma_e = sigma * ln(2).
  int64_t mean = INT64_MAX;
  if (sigma < static_cast<Int128>(kMaxSigma) * kOneQ56) {
    const Int128 square = sigma * sigma >> 56;  // Q56
    const Int128 exponent =
        square * static_cast<Int128>(kLn2Q64 >> 1) >> 63;  // Half of it, Q57.
    if (exponent < 63 * static_cast<Int128>(kOneQ57)) {
      mean = ScaleByPowerOfTwo(law.median, static_cast<Q57>(exponent));
    }
  }
  if (mean == INT64_MAX) {
    return Invalid("median ", law.median, " and ", law.value, " at ",
                   law.per_mille,
                   " per mille give a lognormal mean that exceeds ", INT64_MAX);
  }
  return Distribution(LognormalSampler{law.median, static_cast<int64_t>(sigma)},
                      mean,
                      /*draws=*/1);
}

absl::StatusOr<Distribution> Distribution::Bimodal(Distribution often,
                                                   Distribution seldom,
                                                   Ratio chance) {
  if (chance.denominator < 1 || chance.numerator < 0 ||
      chance.numerator > chance.denominator) {
    return Invalid("chance of bimodal is ", chance.numerator, "/",
                   chance.denominator, "; must lie between 0 and 1");
  }
  const int depth = 1 + std::max(often.depth_, seldom.depth_);
  if (depth > kMaxDepth) {
    return Invalid("bimodal distributions nested ", depth,
                   " deep; the limit is ", kMaxDepth);
  }
  const int draws = 1 + std::max(often.draws_, seldom.draws_);
  const auto seldom_share = static_cast<uint64_t>(chance.numerator);
  const auto often_share =
      static_cast<uint64_t>(chance.denominator - chance.numerator);
  const int64_t mean =
      DivideRounded(static_cast<Uint128>(often.mean_) * often_share +
                        static_cast<Uint128>(seldom.mean_) * seldom_share,
                    static_cast<uint64_t>(chance.denominator));
  auto mixture = std::make_shared<const Mixture>(
      Mixture{std::move(often), std::move(seldom), chance});
  return Distribution(MixtureSampler{std::move(mixture)}, mean, draws, depth);
}

absl::StatusOr<Distribution> Distribution::Empirical(
    const std::vector<WeightedValue>& values) {
  std::vector<int64_t> numbers;
  std::vector<int64_t> weights;
  numbers.reserve(values.size());
  weights.reserve(values.size());
  for (const WeightedValue& entry : values) {
    if (entry.value < 0) {
      return Invalid("value ", numbers.size() + 1, " of empirical is ",
                     entry.value, "; must be at least 0");
    }
    numbers.push_back(entry.value);
    weights.push_back(entry.weight);
  }
  absl::StatusOr<WeightedChoice> choice = WeightedChoice::Of(weights);
  if (!choice.ok()) {
    return Invalid("empirical: ", choice.status().message());
  }
  // The sum of weights fits 63 bits, so this one fits 126.
  Uint128 sum = 0;
  Uint128 total = 0;
  for (const WeightedValue& entry : values) {
    sum +=
        static_cast<Uint128>(entry.value) * static_cast<uint64_t>(entry.weight);
    total += static_cast<uint64_t>(entry.weight);
  }
  return Distribution(TableSampler{*std::move(choice),
                                   std::make_shared<const std::vector<int64_t>>(
                                       std::move(numbers))},
                      DivideRounded(sum, total), /*draws=*/1);
}

absl::StatusOr<Distribution> Distribution::Zipf(const ZipfLaw& law) {
  if (law.n < 1 || law.n > static_cast<int64_t>(WeightedChoice::kMaxChoices)) {
    return Invalid("n of zipf is ", law.n, "; must be from 1 to ",
                   WeightedChoice::kMaxChoices);
  }
  if (law.exponent_per_mille < 0 || law.exponent_per_mille > 10'000) {
    return Invalid("exponent of zipf is ", law.exponent_per_mille,
                   " per mille; must be from 0 to 10000");
  }
  const auto n = static_cast<uint64_t>(law.n);
  // The weight of rank 1: as large as leaves the sum in range.
  const int64_t first = int64_t{1} << (62 - std::bit_width(n));
  std::vector<int64_t> weights(n);
  Uint128 sum = 0;
  Uint128 total = 0;
  for (uint64_t rank = 1; rank <= n; ++rank) {
    const Int128 exponent =
        static_cast<Int128>(Log2(rank)) * law.exponent_per_mille / 1000;
    // Below 2^-64 of the first weight nothing is left of it.
    const int64_t weight =
        exponent > INT64_MAX
            ? 0
            : ScaleByPowerOfTwo(first, -static_cast<Q57>(exponent));
    weights[rank - 1] = weight;
    sum += static_cast<Uint128>(weight) * rank;
    total += static_cast<uint64_t>(weight);
  }
  absl::StatusOr<WeightedChoice> choice = WeightedChoice::Of(weights);
  if (!choice.ok()) return choice.status();
  return Distribution(RankSampler{*std::move(choice)},
                      DivideRounded(sum, total), /*draws=*/1);
}

int64_t Distribution::Sample(RandomStream& stream) const {
  return std::visit(
      Overload{
          [](const ConstantSampler& sampler) { return sampler.value; },
          [&stream](const UniformSampler& sampler) {
            // Rounding moves the chance of a value by less than 2^-64.
            const Uint128 product =
                static_cast<Uint128>(stream.Next()) * sampler.count;
            return sampler.min + static_cast<int64_t>(product >> 64);
          },
          [&stream](const ExponentialSampler& sampler) {
            return ScaleQ57(sampler.mean,
                            ExponentialUpperQuantile(stream.Next()));
          },
          [&stream](const LognormalSampler& sampler) {
            const Q56 z = NormalQuantile(stream.Next());
            return ScaleByPowerOfTwo(sampler.median,
                                     Exponent(sampler.sigma, z));
          },
          [&stream](const MixtureSampler& sampler) {
            return SampleMixture(*sampler.mixture, stream);
          },
          [&stream](const TableSampler& sampler) {
            return (*sampler.values)[sampler.choice.Pick(stream)];
          },
          [&stream](const RankSampler& sampler) {
            return static_cast<int64_t>(sampler.choice.Pick(stream)) + 1;
          },
      },
      sampler_);
}

int64_t Distribution::SampleMixture(const Mixture& mixture,
                                    RandomStream& stream) {
  const bool seldom = Happens(mixture.chance, stream);
  const Distribution& part = seldom ? mixture.seldom : mixture.often;
  const Distribution& other = seldom ? mixture.often : mixture.seldom;
  const int64_t sample = part.Sample(stream);
  // Every sample takes equally many draws, so that the next one of the stream
  // does not hang on which part this one came from.
  for (int spare = part.draws_; spare < other.draws_; ++spare) stream.Next();
  return sample;
}

}  // namespace groupsim
