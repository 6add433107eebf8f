// Scenarios that are spread over several files.
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using testing::HasSubstr;
using testing::Not;

using Files = std::map<std::string, std::string>;

// Reads the first of `files` by name; the others can be included.
Reading Read(const Files& files,
             const std::string& first = "a/main.textproto") {
  ReadOptions options;
  options.load = [&files](const std::string& path) -> absl::StatusOr<Source> {
    const auto found = files.find(path);
    if (found == files.end()) return absl::NotFoundError("No such file");
    return Source{.name = path, .text = found->second};
  };
  return ReadScenario({.name = first, .text = files.at(first)}, FormOf(first),
                      options);
}

constexpr char kGroup[] = "group { name: 'g' consumer { name: 'c' } }\n";

TEST(IncludeTest, IncludedFilesComeFirstAndMergeAsProtobufMerges) {
  const Reading reading =
      Read({{"a/main.textproto", absl::StrCat("include: 'cluster.textproto'\n"
                                              "include: '../b/topics.json'\n"
                                              "duration: '2m'\n"
                                              "broker_defaults { "
                                              "long_polling_enable: false }\n",
                                              kGroup)},
            {"a/cluster.textproto",
             "duration: '9m' seed: 5 broker { name: 'x' }\n"
             "broker_defaults { notify_consumer_ids_changed_enable: false }"},
            {"b/topics.json", R"({"include": "more/brokers.binpb",
                             "topic": {"name": "t", "broker": ["y"]}})"},
            {"b/more/brokers.binpb", "\x3a\x03\x0a\x01y"}});
  ASSERT_TRUE(reading.ok()) << reading.FormatFindings();
  const Scenario& scenario = reading.scenario;
  EXPECT_EQ(scenario.duration(), "2m");
  EXPECT_EQ(scenario.seed(), 5);
  ASSERT_EQ(scenario.broker_size(), 2);
  EXPECT_EQ(scenario.broker(0).name(), "x");
  EXPECT_EQ(scenario.broker(1).name(), "y");
  EXPECT_FALSE(scenario.broker_defaults().long_polling_enable());
  EXPECT_FALSE(scenario.broker_defaults().notify_consumer_ids_changed_enable());
  EXPECT_EQ(scenario.include_size(), 0);
  EXPECT_EQ(reading.sources.size(), 4);
}

TEST(IncludeTest, FindingsAreInTheFileInWhichTheyWereWritten) {
  const Reading reading =
      Read({{"a/main.textproto",
             absl::StrCat("include: 'part.textproto'\nsed: 1\n", kGroup)},
            {"a/part.textproto", "\n\nbroker { naem: 'x' }\n"}});
  EXPECT_EQ(reading.FormatFindings(),
            R"(a/main.textproto:2:1: error: no field "sed" in Scenario
  2 | sed: 1
    | ^~~
  did you mean "seed"?
a/part.textproto:3:10: error: no field "naem" in Broker
  at broker[0]
  3 | broker { naem: 'x' }
    |          ^~~~
  did you mean "name"?
)");
}

TEST(IncludeTest, ACycleIsShownAsAChain) {
  const Reading reading = Read(
      {{"a/main.textproto", absl::StrCat("include: 'b.textproto'\n", kGroup)},
       {"a/b.textproto", "include: '../a/c.textproto'"},
       {"a/c.textproto", "seed: 1\ninclude: './b.textproto'"}});
  EXPECT_EQ(
      reading.FormatFindings(),
      R"(a/c.textproto:2:10: error: a/b.textproto includes itself: a/b.textproto -> a/c.textproto -> a/b.textproto
  at include
  2 | include: './b.textproto'
    |          ^~~~~~~~~~~~~~~
)");
}

TEST(IncludeTest, AFileThatIsMetTwiceCountsOnce) {
  const Reading reading =
      Read({{"a/main.textproto",
             absl::StrCat("include: ['x.textproto', 'y.textproto']\n", kGroup)},
            {"a/x.textproto", "include: 'brokers.textproto'"},
            {"a/y.textproto", "include: 'brokers.textproto' seed: 2"},
            {"a/brokers.textproto", "broker { name: 'b' }"}});
  ASSERT_TRUE(reading.ok()) << reading.FormatFindings();
  EXPECT_EQ(reading.scenario.broker_size(), 1);
}

TEST(IncludeTest, AFileThatCannotBeReadIsToldWhereItIsIncluded) {
  EXPECT_EQ(
      Read({{"a/main.textproto",
             absl::StrCat("include: 'none.textproto'\n", kGroup)}})
          .FormatFindings(),
      R"(a/main.textproto:1:10: error: cannot read a/none.textproto: No such file
  at include
  1 | include: 'none.textproto'
    |          ^~~~~~~~~~~~~~~~
  the path is relative to the folder of the file that includes it
)");
  // Whatever is wrong with one file, the others are looked at too.
  const std::string both =
      Read({{"a/main.textproto",
             absl::StrCat("include: ['x.textproto', 'y.textproto']\n", kGroup)},
            {"a/x.textproto", "seed = 1"},
            {"a/y.textproto", "{ \"seed\": 1 }"}})
          .FormatFindings();
  EXPECT_THAT(both, HasSubstr("a/x.textproto:1:6: error: "));
  EXPECT_THAT(both,
              HasSubstr("a/y.textproto:1:1: error: this looks like JSON"));
}

TEST(IncludeTest, DepthAndNumberAreLimited) {
  Files deep = {{"a/main.textproto", "include: '0.textproto'"}};
  for (int i = 0; i < 40; ++i) {
    deep[absl::StrCat("a/", i, ".textproto")] =
        absl::StrCat("include: '", i + 1, ".textproto'");
  }
  EXPECT_THAT(Read(deep).FormatFindings(),
              HasSubstr("included files are nested deeper than 16 levels"));
  Files wide = {{"a/main.textproto", kGroup}};
  for (int i = 0; i < 101; ++i) {
    absl::StrAppend(&wide["a/main.textproto"], "include: '", i,
                    ".textproto'\n");
    wide[absl::StrCat("a/", i, ".textproto")] = "cpus: 2";
  }
  EXPECT_THAT(Read(wide).FormatFindings(),
              HasSubstr("more than 100 files are included"));
  wide["a/main.textproto"] = absl::StrCat("include: '0.textproto' ", kGroup);
  EXPECT_TRUE(Read(wide).ok());
}

TEST(IncludeTest, ADeviceIsNoPartOfAScenario) {
  const Reading reading =
      ReadScenario({.name = "main.textproto", .text = "include: '/dev/zero'"},
                   ScenarioForm::kText);
  EXPECT_THAT(reading.FormatFindings(),
              HasSubstr("cannot read /dev/zero: this is not a file"));
  EXPECT_THAT(
      ReadScenario({.name = "", .text = "include: '/none/such.textproto'"},
                   ScenarioForm::kText)
          .FormatFindings(),
      HasSubstr("cannot read /none/such.textproto: No such file"));
  EXPECT_THAT(
      ReadScenario({.name = "", .text = "include: ''"}, ScenarioForm::kText)
          .FormatFindings(),
      HasSubstr("include needs the path of a file"));
}

}  // namespace
}  // namespace groupsim
