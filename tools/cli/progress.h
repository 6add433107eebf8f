// How far a run is and how fast, on a terminal.
#ifndef GROUPSIM_TOOLS_CLI_PROGRESS_H_
#define GROUPSIM_TOOLS_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "scenarios/runner/runner.h"

namespace groupsim {

// One line on standard error, which is rewritten, shown only if that is a
// terminal and the run takes more than a second.
class ProgressLine {
 public:
  // `name` is what runs. A line that is not `wanted` is never shown.
  ProgressLine(absl::string_view name, bool wanted);

  void Update(const RunProgress& progress);

  // Wipes the line; where it was shown, says how fast the run was.
  void Finish(Duration simulated, uint64_t events);

 private:
  using Clock = std::chrono::steady_clock;

  const std::string name_;
  const bool wanted_;
  const Clock::time_point begin_;
  Clock::time_point last_shown_;
  bool shown_ = false;
};

// "412x real time, 1.2 million events/s".
std::string DescribeSpeed(Duration simulated, uint64_t events,
                          double real_seconds);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_PROGRESS_H_
