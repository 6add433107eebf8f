#include "scenarios/reader/line_table.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace groupsim {

LineTable::LineTable(absl::string_view text) : text_(text) {
  begins_.push_back(absl::StartsWith(text, "\xEF\xBB\xBF") ? 3 : 0);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool ends =
        text[i] == '\n' ||
        (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    if (ends) begins_.push_back(i + 1);
  }
}

size_t LineTable::LineAt(size_t offset) const {
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), offset);
  return next == begins_.begin()
             ? 0
             : static_cast<size_t>(next - begins_.begin()) - 1;
}

absl::string_view LineTable::TextOf(size_t line) const {
  const size_t end =
      line + 1 < begins_.size() ? begins_[line + 1] : text_.size();
  absl::string_view text = text_.substr(begins_[line], end - begins_[line]);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

size_t LineTable::ByteOfLine(size_t offset) const {
  const size_t line = LineAt(offset);
  const size_t begin = begins_[line];
  return std::min(offset > begin ? offset - begin : 0, TextOf(line).size());
}

LineAndColumn LineTable::PlaceOf(size_t offset) const {
  const size_t line = LineAt(offset);
  return {.line = line + 1,
          .column =
              CountCharacters(TextOf(line).substr(0, ByteOfLine(offset))) + 1};
}

size_t CountCharacters(absl::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace groupsim
