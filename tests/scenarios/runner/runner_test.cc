#include "scenarios/runner/runner.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "scenarios/reader/reader.h"
#include "scenarios/runner/summary.h"

namespace groupsim {
namespace {

constexpr char kSmall[] = R"(
  duration: "60s"
  broker { name: "broker-a" }
  broker { name: "broker-b" }
  topic { name: "orders" queues_per_broker: 4 }
  producer { name: "shop" rate { per_second: 200 } }
  group {
    name: "readers"
    listener { service_time { constant: "2ms" } }
    consumer { name: "pod" count: 3 stagger: "2s" }
  }
  at { time: "30s" crash { consumer: "pod-1" } }
  expect { duplicates { at_most: 200 } }
)";

RunResult RunText(const std::string& text, uint64_t seed = 1) {
  const Scenario scenario = ScenarioFromTextOrDie(text);
  RunOptions options;
  options.seed = seed;
  options.scenario_name = "small";
  options.reproduce = "groupsim run small";
  return RunScenario(scenario, options);
}

TEST(RunnerTest, TheSameSeedGivesTheSameReport) {
  const RunResult a = RunText(kSmall);
  const RunResult b = RunText(kSmall);
  std::cout << FormatSummary(a.report);
  EXPECT_EQ(a.report.SerializeAsString(), b.report.SerializeAsString());
  EXPECT_EQ(a.report.verdict(), Report::PASSED);
}

TEST(RunnerTest, AnotherSeedGivesOtherFacts) {
  EXPECT_NE(RunText(kSmall, 1).report.fingerprints().facts(),
            RunText(kSmall, 2).report.fingerprints().facts());
}

}  // namespace
}  // namespace groupsim
