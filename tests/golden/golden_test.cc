// The catalog: every scenario keeps its promises, and its facts are those of
// its golden file. `groupsim verify --update FILE` writes a golden file anew;
// the commit that does so says which facts moved and why that is right.
#include "tools/cli/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"
#include "scenarios/runner/summary.h"
#include "tests/golden/catalog.h"

namespace groupsim {
namespace {

constexpr char kGolden[] = "tests/golden";

class GoldenTest : public testing::TestWithParam<std::string> {};

TEST_P(GoldenTest, KeepsItsPromisesAndGivesItsGoldenFacts) {
  const Source source = CatalogSource(GetParam());
  const Reading reading = ReadScenario(source, FormOf(source.name));
  ASSERT_TRUE(reading.ok()) << reading.findings.Format(source);
  RunOptions options;
  options.scenario_name = source.name;
  const Report report = RunScenario(reading.scenario, options).report;
  EXPECT_EQ(report.verdict(), Report::PASSED) << FormatSummary(report);

  const absl::StatusOr<GoldenLines> golden =
      ParseGolden(ContentsOf(absl::StrCat(kGolden, "/", GetParam(), ".txt")));
  ASSERT_TRUE(golden.ok()) << golden.status();
  const std::vector<std::string> differences =
      DifferencesOf(*golden, GoldenLinesOf(report));
  EXPECT_TRUE(differences.empty()) << absl::StrJoin(differences, "\n");
}

INSTANTIATE_TEST_SUITE_P(Catalog, GoldenTest, testing::ValuesIn(CatalogNames()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return info.param;
                         });

TEST(GoldenFilesTest, EachHasAScenario) {
  const std::vector<std::string> names = CatalogNames();
  for (const auto& entry : std::filesystem::directory_iterator(kGolden)) {
    if (entry.path().extension() != ".txt") continue;
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(),
                                   entry.path().stem().string()))
        << entry.path();
  }
}

TEST(CatalogTest, EveryScenarioExpectsSomethingFromBothSides) {
  for (const std::string& name : CatalogNames()) {
    const Scenario scenario =
        ScenarioFromTextOrDie(ContentsOf(CatalogPath(name)));
    bool two_sided = false;
    for (const schema::Expectation& e : scenario.expect()) {
      const auto both = [](const auto& bound) {
        return bound.has_at_least() && bound.has_at_most();
      };
      two_sided |=
          both(e.lost()) || both(e.duplicates()) || both(e.skipped()) ||
          both(e.unowned_queue_seconds()) ||
          both(e.double_owned_queue_seconds()) || both(e.jain()) ||
          both(e.metric()) || e.metric().has_equals() ||
          (e.takeover().has_at_least() && e.takeover().has_within()) ||
          (e.convergence().has_at_least() && e.convergence().has_within()) ||
          e.has_allocation() || e.lost().has_equals() ||
          e.duplicates().has_equals();
    }
    EXPECT_TRUE(two_sided) << name;
  }
}

}  // namespace
}  // namespace groupsim
