#include "sim/random/fixed_point.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "sim/random/stream.h"

namespace groupsim {
namespace {

constexpr long double kTwo56 = 0x1p56L;
constexpr long double kTwo57 = 0x1p57L;
constexpr long double kTwo64 = 0x1p64L;

// Numbers of all magnitudes, and those around the powers of two.
std::vector<uint64_t> Samples() {
  std::vector<uint64_t> samples;
  CounterStream stream(StreamKey::For(1, "fixed point", "samples"));
  for (int shift = 0; shift < 64; ++shift) {
    const uint64_t power = uint64_t{1} << shift;
    samples.push_back(power);
    samples.push_back(power + 1);
    if (power > 1) samples.push_back(power - 1);
    for (int i = 0; i < 300; ++i) {
      const uint64_t sample = stream.Next() >> shift;
      if (sample > 0) samples.push_back(sample);
    }
  }
  samples.push_back(UINT64_MAX);
  samples.push_back(UINT64_MAX - 1);
  return samples;
}

TEST(FixedPointTest, LogarithmsOfPowersOfTwoAreExact) {
  for (uint64_t place = 0; place < 64; ++place) {
    EXPECT_EQ(Log2(uint64_t{1} << place), place << 57);
  }
}

TEST(FixedPointTest, LogarithmsAreRightToTheirLastBits) {
  for (const uint64_t x : Samples()) {
    const long double exact = std::log2(static_cast<long double>(x));
    EXPECT_NEAR(
        static_cast<double>(static_cast<long double>(Log2(x)) / kTwo57 - exact),
        0, 0x1p-56)
        << x;
  }
}

TEST(FixedPointTest, TheLogarithmOfTheLargestNumberIsSixtyFour) {
  EXPECT_EQ(Log2(UINT64_MAX), uint64_t{64} << 57);
}

TEST(FixedPointTest, PowersOfTwoScaleExactly) {
  EXPECT_EQ(ScaleByPowerOfTwo(1, 0), 1);
  EXPECT_EQ(ScaleByPowerOfTwo(INT64_MAX, 0), INT64_MAX);
  EXPECT_EQ(ScaleByPowerOfTwo(3, 10 * kOneQ57), 3072);
  EXPECT_EQ(ScaleByPowerOfTwo(1, 62 * kOneQ57), int64_t{1} << 62);
  EXPECT_EQ(ScaleByPowerOfTwo(1024, -10 * kOneQ57), 1);
}

TEST(FixedPointTest, ScalingRoundsToTheNearest) {
  EXPECT_EQ(ScaleByPowerOfTwo(5, -2 * kOneQ57), 1);  // 1.25
  EXPECT_EQ(ScaleByPowerOfTwo(7, -2 * kOneQ57), 2);  // 1.75
  EXPECT_EQ(ScaleByPowerOfTwo(3, -1 * kOneQ57), 2);  // 1.5
  EXPECT_EQ(ScaleByPowerOfTwo(1, -2 * kOneQ57), 0);
  EXPECT_EQ(ScaleByPowerOfTwo(INT64_MAX, INT64_MIN), 0);  // 2^-1
}

TEST(FixedPointTest, WhatDoesNotFitBecomesTheLargestNumber) {
  EXPECT_EQ(ScaleByPowerOfTwo(2, 62 * kOneQ57), INT64_MAX);
  EXPECT_EQ(ScaleByPowerOfTwo(1, 63 * kOneQ57), INT64_MAX);
  EXPECT_EQ(ScaleByPowerOfTwo(1, INT64_MAX), INT64_MAX);
  EXPECT_EQ(ScaleByPowerOfTwo(INT64_MAX, INT64_MAX), INT64_MAX);
  EXPECT_EQ(ScaleByPowerOfTwo(0, INT64_MAX), 0);
}

TEST(FixedPointTest, ScalingHasSmallRelativeErrors) {
  CounterStream stream(StreamKey::For(1, "fixed point", "scale"));
  for (int i = 0; i < 20'000; ++i) {
    const auto exponent = static_cast<Q57>(stream.Next());
    const auto value = static_cast<int64_t>(stream.Next() >> 1);
    const long double exact = std::ldexp(
        std::exp2(static_cast<long double>(exponent & (kOneQ57 - 1)) / kTwo57) *
            static_cast<long double>(value),
        static_cast<int>(exponent >> 57));
    const int64_t scaled = ScaleByPowerOfTwo(value, exponent);
    if (exact >= 0x1p63L) {
      EXPECT_EQ(scaled, INT64_MAX);
    } else {
      EXPECT_LE(std::abs(static_cast<long double>(scaled) - exact),
                0.5L + exact * 0x1p-52L)
          << value << " " << exponent;
    }
  }
}

// Probabilities of 10^-6 and 1 - 10^-6 and many between, as draws.
std::vector<uint64_t> Probabilities() {
  std::vector<uint64_t> draws;
  for (int i = 0; i <= 2000; ++i) {
    const long double t = std::pow(10.0L, -6 + 5.69L * i / 2000);  // To 0.49.
    draws.push_back(static_cast<uint64_t>(t * kTwo64));
    draws.push_back(UINT64_MAX - static_cast<uint64_t>(t * kTwo64));
  }
  return draws;
}

TEST(FixedPointTest, ExponentialQuantilesAreRightToOnePartInABillion) {
  for (const uint64_t draw : Probabilities()) {
    const long double exact =
        -std::log1p(static_cast<long double>(draw) / kTwo64 - 1 + 1 / kTwo64);
    const long double quantile =
        static_cast<long double>(ExponentialUpperQuantile(draw)) / kTwo57;
    EXPECT_LE(std::abs(quantile / exact - 1), 1e-9L) << draw;
  }
}

TEST(FixedPointTest, ExponentialQuantilesHaveTheirEnds) {
  EXPECT_EQ(ExponentialUpperQuantile(UINT64_MAX), 0);
  EXPECT_GE(ExponentialUpperQuantile(UINT64_MAX - 1), 0);
  EXPECT_NEAR(static_cast<double>(ExponentialUpperQuantile(0)) / 0x1p57,
              64 * std::log(2.0), 1e-12);
}

// The error of z is the error of its probability over the density.
double NormalError(Q56 z56, long double probability) {
  const long double z = static_cast<long double>(z56) / kTwo56;
  const long double above = std::erfc(z / std::sqrt(2.0L)) / 2;
  const long double density =
      std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0L));
  return static_cast<double>((above - probability) / density);
}

