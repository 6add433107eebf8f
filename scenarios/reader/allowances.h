// Comments that silence a lint: `# groupsim: allow(NAME)`.
#ifndef GROUPSIM_SCENARIOS_READER_ALLOWANCES_H_
#define GROUPSIM_SCENARIOS_READER_ALLOWANCES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "scenarios/reader/finding.h"

namespace groupsim {

// One name in such a comment. The comment speaks of the line that it ends, or,
// alone on its line, of the next line that holds more than a comment; above
// everything else in a file, of the whole file.
struct Allowance {
  std::string lint;
  Span span;  // Of the name.
  bool whole_file = false;
  // A byte of the line that it speaks of.
  size_t at = 0;
  // Whether it has silenced something.
  bool used = false;
};

class Allowances {
 public:
  // Reads the comment at `span` of `text`, from its "#" to the end of its line;
  // one that allows nothing is passed over. Several names are separated by
  // commas. What looks like such a comment and is none is told. The comment
  // stands at the end of a line if `behind_something`, above everything else if
  // `on_top`.
  void Read(absl::string_view text, Span span, bool behind_something,
            bool on_top, Findings& findings);

  // Where the next token begins: comments that waited for a line speak of its.
  void NextToken(int source, size_t begin);

  // Whether a comment allows `lint` about a thing that was written at `place`;
  // where it was not written at all, only one for the whole first source does.
  // All comments have been read. The sources are always the same.
  bool Allow(absl::string_view lint, const std::optional<Span>& place,
             const Sources& sources);

  const std::vector<Allowance>& all() const { return allowances_; }

 private:
  // The bytes of the line that an allowance speaks of.
  struct Line {
    size_t begin = 0;
    size_t end = 0;
  };

  void FindLines(const Sources& sources);

  std::vector<Allowance> allowances_;
  std::vector<Line> lines_;  // Of each of them, once they are asked for.
  size_t waiting_ = 0;       // From here on they wait for their line.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_ALLOWANCES_H_
