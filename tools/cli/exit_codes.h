// How groupsim ends.
#ifndef GROUPSIM_TOOLS_CLI_EXIT_CODES_H_
#define GROUPSIM_TOOLS_CLI_EXIT_CODES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace groupsim {

enum class ExitCode {
  kPassed = 0,
  kFailed = 1,
  kWrongUsage = 2,
  kInvalidInput = 3,
  kFileError = 4,
  kNotReproducible = 5,
  kVacuous = 6,
  kInternalError = 70,
  kInterrupted = 130,
};

struct ExitCodeInfo {
  ExitCode code;
  absl::string_view meaning;
};

// All codes, by number.
absl::Span<const ExitCodeInfo> AllExitCodes();

// The code of several runs: of the worse one.
ExitCode Worse(ExitCode a, ExitCode b);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_EXIT_CODES_H_
