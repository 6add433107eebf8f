// Scenarios from files.
//
//   absl::StatusOr<Source> source = LoadSource("rolling.textproto");
//   if (!source.ok()) ...  // It could not be read.
//   const Reading reading = ReadScenario(*source, FormatOf(source->name));
//   std::cerr << reading.findings.Format(*source);
//   if (reading.ok()) Run(reading.scenario);
#ifndef GROUPSIM_SCENARIOS_READER_READER_H_
#define GROUPSIM_SCENARIOS_READER_READER_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "scenarios/reader/finding.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

enum class ScenarioForm {
  kText,    // Protobuf's text format: .textproto, .txtpb, .pbtxt, any other.
  kJson,    // .json
  kBinary,  // .binpb, .pb
};

// By the end of a file's name.
ScenarioForm FormOf(absl::string_view path);

// The largest file that is read.
inline constexpr size_t kLargestScenarioFile = 4 * 1024 * 1024;

// The contents of a file. Errors carry the reason in words, without the path:
// InvalidArgument where the file is too large, else what the system says
// (NotFound, PermissionDenied, Unavailable for a directory and the like).
absl::StatusOr<Source> LoadSource(const std::string& path);

// What became of a source.
struct Reading {
  // Complete and valid if ok(); otherwise not to be used.
  Scenario scenario;
  // Errors and warnings.
  Findings findings;

  bool ok() const { return !findings.has_errors(); }
};

Reading ReadScenario(const Source& source, ScenarioForm form);

// The scenario that `text` (text form) says; stops the program, printing the
// findings, if it is wrong. For tests and benchmarks.
Scenario ScenarioFromTextOrDie(absl::string_view text);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_READER_H_
