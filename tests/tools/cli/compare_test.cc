// groupsim compare.
#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/tools/cli/groupsim_process.h"
#include "tools/cli/comparison.h"

namespace groupsim {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string ErrorOf(const absl::StatusOr<std::vector<Variant>>& variants) {
  return std::string(variants.status().message());
}

TEST(VariantsTest, CommasWithinAValueDoNotSeparate) {
  const auto variants = VariantsOfField(
      "group[0].strategy={averagely{}},{ by_config { queues: \"a#0,a#1\" } }");
  ASSERT_TRUE(variants.ok());
  ASSERT_EQ(variants->size(), 2u);
  EXPECT_EQ((*variants)[0].name, "group[0].strategy={averagely{}}");
  EXPECT_THAT((*variants)[1].settings,
              ElementsAre("group[0].strategy={ by_config { queues: "
                          "\"a#0,a#1\" } }"));
  for (const char* wrong : {"", "duration", "=1m", "duration="}) {
    EXPECT_THAT(ErrorOf(VariantsOfField(wrong)),
                StartsWith("--vary must be PATH=v1,v2"));
  }
}

TEST(VariantsTest, StrategiesAreThoseOfTheSchema) {
  const auto variants = VariantsOfStrategies(
      "averagely,consistent-hash", {"group[0].strategy", "group[1].strategy"});
  ASSERT_TRUE(variants.ok());
  EXPECT_EQ((*variants)[1].name, "consistent_hash");
  EXPECT_THAT((*variants)[1].settings,
              ElementsAre("group[0].strategy={ consistent_hash {} }",
                          "group[1].strategy={ consistent_hash {} }"));
  EXPECT_GE(VariantsOfStrategies("all", {})->size(), 10u);
  EXPECT_EQ(ErrorOf(VariantsOfStrategies("averagly", {})),
            "no strategy \"averagly\"; did you mean \"averagely\"?");
}

TEST(VariantsTest, EachGoesWithEach) {
  const auto a = VariantsOfField("seed=1,2");
  const auto b = VariantsOfField("cpus=1,2,4");
  const auto both = Crossed(*a, *b);
  ASSERT_EQ(both->size(), 6u);
  EXPECT_EQ((*both)[5].name, "seed=2 cpus=4");
  EXPECT_THAT((*both)[5].settings, ElementsAre("seed=2", "cpus=4"));
  const std::vector<Variant> many(40);
  EXPECT_THAT(ErrorOf(Crossed(many, many)),
              HasSubstr("1600 variants; at most 1000"));
}

TEST(SpreadTest, MedianLowestHighest) {
  EXPECT_EQ(SpreadOf({}).runs, 0u);
  EXPECT_EQ(SpreadOf({3, 1, 2}).median, 2);
  const MetricSpread spread = SpreadOf({4, 1, 2, 9});
  EXPECT_EQ(spread.runs, 4u);
  EXPECT_EQ(spread.median, 3);
  EXPECT_EQ(spread.lowest, 1);
  EXPECT_EQ(spread.highest, 9);
}

Comparison SomeComparison() {
  Comparison comparison;
  comparison.scenario = "s.textproto";
  comparison.seeds = {.first = 1, .last = 2};
  comparison.duration = "1m";
  comparison.metrics =
      *MetricsNamed("jain_time_weighted,duplicates,latency_p99_seconds");
  std::vector<Report> reports(2);
  for (int i = 0; i < 2; ++i) {
    Report::GroupReport& group = *reports[i].add_groups();
    group.set_name("g");
    group.mutable_metrics()->set_jain_time_weighted(0.5 + i / 4.0);
    group.mutable_metrics()->set_duplicates(1000 + i);
    reports[i].set_verdict(i == 0 ? Report::PASSED : Report::FAILED);
  }
  AddRows("a,b", reports, comparison);
  comparison.left_out.push_back({"sticky", "not yet"});
  return comparison;
}

TEST(ComparisonOutputTest, TextHasMediansAndRanges) {
  EXPECT_EQ(ComparisonText(SomeComparison()),
            "s.textproto   seeds 1 to 2   1m simulated each\n"
            "\n"
            "  group g: median over the seeds, below it lowest..highest\n"
            "\n"
            "          jain_time_weighted     duplicates   "
            "latency_p99_seconds   passed\n"
            "    a,b                0.625          1,001   "
            "                  -   1 of 2\n"
            "                0.500..0.750   1,000..1,001\n"
            "\n"
            "  left out:\n"
            "    not yet\n"
            "      sticky\n");
}

TEST(ComparisonOutputTest, CsvHasALineForEachVariantAndGroup) {
  EXPECT_EQ(ComparisonCsv(SomeComparison()),
            "variant,group,runs,passed,jain_time_weighted_median,"
            "jain_time_weighted_lowest,jain_time_weighted_highest,"
            "duplicates_median,duplicates_lowest,duplicates_highest,"
            "latency_p99_seconds_median,latency_p99_seconds_lowest,"
            "latency_p99_seconds_highest\n"
            "\"a,b\",g,2,1,0.625,0.5,0.75,1000.5,1000,1001,,,\n");
}

TEST(ComparisonOutputTest, JsonHasWhatIsThere) {
  const json all = json::parse(ComparisonJson(SomeComparison()));
  EXPECT_EQ(all["rows"][0]["variant"], "a,b");
  EXPECT_EQ(all["rows"][0]["passed"], 1);
  const json& metrics = all["rows"][0]["metrics"];
  EXPECT_EQ(metrics["duplicates"]["median"], 1000.5);
  EXPECT_EQ(metrics["duplicates"]["unit"], "messages");
  EXPECT_EQ(metrics["latency_p99_seconds"]["runs"], 0);
  EXPECT_FALSE(metrics["latency_p99_seconds"].contains("median"));
  EXPECT_EQ(all["left_out"][0]["why"], "not yet");
}

TEST(CompareTest, VariesAFieldOverSeeds) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const std::string words =
      "compare --vary=group[0].consumer[0].count=1,4 --seeds=1..3 ";
  const Ended ended = Groupsim(words + path);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.err, IsEmpty());
  EXPECT_THAT(ended.out,
              StartsWith("small.textproto   seeds 1 to 3   10 s simulated "
                         "each\n\n  group g: "));
  EXPECT_THAT(ended.out, HasSubstr("group[0].consumer[0].count=1   "));
  EXPECT_THAT(ended.out, HasSubstr("group[0].consumer[0].count=4   "));
  EXPECT_THAT(ended.out, HasSubstr("3 of 3\n"));
  EXPECT_EQ(Groupsim(words + path).out, ended.out);
  const json all = json::parse(Groupsim(words + "--format=json " + path).out);
  EXPECT_EQ(all["rows"].size(), 2u);
  const std::string csv = Groupsim(words + "--format=csv " + path).out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
}

