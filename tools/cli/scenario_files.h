// The scenarios that a command is given.
#ifndef GROUPSIM_TOOLS_CLI_SCENARIO_FILES_H_
#define GROUPSIM_TOOLS_CLI_SCENARIO_FILES_H_

#include <string>
#include <vector>

#include "scenarios/schema/scenario.pb.h"
#include "tools/cli/exit_codes.h"

namespace groupsim {

struct ScenarioFile {
  std::string path;   // As given.
  std::string stem;   // "rolling_restart" of "a/rolling_restart.textproto".
  Scenario scenario;  // Complete and valid.
};

// Reads all of them; what is wrong with any is printed. kPassed if nothing is.
ExitCode LoadScenarios(const std::vector<std::string>& paths,
                       std::vector<ScenarioFile>& files);

// The last part of a path.
std::string FileNameOf(const std::string& path);

// A word for a shell: in quotes where it needs them.
std::string ShellWord(const std::string& word);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_SCENARIO_FILES_H_
