#include "tools/cli/catalog.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace groupsim {

std::string QuestionOf(const CatalogEntry& entry) {
  std::string question;
  for (absl::string_view line : absl::StrSplit(entry.text, '\n')) {
    if (!absl::StartsWith(line, "#")) break;
    line = absl::StripAsciiWhitespace(line.substr(1));
    if (line.empty()) break;
    absl::StrAppend(&question, question.empty() ? "" : " ", line);
  }
  return question;
}

}  // namespace groupsim
