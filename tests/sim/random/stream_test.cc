#include "sim/random/stream.h"

#include <bit>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/runtime/random.h"
#include "sim/random/philox.h"
#include "tests/sim/random/fit.h"

namespace groupsim {
namespace {

TEST(PhiloxTest, GivesThePublishedAnswers) {
  EXPECT_EQ(Philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(Philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

std::vector<uint64_t> Draw(CounterStream stream, int count) {
  std::vector<uint64_t> draws;
  for (int i = 0; i < count; ++i) draws.push_back(stream.Next());
  return draws;
}

TEST(StreamKeyTest, SeedEntityAndPurposeEachMatter) {
  const StreamKey key = StreamKey::For(7, "pod-0", "service");
  EXPECT_EQ(key, StreamKey::For(7, "pod-0", "service"));
  EXPECT_NE(key, StreamKey::For(8, "pod-0", "service"));
  EXPECT_NE(key, StreamKey::For(7 + (uint64_t{1} << 56), "pod-0", "service"));
  EXPECT_NE(key, StreamKey::For(7, "pod-1", "service"));
  EXPECT_NE(key, StreamKey::For(7, "pod-0", "arrivals"));
  EXPECT_NE(key, StreamKey::For(7, "service", "pod-0"));
}

TEST(StreamKeyTest, TheBorderBetweenEntityAndPurposeMatters) {
  EXPECT_NE(StreamKey::For(1, "a", "bc"), StreamKey::For(1, "ab", "c"));
  EXPECT_NE(StreamKey::For(1, "", "abc"), StreamKey::For(1, "abc", ""));
  EXPECT_NE(StreamKey::For(1, "a", ""), StreamKey::For(1, "", "a"));
}

// Were the frame of the purpose's length part of the entity's text, this pair
// would give one key.
TEST(StreamKeyTest, ATextThatImitatesTheFrameIsNotTheFrame) {
  const std::string frame("\x01\0\0\0\0\0\0\0", 8);
  EXPECT_NE(StreamKey::For(1, "a" + frame, "b"),
            StreamKey::For(1, "a", frame + "b"));
  EXPECT_NE(StreamKey::For(1, std::string(1, '\0'), ""),
            StreamKey::For(1, "", std::string(1, '\0')));
}

TEST(StreamKeyTest, TwoHundredThousandNamesGiveAsManyKeys) {
  std::set<std::pair<uint64_t, uint64_t>> keys;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (int entity = 0; entity < 100; ++entity) {
      for (int purpose = 0; purpose < 100; ++purpose) {
        const StreamKey key = StreamKey::For(seed, std::to_string(entity),
                                             std::to_string(purpose));
        keys.emplace(key.low, key.high);
      }
    }
  }
  EXPECT_EQ(keys.size(), 200'000u);
}

TEST(CounterStreamTest, ADrawDependsOnKeyAndPositionOnly) {
  const StreamKey a = StreamKey::For(1, "a", "x");
  const StreamKey b = StreamKey::For(1, "b", "x");
  const std::vector<uint64_t> alone = Draw(CounterStream(a), 101);

  CounterStream first(a);
  CounterStream second(b);
  for (int i = 0; i < 101; ++i) {
    EXPECT_EQ(first.Next(), alone[i]);
    for (int k = 0; k < i % 3; ++k) second.Next();
  }
  EXPECT_EQ(first.position(), 101u);
}

TEST(CounterStreamTest, DrawsAreTheHalvesOfNumberedBlocks) {
  CounterStream stream(StreamKey{.low = 0, .high = 0});
  EXPECT_EQ(stream.Next(), 0xe169c58d6627e8d5u);
  EXPECT_EQ(stream.Next(), 0x9b00dbd8bc57ac4cu);
  const PhiloxCounter block = Philox4x32({1, 0, 0, 0}, {0, 0});
  EXPECT_EQ(stream.Next(), (uint64_t{block[1]} << 32) | block[0]);

  CounterStream keyed(
      StreamKey{.low = 0x299f31d0a4093822, .high = 0x0370734413198a2e});
  const PhiloxCounter first =
      Philox4x32({0, 0, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0});
  EXPECT_EQ(keyed.Next(), (uint64_t{first[1]} << 32) | first[0]);
}

TEST(CounterStreamTest, ACopyGoesOnAsTheOriginalDoes) {
  CounterStream original(StreamKey::For(1, "a", "x"));
  for (int i = 0; i < 5; ++i) original.Next();  // Stands between two halves.
  CounterStream copy = original;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(copy.Next(), original.Next());
}

TEST(SeededSourceTest, APurposeAlwaysGivesItsOwnStreamFromTheBeginning) {
  SeededSource source(3, "pod-2");
  const std::unique_ptr<RandomStream> once = source.Stream("jitter");
  const std::unique_ptr<RandomStream> other = source.Stream("service");
  other->Next();
  CounterStream expected(StreamKey::For(3, "pod-2", "jitter"));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(once->Next(), expected.Next());
  const std::unique_ptr<RandomStream> again = source.Stream("jitter");
  EXPECT_EQ(again->Next(),
            CounterStream(StreamKey::For(3, "pod-2", "jitter")).Next());
}

TEST(CounterStreamTest, EveryByteOfADrawIsUniform) {
  CounterStream stream(StreamKey::For(1, "bytes", "chi-square"));
  std::vector<std::vector<int64_t>> counts(8, std::vector<int64_t>(256));
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t draw = stream.Next();
    for (int byte = 0; byte < 8; ++byte) {
      ++counts[byte][(draw >> (8 * byte)) & 0xFF];
    }
  }
  const std::vector<double> even(256, 1.0 / 256);
  for (const std::vector<int64_t>& byte : counts) {
    EXPECT_LT(ChiSquareScore(byte, even), 3.5);
    EXPECT_GT(ChiSquareScore(byte, even), -3.5);
  }
}

// Streams whose names, seeds or positions are neighbours must look as if they
// had nothing to do with each other: of 64 bits 32 differ, give or take chance.
double MeanDifferingBits(const std::vector<uint64_t>& a,
                         const std::vector<uint64_t>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::popcount(a[i] ^ b[i]);
  return sum / static_cast<double>(a.size());
}

TEST(CounterStreamTest, NeighbouringStreamsAreIndependent) {
  constexpr int kDraws = 100'000;  // Standard error of the mean: 0.0126.
  const std::vector<uint64_t> base =
      Draw(CounterStream(StreamKey::For(1, "pod-1", "x")), kDraws);
  const StreamKey neighbours[] = {
      StreamKey::For(2, "pod-1", "x"), StreamKey::For(1, "pod-2", "x"),
      StreamKey::For(1, "pod-1", "y"), StreamKey::For(1, "pod-1", "")};
  for (const StreamKey& key : neighbours) {
    const std::vector<uint64_t> other = Draw(CounterStream(key), kDraws);
    EXPECT_NEAR(MeanDifferingBits(base, other), 32, 0.05);
  }
  const std::vector<uint64_t> shifted(base.begin() + 1, base.end());
  EXPECT_NEAR(MeanDifferingBits(shifted, base), 32, 0.05);
}

TEST(CounterStreamTest, TheFirstDrawsOfManyStreamsAreUniform) {
  std::vector<int64_t> counts(256);
  std::vector<int64_t> pairs(256);
  for (int i = 0; i < 100'000; ++i) {
    CounterStream stream(StreamKey::For(1, std::to_string(i), "x"));
    const uint64_t first = stream.Next();
    const uint64_t second = stream.Next();
    ++counts[first >> 56];
    ++pairs[((first >> 60) << 4) | (second >> 60)];
  }
  const std::vector<double> even(256, 1.0 / 256);
  EXPECT_LT(ChiSquareScore(counts, even), 3.1);
  EXPECT_LT(ChiSquareScore(pairs, even), 3.1);
}

TEST(RandomStreamTest, BelowAndBetweenStayInRangeAndAreUniform) {
  CounterStream stream(StreamKey::For(1, "below", "x"));
  std::vector<int64_t> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts[stream.Below(7)];
  EXPECT_LT(ChiSquareScore(counts, std::vector<double>(7, 1.0 / 7)), 3.1);
  std::vector<int64_t> nanos(5);
  for (int i = 0; i < 50'000; ++i) {
    const Duration d = stream.Between(Duration::Nanos(-2), Duration::Nanos(2));
    ++nanos.at(static_cast<size_t>(d.nanos() + 2));
  }
  EXPECT_LT(ChiSquareScore(nanos, std::vector<double>(5, 0.2)), 3.1);
  EXPECT_EQ(stream.Below(1), 0u);
}

}  // namespace
}  // namespace groupsim
