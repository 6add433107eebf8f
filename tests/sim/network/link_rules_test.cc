#include "sim/network/link_rules.h"

#include <cstdint>
#include <utility>

#include "gtest/gtest.h"
#include "model/base/ratio.h"
#include "sim/random/distribution.h"

namespace groupsim {
namespace {

LinkRules::Rule CutRule(LinkScope scope, bool cut) {
  return {std::move(scope), LinkCut{cut}};
}
LinkRules::Rule LossRule(LinkScope scope, int64_t per_mille) {
  return {std::move(scope), Ratio::PerMille(per_mille)};
}

TEST(LinkScopeTest, NoHostIsItsOwnPeer) {
  const LinkScope scope{{1, 2, 3}, {2, 4}};
  EXPECT_TRUE(scope.Contains(1, 2));
  EXPECT_FALSE(scope.Contains(2, 2));
  EXPECT_TRUE(scope.Contains(2, 4));
  EXPECT_FALSE(scope.Contains(4, 2));
  EXPECT_EQ(scope.size(), 5);
  EXPECT_EQ((LinkScope{{1}, {1}}.size()), 0);
}

TEST(LinkRulesTest, WithoutRulesNothingIsDisturbed) {
  const LinkRules rules;
  EXPECT_FALSE(rules.StateOf(0, 1).cut);
  EXPECT_EQ(rules.StateOf(0, 1).loss.numerator, 0);
  EXPECT_EQ(rules.StateOf(0, 1).latency, nullptr);
}

TEST(LinkRulesTest, TheLastRuleHoldsUntilItIsTakenBack) {
  LinkRules rules;
  rules.Add(LossRule({{0, 1}, {2}}, 10));
  const LinkRules::Id second = rules.Add(LossRule({{0}, {2}}, 20));
  EXPECT_EQ(rules.StateOf(0, 2).loss.numerator, 20);
  EXPECT_EQ(rules.StateOf(1, 2).loss.numerator, 10);
  rules.Remove(second);
  EXPECT_EQ(rules.StateOf(0, 2).loss.numerator, 10);
}

TEST(LinkRulesTest, PropertiesDoNotMeet) {
  LinkRules rules;
  const LinkScope scope{{0}, {1}};
  rules.Add(CutRule(scope, true));
  rules.Add(LossRule(scope, 5));
  rules.Add({scope, Distribution::Constant(7).value()});
  EXPECT_EQ(rules.size(), 3u);
  const LinkState state = rules.StateOf(0, 1);
  EXPECT_TRUE(state.cut);
  EXPECT_EQ(state.loss.numerator, 5);
  ASSERT_NE(state.latency, nullptr);
  EXPECT_EQ(state.latency->Mean(), 7);
}

TEST(LinkRulesTest, EachOfSeveralForTheSameDirectionsLivesToItsOwnEnd) {
  LinkRules rules;
  const LinkScope scope{{0}, {1}};
  const LinkRules::Id first = rules.Add(LossRule(scope, 10));
  const LinkRules::Id second = rules.Add(LossRule(scope, 20));
  const LinkRules::Id third = rules.Add(LossRule(scope, 30));
  rules.Remove(second);
  EXPECT_EQ(rules.StateOf(0, 1).loss.numerator, 30);
  rules.Remove(third);
  EXPECT_EQ(rules.StateOf(0, 1).loss.numerator, 10);
  rules.Remove(first);
  EXPECT_EQ(rules.StateOf(0, 1).loss.numerator, 0);
  EXPECT_TRUE(rules.empty());
}

TEST(LinkRulesTest, ARuleForGoodReplacesThoseForTheSameDirections) {
  LinkRules rules;
  const LinkRules::Id cut = rules.Add(CutRule({{0}, {1}}, true));
  EXPECT_NE(rules.Find(cut), nullptr);
  for (int i = 0; i < 100; ++i) {
    rules.Replace(CutRule({{0}, {1}}, i % 2 == 0));
    rules.Replace(LossRule({{0}, {1}}, i));
  }
  EXPECT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules.Find(cut), nullptr);
  EXPECT_FALSE(rules.StateOf(0, 1).cut);
  EXPECT_EQ(rules.Cuts().size(), 1u);
}

TEST(LinkStateTest, EqualSharesOfLossAreEqualAndLatenciesAreByTheirRule) {
  LinkRules rules;
  const LinkState before = rules.StateOf(0, 1);
  rules.Add(LossRule({{0}, {1}}, 0));
  EXPECT_TRUE(before == rules.StateOf(0, 1));
  rules.Add(LossRule({{0}, {1}}, 500));
  const LinkState half = rules.StateOf(0, 1);
  EXPECT_FALSE(before == half);
  rules.Add({{{0}, {1}}, Ratio{1, 2}});
  EXPECT_TRUE(half == rules.StateOf(0, 1));
  rules.Add({{{0}, {1}}, Distribution()});
  EXPECT_FALSE(half == rules.StateOf(0, 1));
}

}  // namespace
}  // namespace groupsim
