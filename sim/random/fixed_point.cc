#include "sim/random/fixed_point.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "model/base/check.h"

namespace groupsim {
namespace {

using Int128 = __int128;
using Uint128 = unsigned __int128;

// log2(e) in units of 2^-62.
constexpr int64_t kLog2OfEQ62 = 0x5C551D94AE0BF85E;

// ---- Binary logarithm ----
//
// With m in [1, 2) the leading digits of x, log2(x) is the place of the leading
// bit plus log2(m). Seven bits of m choose a short reciprocal c near 1 / m, so
// that m * c = 1 + r with |r| < 2^-7, and log2(m) = -log2(c) + log2(1 + r): a
// table and a few terms of the series of the logarithm.

constexpr int kLogBits = 7;
constexpr int kReciprocalBits = 16;

struct LogEntry {
  uint32_t reciprocal;  // c, in units of 2^-16.
  int64_t minus_log2;   // -log2(c), Q62.
};

// log2(x / 2^62) in Q62 for x in [2^62, 2^63): one digit per squaring.
constexpr int64_t Log2ByDigits(uint64_t x) {
  int64_t result = 0;
  for (int64_t bit = int64_t{1} << 61; bit > 0; bit >>= 1) {
    const Uint128 square = static_cast<Uint128>(x) * x;  // Q124, in [1, 4).
    if (square >> 125 != 0) {
      result += bit;
      x = static_cast<uint64_t>(square >> 63);
    } else {
      x = static_cast<uint64_t>(square >> 62);
    }
  }
  return result;
}

constexpr std::array<LogEntry, 1 << kLogBits> MakeLogTable() {
  std::array<LogEntry, 1 << kLogBits> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    // The reciprocal of the middle of the segment, 1 + (2 i + 1) / 2^8.
    const uint32_t middle = (1u << (kLogBits + 1)) + 2 * i + 1;
    const uint32_t c =
        ((1u << (kReciprocalBits + kLogBits + 2)) / middle + 1) / 2;
    table[i].reciprocal = c;
    // c is in (1/2, 1): log2(c) = log2(2 c) - 1.
    table[i].minus_log2 =
        (int64_t{1} << 62) -
        Log2ByDigits(static_cast<uint64_t>(c) << (63 - kReciprocalBits));
  }
  return table;
}

constexpr std::array<LogEntry, 1 << kLogBits> kLogTable = MakeLogTable();

constexpr int64_t MultiplyQ62(int64_t a, int64_t b) {
  return static_cast<int64_t>((static_cast<Int128>(a) * b) >> 62);
}

constexpr int64_t OneOver(int64_t n) { return (int64_t{1} << 62) / n; }

// ---- Power of two ----
//
// 2^f for f in [0, 1): six bits of f choose an entry of the table, the rest
// goes through the exponential series.

constexpr int kPowerBits = 6;

constexpr uint64_t SquareRoot(Uint128 x) {
  uint64_t root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const uint64_t trial = root | (uint64_t{1} << bit);
    if (static_cast<Uint128>(trial) * trial <= x) root = trial;
  }
  return root;
}

// Entry i is 2^(i / 64) in Q62.
constexpr std::array<uint64_t, 1 << kPowerBits> MakePowerTable() {
  std::array<uint64_t, 1 << kPowerBits> table{};
  table[0] = uint64_t{1} << 62;
  uint64_t root = uint64_t{1} << 63;  // 2, then its roots.
  for (size_t step = table.size() / 2; step > 0; step /= 2) {
    root = SquareRoot(static_cast<Uint128>(root) << 62);
    table[step] = root;
    for (size_t i = 2 * step; i < table.size(); i += 2 * step) {
      table[i + step] =
          static_cast<uint64_t>((static_cast<Uint128>(table[i]) * root) >> 62);
    }
  }
  return table;
}

constexpr std::array<uint64_t, 1 << kPowerBits> kPowerTable = MakePowerTable();

// 2^f in Q62 for f in [0, 1), given in Q57.
uint64_t PowerOfTwoFraction(Q57 f) {
  const auto index = static_cast<size_t>(f >> (57 - kPowerBits));
  const int64_t rest = f & ((int64_t{1} << (57 - kPowerBits)) - 1);
  // x = rest * ln(2) in Q62, below 0.011.
  const auto x = static_cast<int64_t>((static_cast<Uint128>(rest) * kLn2Q64) >>
                                      (64 + 57 - 62));
  int64_t sum = OneOver(720);
  sum = OneOver(120) + MultiplyQ62(sum, x);
  sum = OneOver(24) + MultiplyQ62(sum, x);
  sum = OneOver(6) + MultiplyQ62(sum, x);
  sum = OneOver(2) + MultiplyQ62(sum, x);
  sum = OneOver(1) + MultiplyQ62(sum, x);
  const int64_t growth = MultiplyQ62(sum, x);  // e^x - 1
  const uint64_t base = kPowerTable[index];
  return base +
         static_cast<uint64_t>((static_cast<Uint128>(base) * growth) >> 62);
}

