#include "scenarios/reader/expressions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "scenarios/reader/values.h"

namespace groupsim {
namespace {

constexpr char kBoth[] = "\"*\" for all messages, or tags as \"red || blue\"";

std::string Quoted(absl::string_view text) {
  return absl::StrCat("\"", text, "\"");
}

// Conditions on properties have operators, or words between others.
bool IsSqlPart(absl::string_view expression) {
  constexpr std::array<absl::string_view, 6> kWords = {"and", "or", "not",
                                                       "in",  "is", "between"};
  const std::vector<absl::string_view> words =
      absl::StrSplit(expression, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  return words.size() > 1 &&
         std::any_of(words.begin(), words.end(), [&](absl::string_view word) {
           return std::any_of(kWords.begin(), kWords.end(),
                              [word](absl::string_view known) {
                                return absl::EqualsIgnoreCase(word, known);
                              });
         });
}

bool IsSql(absl::string_view expression) {
  if (expression.find_first_of("=<>()'") != absl::string_view::npos) {
    return true;
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(expression, "||");
  return std::any_of(parts.begin(), parts.end(), IsSqlPart);
}

// What is wrong with one tag of several, or with the only one.
std::optional<ExpressionMistake> MistakeInTag(absl::string_view expression,
                                              absl::string_view tag) {
  const std::string of = absl::StrCat("expression ", Quoted(expression));
  if (tag.empty()) {
    return ExpressionMistake{absl::StrCat(of, " has an empty tag"), kBoth};
  }
  if (tag == "*") {
    return ExpressionMistake{
        absl::StrCat(of,
                     " names a tag \"*\"; all messages are meant only "
                     "where it stands alone"),
        "\"*\""};
  }
  const std::vector<absl::string_view> parts =
      absl::StrSplit(tag, absl::ByAnyChar("|&,; \t"), absl::SkipEmpty());
  if (tag.find_first_of("&,; \t") != absl::string_view::npos &&
      !parts.empty()) {
    return ExpressionMistake{absl::StrCat(of, " names a tag ", Quoted(tag),
                                          "; tags are separated by \"||\""),
                             Quoted(absl::StrJoin(parts, " || "))};
  }
  if (const absl::Status status = CheckName(tag); !status.ok()) {
    return ExpressionMistake{
        absl::StrCat("a tag of the expression ", status.message()), kBoth};
  }
  return std::nullopt;
}

}  // namespace

std::set<std::string> TagsOf(absl::string_view expression) {
  std::set<std::string> tags;
  if (expression == "*") return tags;
  for (const absl::string_view part : absl::StrSplit(expression, "||")) {
    const absl::string_view tag = absl::StripAsciiWhitespace(part);
    if (!tag.empty()) tags.emplace(tag);
  }
  return tags;
}

std::optional<ExpressionMistake> MistakeIn(absl::string_view expression) {
  if (expression.empty() || expression == "*") return std::nullopt;
  if (IsSql(expression)) {
    return ExpressionMistake{
        absl::StrCat("expression ", Quoted(expression),
                     " is about properties (SQL92), which is not supported: "
                     "messages have tags only"),
        kBoth};
  }
  for (const absl::string_view part : absl::StrSplit(expression, "||")) {
    std::optional<ExpressionMistake> mistake =
        MistakeInTag(expression, absl::StripAsciiWhitespace(part));
    if (mistake.has_value()) return mistake;
  }
  return std::nullopt;
}

}  // namespace groupsim
