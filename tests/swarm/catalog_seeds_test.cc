// The catalog under other seeds than its own: whatever the expectations say
// then, no law of conservation may break.
//
//   bazel run //tests/swarm:catalog_seeds_test -- --seeds=100 --whole
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "model/base/time.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/values.h"
#include "scenarios/runner/runner.h"

namespace groupsim {

// Seeds 1 to this.
uint64_t last_seed = 5;
// Whether runs have their full length; without, two minutes at most.
bool whole_runs = false;

namespace {

constexpr char kCatalog[] = "scenarios/catalog";
constexpr Duration kShortened = 120s;

std::vector<std::string> CatalogFiles() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kCatalog)) {
    if (entry.path().extension() == ".textproto") {
      paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(CatalogSeedsTest, NoSeedBreaksALaw) {
  int runs = 0;
  uint64_t events = 0;
  for (const std::string& path : CatalogFiles()) {
    const absl::StatusOr<Source> source = LoadSource(path);
    ASSERT_TRUE(source.ok()) << path;
    Reading reading = ReadScenario(*source, FormOf(path));
    ASSERT_TRUE(reading.ok()) << reading.findings.Format(*source);
    if (!whole_runs &&
        *ParseDuration(reading.scenario.duration()) > kShortened) {
      reading.scenario.set_duration(FormatDuration(kShortened));
    }
    for (uint64_t seed = 1; seed <= last_seed; ++seed) {
      RunOptions options;
      options.seed = seed;
      options.scenario_name = path;
      options.reproduce = absl::StrCat("groupsim run --seed=", seed, " ", path);
      const RunResult result = RunScenario(reading.scenario, options);
      ++runs;
      events += result.events;
      EXPECT_GT(result.events, 0u);
      EXPECT_GT(result.report.audits_size(), 0);
      for (const Report::AuditReport& audit : result.report.audits()) {
        EXPECT_TRUE(audit.held())
            << path << " seed " << seed << " " << audit.name();
      }
    }
  }
  EXPECT_GT(runs, 0);
  std::cout << runs << " runs, " << events << " events\n";
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    absl::string_view flag = argv[i];
    if (flag == "--whole") {
      groupsim::whole_runs = true;
    } else if (!absl::ConsumePrefix(&flag, "--seeds=") ||
               !absl::SimpleAtoi(flag, &groupsim::last_seed)) {
      std::cerr << "usage: catalog_seeds_test [--seeds=N] [--whole]\n";
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
