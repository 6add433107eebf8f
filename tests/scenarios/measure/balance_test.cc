#include "scenarios/measure/balance.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "scenarios/measure/changing_loads.h"

namespace groupsim {
namespace {

using Loads = std::vector<int64_t>;

TEST(BalanceTest, AWorkedExample) {
  const Loads loads = {40, 20, 20, 20};
  const Fairness fairness = Fairness::Of(loads);
  EXPECT_NEAR(fairness.Jain(), 0.8929, 0.00005);
  EXPECT_DOUBLE_EQ(*fairness.MaxOverMean(), 1.6);
  EXPECT_EQ(fairness.max - fairness.min, 20);
  EXPECT_EQ(fairness.idle, 0);
  EXPECT_DOUBLE_EQ(Gini(loads), 0.15);
  EXPECT_EQ(BalanceScore(loads), 60);
  EXPECT_NEAR(*fairness.VariationCoefficient(), 0.34641, 0.000005);
}

TEST(BalanceTest, EqualLoadsAreFair) {
  const Loads loads = {7, 7, 7};
  EXPECT_DOUBLE_EQ(Fairness::Of(loads).Jain(), 1.0);
  EXPECT_DOUBLE_EQ(*Fairness::Of(loads).MaxOverMean(), 1.0);
  EXPECT_DOUBLE_EQ(*Fairness::Of(loads).VariationCoefficient(), 0.0);
  EXPECT_DOUBLE_EQ(Gini(loads), 0.0);
}

TEST(BalanceTest, OneWhoHasAllIsAsUnfairAsItGets) {
  const Loads loads = {0, 9, 0, 0};
  EXPECT_DOUBLE_EQ(Fairness::Of(loads).Jain(), 0.25);
  EXPECT_DOUBLE_EQ(*Fairness::Of(loads).MaxOverMean(), 4.0);
  EXPECT_EQ(Fairness::Of(loads).idle, 3);
  EXPECT_DOUBLE_EQ(Gini(loads), 0.75);  // 1 - 1/n.
}

TEST(BalanceTest, TwoOfFiveWhoShareAllGiveTwoFifths) {
  EXPECT_DOUBLE_EQ(Fairness::Of(Loads{6, 0, 6, 0, 0}).Jain(), 0.4);
}

// Lags, unlike queues, may be large.
TEST(BalanceTest, LargeLoadsAreNoLessFair) {
  constexpr int64_t kLarge = 1'000'000'000'000;
  const Loads loads = {2 * kLarge, kLarge, kLarge, kLarge};
  EXPECT_NEAR(Fairness::Of(loads).Jain(), 25.0 / 28, 1e-12);
  EXPECT_NEAR(*Fairness::Of(loads).VariationCoefficient(), 0.34641, 0.000005);
  const Loads equal = {100'000 * kLarge, 100'000 * kLarge};
  EXPECT_NEAR(Fairness::Of(equal).Jain(), 1.0, 1e-12);
  EXPECT_NEAR(FairnessOf({.queues = 200'000 * kLarge, .consumers = 2}).Jain(),
              1.0, 1e-12);
}

TEST(BalanceTest, NothingIsSharedFairly) {
  for (const Loads& loads : {Loads{}, Loads{0, 0}}) {
    EXPECT_DOUBLE_EQ(Fairness::Of(loads).Jain(), 1.0);
    EXPECT_EQ(Fairness::Of(loads).MaxOverMean(), std::nullopt);
    EXPECT_EQ(Fairness::Of(loads).VariationCoefficient(), std::nullopt);
    EXPECT_DOUBLE_EQ(Gini(loads), 0.0);
    EXPECT_EQ(BalanceScore(loads), 0);
  }
}

TEST(BalanceTest, MeasuresAgreeWithTheirDefinitions) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    Loads loads;
    uint32_t state = seed;
    for (uint32_t i = 0; i <= seed % 9; ++i) {
      state = state * 1664525 + 1013904223;
      loads.push_back(state >> 28);
    }
    int64_t pairs = 0;
    int64_t sum = 0;
    for (const int64_t x : loads) {
      sum += x;
      for (const int64_t y : loads) pairs += std::abs(x - y);
    }
    EXPECT_EQ(BalanceScore(loads), pairs / 2);
    const auto n = static_cast<double>(loads.size());
    if (sum > 0) {
      const double mean = static_cast<double>(sum) / n;
      EXPECT_NEAR(Gini(loads), static_cast<double>(pairs) / (2 * n * n * mean),
                  1e-12);
      const double cv = *Fairness::Of(loads).VariationCoefficient();
      EXPECT_NEAR(Fairness::Of(loads).Jain(), 1 / (1 + cv * cv), 1e-12);
    }
  }
}

TEST(BalanceTest, ALeaversQueuesMustMove) {
  EXPECT_EQ(NecessaryMoves(Loads{2, 2}, {.queues = 6, .assigned = 6}), 2);
}

TEST(BalanceTest, AJoinerGetsNoMoreThanItsQuota) {
  // 6, 6, 0 of 12: four each.
  EXPECT_EQ(NecessaryMoves(Loads{6, 6, 0}, {.queues = 12, .assigned = 12}), 4);
  // 7, 6, 0 of 13: one may keep five.
  EXPECT_EQ(NecessaryMoves(Loads{7, 6, 0}, {.queues = 13, .assigned = 13}), 4);
  // 4, 4, 3, 0 of 11: three may keep one more than two.
  EXPECT_EQ(NecessaryMoves(Loads{4, 4, 3, 0}, {.queues = 11, .assigned = 11}),
            2);
}

TEST(BalanceTest, NothingHasToMoveInAnEvenGroup) {
  EXPECT_EQ(NecessaryMoves(Loads{3, 2, 3}, {.queues = 8, .assigned = 8}), 0);
  EXPECT_EQ(NecessaryMoves(Loads{1, 0}, {.queues = 1, .assigned = 1}), 0);
  EXPECT_EQ(NecessaryMoves(Loads{}, {.queues = 8, .assigned = 8}), 0);
}

TEST(BalanceTest, QueuesWithoutOwnersDoNotMove) {
  EXPECT_EQ(NecessaryMoves(Loads{2, 0}, {.queues = 8, .assigned = 2}), 0);
}

TEST(BalanceTest, AnEvenSpreadIsThatOfQuotas) {
  EXPECT_EQ(FairnessOf({.queues = 8, .consumers = 3}),
            Fairness::Of(Loads{3, 3, 2}));
  EXPECT_EQ(FairnessOf({.queues = 2, .consumers = 5}),
            Fairness::Of(Loads{1, 1, 0, 0, 0}));
  EXPECT_EQ(FairnessOf({.queues = 6, .consumers = 3}),
            Fairness::Of(Loads{2, 2, 2}));
  EXPECT_EQ(FairnessOf({.queues = 5, .consumers = 0}), Fairness());
}

// A random walk, counted anew after each step.
TEST(ChangingLoadsTest, AgreeWithCountingAnew) {
  Loads loads;
  ChangingLoads changing;
  uint32_t state = 1;
  for (int i = 0; i < 2'000; ++i) {
    state = state * 1664525 + 1013904223;
    const int64_t load = (state >> 24) % 7;
    const size_t which = loads.empty() ? 0 : (state >> 8) % loads.size();
    switch (loads.size() < 2 ? 0 : (state >> 16) % 4) {
      case 0:
        loads.push_back(load);
        changing.AddMember(load);
        break;
      case 1:
        changing.RemoveMember(loads[which]);
        loads.erase(loads.begin() + static_cast<int64_t>(which));
        break;
      default:
        changing.Change(loads[which], load);
        loads[which] = load;
        break;
    }
    ASSERT_EQ(changing.fairness(), Fairness::Of(loads)) << "step " << i;
    ASSERT_EQ(changing.balance_score(), BalanceScore(loads)) << "step " << i;
    ASSERT_DOUBLE_EQ(changing.gini(), Gini(loads)) << "step " << i;
  }
}

}  // namespace
}  // namespace groupsim
