// Runs a scenario and reports.
//
//   RunOptions options;
//   options.seed = 7;
//   const RunResult result = RunScenario(scenario, options);
//   std::cout << FormatSummary(result.report);
#ifndef GROUPSIM_SCENARIOS_RUNNER_RUNNER_H_
#define GROUPSIM_SCENARIOS_RUNNER_RUNNER_H_

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include "model/base/time.h"
#include "scenarios/schema/report.pb.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Of the program; part of every report.
inline constexpr char kVersion[] = "0.1.0";

struct RunProgress {
  Duration simulated;  // Of `total`.
  Duration total;
  uint64_t events = 0;
  int violated = 0;  // Expectations that are known to fail by now.
};

struct RunOptions {
  // Replaces the scenario's; 0 keeps it.
  uint64_t seed = 0;
  // How the scenario is called in the report, and the command that repeats the
  // run.
  std::string scenario_name;
  std::string reproduce;
  // All facts, one JSON object a line, if not null.
  std::ostream* event_log = nullptr;
  // Called often, if set; false interrupts the run.
  std::function<bool(const RunProgress&)> progress;
  // A test mode: events of equal time fire in another order.
  bool shuffle_ties = false;
  // A test mode: a violated audit is reported instead of stopping the program.
  bool keep_going = false;
};

struct RunResult {
  Report report;
  bool interrupted = false;  // Then the report is about nothing.
  uint64_t events = 0;       // Fired by the engine.
  Duration simulated;
};

// `scenario` is complete and valid, as the reader leaves it. A violated law of
// conservation stops the program as an internal error.
RunResult RunScenario(const Scenario& scenario, const RunOptions& options);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_RUNNER_H_
