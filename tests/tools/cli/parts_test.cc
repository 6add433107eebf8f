// What the commands are made of.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/schema/report.pb.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/flags.h"
#include "tools/cli/golden.h"
#include "tools/cli/output_file.h"
#include "tools/cli/progress.h"

namespace groupsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Flags SomeFlags() {
  return Flags({{.name = "seed", .value = "N", .help = ""},
                {.name = "seeds", .value = "A..B", .help = ""},
                {.name = "format",
                 .value = "FORMAT",
                 .help = "",
                 .choices = {"text", "json"}},
                {.name = "quiet", .value = "", .help = ""}});
}

std::string ErrorOf(const std::vector<std::string>& arguments) {
  return std::string(SomeFlags().Parse(arguments).status().message());
}

TEST(FlagsTest, FlagsAndFilesMayBeMixed) {
  Flags flags = SomeFlags();
  const std::vector<std::string> arguments = {
      "a", "--seed=7", "b", "--quiet", "-", "--", "--seed=8"};
  EXPECT_THAT(*flags.Parse(arguments), ElementsAre("a", "b", "-", "--seed=8"));
  EXPECT_EQ(flags.Value("seed"), "7");
  EXPECT_TRUE(flags.Has("quiet"));
  EXPECT_FALSE(flags.Has("format"));
}

TEST(FlagsTest, WrongFlagsAreExplained) {
  EXPECT_EQ(ErrorOf({"--sed=1"}),
            "no flag \"--sed\"; did you mean \"--seed\"?");
  EXPECT_EQ(ErrorOf({"--zzzzzzzz"}), "no flag \"--zzzzzzzz\"");
  EXPECT_EQ(ErrorOf({"-seed=1"}),
            "no flag \"-seed\"; did you mean \"--seed\"?");
  EXPECT_EQ(ErrorOf({"--seed"}), "--seed needs a value: --seed=N");
  EXPECT_EQ(ErrorOf({"--seed="}), "--seed needs a value: --seed=N");
  EXPECT_EQ(ErrorOf({"--quiet=1"}), "--quiet takes no value");
  EXPECT_EQ(ErrorOf({"--seed=1", "--seed=2"}), "--seed is given twice");
  EXPECT_EQ(ErrorOf({"--format=xml"}),
            "--format must be text or json, not \"xml\"");
}

TEST(FlagsTest, SeedsAreWholeNumbers) {
  EXPECT_EQ(*ParseSeed("seed", "18446744073709551615"), UINT64_MAX);
  for (const std::string text :
       {"", "-1", "+1", " 1", "1 ", "0x1", "1.5", "18446744073709551616"}) {
    EXPECT_FALSE(ParseSeed("seed", text).ok()) << text;
  }
  EXPECT_EQ(ParseSeedRange("3..5")->first, 3);
  EXPECT_EQ(ParseSeedRange("3..5")->last, 5);
  for (const std::string text :
       {"", "1", "1..", "..1", "5..3", "1...3", "a..b", "1..200000", "1-3"}) {
    EXPECT_FALSE(ParseSeedRange(text).ok()) << text;
  }
}

TEST(ExitCodesTest, TheWorseOfSeveralRunsCounts) {
  const std::vector<int> order = {70, 130, 4, 3, 5, 1, 6, 0};
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = i; j < order.size(); ++j) {
      EXPECT_EQ(static_cast<int>(Worse(static_cast<ExitCode>(order[j]),
                                       static_cast<ExitCode>(order[i]))),
                order[i]);
    }
  }
}

Report SomeReport(int64_t duplicates) {
  Report report;
  report.mutable_run()->set_seed(3);
  report.mutable_fingerprints()->set_facts("00ff");
  Report::FactCount* count = report.add_fact_counts();
  count->set_kind("STORED");
  count->set_count(12);
  report.add_fact_counts()->set_kind("SENT");
  Report::GroupReport* group = report.add_groups();
  group->set_name("g");
  group->mutable_metrics()->set_duplicates(duplicates);
  group->mutable_metrics()->set_unowned_queue_seconds(0.1);
  return report;
}

TEST(GoldenTest, AGoldenFileReadsBackAsWritten) {
  const GoldenLines lines = GoldenLinesOf(SomeReport(5));
  const std::string text = FormatGolden("s.textproto", lines);
  EXPECT_THAT(text, HasSubstr("# Of s.textproto; written by groupsim verify "
                              "--update.\nseed 3\nfacts 00ff\n"
                              "fact STORED 12\nmetric g "));
  EXPECT_THAT(text, HasSubstr("metric g unowned_queue_seconds 0.1\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("fact SENT")));
  EXPECT_EQ(*ParseGolden(text), lines);
  EXPECT_FALSE(ParseGolden("seed 1\nrubbish\n").ok());
}

TEST(GoldenTest, DifferencesNameBothValues) {
  const GoldenLines before = GoldenLinesOf(SomeReport(5));
  GoldenLines after = GoldenLinesOf(SomeReport(6));
  after.erase(after.begin());
  after.emplace_back("new thing", "1");
  EXPECT_THAT(DifferencesOf(before, after),
              ElementsAre("metric g duplicates 5 -> 6", "new thing none -> 1",
                          "seed 3 -> none"));
  EXPECT_THAT(DifferencesOf(before, before), ElementsAre());
}

TEST(OutputFileTest, AFileIsThereOnlyWhenFinished) {
  const std::string path = testing::TempDir() + "/output_file";
  {
    OutputFile file(path);
    file.stream() << "half";
  }
  EXPECT_FALSE(std::ifstream(path).good());
  {
    OutputFile file(path);
    file.stream() << "whole";
    EXPECT_TRUE(file.Finish().ok());
  }
  std::ostringstream contents;
  contents << std::ifstream(path).rdbuf();
  EXPECT_EQ(contents.str(), "whole");
}

TEST(OutputFileTest, WhatCannotBeWrittenSaysSo) {
  EXPECT_THAT(WriteFile("/nowhere/at/all", "x").message(),
              HasSubstr("cannot write /nowhere/at/all: No such file"));
  const std::string path = testing::TempDir() + "/in_the_way";
  ASSERT_TRUE(WriteFile(path, "x").ok());
  EXPECT_THAT(MakeFolder(path).message(),
              HasSubstr(absl::StrCat("cannot make the folder ", path)));
  EXPECT_THAT(MakeFolder(path + "/below").message(),
              HasSubstr("cannot make the folder "));
}

TEST(ProgressTest, SpeedIsInReadableUnits) {
  EXPECT_EQ(DescribeSpeed(600s, 12'000'000, 1.5),
            "400x real time, 8.0 million events/s");
  EXPECT_EQ(DescribeSpeed(3s, 4'500, 1.5),
            "2.0x real time, 3.0 thousand events/s");
}

}  // namespace
}  // namespace groupsim
