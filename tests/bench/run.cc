// Whole runs: simulated time, events and messages per second of real time.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"

namespace groupsim {
namespace {

Scenario FromCatalog(const std::string& name) {
  std::ifstream file(absl::StrCat("scenarios/catalog/", name, ".textproto"));
  CHECK(file) << "run this from the root of the project: no scenario " << name;
  std::stringstream text;
  text << file.rdbuf();
  return ScenarioFromTextOrDie(text.str());
}

void BM_Run(benchmark::State& state, const std::string& name) {
  const Scenario scenario = FromCatalog(name);
  double simulated = 0;
  int64_t events = 0;
  int64_t delivered = 0;
  std::string facts;
  for (auto _ : state) {
    const RunResult result = RunScenario(scenario, RunOptions());
    CHECK(result.report.verdict() == Report::PASSED) << name;
    if (!facts.empty()) CHECK_EQ(facts, result.report.fingerprints().facts());
    facts = result.report.fingerprints().facts();
    simulated += result.report.run().duration_seconds();
    events += static_cast<int64_t>(result.events);
    for (const Report::GroupReport& group : result.report.groups()) {
      // Everything stored is delivered, but what the end cut off.
      CHECK_GE(group.metrics().distinct() + group.metrics().final_lag(),
               group.metrics().stored());
      delivered += group.metrics().deliveries();
    }
  }
  state.counters["sim_per_real"] =
      benchmark::Counter(simulated, benchmark::Counter::kIsRate);
  state.counters["events_per_second"] = benchmark::Counter(
      static_cast<double>(events), benchmark::Counter::kIsRate);
  state.counters["messages_per_second"] = benchmark::Counter(
      static_cast<double>(delivered), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(BM_Run, rolling_restart, std::string("rolling_restart"))
    ->Name("Run/rolling_restart")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Run, idle_group, std::string("idle_group"))
    ->Name("Run/idle_group")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Run, busy_group, std::string("busy_group"))
    ->Name("Run/busy_group")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace groupsim
