#include "model/wire/subscription.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"

namespace groupsim {

std::vector<Name> ParseTags(absl::string_view expression, NameTable& names) {
  std::vector<Name> tags;
  if (expression.empty() || expression == "*") return tags;
  for (absl::string_view part : absl::StrSplit(expression, "||")) {
    const absl::string_view tag = absl::StripAsciiWhitespace(part);
    if (!tag.empty()) tags.push_back(names.Intern(tag));
  }
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  return tags;
}

}  // namespace groupsim
