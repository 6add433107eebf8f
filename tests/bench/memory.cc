// Memory of whole runs: what a queue that a consumer owns costs.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"
#include "tests/bench/live_bytes.h"

namespace groupsim {
namespace {

constexpr int64_t kConsumers = 50;

// The most bytes at a time while consumers own these queues.
int64_t PeakOfRun(int64_t queues, const std::string& more) {
  const Scenario scenario = ScenarioFromTextOrDie(absl::StrCat(
      "duration: '60s' broker { name: 'broker-a' } topic { name: "
      "'t' queues_per_broker: ",
      queues, " } group { name: 'g' consumer { name: 'c' count: ", kConsumers,
      " } } ", more));
  const int64_t before = LiveBytes();
  ResetPeak();
  const RunResult result = RunScenario(scenario, RunOptions());
  CHECK_EQ(result.report.groups_size(), 1);
  return PeakBytes() - before;
}

// What more queues take, so that what a run has anyway does not count. With all
// measures, as the command has them.
void BM_Pair(benchmark::State& state, const std::string& more) {
  constexpr int64_t kFew = 1'000;
  constexpr int64_t kMany = 5'000;
  double bytes = 0;
  for (auto _ : state) {
    bytes =
        static_cast<double>(PeakOfRun(kMany, more) - PeakOfRun(kFew, more)) /
        static_cast<double>(kMany - kFew);
  }
  state.counters["bytes_per_pair"] = bytes;
}

BENCHMARK_CAPTURE(BM_Pair, idle, std::string())
    ->Name("Memory/idle_pair")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(BM_Pair, busy,
                  std::string("producer { name: 'p' rate { per_second: 5000 } "
                              "from: '20s' }"))
    ->Name("Memory/busy_pair")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace groupsim
