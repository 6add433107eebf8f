#include "scenarios/reader/rate_profile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/check.h"
#include "model/base/time.h"

namespace groupsim {
namespace {

// Units that come in the first `nanos` of a piece, times its length in
// nanoseconds. Stays below 2^126.
__int128 UnitsTimesLength(const RateProfile::Piece& piece, int64_t nanos) {
  const __int128 x = nanos;
  return 2 * x * piece.from * piece.length.nanos() +
         x * x * (piece.to - piece.from);
}

// Units of a whole piece.
__int128 UnitsOf(const RateProfile::Piece& piece) {
  return static_cast<__int128>(piece.from + piece.to) * piece.length.nanos();
}

void Append(const std::vector<RateProfile::Piece>& from,
            std::vector<RateProfile::Piece>& to) {
  for (const RateProfile::Piece& piece : from) {
    CHECK(piece.length >= Duration::Zero() && piece.from >= 0 && piece.to >= 0);
    if (piece.length > Duration::Zero()) to.push_back(piece);
  }
}

}  // namespace

RateProfile::RateProfile(const std::vector<Piece>& once,
                         const std::vector<Piece>& again) {
  Append(once, once_);
  Append(again, again_);
  CHECK(!again_.empty());
  once_sums_ = SumsOf(once_);
  again_sums_ = SumsOf(again_);
  for (const std::vector<Piece>* pieces : {&once_, &again_}) {
    for (const Piece& piece : *pieces) {
      highest_ = std::max({highest_, piece.from, piece.to});
    }
  }
}

std::vector<RateProfile::Sum> RateProfile::SumsOf(
    const std::vector<Piece>& pieces) {
  std::vector<Sum> sums(1);
  for (const Piece& piece : pieces) {
    sums.push_back({.time = sums.back().time + piece.length,
                    .units = sums.back().units + UnitsOf(piece)});
  }
  return sums;
}

__int128 RateProfile::Within(const std::vector<Piece>& pieces,
                             const std::vector<Sum>& sums, Duration time) {
  const auto next = std::upper_bound(
      sums.begin(), sums.end(), time,
      [](Duration value, const Sum& sum) { return value < sum.time; });
  const Sum& before = *(next - 1);
  if (next == sums.end()) return before.units;
  const Piece& piece = pieces[static_cast<size_t>(next - sums.begin()) - 1];
  const int64_t length = piece.length.nanos();
  const __int128 part = UnitsTimesLength(piece, (time - before.time).nanos());
  return before.units + (part + length - 1) / length;
}

__int128 RateProfile::UnitsBefore(Duration time) const {
  CHECK(time >= Duration::Zero());
  const Sum& once = once_sums_.back();
  if (time <= once.time) return Within(once_, once_sums_, time);
  const Sum& round = again_sums_.back();
  const int64_t rest = (time - once.time).nanos();
  return once.units + rest / round.time.nanos() * round.units +
         Within(again_, again_sums_,
                Duration::Nanos(rest % round.time.nanos()));
}

std::optional<Duration> RateProfile::Walk::Reach(__int128 units, Duration end) {
  while (start_ < end) {
    const Piece& piece = profile_->At(piece_);
    const int64_t length = piece.length.nanos();
    const __int128 all = UnitsOf(piece);
    if (before_ + all <= units) {
      before_ += all;
      start_ += piece.length;
      ++piece_;
      continue;
    }
    // The last x with no more than the units that are left; `high` has more.
    const __int128 left = (units - before_) * length;
    int64_t low = 0;
    int64_t high = length;
    while (high - low > 1) {
      const int64_t middle = low + (high - low) / 2;
      (UnitsTimesLength(piece, middle) <= left ? low : high) = middle;
    }
    const Duration reached = start_ + Duration::Nanos(low);
    if (reached >= end) return std::nullopt;
    return reached;
  }
  return std::nullopt;
}

}  // namespace groupsim
