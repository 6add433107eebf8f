// What is wrong with a scenario, and how to say it.
#ifndef GROUPSIM_SCENARIOS_READER_FINDING_H_
#define GROUPSIM_SCENARIOS_READER_FINDING_H_

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "scenarios/reader/nearest.h"

namespace groupsim {

// A stretch of a source text: bytes [begin, end).
struct Span {
  size_t begin = 0;
  size_t end = 0;
  int source = 0;  // Which of the sources.

  friend bool operator==(const Span&, const Span&) = default;
};

// A text and the name under which people know it.
struct Source {
  std::string name;  // Such as a path; "" is shown as "scenario".
  std::string text;
};

// The texts that one scenario comes from: the file itself, then the files that
// it includes and what was set from outside, in the order in which they were
// met. References to them stay good.
class Sources {
 public:
  Sources() = default;
  explicit Sources(Source first) { Add(std::move(first)); }

  // Its number.
  int Add(Source source) {
    sources_.push_back(std::move(source));
    return static_cast<int>(sources_.size()) - 1;
  }
  const Source& operator[](int number) const { return sources_[number]; }
  int size() const { return static_cast<int>(sources_.size()); }

 private:
  std::deque<Source> sources_;
};

// One error or warning.
struct Finding {
  enum class Severity { kError, kWarning };
  Severity severity = Severity::kError;
  std::optional<Span> span = {};  // Nothing where the form has no positions.
  std::string message = {};       // Not capitalised, without a full stop.
  std::string path = {};          // Such as "group[0].client"; may be empty.
  std::string hint = {};          // A last line, such as `did you mean "x"?`.
  std::string lint = {};          // Of a warning: the lint that gives it.

  // What to write in the place of the span, where that is known; "" is nothing.
  std::optional<std::string> fix = {};
};

// Findings in the order in which they were made.
class Findings {
 public:
  // How many are printed, and how many are kept.
  static constexpr size_t kShown = 20;
  static constexpr size_t kKept = 1'000;

  void Add(Finding finding);

  bool empty() const { return count_ == 0; }
  bool has_errors() const { return errors_ > 0; }
  size_t errors() const { return errors_; }
  // Errors and warnings.
  size_t count() const { return count_; }
  // True when nobody will read further ones.
  bool full() const { return findings_.size() == kKept; }
  const std::vector<Finding>& all() const { return findings_; }

  // In the order of sources and positions; what has no position comes first.
  std::vector<const Finding*> Sorted() const;

  // As a compiler prints them, each like
  //
  //   rolling.textproto:14:5: error: no field "naem" in Group
  //     at group[0]
  //     14 |     naem: "orders"
  //        |     ^~~~
  //     did you mean "name"?
  //
  // with one-based lines and columns, counted in characters, the first kShown
  // of them. Ends in a newline unless empty.
  std::string Format(const Sources& sources) const;
  std::string Format(const Source& source) const {
    return Format(Sources(source));
  }

 private:
  std::vector<Finding> findings_;
  size_t count_ = 0;
  size_t errors_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_FINDING_H_