TEST(CompareTest, AVariantIsTheRunWithTheSameSetting) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const json compared = json::parse(
      Groupsim("compare --vary=group[0].consumer[0].count=3 --seeds=7..7 "
               "--metrics=pulls,rebalances --format=json " +
               path)
          .out);
  const json ran =
      json::parse(Groupsim("run --set=group[0].consumer[0].count=3 --seed=7 "
                           "--format=json " +
                           path)
                      .out);
  for (const char* name : {"pulls", "rebalances"}) {
    EXPECT_EQ(compared["rows"][0]["metrics"][name]["median"].get<double>(),
              std::stod(ran["groups"][0]["metrics"][name].get<std::string>()));
  }
}

TEST(CompareTest, OfAllStrategiesThoseThatCannotRunAreLeftOutWithTheReason) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const Ended ended = Groupsim("compare --strategies=all --seeds=1..1 " + path);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\n    averagely   "));
  EXPECT_THAT(ended.out, HasSubstr("\n  left out:\n"));
  EXPECT_THAT(ended.out, HasSubstr("the lags of all queues"));
  // Asked for by name, it is an error.
  const Ended lags = Groupsim("compare --strategies=largest_lag_first " + path);
  EXPECT_EQ(lags.exit_code, 3);
  EXPECT_THAT(lags.err, HasSubstr("the lags of all queues"));
  EXPECT_THAT(lags.out, IsEmpty());
}

