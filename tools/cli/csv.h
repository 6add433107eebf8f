// Fields of CSV lines.
#ifndef GROUPSIM_TOOLS_CLI_CSV_H_
#define GROUPSIM_TOOLS_CLI_CSV_H_

#include <string>

#include "absl/strings/string_view.h"

namespace groupsim {

// A text as a field, in quotes where it needs them (RFC 4180).
std::string CsvField(absl::string_view text);

// The shortest text that is this number.
std::string CsvField(double number);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_CSV_H_
