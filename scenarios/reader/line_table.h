// Where the lines of a text are.
#ifndef GROUPSIM_SCENARIOS_READER_LINE_TABLE_H_
#define GROUPSIM_SCENARIOS_READER_LINE_TABLE_H_

#include <cstddef>
#include <vector>

#include "absl/strings/string_view.h"

namespace groupsim {

// A place in a text as people count: both from 1, columns in characters (code
// points).
struct LineAndColumn {
  size_t line = 1;
  size_t column = 1;
};

// Lines end with "\n", "\r\n" or "\r". A byte order mark in front belongs to
// no line. The text must outlive the table.
class LineTable {
 public:
  explicit LineTable(absl::string_view text);

  // How many lines; at least one.
  size_t size() const { return begins_.size(); }
  // The line, from 0, of the byte at `offset`; beyond the end, the last one.
  size_t LineAt(size_t offset) const;
  size_t BeginOf(size_t line) const { return begins_[line]; }
  // Without its end of line.
  absl::string_view TextOf(size_t line) const;
  // The byte of its line at which `offset` lies; at most the line's end.
  size_t ByteOfLine(size_t offset) const;
  LineAndColumn PlaceOf(size_t offset) const;

 private:
  absl::string_view text_;
  std::vector<size_t> begins_;
};

// The number of code points; stray bytes that continue one do not count.
size_t CountCharacters(absl::string_view text);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_LINE_TABLE_H_
