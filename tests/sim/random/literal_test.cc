// Values written down once. Every compiler and every level of optimisation has
// to give exactly these; a change of them changes what every scenario does.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "model/base/ratio.h"
#include "sim/random/distribution.h"
#include "sim/random/stream.h"
#include "sim/random/weighted_choice.h"

namespace groupsim {
namespace {

// The first six samples, and the hash of a hundred thousand (FNV-1a over their
// words).
struct Literal {
  std::vector<int64_t> first;
  uint64_t hash;
};

void ExpectLiteral(const absl::StatusOr<Distribution>& distribution,
                   const Literal& literal) {
  ASSERT_TRUE(distribution.ok()) << distribution.status();
  CounterStream stream(StreamKey::For(1, "literal", "sample"));
  std::vector<int64_t> first;
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < 100'000; ++i) {
    const int64_t sample = distribution->Sample(stream);
    if (first.size() < literal.first.size()) first.push_back(sample);
    hash = (hash ^ static_cast<uint64_t>(sample)) * 1099511628211u;
  }
  EXPECT_EQ(first, literal.first);
  EXPECT_EQ(hash, literal.hash);
}

Distribution Valid(absl::StatusOr<Distribution> distribution) {
  EXPECT_TRUE(distribution.ok()) << distribution.status();
  return *std::move(distribution);
}

TEST(LiteralTest, Keys) {
  const StreamKey key = StreamKey::For(1, "literal", "sample");
  EXPECT_EQ(key.low, 5636538975612240762u);
  EXPECT_EQ(key.high, 18096380884976678997u);
  const StreamKey empty = StreamKey::For(0, "", "");
  EXPECT_EQ(empty.low, 8376124999220038186u);
  EXPECT_EQ(empty.high, 1217199490736923424u);
  // Longer than what the hash takes in one go.
  const StreamKey longest =
      StreamKey::For(UINT64_MAX, std::string(300, 'e'), "приход");
  EXPECT_EQ(longest.low, 16310909910918197825u);
  EXPECT_EQ(longest.high, 11040905138480471129u);
}

TEST(LiteralTest, Draws) {
  CounterStream stream(StreamKey::For(1, "literal", "sample"));
  const std::vector<uint64_t> expected = {
      4759023528137550972u, 1121121619458701935u, 16500578777372887221u,
      13855862329901722823u};
  std::vector<uint64_t> draws;
  for (int i = 0; i < 4; ++i) draws.push_back(stream.Next());
  EXPECT_EQ(draws, expected);
}

TEST(LiteralTest, Uniform) {
  ExpectLiteral(Distribution::Uniform({.min = 200, .max = 1'800}),
                {{613, 297, 1632, 1402, 218, 426}, 8557007929087907580u});
}

TEST(LiteralTest, Exponential) {
  ExpectLiteral(Distribution::Exponential(500'000),
                {{677423, 1400279, 55746, 143090, 2229637, 977934},
                 12463785964158346998u});
}

TEST(LiteralTest, Lognormal) {
  ExpectLiteral(
      Distribution::Lognormal(
          {.median = 4'000'000, .per_mille = 990, .value = 60'000'000}),
      {{1877896, 659656, 17155780, 8807374, 284384, 1145948},
       1087397800789085102u});
}

TEST(LiteralTest, LognormalOfLargeNumbers) {
  ExpectLiteral(Distribution::Lognormal({.median = 1'000'000'000'000'000,
                                         .per_mille = 999,
                                         .value = 30'000'000'000'000'000}),
                {{489227446748086, 181937323363634, 3961716582823267,
                  2109125547185162, 82115688405245, 306687554409577},
                 802638839121777967u});
}

TEST(LiteralTest, Bimodal) {
  ExpectLiteral(
      Distribution::Bimodal(
          Valid(Distribution::Exponential(1'000'000)),
          Valid(Distribution::Uniform({.min = 5'000'000, .max = 9'000'000})),
          Ratio::PerMille(300)),
      {{5243104, 286179, 5565766, 8532381, 447036, 429171},
       751807339473028308u});
}

TEST(LiteralTest, Empirical) {
  ExpectLiteral(Distribution::Empirical({{.value = 3, .weight = 10},
                                         {.value = 14, .weight = 7},
                                         {.value = 15, .weight = 1},
                                         {.value = 92, .weight = 2}}),
                {{14, 3, 14, 92, 3, 3}, 1682809771721980405u});
}

TEST(LiteralTest, Zipf) {
  ExpectLiteral(Distribution::Zipf({.n = 5'000, .exponent_per_mille = 990}),
                {{1, 303, 109, 31, 57, 708}, 484369457662073359u});
}

TEST(LiteralTest, Means) {
  EXPECT_EQ(
      Valid(Distribution::Lognormal(
                {.median = 4'000'000, .per_mille = 990, .value = 60'000'000}))
          .Mean(),
      7876102);
  EXPECT_EQ(
      Valid(Distribution::Zipf({.n = 5'000, .exponent_per_mille = 990})).Mean(),
      569);
}

TEST(LiteralTest, Chances) {
  CounterStream stream(StreamKey::For(1, "literal", "sample"));
  std::string happened;
  for (int i = 0; i < 40; ++i) {
    happened.push_back(Happens(Ratio::PerMille(300), stream) ? '1' : '0');
  }
  EXPECT_EQ(happened, "1100111000001100100000000100000000001010");
}

}  // namespace
}  // namespace groupsim
