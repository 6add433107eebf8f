// What run gives besides the summary, and what the help says.
#include <algorithm>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "pugixml.hpp"
#include "scenarios/schema/report.pb.h"
#include "tests/tools/cli/groupsim_process.h"
#include "tools/cli/junit.h"

namespace groupsim {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Report SomeReport() {
  Report report;
  report.set_verdict(Report::FAILED);
  report.mutable_run()->set_scenario("s.textproto");
  report.mutable_run()->set_seed(7);
  report.mutable_run()->set_duration_seconds(60);
  report.mutable_run()->set_reproduce("groupsim run --seed=7 s.textproto");
  report.mutable_fingerprints()->set_facts("00ff");
  Report::GroupReport& group = *report.add_groups();
  group.set_name("g");
  group.mutable_metrics()->set_duplicates(3);
  const Report::Verdict verdicts[] = {Report::PASSED, Report::FAILED,
                                      Report::VACUOUS};
  for (int i = 0; i < 3; ++i) {
    Report::ExpectationReport& item = *report.add_expectations();
    item.set_index(i);
    item.set_expectation("duplicates at most 2");
    item.set_group("g");
    item.set_verdict(verdicts[i]);
    item.set_actual("3");
    item.set_cause("a ]]> b\x01");
  }
  Report::TimelineReport& event = *report.add_timeline();
  event.set_event("crash c-1");
  event.set_when("every 10s from 5 s");
  event.set_vacuous("never came");
  // One that tested something.
  Report::TimelineReport& other = *report.add_timeline();
  other.set_event("delay heartbeats");
  other.set_when("at 7 s");
  return report;
}

TEST(JunitTest, ExpectationsAndEventsAreCases) {
  const std::string text = FormatJunit(
      {{SomeReport(), {{"a/s.textproto", 3}, {"a/s.textproto", 9}}}});
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str())) << text;
  const pugi::xml_node suites = document.child("testsuites");
  EXPECT_STREQ(suites.attribute("tests").value(), "5");
  EXPECT_STREQ(suites.attribute("failures").value(), "1");
  EXPECT_STREQ(suites.attribute("errors").value(), "2");
  const pugi::xml_node suite = suites.child("testsuite");
  EXPECT_STREQ(suite.attribute("name").value(), "s.textproto seed 7");
  EXPECT_STREQ(suite.attribute("time").value(), "60.000");
  EXPECT_STREQ(suite.child("properties")
                   .find_child_by_attribute("name", "g.duplicates")
                   .attribute("value")
                   .value(),
               "3");
  EXPECT_STREQ(suite.child("properties")
                   .find_child_by_attribute("name", "facts")
                   .attribute("value")
                   .value(),
               "00ff");
  pugi::xml_node test = suite.child("testcase");
  EXPECT_STREQ(test.attribute("name").value(),
               "expect[0] duplicates at most 2 of g");
  EXPECT_STREQ(test.attribute("file").value(), "a/s.textproto");
  EXPECT_STREQ(test.attribute("line").value(), "3");
  EXPECT_FALSE(test.child("failure"));
  test = test.next_sibling("testcase");
  EXPECT_STREQ(test.child("failure").attribute("message").value(),
               "expected duplicates at most 2, got 3");
  EXPECT_THAT(text, HasSubstr("cause: a ]]]]><![CDATA[> b\\x01\n"));
  test = test.next_sibling("testcase");
  EXPECT_STREQ(test.child("error").attribute("type").value(), "vacuous");
  test = test.next_sibling("testcase");
  EXPECT_STREQ(test.attribute("name").value(),
               "timeline[0] crash c-1 every 10s from 5 s");
  EXPECT_STREQ(test.child("error").attribute("message").value(),
               "vacuous: crash c-1 every 10s from 5 s never came");
  test = test.next_sibling("testcase");
  EXPECT_STREQ(test.attribute("name").value(),
               "timeline[1] delay heartbeats at 7 s");
  EXPECT_FALSE(test.child("error"));
}

TEST(OutputsTest, JunitGoesToStandardOutputAndIntoTheFolder) {
  const std::string path =
      WriteScenario("small.textproto",
                    absl::StrCat(kScenario, "expect { lost { at_least: 1 } }"));
  const std::string folder =
      std::filesystem::path(path).parent_path().string() + "/out";
  const Ended ended =
      Groupsim(absl::StrCat("run --format=junit --out=", folder, " ", path));
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_EQ(ReadFile(folder + "/junit.xml"), ended.out);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(ended.out.c_str()));
  const pugi::xml_node suites = document.child("testsuites");
  EXPECT_STREQ(suites.attribute("tests").value(), "2");
  EXPECT_STREQ(suites.attribute("failures").value(), "1");
  EXPECT_STREQ(
      suites.child("testsuite").child("testcase").attribute("line").value(),
      "6");
  const Ended several = Groupsim("run --format=junit --seeds=1..3 " + path);
  ASSERT_TRUE(document.load_string(several.out.c_str()));
  EXPECT_STREQ(document.child("testsuites").attribute("tests").value(), "6");
}

