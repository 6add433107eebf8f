// What is right in a scenario, but perhaps not meant.
//
//   for (const LintFinding& finding : RunLints(scenario)) ...
//
// A lint is one function and one line in the table of AllLints().
#ifndef GROUPSIM_SCENARIOS_LINT_LINT_H_
#define GROUPSIM_SCENARIOS_LINT_LINT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

class LintSubject;
class LintNotes;

struct Lint {
  absl::string_view name;     // Such as "fault-after-end".
  absl::string_view meaning;  // One sentence: when it warns, and why.
  absl::string_view remedy;   // What to do, not capitalised.
  void (*look)(const LintSubject& subject, LintNotes& notes);
};

// The lint of comments that allow something for nothing. It is in the table as
// the others are; the reader, who knows the comments, gives it.
inline constexpr absl::string_view kUnusedAllow = "unused-allow";

// By name.
absl::Span<const Lint> AllLints();

// Null if there is none.
const Lint* FindLint(absl::string_view name);

// One warning.
struct LintFinding {
  const Lint* lint = nullptr;
  std::string path;  // The field that it is about, such as "group[0].client".
  std::string message;  // Not capitalised, without a full stop.
};

// Takes the warnings of one lint.
class LintNotes {
 public:
  LintNotes(const Lint& lint, std::vector<LintFinding>& findings)
      : lint_(lint), findings_(findings) {}

  void Add(std::string path, std::string message) {
    if (full()) return;
    findings_.push_back({&lint_, std::move(path), std::move(message)});
    ++count_;
  }

  // True when nobody will read further ones.
  bool full() const { return count_ == kKept; }

 private:
  static constexpr int kKept = 1'000;

  const Lint& lint_;
  std::vector<LintFinding>& findings_;
  int count_ = 0;
};

// The warnings about a scenario that is complete and valid, by lint: at most
// 1,000 of each.
std::vector<LintFinding> RunLints(const Scenario& scenario);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LINT_LINT_H_