TEST(CompareTest, AStrategyThatNeedsThePastRunsAsAWhatIf) {
  const std::string path = WriteScenario(
      "leave.textproto",
      "duration: \"90s\" topic { name: \"t\" queues_per_broker: 60 } "
      "group { name: \"g\" consumer { name: \"c\" count: 6 } } "
      "at { time: \"40s\" stop { consumer: \"c-2\" } }");
  const json all = json::parse(
      Groupsim(
          "compare --strategies=averagely,sticky,uniform --seeds=1..2 "
          "--metrics=queue_moves,necessary_moves,jain_final --format=json " +
          path)
          .out);
  ASSERT_EQ(all["rows"].size(), 3u) << all;
  const auto median = [&](int row, const char* metric) {
    return all["rows"][row]["metrics"][metric]["median"].get<double>();
  };
  EXPECT_EQ(all["rows"][1]["variant"], "sticky (what-if)");
  EXPECT_EQ(all["rows"][2]["variant"], "uniform (what-if)");
  for (const int row : {1, 2}) {
    EXPECT_LT(median(row, "queue_moves"), median(0, "queue_moves"));
    EXPECT_EQ(median(row, "jain_final"), 1.0);
  }
}

TEST(CompareTest, AStrategyOfAConsumersOwnIsReplacedTooAndTheTableSaysSo) {
  const auto scenario = [](const std::string& own) {
    return absl::StrCat(
        "duration: \"30s\" topic { name: \"t\" queues_per_broker: 8 } "
        "group { name: \"g\" consumer { name: \"c\" count: 2 } "
        "consumer { name: \"d\" ",
        own, " } }");
  };
  const std::string mixed = WriteScenario(
      "mixed.textproto", scenario("strategy { averagely_by_circle {} }"));
  const std::string plain = WriteScenario("plain.textproto", scenario(""));
  const std::string words =
      "compare --strategies=averagely,consistent_hash,sticky --seeds=1..1 "
      "--format=json ";
  const json replaced = json::parse(Groupsim(words + mixed).out);
  const json expected = json::parse(Groupsim(words + plain).out);
  EXPECT_EQ(replaced["rows"], expected["rows"]);
  EXPECT_EQ(replaced["replaced_strategies_of"], json({"d of group g"}));
  EXPECT_EQ(expected["replaced_strategies_of"], json::array());
  EXPECT_THAT(
      Groupsim("compare --strategies=averagely --seeds=1..1 " + mixed).out,
      HasSubstr("\n  in place of the strategies that they have of "
                "their own: d of group g\n"));
}

TEST(CompareTest, WrongUsageIsExplained) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const std::pair<std::string, std::string> cases[] = {
      {"compare", "compare needs the file of one scenario"},
      {"compare " + path, "compare needs --strategies or --vary"},
      {"compare --strategies=averagly " + path,
       "no strategy \"averagly\"; did you mean \"averagely\"?"},
      {"compare --vary=seed " + path, "--vary must be PATH=v1,v2"},
      {"compare --vary=seed=1 --metrics=duplicate " + path,
       "no metric \"duplicate\"; did you mean \"duplicates\"?"},
  };
  for (const auto& [words, message] : cases) {
    const Ended ended = Groupsim(words);
    EXPECT_EQ(ended.exit_code, 2) << words;
    EXPECT_THAT(ended.err, StartsWith("groupsim: " + message)) << words;
  }
  EXPECT_EQ(Groupsim("compare --vary=seed=1 /nowhere.textproto").exit_code, 4);
  const Ended wrong = Groupsim("compare --vary=sede=1 " + path);
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"seed\"?"));
}

}  // namespace
}  // namespace groupsim
