#include "scenarios/workload/rate_profile.h"

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
}

std::optional<Duration> RateProfile::Walk::Reach(__int128 units, Duration end) {
  while (start_ < end) {
    const Piece& piece = profile_->At(piece_);
    const int64_t length = piece.length.nanos();
    const __int128 all =
        static_cast<__int128>(piece.from + piece.to) * piece.length.nanos();
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
