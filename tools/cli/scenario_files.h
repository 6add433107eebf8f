// The scenarios that a command is given.
#ifndef GROUPSIM_TOOLS_CLI_SCENARIO_FILES_H_
#define GROUPSIM_TOOLS_CLI_SCENARIO_FILES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "scenarios/reader/reader.h"
#include "scenarios/schema/scenario.pb.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/flags.h"

namespace groupsim {

// A line of a file, from 1; 0 where it is not known.
struct FilePlace {
  std::string file;
  size_t line = 0;
};

struct ScenarioFile {
  std::string path;   // As given.
  std::string stem;   // "rolling_restart" of "a/rolling_restart.textproto".
  Scenario scenario;  // Complete and valid.
  // What --set changed.
  std::vector<std::string> settings;
  // Where each expectation is written.
  std::vector<FilePlace> expectations;

  // The words of a command that give this scenario: --set flags and the path.
  std::string ShellWords() const;
};

// The flag --set, for commands that take it.
FlagInfo SetFlag();

// What became of one file. The status is that of a file that cannot be read.
absl::StatusOr<Reading> ReadScenarioFile(
    const std::string& path, const std::vector<std::string>& settings);

// Reads all of them, with the same settings; what is wrong with any is printed.
// kPassed if nothing is.
ExitCode LoadScenarios(const std::vector<std::string>& paths,
                       std::vector<ScenarioFile>& files,
                       const std::vector<std::string>& settings = {});

// What LoadScenarios makes of a valid one.
ScenarioFile MakeScenarioFile(const std::string& path,
                              const std::vector<std::string>& settings,
                              Reading reading);

// "cannot read a.textproto: No such file or directory".
std::string CannotRead(absl::string_view path, const absl::Status& status);

// The last part of a path.
std::string FileNameOf(const std::string& path);

// A word for a shell: in quotes where it needs them.
std::string ShellWord(const std::string& word);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_SCENARIO_FILES_H_
