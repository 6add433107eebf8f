// Findings for programs, and comments that silence lints.
#include "scenarios/reader/findings_json.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Reading Read(const std::string& text) {
  return ReadScenario({.name = "s.textproto", .text = text},
                      ScenarioForm::kText);
}

TEST(FindingsJsonTest, AFindingHasItsPlaceAndItsFix) {
  const Reading reading = Read(
      "title: \"Gr\u00f6\u00dfe\" sed: 1\n"
      "group { name: \"g\" consumer { name: \"c\" } }\n");
  EXPECT_EQ(FindingsJson(reading.findings, reading.sources), R"({
  "version": 1,
  "errors": 1,
  "warnings": 0,
  "findings": [
    {
      "file": "s.textproto",
      "line": 1,
      "column": 16,
      "end_line": 1,
      "end_column": 19,
      "severity": "error",
      "lint": "",
      "message": "no field \"sed\" in Scenario",
      "path": "",
      "hint": "did you mean \"seed\"?",
      "fix": "seed"
    }
  ]
}
)");
}

TEST(FindingsJsonTest, WithoutFindingsTheListIsEmpty) {
  EXPECT_EQ(FindingsJson(Findings(), Sources()), R"({
  "version": 1,
  "errors": 0,
  "warnings": 0,
  "findings": []
}
)");
}

TEST(FindingsJsonTest, WhatIsNotUtf8IsShownAllTheSame) {
  const Reading reading = Read("title: \"\xff\"");
  EXPECT_THAT(FindingsJson(reading.findings, reading.sources),
              HasSubstr("\"column\": 9"));
}

// The paths of those of two warnings that a scenario does not allow.
std::vector<std::string> Warnings(const std::string& text) {
  Reading reading = Read(text);
  EXPECT_TRUE(reading.ok()) << reading.FormatFindings();
  reading.Warn("few-queues", "topic[0].queues_per_broker", "few");
  reading.Warn("few-queues", "group[0].consumer[0]", "many");
  std::vector<std::string> paths;
  for (const Finding& finding : reading.findings.all()) {
    paths.push_back(finding.path);
  }
  return paths;
}

TEST(AllowancesTest, ACommentSilencesALintOnItsLineTheNextOneOrEverywhere) {
  const std::string topic =
      "topic {\n  name: \"t\"\n  queues_per_broker: 1\n}\n";
  const std::string group = "group { name: \"g\" consumer { name: \"c\" } }";
  EXPECT_THAT(Warnings(topic + group), ElementsAre("topic[0].queues_per_broker",
                                                   "group[0].consumer[0]"));
  EXPECT_THAT(Warnings(topic + group + "  # groupsim: allow(few-queues)"),
              ElementsAre("topic[0].queues_per_broker"));
  EXPECT_THAT(Warnings(topic + "# groupsim: allow(x, few-queues)\n\n" + group),
              ElementsAre("topic[0].queues_per_broker"));
  EXPECT_THAT(
      Warnings("# Top.\n#groupsim:allow( few-queues )\n" + topic + group),
      IsEmpty());
  EXPECT_THAT(Warnings(topic + "# groupsim: allow(other)\n" + group).size(), 2);
}

TEST(AllowancesTest, AnUnknownLintIsTold) {
  Reading reading = Read(
      "group { name: \"g\" consumer { name: \"c\" } }\n"
      "# groupsim: allow(few-queue)\n# groupsim: alow(few-queues)\n");
  reading.CheckAllowances({"few-queues", "fault-after-end"}, "unused", "");
  EXPECT_EQ(reading.FormatFindings(),
            R"text(s.textproto:2:19: warning: there is no lint "few-queue"
  2 | # groupsim: allow(few-queue)
    |                   ^~~~~~~~~
  did you mean "few-queues"?
s.textproto:3:1: warning: this comment has no effect
  3 | # groupsim: alow(few-queues)
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
  a lint is silenced by "# groupsim: allow(NAME)"; see groupsim list lints
)text");
}

TEST(AllowancesTest, WhatSilencesNothingIsTold) {
  const std::vector<absl::string_view> lints = {"few-queues", "late", "unused"};
  Reading reading = Read(
      "# groupsim: allow(late)\n\n"
      "topic { name: \"t\" } # groupsim: allow(few-queues)\n"
      "group { name: \"g\"  # groupsim: allow(few-queues)\n"
      "  consumer { name: \"c\" } }\n");
  reading.Warn("few-queues", "topic[0]", "few");
  reading.CheckAllowances(lints, "unused", "take it away");
  EXPECT_EQ(
      reading.FormatFindings(),
      R"text(s.textproto:1:19: warning: there is nothing to allow: "late" does not warn here [unused]
  1 | # groupsim: allow(late)
    |                   ^~~~
  take it away
s.textproto:4:38: warning: there is nothing to allow: "few-queues" does not warn here [unused]
  4 | group { name: "g"  # groupsim: allow(few-queues)
    |                                      ^~~~~~~~~~
  take it away
)text");
}

TEST(AllowancesTest, WhatSilencesNothingCanBeAllowedToo) {
  const std::string group = "group { name: \"g\" consumer { name: \"c\" } }";
  Reading reading = Read("# groupsim: allow(late, unused)\n\n" + group);
  reading.CheckAllowances({"late", "unused"}, "unused", "");
  EXPECT_THAT(reading.FormatFindings(), IsEmpty());
  Reading idle = Read("# groupsim: allow(unused)\n\n" + group);
  idle.CheckAllowances({"late", "unused"}, "unused", "");
  EXPECT_THAT(idle.FormatFindings(), IsEmpty());
}

TEST(AllowancesTest, WhatIsWrittenNowhereCannotBeAllowedOnALine) {
  Reading reading = Read(
      "group { name: \"g\" consumer { name: \"c\" } } "
      "# groupsim: allow(late)\n");
  reading.Warn("late", "duration", "late");
  EXPECT_EQ(reading.findings.count(), 1u);
}

}  // namespace
}  // namespace groupsim
