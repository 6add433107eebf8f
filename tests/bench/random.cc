// The cost of one draw, and of one sample of each distribution.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "model/base/check.h"
#include "model/base/ratio.h"
#include "sim/random/distribution.h"
#include "sim/random/stream.h"

namespace groupsim {
namespace {

CounterStream Stream() {
  return CounterStream(StreamKey::For(1, "bench", "random"));
}

void BM_Draw(benchmark::State& state) {
  CounterStream stream = Stream();
  for (auto _ : state) benchmark::DoNotOptimize(stream.Next());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Draw)->Name("Random/draw");

void BM_Key(benchmark::State& state) {
  uint64_t seed = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(StreamKey::For(++seed, "pod-17", "service_time"));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Key)->Name("Random/key");

Distribution Valid(absl::StatusOr<Distribution> distribution) {
  CHECK(distribution.ok()) << distribution.status();
  return *std::move(distribution);
}

void BM_Sample(benchmark::State& state, const Distribution& distribution) {
  CounterStream stream = Stream();
  for (auto _ : state) benchmark::DoNotOptimize(distribution.Sample(stream));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(BM_Sample, constant, Valid(Distribution::Constant(1'000)))
    ->Name("Random/constant");
BENCHMARK_CAPTURE(BM_Sample, uniform,
                  Valid(Distribution::Uniform({.min = 200, .max = 1'800})))
    ->Name("Random/uniform");
BENCHMARK_CAPTURE(BM_Sample, exponential,
                  Valid(Distribution::Exponential(500'000)))
    ->Name("Random/exponential");
BENCHMARK_CAPTURE(BM_Sample, lognormal,
                  Valid(Distribution::Lognormal({.median = 4'000'000,
                                                 .per_mille = 990,
                                                 .value = 60'000'000})))
    ->Name("Random/lognormal");
BENCHMARK_CAPTURE(
    BM_Sample, bimodal,
    Valid(Distribution::Bimodal(Valid(Distribution::Constant(1'000'000)),
                                Valid(Distribution::Constant(50'000'000)),
                                Ratio::PerMille(20))))
    ->Name("Random/bimodal");
BENCHMARK_CAPTURE(BM_Sample, empirical,
                  Valid(Distribution::Empirical({{.value = 100, .weight = 50},
                                                 {.value = 1'000, .weight = 40},
                                                 {.value = 9'000,
                                                  .weight = 10}})))
    ->Name("Random/empirical");
BENCHMARK_CAPTURE(BM_Sample, zipf,
                  Valid(Distribution::Zipf({.n = 100'000,
                                            .exponent_per_mille = 990})))
    ->Name("Random/zipf");

}  // namespace
}  // namespace groupsim
