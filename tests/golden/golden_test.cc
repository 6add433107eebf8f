// The catalog: every scenario keeps its promises, and its facts are those of
// its golden file. `groupsim verify --update FILE` writes a golden file anew;
// the commit that does so says which facts moved and why that is right.
#include "tools/cli/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"
#include "scenarios/runner/summary.h"

namespace groupsim {
namespace {

constexpr char kCatalog[] = "scenarios/catalog";
constexpr char kGolden[] = "tests/golden";

std::vector<std::string> CatalogNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kCatalog)) {
    if (entry.path().extension() == ".textproto") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class GoldenTest : public testing::TestWithParam<std::string> {};

TEST_P(GoldenTest, KeepsItsPromisesAndGivesItsGoldenFacts) {
  const std::string path =
      absl::StrCat(kCatalog, "/", GetParam(), ".textproto");
  Source source;
  source.name = path;
  source.text = Contents(path);
  const Reading reading = ReadScenario(source, FormOf(path));
  ASSERT_TRUE(reading.ok()) << reading.findings.Format(source);
  RunOptions options;
  options.scenario_name = path;
  const Report report = RunScenario(reading.scenario, options).report;
  EXPECT_EQ(report.verdict(), Report::PASSED) << FormatSummary(report);

  const absl::StatusOr<GoldenLines> golden =
      ParseGolden(Contents(absl::StrCat(kGolden, "/", GetParam(), ".txt")));
  ASSERT_TRUE(golden.ok()) << golden.status();
  const std::vector<std::string> differences =
      DifferencesOf(*golden, GoldenLinesOf(report));
  EXPECT_TRUE(differences.empty()) << absl::StrJoin(differences, "\n");
}

INSTANTIATE_TEST_SUITE_P(Catalog, GoldenTest, testing::ValuesIn(CatalogNames()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return info.param;
                         });

// What a scenario says to make it fail: a line "# Fails with --set='...':" of
// its first comment.
std::string ChangeThatFails(const std::string& text) {
  const std::string begins_with = "\n# Fails with --set='";
  const size_t begin = text.find(begins_with);
  if (begin == std::string::npos) return "";
  const size_t end = text.find("':\n", begin);
  if (end == std::string::npos) return "";
  return text.substr(begin + begins_with.size(),
                     end - begin - begins_with.size());
}

TEST_P(GoldenTest, FailsWithTheChangeThatItNames) {
  const std::string path =
      absl::StrCat(kCatalog, "/", GetParam(), ".textproto");
  Source source;
  source.name = path;
  source.text = Contents(path);
  ReadOptions options;
  options.settings = {ChangeThatFails(source.text)};
  ASSERT_NE(options.settings[0], "") << path << " names no change";
  const Reading reading = ReadScenario(source, FormOf(path), options);
  ASSERT_TRUE(reading.ok()) << reading.FormatFindings();
  const Report report = RunScenario(reading.scenario, RunOptions()).report;
  EXPECT_EQ(report.verdict(), Report::FAILED) << FormatSummary(report);
}

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
    const Scenario scenario = ScenarioFromTextOrDie(
        Contents(absl::StrCat(kCatalog, "/", name, ".textproto")));
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
