// The report of a finished run.
#ifndef GROUPSIM_SCENARIOS_RUNNER_REPORT_BUILDER_H_
#define GROUPSIM_SCENARIOS_RUNNER_REPORT_BUILDER_H_

#include <string>

#include "scenarios/expect/expectations.h"
#include "scenarios/measure/measures.h"
#include "scenarios/measure/producing.h"
#include "scenarios/runner/runner.h"
#include "scenarios/runner/stage.h"
#include "scenarios/schema/report.pb.h"
#include "scenarios/schema/scenario.pb.h"
#include "sim/host/world.h"

namespace groupsim {

// What a report is made of; all of it finished.
struct ReportParts {
  const Scenario& scenario;
  const RunOptions& options;
  World& world;
  const Stage& stage;
  Measures& measures;
  const ProducingMeasure& producing;
  Expectations& expectations;
  // Which events the run went round in, if it ended so; else empty.
  std::string livelock = {};
};

Report BuildReport(const ReportParts& parts);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_REPORT_BUILDER_H_
