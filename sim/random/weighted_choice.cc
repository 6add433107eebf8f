#include "sim/random/weighted_choice.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "model/base/check.h"
#include "model/base/ratio.h"
#include "model/runtime/random.h"

namespace groupsim {
namespace {

using Uint128 = unsigned __int128;

absl::StatusOr<uint64_t> Sum(absl::Span<const int64_t> weights) {
  int64_t sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "weight ", i + 1, " is ", weights[i], "; weights are not negative"));
    }
    if (__builtin_add_overflow(sum, weights[i], &sum)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the sum of the weights exceeds ", INT64_MAX));
    }
  }
  if (sum == 0) {
    return absl::InvalidArgumentError(
        "all weights are zero; at least one must be positive");
  }
  return static_cast<uint64_t>(sum);
}

}  // namespace

absl::StatusOr<WeightedChoice> WeightedChoice::Of(
    absl::Span<const int64_t> weights) {
  if (weights.empty()) return absl::InvalidArgumentError("no weights");
  if (weights.size() > kMaxChoices) {
    return absl::InvalidArgumentError(
        absl::StrCat(weights.size(), " weights; the limit is ", kMaxChoices));
  }
  const absl::StatusOr<uint64_t> sum = Sum(weights);
  if (!sum.ok()) return sum.status();

  // In units in which a column holds `sum`, so that all is exact.
  const size_t columns = weights.size();
  std::vector<Uint128> mass(columns);
  std::vector<uint32_t> poor;  // Numbers that do not fill a column.
  std::vector<uint32_t> rich;
  for (uint32_t i = 0; i < columns; ++i) {
    mass[i] = static_cast<Uint128>(weights[i]) * columns;
    (mass[i] < *sum ? poor : rich).push_back(i);
  }
  std::vector<Column> table(columns);
  while (!poor.empty()) {
    const uint32_t receiver = poor.back();
    poor.pop_back();
    CHECK(!rich.empty()) << "what one column lacks another one has";
    const uint32_t giver = rich.back();
    table[receiver].limit =
        static_cast<uint64_t>((mass[receiver] << 64) / *sum);
    table[receiver].other = giver;
    mass[giver] -= *sum - mass[receiver];
    if (mass[giver] < *sum) {
      rich.pop_back();
      poor.push_back(giver);
    }
  }
  for (const uint32_t i : rich) {
    table[i].limit = UINT64_MAX;
    table[i].other = i;
  }
  return WeightedChoice(
      std::make_shared<const std::vector<Column>>(std::move(table)));
}

WeightedChoice::WeightedChoice(std::shared_ptr<const std::vector<Column>> table)
    : table_(std::move(table)) {}

size_t WeightedChoice::Pick(RandomStream& stream) const {
  const Uint128 product = static_cast<Uint128>(stream.Next()) * table_->size();
  const auto index = static_cast<size_t>(product >> 64);
  const Column& column = (*table_)[index];
  return static_cast<uint64_t>(product) < column.limit ? index : column.other;
}

bool Happens(Ratio chance, RandomStream& stream) {
  CHECK(chance.numerator >= 0 && chance.denominator >= 1 &&
        chance.numerator <= chance.denominator)
      << chance.numerator << "/" << chance.denominator;
  const Uint128 product = static_cast<Uint128>(stream.Next()) *
                          static_cast<uint64_t>(chance.denominator);
  return static_cast<uint64_t>(product >> 64) <
         static_cast<uint64_t>(chance.numerator);
}

}  // namespace groupsim