TEST(FixedPointTest, NormalQuantilesAreRightToSevenPlaces) {
  for (uint64_t draw : Probabilities()) {
    if (draw >> 63 != 0) draw = ~draw;
    EXPECT_NEAR(NormalError(NormalUpperQuantile(draw),
                            (static_cast<long double>(draw) + 1) / kTwo64),
                0, 1e-7)
        << draw;
  }
}

TEST(FixedPointTest, NormalQuantilesHoldFarOutToo) {
  for (int place = 0; place < 63; ++place) {
    for (int sixteenth = 0; sixteenth < 16; ++sixteenth) {
      const uint64_t below = place < 4
                                 ? (uint64_t{1} << place) - 1
                                 : (uint64_t{16} + sixteenth) << (place - 4);
      EXPECT_NEAR(NormalError(NormalUpperQuantile(below),
                              (static_cast<long double>(below) + 1) / kTwo64),
                  0, 1e-7)
          << below;
    }
  }
}

TEST(FixedPointTest, NormalQuantilesAreSymmetricAndGrowWithTheDraw) {
  EXPECT_EQ(NormalQuantile(uint64_t{1} << 63), 0);
  EXPECT_EQ(NormalQuantile((uint64_t{1} << 63) - 1), 0);
  Q56 last = NormalQuantile(0);
  EXPECT_NEAR(static_cast<double>(last) / 0x1p56, -9.0799, 0.001);
  for (uint64_t i = 1; i < 100'000; ++i) {
    const uint64_t draw = i * (UINT64_MAX / 100'000);
    const Q56 z = NormalQuantile(draw);
    EXPECT_GT(z, last);
    EXPECT_EQ(NormalQuantile(~draw), -z);
    last = z;
  }
}

}  // namespace
}  // namespace groupsim