TEST(OutputsTest, AnotherRunLeavesNoFactsOfTheOneBefore) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const std::string folder =
      std::filesystem::path(path).parent_path().string() + "/out";
  Groupsim(absl::StrCat("run --events --out=", folder, " ", path));
  EXPECT_TRUE(std::filesystem::exists(folder + "/events.jsonl"));
  Groupsim(absl::StrCat("run --out=", folder, " ", path));
  EXPECT_FALSE(std::filesystem::exists(folder + "/events.jsonl"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/result.json"));
}

TEST(OutputsTest, EveryFactIsAnObjectWithNames) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const std::string folder =
      std::filesystem::path(path).parent_path().string() + "/out";
  Groupsim(absl::StrCat("run --events --out=", folder, " ", path));
  std::istringstream lines(ReadFile(folder + "/events.jsonl"));
  int delivered = 0;
  for (std::string line; std::getline(lines, line);) {
    const json fact = json::parse(line);
    ASSERT_TRUE(fact["time"].is_number_integer()) << line;
    ASSERT_TRUE(fact["kind"].is_string()) << line;
    if (fact["kind"] != "DELIVERED") continue;
    ++delivered;
    EXPECT_EQ(fact["group"], "g");
    EXPECT_EQ(fact["topic"], "t");
    EXPECT_THAT(fact["host"].get<std::string>(), testing::StartsWith("c-"));
  }
  EXPECT_EQ(delivered, 500);
}

TEST(OutputsTest, SettingsChangeTheRunAndStandInTheLineThatRepeatsIt) {
  const std::string path = WriteScenario("small.textproto", kScenario);
  const Ended ended = Groupsim(absl::StrCat(
      "run --set=duration=20s '--set=group[g].consumer[c].count=3' ", path));
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("20 s simulated"));
  EXPECT_THAT(ended.out, HasSubstr("group g: 3 consumers"));
  const std::string repeat = absl::StrCat(
      "groupsim run --seed=1 --set=duration=20s "
      "'--set=group[g].consumer[c].count=3' ",
      path, "\n");
  EXPECT_THAT(ended.out, testing::EndsWith(repeat));
  EXPECT_EQ(Groupsim(repeat.substr(std::string("groupsim ").size(),
                                   repeat.size() - 10))
                .out,
            ended.out);
  const Ended wrong = Groupsim("run --set=group[x].name=y " + path);
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.out, testing::IsEmpty());
}

TEST(HelpTest, TopicsAreExplained) {
  const Ended overview = Groupsim("help");
  for (const std::string topic :
       {"concepts", "determinism", "events", "exit-codes", "lints", "metrics",
        "scenario"}) {
    EXPECT_THAT(overview.out, HasSubstr(absl::StrCat("\n  ", topic, " ")));
    const Ended ended = Groupsim("help " + topic);
    EXPECT_EQ(ended.exit_code, 0) << topic;
    std::istringstream lines(ended.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 82u) << topic << ": " << line;
    }
  }
  EXPECT_THAT(Groupsim("help lints").out, HasSubstr("\nfault-after-end\n"));
  EXPECT_THAT(Groupsim("help metrics").out,
              HasSubstr("\n  unowned_queue_seconds (queue-seconds)\n"));
  const std::string concepts = Groupsim("help concepts").out;
  for (const char* word : {"duplicate", "retry", "dead\nletter", "delay level",
                           "%RETRY%GROUP", "%DLQ%GROUP", "latency"}) {
    EXPECT_THAT(concepts, HasSubstr(word));
  }
  EXPECT_THAT(Groupsim("help exit-codes").out,
              HasSubstr("  3  invalid input: a scenario, or the group that "
                        "allocate is given\n"));
  const Ended wrong = Groupsim("help metric");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.err,
            "groupsim: no help about \"metric\"; did you mean \"metrics\"?\n"
            "groupsim: see groupsim help\n");
}

TEST(HelpTest, AllThatAReportMeasuresIsExplained) {
  const std::string text = Groupsim("help metrics").out;
  const google::protobuf::Descriptor* const measured[] = {
      Report::GroupMetrics::descriptor(), Report::ConsumerMetrics::descriptor(),
      Report::TopicMetrics::descriptor(), Report::QueueMetrics::descriptor(),
      Report::ProducerReport::descriptor()};
  for (const google::protobuf::Descriptor* type : measured) {
    for (int i = 0; i < type->field_count(); ++i) {
      const std::string& name = type->field(i)->name();
      // Of producers: who it is, and failures cause by cause.
      if (name == "name" || name == "topic" || name == "failures") continue;
      EXPECT_THAT(text, HasSubstr(name)) << type->name();
    }
  }
  for (const char* heading :
       {"\nOf a topic for a group", "\nOf a queue for a group",
        "\nOf a producer; "}) {
    EXPECT_THAT(text, HasSubstr(heading));
  }
}

TEST(HelpTest, TheScenarioThatItShowsIsValid) {
  const std::string text = Groupsim("help scenario").out;
  const size_t begin = text.find("  duration: \"10m\"");
  const size_t end = text.find("Durations are texts");
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string path =
      WriteScenario("shown.textproto", text.substr(begin, end - begin));
  const Ended ended = Groupsim("check --strict " + path);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
}

TEST(ListTest, EachListHasJsonToo) {
  for (const std::string what :
       {"scenarios", "actions", "faults", "metrics", "lints", "facts"}) {
    const json list = json::parse(
        Groupsim(absl::StrCat("list ", what, " --format=json")).out);
    EXPECT_EQ(list["schema_version"], 1);
    EXPECT_FALSE(list[what].empty()) << what;
    for (const json& item : list[what]) {
      EXPECT_FALSE(item["name"].get<std::string>().empty()) << what;
    }
  }
  EXPECT_THAT(Groupsim("list actions").out, HasSubstr("rolling_restart"));
  EXPECT_THAT(Groupsim("list faults").out, HasSubstr("QUEUE_OBJECT_IS_REUSED"));
  EXPECT_THAT(Groupsim("list lints").out,
              HasSubstr("\nduplicate-client-id\n      Two consumers"));
  const std::string scenarios = Groupsim("list scenarios").out;
  EXPECT_THAT(scenarios, HasSubstr("What does a rolling restart of eight pods "
                                   "cost, one pod at a time?\n"));
}

}  // namespace
}  // namespace groupsim
