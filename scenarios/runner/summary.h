// The report as a page for people.
#ifndef GROUPSIM_SCENARIOS_RUNNER_SUMMARY_H_
#define GROUPSIM_SCENARIOS_RUNNER_SUMMARY_H_

#include <string>
#include <vector>

#include "scenarios/schema/report.pb.h"

namespace groupsim {

// The summary of one run, each line ended by a newline. Lines are meant for a
// terminal of 100 columns; names may make them longer.
std::string FormatSummary(const Report& report);

// One line per report, for several seeds of one scenario, under a heading.
std::string FormatSeedTable(const std::vector<Report>& reports);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_SUMMARY_H_
