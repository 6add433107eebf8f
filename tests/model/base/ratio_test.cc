#include "model/base/ratio.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace groupsim {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(RatioTest, ZeroUnlessSaid) { EXPECT_EQ(Ratio().Of(1'000), 0); }

TEST(RatioTest, RoundsDown) {
  constexpr Ratio kThird{1, 3};
  static_assert(kThird.Of(9) == 3);
  EXPECT_EQ(kThird.Of(10), 3);
  EXPECT_EQ(kThird.Of(11), 3);
  EXPECT_EQ(kThird.Of(0), 0);
}

TEST(RatioTest, MayExceedOne) { EXPECT_EQ((Ratio{5, 2}.Of(7)), 17); }

TEST(RatioTest, PerMilleIsOfAThousand) {
  EXPECT_EQ(Ratio::PerMille(250).Of(4'000), 1'000);
}

TEST(RatioTest, IsExactWhereTheProductLeaves64Bits) {
  EXPECT_EQ((Ratio{kMax, kMax}.Of(kMax)), kMax);
  EXPECT_EQ((Ratio{999, 1'000}.Of(kMax)), 9'214'148'664'817'921'031);
}

TEST(RatioDeathTest, AResultBeyond64BitsIsABug) {
  EXPECT_EXIT((Ratio{2, 1}.Of(kMax)), ::testing::ExitedWithCode(70),
              "ratio overflow");
}

}  // namespace
}  // namespace groupsim
