// Golden files: what a scenario is known to give.
//
//   # Of rolling_restart.textproto; written by groupsim verify --update.
//   seed 1
//   facts 7f3c19aa02d4e6b1
//   fact QUEUE_ADDED 120
//   metric order-processing duplicates 214
#ifndef GROUPSIM_TOOLS_CLI_GOLDEN_H_
#define GROUPSIM_TOOLS_CLI_GOLDEN_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "scenarios/schema/report.pb.h"

namespace groupsim {

// Lines as pairs of all but the last word, and that, in their order.
using GoldenLines = std::vector<std::pair<std::string, std::string>>;

GoldenLines GoldenLinesOf(const Report& report);
std::string FormatGolden(absl::string_view scenario, const GoldenLines& lines);
// InvalidArgument for a line without two words.
absl::StatusOr<GoldenLines> ParseGolden(absl::string_view text);

// "fact QUEUE_ADDED 120 -> 118" for each line that differs, in the order of
// `after`; what has gone comes last. "none" stands for a line that is not
// there.
std::vector<std::string> DifferencesOf(const GoldenLines& before,
                                       const GoldenLines& after);

// Where the golden file of a scenario is: tests/golden/STEM.txt under the
// nearest folder around it that has a tests/golden, else STEM.golden.txt beside
// it.
std::string GoldenPathOf(const std::string& scenario_path);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_GOLDEN_H_
