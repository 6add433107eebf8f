#include "scenarios/reader/distributions.h"

#include <utility>
#include <vector>

#include "model/base/check.h"
#include "model/base/ratio.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

absl::StatusOr<Distribution> MakeUniform(const schema::Uniform& law,
                                         FieldRule::Kind kind) {
  const absl::StatusOr<int64_t> min = ParseAmount(law.min(), kind);
  if (!min.ok()) return min.status();
  const absl::StatusOr<int64_t> max = ParseAmount(law.max(), kind);
  if (!max.ok()) return max.status();
  return Distribution::Uniform({.min = *min, .max = *max});
}

absl::StatusOr<Distribution> MakeLognormal(const schema::Lognormal& law,
                                           FieldRule::Kind kind) {
  const absl::StatusOr<int64_t> median = ParseAmount(law.median(), kind);
  if (!median.ok()) return median.status();
  std::string text;
  int64_t per_mille = 0;
  switch (law.percentile_case()) {
    case schema::Lognormal::kP90:
      text = law.p90();
      per_mille = 900;
      break;
    case schema::Lognormal::kP99:
      text = law.p99();
      per_mille = 990;
      break;
    case schema::Lognormal::kP999:
      text = law.p999();
      per_mille = 999;
      break;
    case schema::Lognormal::PERCENTILE_NOT_SET:
      return absl::InvalidArgumentError("needs one of p90, p99, p999");
  }
  const absl::StatusOr<int64_t> value = ParseAmount(text, kind);
  if (!value.ok()) return value.status();
  return Distribution::Lognormal(
      {.median = *median, .per_mille = per_mille, .value = *value});
}

absl::StatusOr<Distribution> MakeBimodal(const schema::Bimodal& law,
                                         FieldRule::Kind kind) {
  absl::StatusOr<Distribution> often = MakeDistribution(law.often(), kind);
  if (!often.ok()) return often;
  absl::StatusOr<Distribution> seldom = MakeDistribution(law.seldom(), kind);
  if (!seldom.ok()) return seldom;
  return Distribution::Bimodal(*std::move(often), *std::move(seldom),
                               Ratio::PerMille(law.seldom_per_mille()));
}

absl::StatusOr<Distribution> MakeEmpirical(const schema::Empirical& law,
                                           FieldRule::Kind kind) {
  std::vector<Distribution::WeightedValue> values;
  values.reserve(law.value_size());
  for (const schema::WeightedValue& weighted : law.value()) {
    const absl::StatusOr<int64_t> value = ParseAmount(weighted.value(), kind);
    if (!value.ok()) return value.status();
    values.push_back({.value = *value,
                      .weight = weighted.has_weight() ? weighted.weight() : 1});
  }
  return Distribution::Empirical(values);
}

}  // namespace

absl::StatusOr<int64_t> ParseAmount(absl::string_view text,
                                    FieldRule::Kind kind) {
  if (kind == FieldRule::SIZE) return ParseSize(text);
  CHECK(kind == FieldRule::DURATION) << "no distribution of kind " << kind;
  const absl::StatusOr<Duration> duration = ParseDuration(text);
  if (!duration.ok()) return duration.status();
  return duration->nanos();
}

absl::StatusOr<Distribution> MakeDistribution(const schema::Distribution& law,
                                              FieldRule::Kind kind) {
  switch (law.law_case()) {
    case schema::Distribution::kConstant: {
      const absl::StatusOr<int64_t> value = ParseAmount(law.constant(), kind);
      if (!value.ok()) return value.status();
      return Distribution::Constant(*value);
    }
    case schema::Distribution::kUniform:
      return MakeUniform(law.uniform(), kind);
    case schema::Distribution::kExponential: {
      const absl::StatusOr<int64_t> mean =
          ParseAmount(law.exponential().mean(), kind);
      if (!mean.ok()) return mean.status();
      return Distribution::Exponential(*mean);
    }
    case schema::Distribution::kLognormal:
      return MakeLognormal(law.lognormal(), kind);
    case schema::Distribution::kBimodal:
      return MakeBimodal(law.bimodal(), kind);
    case schema::Distribution::kEmpirical:
      return MakeEmpirical(law.empirical(), kind);
    case schema::Distribution::LAW_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("needs a law");
}

}  // namespace groupsim
