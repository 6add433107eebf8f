// Logarithms, powers and normal quantiles in whole numbers: what the sampling
// of distributions needs, the same on every machine, compiler and level of
// optimisation.
//
// Numbers with a fraction are signed 64-bit counts of a unit 2^-N, N in the
// name of the type: Q57 counts units of 2^-57 and reaches from -64 up to just
// below 64.
#ifndef GROUPSIM_SIM_RANDOM_FIXED_POINT_H_
#define GROUPSIM_SIM_RANDOM_FIXED_POINT_H_

#include <cstdint>

namespace groupsim {

using Q57 = int64_t;
using Q56 = int64_t;

inline constexpr Q57 kOneQ57 = Q57{1} << 57;
inline constexpr Q56 kOneQ56 = Q56{1} << 56;

// ln(2) in units of 2^-64.
inline constexpr uint64_t kLn2Q64 = 0xB17217F7D1CF79AB;

// The binary logarithm of x >= 1 in units of 2^-57, from 0 to 64 with both
// ends; off by less than 2^-56.
uint64_t Log2(uint64_t x);

// value * 2^exponent to the nearest whole number, INT64_MAX where that is more;
// value >= 0. The relative error before rounding is below 2^-52.
int64_t ScaleByPowerOfTwo(int64_t value, Q57 exponent);

// -ln((below + 1) / 2^64): what an exponential variable of mean 1 exceeds with
// that probability. From 0 to 44.4.
Q57 ExponentialUpperQuantile(uint64_t below);

// What a standard normal variable exceeds with probability
// (below + 1) / 2^64; below < 2^63. From 0 up to 9.08, off by less than 1e-7.
Q56 NormalUpperQuantile(uint64_t below);

// The standard normal quantile at the place of `draw` among all 64-bit numbers:
// grows with the draw, symmetric about the middle.
Q56 NormalQuantile(uint64_t draw);

}  // namespace groupsim

#endif  // GROUPSIM_SIM_RANDOM_FIXED_POINT_H_
