// The actions of the timeline and the known faults as part of the program, for
// `list actions` and `list faults`.
#ifndef GROUPSIM_TOOLS_CLI_FAULTS_H_
#define GROUPSIM_TOOLS_CLI_FAULTS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace groupsim {

struct ActionEntry {
  absl::string_view name;     // As in an event of a scenario.
  absl::string_view meaning;  // The schema's comment, on one line.
  bool supported = false;
};

// In the order of the schema.
absl::Span<const ActionEntry> AllActions();

struct FaultEntry {
  absl::string_view name;     // As in the field known_fault.
  absl::string_view of;       // Whose: "consumer", "broker".
  absl::string_view meaning;  // The schema's comment, on one line.
};

// In the order of the schema.
absl::Span<const FaultEntry> AllFaults();

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_FAULTS_H_
