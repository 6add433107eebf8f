// Expressions of subscriptions.
#include "scenarios/reader/expressions.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ExpressionsTest, TagsStandBetweenDoubledBars) {
  EXPECT_THAT(TagsOf("*"), IsEmpty());
  EXPECT_THAT(TagsOf(""), IsEmpty());
  EXPECT_THAT(TagsOf("red"), ElementsAre("red"));
  EXPECT_THAT(TagsOf(" red||blue ||  red"), ElementsAre("blue", "red"));
  for (const char* fine : {"*", "", "red", "red || blue", " red||blue ",
                           "a-b_c%d", "order", "in", "a|b"}) {
    EXPECT_FALSE(MistakeIn(fine).has_value()) << fine;
  }
}

TEST(ExpressionsTest, MistakesAreToldWithARemedy) {
  const std::vector<std::pair<std::string, std::string>> kMistakes = {
      {"a > 3", "SQL92"},
      {"region = 'eu'", "SQL92"},
      {"a IS NOT NULL", "SQL92"},
      {"TAGS in red", "SQL92"},
      {"red and blue", "SQL92"},
      {"red ||", "has an empty tag"},
      {"|| red", "has an empty tag"},
      {" ", "has an empty tag"},
      {"red || || blue", "has an empty tag"},
      {"red || *", "names a tag \"*\""},
      {" * ", "names a tag \"*\""},
      {"red | blue", "tags are separated by \"||\""},
      {"red,blue", "tags are separated by \"||\""},
      {"red blue", "tags are separated by \"||\""},
      {"red && blue", "tags are separated by \"||\""},
      {"r\u00f6t", "a name has letters"},
  };
  for (const auto& [expression, what] : kMistakes) {
    const std::optional<ExpressionMistake> mistake = MistakeIn(expression);
    ASSERT_TRUE(mistake.has_value()) << expression;
    EXPECT_THAT(mistake->message, HasSubstr(what)) << expression;
    EXPECT_FALSE(mistake->remedy.empty()) << expression;
  }
  EXPECT_EQ(MistakeIn("red, blue|green")->remedy, "\"red || blue || green\"");
}

// "path: message" of each finding, and what it points at.
std::vector<std::string> Errors(const std::string& text) {
  std::vector<std::string> lines;
  const Reading reading =
      ReadScenario({.name = "s", .text = text}, ScenarioForm::kText);
  for (const Finding& finding : reading.findings.all()) {
    const std::string at =
        finding.span.has_value()
            ? text.substr(finding.span->begin,
                          finding.span->end - finding.span->begin)
            : "";
    lines.push_back(
        absl::StrCat(finding.path, ": ", finding.message, " at ", at));
  }
  return lines;
}

TEST(ExpressionsTest, TheyAreLookedAtWhereverTheyStand) {
  const std::string topics = "topic { name: 't' } topic { name: 'u' }\n";
  EXPECT_THAT(Errors(topics + "group { name: 'g' subscribe { topic: 't' "
                              "expression: 'a || b' }\n consumer { name: 'c' "
                              "subscribe { topic: 't' expression: 'a' } } }"),
              IsEmpty());
  EXPECT_THAT(
      Errors(topics + "group { name: 'g' consumer { name: 'c' }\n"
                      "subscribe { topic: 't' expression: 'a ||' } }"),
      ElementsAre("group[0].subscribe[0].expression: expression \"a ||\" has "
                  "an empty tag at 'a ||'"));
  EXPECT_THAT(
      Errors(topics + "group { name: 'g' subscribe { topic: 't' } consumer { "
                      "name: 'c'\nsubscribe { topic: 't' expression: 'a=1' } "
                      "} }"),
      ElementsAre(HasSubstr("group[0].consumer[0].subscribe[0].expression: "
                            "expression \"a=1\" is about properties")));
  EXPECT_THAT(
      Errors(topics + "group { name: 'g' subscribe { topic: 't' } consumer { "
                      "name: 'c' } } at { time: '1s' change_subscription { "
                      "consumer: 'c' subscribe { topic: 't' expression: "
                      "'a | b' } } }"),
      ElementsAre(HasSubstr("at[0].change_subscription.subscribe[0]."
                            "expression: expression \"a | b\" names")));
}

TEST(ExpressionsTest, ConsumersSubscribeToTopicsOfTheirGroup) {
  const auto group = [](const std::string& more, const std::string& consumer) {
    return Errors(
        "topic { name: 't' } topic { name: 'u' } topic { name: 'v' }"
        "group { name: 'g' subscribe { topic: 't' } subscribe { "
        "topic: 'u' } " +
        more + " consumer { name: 'c' " + consumer + " } }");
  };
  EXPECT_THAT(group("", "subscribe { topic: 'u' }"), IsEmpty());
  EXPECT_THAT(group("", "subscribe { topic: 'u' } subscribe { topic: 'v' }"),
              ElementsAre(HasSubstr("group[0].consumer[0].subscribe[1].topic: "
                                    "topic \"v\" is none of the group's")));
  EXPECT_THAT(group("", "subscribe { topic: 'u' } subscribe { topic: 'u' }"),
              ElementsAre(HasSubstr("topic \"u\" is subscribed twice")));
  const std::string broadcasts = "message_model: BROADCASTING";
  EXPECT_THAT(group(broadcasts, "subscribe { topic: 'u' }"),
              ElementsAre(HasSubstr("not supported yet")));
  EXPECT_THAT(group(broadcasts,
                    "subscribe { topic: 't' } subscribe { topic: 'u' "
                    "expression: 'red' }"),
              IsEmpty());
}

TEST(ExpressionsTest, WordsOfConditionsMayBeTags) {
  for (const std::string tags : {"in || out", "or || red", "is || was", "in"}) {
    EXPECT_FALSE(MistakeIn(tags).has_value()) << tags;
  }
  EXPECT_TRUE(MistakeIn("a in b || c").has_value());
}

}  // namespace
}  // namespace groupsim
