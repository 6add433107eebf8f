#include "sim/network/link_rules.h"

#include <utility>

#include "gtest/gtest.h"
#include "model/base/ratio.h"
#include "sim/random/distribution.h"

namespace groupsim {
namespace {

LinkRules::Rule CutRule(LinkScope scope, bool cut) {
  LinkRules::Rule rule;
  rule.scope = std::move(scope);
  rule.cut = cut;
  return rule;
}
LinkRules::Rule LossRule(LinkScope scope, int64_t per_mille) {
  LinkRules::Rule rule;
  rule.scope = std::move(scope);
  rule.loss = Ratio::PerMille(per_mille);
  return rule;
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
  LinkRules::Rule rule;
  rule.scope = scope;
  rule.latency = Distribution::Constant(7).value();
  rules.Add(rule);
  EXPECT_EQ(rules.size(), 3u);
  const LinkState state = rules.StateOf(0, 1);
  EXPECT_TRUE(state.cut);
  EXPECT_EQ(state.loss.numerator, 5);
  ASSERT_NE(state.latency, nullptr);
  EXPECT_EQ(state.latency->Mean(), 7);
}

TEST(LinkRulesTest, ARuleForTheSameDirectionsReplacesTheOneBefore) {
  LinkRules rules;
  const LinkRules::Id cut = rules.Add(CutRule({{0}, {1}}, true));
  EXPECT_NE(rules.Find(cut), nullptr);
  for (int i = 0; i < 100; ++i) {
    rules.Add(CutRule({{0}, {1}}, i % 2 == 0));
    rules.Add(LossRule({{0}, {1}}, i));
  }
  EXPECT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules.Find(cut), nullptr);
  EXPECT_FALSE(rules.StateOf(0, 1).cut);
  EXPECT_EQ(rules.Cuts().size(), 1u);
}

}  // namespace
}  // namespace groupsim
