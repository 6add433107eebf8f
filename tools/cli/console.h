// Standard output and standard error.
//
// Results go to standard output, and depend on the input only; all else goes to
// standard error.
#ifndef GROUPSIM_TOOLS_CLI_CONSOLE_H_
#define GROUPSIM_TOOLS_CLI_CONSOLE_H_

#include "absl/strings/string_view.h"
#include "tools/cli/exit_codes.h"

namespace groupsim {

// Writes a result. kFileError, having said so, if it could not be written.
ExitCode PrintResult(absl::string_view text);

// "groupsim: MESSAGE" on standard error.
void PrintError(absl::string_view message);

// An error of usage, with where to look; always kWrongUsage.
ExitCode PrintUsageError(absl::string_view command, absl::string_view message);

// Findings about a scenario, in colour on a terminal unless NO_COLOR is set.
void PrintFindings(absl::string_view formatted);

// Whether standard error is a terminal.
bool ErrorIsTerminal();

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_CONSOLE_H_
