// Scenarios from files.
//
//   absl::StatusOr<Source> source = LoadSource("rolling.textproto");
//   if (!source.ok()) ...  // It could not be read.
//   const Reading reading = ReadScenario(*source, FormOf(source->name));
//   std::cerr << reading.FormatFindings();
//   if (reading.ok()) Run(reading.scenario);
#ifndef GROUPSIM_SCENARIOS_READER_READER_H_
#define GROUPSIM_SCENARIOS_READER_READER_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "scenarios/reader/allowances.h"
#include "scenarios/reader/finding.h"
#include "scenarios/reader/form.h"
#include "scenarios/reader/places.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// The largest file that is read.
inline constexpr size_t kLargestScenarioFile = 4 * 1024 * 1024;

// Included files: how many in all, how deep within each other, how large in
// all.
inline constexpr int kMostIncludedFiles = 100;
inline constexpr int kDeepestInclude = 16;
inline constexpr size_t kMostIncludedBytes = 16 * 1024 * 1024;

// The contents of a file. Errors carry the reason in words, without the path:
// InvalidArgument where the file is too large, else what the system says
// (NotFound, PermissionDenied, Unavailable for a directory and the like).
absl::StatusOr<Source> LoadSource(const std::string& path);

struct ReadOptions {
  // Fields that are set from outside, "PATH=VALUE" each (settings.h), one after
  // the other, before the scenario is completed and checked.
  std::vector<std::string> settings;

  // What findings in settings are said to be in.
  std::string settings_name = "--set";

  // Reads the files that a scenario includes; LoadSource, of files proper, if
  // empty.
  std::function<absl::StatusOr<Source>(const std::string& path)> load;
};

// What became of a source.
struct Reading {
  // Complete and valid if ok(); otherwise not to be used. `include` is empty:
  // what it named is in it.
  Scenario scenario;
  // Errors and warnings.
  Findings findings;
  // What was read: the source itself, the files that it includes, the settings.
  Sources sources;
  // Where each field was written.
  FieldPlaces places;
  // Comments that silence lints.
  Allowances allowances;

  bool ok() const { return !findings.has_errors(); }
  std::string FormatFindings() const { return findings.Format(sources); }

  // Adds a warning of `lint` about the field at `path`, or the message around
  // it, unless a comment there allows the lint.
  void Warn(absl::string_view lint, const std::string& path,
            std::string message, std::string hint = "");

  // Warns of comments that allow a lint which is none of `lints`; and, as the
  // lint `unused`, of those in the first source that have silenced nothing. A
  // file that others include may speak for their sake. After all Warn().
  void CheckAllowances(const std::vector<absl::string_view>& lints,
                       absl::string_view unused, std::string hint);
};

Reading ReadScenario(const Source& source, ScenarioForm form,
                     const ReadOptions& options = {});

// The scenario that `text` (text form) says; stops the program, printing the
// findings, if it is wrong. For tests and benchmarks.
Scenario ScenarioFromTextOrDie(absl::string_view text);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_READER_H_
