// What the backslashes in a quoted text stand for.
#ifndef GROUPSIM_SCENARIOS_READER_ESCAPES_H_
#define GROUPSIM_SCENARIOS_READER_ESCAPES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace groupsim {

enum class EscapeRules {
  kTextFormat,  // As C++ has them.
  kJson,        // RFC 8259.
};

// `raw` without its quotes. InvalidArgument for an escape that the rules do not
// have, or if the result is not UTF-8.
absl::StatusOr<std::string> Unescape(absl::string_view raw, EscapeRules rules);

// Where the first byte lies that is not part of UTF-8, or npos.
size_t FindBadUtf8(absl::string_view text);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_ESCAPES_H_
