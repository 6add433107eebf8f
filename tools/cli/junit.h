// Runs as JUnit XML, for CI.
#ifndef GROUPSIM_TOOLS_CLI_JUNIT_H_
#define GROUPSIM_TOOLS_CLI_JUNIT_H_

#include <string>
#include <vector>

#include "scenarios/schema/report.pb.h"
#include "tools/cli/scenario_files.h"

namespace groupsim {

// What JUnit needs of a run: its report and where the expectations are written.
struct JunitRun {
  Report report;
  std::vector<FilePlace> expectations;
};

// One suite for each run, one case for each expectation and for each event of
// the timeline. A failed expectation is a failure, one that is vacuous an
// error, as is an event that hit nothing. Metrics and fingerprints are
// properties of the suite; times are simulated.
std::string FormatJunit(const std::vector<JunitRun>& runs);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_JUNIT_H_
