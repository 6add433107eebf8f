// Expressions of subscriptions, as consumers write them.
#ifndef GROUPSIM_SCENARIOS_READER_EXPRESSIONS_H_
#define GROUPSIM_SCENARIOS_READER_EXPRESSIONS_H_

#include <optional>
#include <set>
#include <string>

#include "absl/strings/string_view.h"

namespace groupsim {

// The tags that an expression without mistakes names; none where it is "*" or
// empty, which stand for all messages (FilterAPI.buildSubscriptionData).
std::set<std::string> TagsOf(absl::string_view expression);

struct ExpressionMistake {
  std::string message;
  std::string remedy;
};

// What is wrong with an expression, if anything: what clients would not read as
// its writer meant it, or what is not supported.
std::optional<ExpressionMistake> MistakeIn(absl::string_view expression);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_EXPRESSIONS_H_
