// What is wrong with a scenario, and how to say it.
#ifndef GROUPSIM_SCENARIOS_READER_FINDING_H_
#define GROUPSIM_SCENARIOS_READER_FINDING_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace groupsim {

// A stretch of a source text: bytes [begin, end).
struct Span {
  size_t begin = 0;
  size_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// A text and the name under which people know it.
struct Source {
  std::string name;  // Such as a path; "" is shown as "scenario".
  std::string text;
};

// One error or warning.
struct Finding {
  enum class Severity { kError, kWarning };
  Severity severity = Severity::kError;
  std::optional<Span> span;  // Nothing where the form has no positions.
  std::string message;       // Not capitalised, without a full stop.
  std::string path;          // Such as "group[0].client"; may be empty.
  std::string hint;          // A last line, such as `did you mean "x"?`.
};

// Findings in the order in which they were made.
class Findings {
 public:
  // How many are printed, and how many are kept.
  static constexpr size_t kShown = 20;
  static constexpr size_t kKept = 1'000;

  void Add(Finding finding);

  bool empty() const { return count_ == 0; }
  bool has_errors() const { return has_errors_; }
  size_t count() const { return count_; }
  // True when nobody will read further ones.
  bool full() const { return findings_.size() == kKept; }
  const std::vector<Finding>& all() const { return findings_; }

  // As a compiler prints them, by position in the text, each like
  //
  //   rolling.textproto:14:5: error: no field "naem" in Group
  //     at group[0]
  //     14 |     naem: "orders"
  //        |     ^~~~
  //     did you mean "name"?
  //
  // with one-based lines and columns, counted in characters. Ends in a newline
  // unless empty.
  std::string Format(const Source& source) const;

 private:
  std::vector<Finding> findings_;
  size_t count_ = 0;
  bool has_errors_ = false;
};

// The one of `names` that `wrong` looks most like, or "" if none is close.
absl::string_view NearestName(absl::string_view wrong,
                              const std::vector<absl::string_view>& names);

// `did you mean "NAME"?`, or "" for no name.
std::string DidYouMean(absl::string_view name);

// A text in quotes for a message: escaped, and cut where it is long.
std::string Quote(absl::string_view text);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_FINDING_H_
