// Many random scenarios, with all audits on.
//
//   bazel run //tests/swarm:swarm_test -- --first=100 --count=1000
#include "tests/swarm/swarm.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "model/facts/fact.h"
#include "scenarios/runner/runner.h"

namespace groupsim {

uint64_t first_scenario = 0;
uint64_t scenario_count = 100;

namespace {

RunResult RunNumber(uint64_t number) {
  RunOptions options;
  options.scenario_name = absl::StrCat("swarm ", number);
  options.reproduce = absl::StrCat(
      "bazel run //tests/swarm:swarm_test -- --first=", number, " --count=1");
  return RunScenario(SwarmScenario(number), options);
}

// A violated law of conservation ends the program; what is left to look at here
// is that everything that can happen did.
TEST(SwarmTest, NoScenarioBreaksALawAndEveryKindOfFactIsSeen) {
  std::map<std::string, int64_t> seen;
  uint64_t events = 0;
  for (uint64_t i = 0; i < scenario_count; ++i) {
    const RunResult result = RunNumber(first_scenario + i);
    events += result.events;
    for (const Report::FactCount& count : result.report.fact_counts()) {
      seen[count.kind()] += count.count();
    }
    for (const Report::AuditReport& audit : result.report.audits()) {
      EXPECT_TRUE(audit.held()) << first_scenario + i << " " << audit.name();
    }
  }
  std::cout << scenario_count << " scenarios, " << events << " events\n";
  if (scenario_count < 100) return;
  for (const auto& [kind, count] : seen) {
    EXPECT_GT(count, 0) << kind;
  }
}

TEST(SwarmTest, ARunIsTheSameTwice) {
  for (uint64_t i = 0; i < 5; ++i) {
    const RunResult a = RunNumber(first_scenario + i);
    const RunResult b = RunNumber(first_scenario + i);
    EXPECT_EQ(a.report.SerializeAsString(), b.report.SerializeAsString());
  }
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    absl::string_view flag = argv[i];
    uint64_t* target = nullptr;
    if (absl::ConsumePrefix(&flag, "--first=")) {
      target = &groupsim::first_scenario;
    } else if (absl::ConsumePrefix(&flag, "--count=")) {
      target = &groupsim::scenario_count;
    }
    if (target == nullptr || !absl::SimpleAtoi(flag, target)) {
      std::cerr << "usage: swarm_test [--first=N] [--count=N]\n";
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
