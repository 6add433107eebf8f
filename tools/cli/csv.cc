#include "tools/cli/csv.h"

#include <charconv>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace groupsim {

std::string CsvField(absl::string_view text) {
  if (text.find_first_of(",\"\n\r") == absl::string_view::npos) {
    return std::string(text);
  }
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

std::string CsvField(double number) {
  char buffer[64];
  const std::to_chars_result end =
      std::to_chars(buffer, buffer + sizeof(buffer), number);
  return std::string(buffer, end.ptr);
}

}  // namespace groupsim