// ---- Normal quantile ----

constexpr int kNormalOctaves = 6;
constexpr int kNormalBits = 5;  // Segments per octave: 2^5.

struct Cubic {
  int64_t c0;  // In units of 2^-40.
  int64_t c1;
  int64_t c2;
  int64_t c3;
};

constexpr Cubic kNormalTable[] = {
#include "sim/random/normal_quantile_table.inc"
};
static_assert(std::size(kNormalTable) == kNormalOctaves << kNormalBits);

constexpr int64_t kToQ56 = int64_t{1} << 16;

constexpr int64_t MultiplyQ57(int64_t a, Q57 b) {
  return static_cast<int64_t>((static_cast<Int128>(a) * b) >> 57);
}

}  // namespace

uint64_t Log2(uint64_t x) {
  CHECK(x >= 1);
  const int place = 63 - std::countl_zero(x);
  const uint64_t mantissa = x << (63 - place);  // Q63, in [1, 2).
  const LogEntry& entry =
      kLogTable[(mantissa >> (63 - kLogBits)) & ((1u << kLogBits) - 1)];
  const Uint128 product = static_cast<Uint128>(mantissa) * entry.reciprocal;
  const Int128 one = static_cast<Int128>(1) << (63 + kReciprocalBits);
  const auto r = static_cast<int64_t>((static_cast<Int128>(product) - one) >>
                                      (63 + kReciprocalBits - 62));
  int64_t sum = OneOver(7);
  sum = MultiplyQ62(sum, r) - OneOver(6);
  sum = MultiplyQ62(sum, r) + OneOver(5);
  sum = MultiplyQ62(sum, r) - OneOver(4);
  sum = MultiplyQ62(sum, r) + OneOver(3);
  sum = MultiplyQ62(sum, r) - OneOver(2);
  sum = MultiplyQ62(sum, r) + OneOver(1);
  const int64_t natural = MultiplyQ62(sum, r);  // ln(1 + r)
  const int64_t fraction = entry.minus_log2 + MultiplyQ62(natural, kLog2OfEQ62);
  constexpr int64_t kHalf = int64_t{1} << 4;
  return (static_cast<uint64_t>(place) << 57) +
         static_cast<uint64_t>((fraction + kHalf) >> 5);
}

int64_t ScaleByPowerOfTwo(int64_t value, Q57 exponent) {
  CHECK(value >= 0);
  if (value == 0) return 0;
  const auto whole = static_cast<int>(exponent >> 57);  // Rounded down.
  const Q57 fraction = exponent - static_cast<Q57>(whole) * kOneQ57;
  // Below 2^126.
  const Uint128 product =
      static_cast<Uint128>(value) * PowerOfTwoFraction(fraction);
  const int shift = 62 - whole;
  if (shift < 0) return INT64_MAX;
  const Uint128 half = shift == 0 ? 0 : static_cast<Uint128>(1) << (shift - 1);
  const Uint128 rounded = (product + half) >> shift;
  return static_cast<int64_t>(
      std::min(rounded, static_cast<Uint128>(INT64_MAX)));
}

Q57 ExponentialUpperQuantile(uint64_t below) {
  if (below == UINT64_MAX) return 0;
  const uint64_t bits = (uint64_t{64} << 57) - Log2(below + 1);
  return static_cast<Q57>((static_cast<Uint128>(bits) * kLn2Q64) >> 64);
}

Q56 NormalUpperQuantile(uint64_t below) {
  CHECK(below < uint64_t{1} << 63);
  // The probability is 2^-v; the table ends just below v = 64.
  const uint64_t v =
      (uint64_t{64} << 57) - std::max(uint64_t{1}, Log2(below + 1));
  const int octave = 63 - std::countl_zero(v) - 57;
  const uint64_t place = v - (uint64_t{1} << (57 + octave));
  const uint64_t segment = place >> (57 + octave - kNormalBits);
  const uint64_t rest = place - (segment << (57 + octave - kNormalBits));
  // The place within the segment, from 0 to 1.
  static_assert(kNormalOctaves - 1 <= kNormalBits);
  const auto x = static_cast<Q57>(rest << (kNormalBits - octave));
  const Cubic& cubic = kNormalTable[(octave << kNormalBits) + segment];
  int64_t z = cubic.c3 * kToQ56;
  z = cubic.c2 * kToQ56 + MultiplyQ57(z, x);
  z = cubic.c1 * kToQ56 + MultiplyQ57(z, x);
  return cubic.c0 * kToQ56 + MultiplyQ57(z, x);
}

Q56 NormalQuantile(uint64_t draw) {
  return draw >> 63 != 0 ? NormalUpperQuantile(~draw)
                         : -NormalUpperQuantile(draw);
}

}  // namespace groupsim
