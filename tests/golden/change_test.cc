// The catalog's expectations can fail: every scenario names a change with
// which it does.
#include <gtest/gtest.h>

#include <string>

#include "scenarios/reader/reader.h"
#include "scenarios/runner/runner.h"
#include "scenarios/runner/summary.h"
#include "tests/golden/catalog.h"

namespace groupsim {
namespace {

class ChangeTest : public testing::TestWithParam<std::string> {};

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

TEST_P(ChangeTest, FailsWithTheChangeThatItNames) {
  const Source source = CatalogSource(GetParam());
  ReadOptions options;
  options.settings = {ChangeThatFails(source.text)};
  ASSERT_NE(options.settings[0], "") << source.name << " names no change";
  const Reading reading = ReadScenario(source, FormOf(source.name), options);
  ASSERT_TRUE(reading.ok()) << reading.FormatFindings();
  const Report report = RunScenario(reading.scenario, RunOptions()).report;
  EXPECT_EQ(report.verdict(), Report::FAILED) << FormatSummary(report);
}

INSTANTIATE_TEST_SUITE_P(Catalog, ChangeTest, testing::ValuesIn(CatalogNames()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return info.param;
                         });

}  // namespace
}  // namespace groupsim
