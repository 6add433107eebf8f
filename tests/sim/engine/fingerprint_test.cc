#include "sim/engine/fingerprint.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <set>

namespace groupsim {
namespace {

struct Item {
  uint64_t a;
  uint64_t b;
  uint64_t c;
};

uint64_t Of(std::initializer_list<uint64_t> items) {
  Fingerprint fingerprint;
  for (const uint64_t item : items) fingerprint.Fold(item);
  return fingerprint.value();
}

TEST(FingerprintTest, DependsOnEveryItemTheOrderAndTheNumber) {
  EXPECT_EQ(Of({1, 2, 3}), Of({1, 2, 3}));
  EXPECT_NE(Of({1, 2, 3}), Of({1, 3, 2}));
  EXPECT_NE(Of({1, 2, 3}), Of({2, 1, 3}));
  EXPECT_NE(Of({1, 2, 3}), Of({1, 2}));
  EXPECT_NE(Of({1, 2, 3}), Of({1, 2, 3, 3}));
  EXPECT_NE(Of({0}), Of({}));
  EXPECT_NE(Of({0, 0}), Of({0}));
}

TEST(FingerprintTest, AnySingleBitChangesIt) {
  std::set<uint64_t> seen;
  for (int word = 0; word < 3; ++word) {
    for (int bit = 0; bit < 64; ++bit) {
      Item item{1, 2, 3};
      (word == 0 ? item.a : word == 1 ? item.b : item.c) ^= uint64_t{1} << bit;
      Fingerprint fingerprint;
      fingerprint.Fold(item);
      fingerprint.Fold(uint64_t{7});
      EXPECT_TRUE(seen.insert(fingerprint.value()).second);
    }
  }
}

// Computed apart, from libxxhash and the definition of the chain.
TEST(FingerprintTest, HoldsTheSameValuesOnEveryCompiler) {
  EXPECT_EQ(Of({}), 15610338416011052929u);
  EXPECT_EQ(Of({1, 2, 3}), 4675204430128638757u);
  Fingerprint fingerprint;
  fingerprint.Fold(Item{1, 2, 3});
  fingerprint.FoldText("a name");
  fingerprint.FoldText("");
  EXPECT_EQ(fingerprint.value(), 14768624266284780491u);
  EXPECT_EQ(Fingerprint::HashOf("TopicTest"), 11698810519175920104u);
  EXPECT_EQ(Fingerprint::HashOf(""), 0x2D06800538D394C2u);
}

TEST(FingerprintTest, LookingAtItDoesNotChangeIt) {
  Fingerprint fingerprint;
  fingerprint.Fold(uint64_t{1});
  const uint64_t value = fingerprint.value();
  EXPECT_EQ(fingerprint.value(), value);
  Fingerprint other = fingerprint;
  other.Fold(uint64_t{2});
  EXPECT_EQ(fingerprint.value(), value);
  EXPECT_NE(other, fingerprint);
}

}  // namespace
}  // namespace groupsim
