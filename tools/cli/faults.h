// The actions of the timeline as part of the program, for `list faults`.
#ifndef GROUPSIM_TOOLS_CLI_FAULTS_H_
#define GROUPSIM_TOOLS_CLI_FAULTS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace groupsim {

struct FaultEntry {
  absl::string_view name;     // As in an event of a scenario.
  absl::string_view meaning;  // The schema's comment, on one line.
  bool supported = false;
};

// In the order of the schema.
absl::Span<const FaultEntry> AllFaults();

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_FAULTS_H_
