// A fraction of whole numbers, for chances and speed factors.
#ifndef GROUPSIM_MODEL_BASE_RATIO_H_
#define GROUPSIM_MODEL_BASE_RATIO_H_

#include <cstdint>

#include "model/base/check.h"

namespace groupsim {

// numerator / denominator. The denominator is at least 1 and the numerator not
// negative.
struct Ratio {
  int64_t numerator = 0;
  int64_t denominator = 1;

  static constexpr Ratio PerMille(int64_t n) { return Ratio{n, 1'000}; }

  // `value` times the ratio, rounded down; a product beyond 64 bits is a bug.
  constexpr int64_t Of(int64_t value) const {
    const __int128 product = static_cast<__int128>(value) * numerator;
    const __int128 result = product / denominator;
    CHECK(result <= INT64_MAX && result >= INT64_MIN) << "ratio overflow";
    return static_cast<int64_t>(result);
  }
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BASE_RATIO_H_
