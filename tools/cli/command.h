// The commands of groupsim.
#ifndef GROUPSIM_TOOLS_CLI_COMMAND_H_
#define GROUPSIM_TOOLS_CLI_COMMAND_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/flags.h"

namespace groupsim {

struct Command {
  absl::string_view name;
  absl::string_view arguments;  // Such as "FILE...".
  absl::string_view summary;    // One line.
  absl::string_view details;    // Paragraphs; may be empty.
  std::vector<FlagInfo> (*flags)();
  ExitCode (*run)(const Flags& flags, const std::vector<std::string>& rest);
};

// In the order in which help shows them.
absl::Span<const Command> AllCommands();

// Runs the command that `arguments`, without the program's name, ask for.
ExitCode RunCommandLine(const std::vector<std::string>& arguments);

// Each command; see its file.
std::vector<FlagInfo> RunFlags();
ExitCode RunRun(const Flags& flags, const std::vector<std::string>& files);
std::vector<FlagInfo> CheckFlags();
ExitCode RunCheck(const Flags& flags, const std::vector<std::string>& files);
std::vector<FlagInfo> CompareFlags();
ExitCode RunCompare(const Flags& flags, const std::vector<std::string>& files);
std::vector<FlagInfo> VerifyFlags();
ExitCode RunVerify(const Flags& flags, const std::vector<std::string>& files);
std::vector<FlagInfo> AllocateFlags();
ExitCode RunAllocate(const Flags& flags, const std::vector<std::string>& rest);
std::vector<FlagInfo> ListFlags();
ExitCode RunList(const Flags& flags, const std::vector<std::string>& what);
std::vector<FlagInfo> HelpFlags();
ExitCode RunHelp(const Flags& flags, const std::vector<std::string>& topics);

// The help of one command.
std::string HelpOf(const Command& command);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_COMMAND_H_
