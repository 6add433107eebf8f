// Distributions of whole, non-negative numbers: nanoseconds, bytes, ranks.
//
//   absl::StatusOr<Distribution> service = Distribution::Lognormal(
//       {.median = 4'000'000, .per_mille = 990, .value = 60'000'000});
//   const int64_t nanos = service->Sample(stream);
//
// Sampling is arithmetic on integers: the same draws give the same samples with
// every compiler. Quantiles are right to one part in 10^6 before the rounding
// to a whole number.
#ifndef GROUPSIM_SIM_RANDOM_DISTRIBUTION_H_
#define GROUPSIM_SIM_RANDOM_DISTRIBUTION_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "model/base/ratio.h"
#include "model/runtime/random.h"
#include "sim/random/weighted_choice.h"

namespace groupsim {

// A value; a copy is cheap (tables are shared). The default one is always 0.
//
// The functions that make one return InvalidArgument, with the reason in words,
// for parameters that make no sense or leave the range of 64 bits.
class Distribution {
 public:
  Distribution() = default;

  // Always `value`, which is not negative.
  static absl::StatusOr<Distribution> Constant(int64_t value);

  // Each whole number from min to max with equal chance; 0 <= min <= max.
  struct UniformLaw {
    int64_t min = 0;
    int64_t max = 0;
  };
  static absl::StatusOr<Distribution> Uniform(const UniformLaw& law);

  // The time to the next of events that come at random, `mean` apart; from 0
  // (then all samples are 0) to kMaxExponentialMean, so that the largest
  // sample, 44.4 times the mean, fits.
  static constexpr int64_t kMaxExponentialMean = INT64_MAX / 45;
  static absl::StatusOr<Distribution> Exponential(int64_t mean);

  // A variable whose logarithm is normal. Half of all samples are below
  // `median`, per_mille / 1000 of them below `value`.
  // 1 <= median <= value, 501 <= per_mille <= 999; the mean must fit 64 bits.
  // Samples that do not fit become INT64_MAX.
  struct LognormalLaw {
    int64_t median = 0;
    int64_t per_mille = 990;
    int64_t value = 0;
  };
  static absl::StatusOr<Distribution> Lognormal(const LognormalLaw& law);

  // A sample of `often`, or, in `chance` of all cases, of `seldom`. The chance
  // is at most 1; mixtures may be nested kMaxDepth deep.
  static constexpr int kMaxDepth = 8;
  static absl::StatusOr<Distribution> Bimodal(Distribution often,
                                              Distribution seldom,
                                              Ratio chance);

  // One of the values, by weight. No value is negative; weights as those of
  // WeightedChoice.
  struct WeightedValue {
    int64_t value = 0;
    int64_t weight = 1;
  };
  static absl::StatusOr<Distribution> Empirical(
      const std::vector<WeightedValue>& values);

  // A rank k from 1 to n with a chance proportional to k^-s, s being
  // exponent_per_mille / 1000. n from 1 to WeightedChoice::kMaxChoices, s from
  // 0 (all ranks equal) to 10.
  struct ZipfLaw {
    int64_t n = 1;
    int64_t exponent_per_mille = 1'000;
  };
  static absl::StatusOr<Distribution> Zipf(const ZipfLaw& law);

  // A sample, from 0 to INT64_MAX. Takes exactly draws() numbers of the stream.
  int64_t Sample(RandomStream& stream) const;

  // How many numbers each sample takes: none for a constant, one for all others
  // but a mixture, which takes one more than the needier of its parts.
  int draws() const { return draws_; }

  // The expected value, rounded to a whole number.
  int64_t Mean() const { return mean_; }

 private:
  struct ConstantSampler {
    int64_t value;
  };
  struct UniformSampler {
    int64_t min;
    uint64_t count;  // At most 2^63.
  };
  struct ExponentialSampler {
    int64_t mean;
  };
  struct LognormalSampler {
    int64_t median;
    int64_t sigma;  // Of the binary logarithm, Q56.
  };
  struct Mixture;
  struct MixtureSampler {
    std::shared_ptr<const Mixture> mixture;
  };
  struct TableSampler {
    WeightedChoice choice;
    std::shared_ptr<const std::vector<int64_t>> values;
  };
  struct RankSampler {
    WeightedChoice choice;
  };
  using Sampler =
      std::variant<ConstantSampler, UniformSampler, ExponentialSampler,
                   LognormalSampler, MixtureSampler, TableSampler, RankSampler>;

  Distribution(Sampler sampler, int64_t mean, int draws, int depth = 0)
      : sampler_(std::move(sampler)),
        mean_(mean),
        draws_(draws),
        depth_(depth) {}

  static int64_t SampleMixture(const Mixture& mixture, RandomStream& stream);

  Sampler sampler_ = ConstantSampler{0};
  int64_t mean_ = 0;
  int draws_ = 0;
  int depth_ = 0;  // Of mixtures within mixtures.
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_RANDOM_DISTRIBUTION_H_
