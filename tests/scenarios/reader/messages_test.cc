// The words in which errors are told, whole.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

// What is printed about `text`, in text form.
std::string Print(const std::string& text) {
  const Source source{.name = "s.textproto", .text = text};
  return ReadScenario(source, ScenarioForm::kText).findings.Format(source);
}

TEST(MessagesTest, AMisspeltFieldIsUnderlinedAndTheNearestOneNamed) {
  EXPECT_EQ(
      Print(R"(group {
  name: "orders"
  client {
    heartbeat_broker_intervall: "30s"
  }
  consumer { name: "pod" }
}
)"),
      R"(s.textproto:4:5: error: no field "heartbeat_broker_intervall" in ClientSettings
  at group[0].client
  4 |     heartbeat_broker_intervall: "30s"
    |     ^~~~~~~~~~~~~~~~~~~~~~~~~~
  did you mean "heartbeat_broker_interval"?
)");
}

TEST(MessagesTest, AllFindingsOfAFileComeInOneGoAndInTheirOrder) {
  EXPECT_EQ(
      Print(R"(duration: "10 minutes"
group {
  naem: "orders"
  consumer { name: "pod" stagger: "2d" }
  strategy { sticky {} }
}
at { time: "1m" crash { consumer: "pid" } }
)"),
      R"(s.textproto:1:11: error: duration is "10 minutes"; a duration is a number with a unit (ns, us, ms, s, m, h, d), such as "250us" or "1h30m"
  at duration
  1 | duration: "10 minutes"
    |           ^~~~~~~~~~~~
  did you mean "10m"?
s.textproto:3:3: error: no field "naem" in Group
  at group[0]
  3 |   naem: "orders"
    |   ^~~~
  did you mean "name"?
s.textproto:4:35: error: stagger is 2d; it must be 0s to 1d
  at group[0].consumer[0].stagger
  4 |   consumer { name: "pod" stagger: "2d" }
    |                                   ^~~~
s.textproto:5:14: error: "sticky" in Strategy is not supported yet: it needs the previous assignment, which a member does not know
  at group[0].strategy.sticky
  5 |   strategy { sticky {} }
    |              ^~~~~~
s.textproto:7:35: error: there is no consumer "pid"
  at at[0].crash.consumer[0]
  7 | at { time: "1m" crash { consumer: "pid" } }
    |                                   ^~~~~
  did you mean "pod"?
)");
}

TEST(MessagesTest, AnErrorOfSyntaxDoesNotHideThoseBehindIt) {
  EXPECT_EQ(Print(R"(group {
  name "orders"
  consumer { name: "pod" start_at: "-1s" }
}
at { time: "1m" slave_promotion { broker: "b" } }
)"),
            R"(s.textproto:2:3: error: ":" is missing after "name"
  2 |   name "orders"
    |   ^~~~
  write: name: ...
s.textproto:3:36: error: start_at is "-1s"; it must not be negative
  at group[0].consumer[0].start_at
  3 |   consumer { name: "pod" start_at: "-1s" }
    |                                    ^~~~~
s.textproto:5:17: error: "slave_promotion" in Event is not supported yet
  at at[0].slave_promotion
  5 | at { time: "1m" slave_promotion { broker: "b" } }
    |                 ^~~~~~~~~~~~~~~
)");
}

TEST(MessagesTest, ColumnsCountCharactersAndTabsKeepTheirWidth) {
  EXPECT_EQ(Print("title: \"Größe\" \tsed: 1\n"
                  "group { name: \"g\" consumer { name: \"c\" } }\n"),
            "s.textproto:1:17: error: no field \"sed\" in Scenario\n"
            "  1 | title: \"Größe\" \tsed: 1\n"
            "    |                \t^~~\n"
            "  did you mean \"seed\"?\n");
}

TEST(MessagesTest, ALongLineIsShownInPart) {
  const std::string spaces(300, ' ');
  EXPECT_EQ(Print(spaces + "sed: 1" + spaces +
                  "group { name: \"g\" consumer { name: \"c\" } }"),
            "s.textproto:1:301: error: no field \"sed\" in Scenario\n"
            "  1 | ..." +
                std::string(50, ' ') + "sed: 1" + std::string(44, ' ') +
                "...\n    |    " + std::string(50, ' ') +
                "^~~\n"
                "  did you mean \"seed\"?\n");
}

TEST(MessagesTest, AfterTwentyFindingsTheRestIsCounted) {
  std::string text = "group { name: \"g\" consumer { name: \"c\" } }\n";
  for (int i = 0; i < 25; ++i) text += "expect { lost {} }\n";
  const std::string printed = Print(text);
  EXPECT_THAT(printed,
              testing::HasSubstr("s.textproto:21:10: error: a bound is "
                                 "missing: at_least, at_most or equals"
                                 "\n"));
  EXPECT_THAT(printed, testing::Not(testing::HasSubstr("s.textproto:22:")));
  EXPECT_THAT(printed, testing::EndsWith("s.textproto: and 5 more\n"));
}

TEST(MessagesTest, JsonInATextFileIsRecognised) {
  EXPECT_EQ(
      Print("{ \"seed\": 1 }\n"),
      R"(s.textproto:1:1: error: this looks like JSON, but the file is read as text format
  1 | { "seed": 1 }
    | ^
  give the file a name that ends in .json
)");
}

TEST(MessagesTest, AWrongEnumerationValueNamesTheRightOnes) {
  EXPECT_EQ(
      Print("producer { name: \"p\" rate { per_second: 5 arrivals: "
            "POISON } }\n"),
      R"(s.textproto:1:53: error: arrivals must be CONSTANT or POISSON, not POISON
  at producer[0].rate.arrivals
  1 | producer { name: "p" rate { per_second: 5 arrivals: POISON } }
    |                                                     ^~~~~~
  did you mean POISSON?
)");
}

TEST(MessagesTest, ADurationWithoutAUnitIsAskedForIt) {
  EXPECT_EQ(
      Print("duration: 600\ngroup { name: \"g\" consumer { name: \"c\" } }\n"),
      R"(s.textproto:1:11: error: duration is "600"; a duration is a number with a unit (ns, us, ms, s, m, h, d), such as "250us" or "1h30m"
  at duration
  1 | duration: 600
    |           ^~~
  did you mean "10m" (600 seconds)?
)");
}

TEST(MessagesTest, WhatIsOpenAtTheEndIsShownWhereItWasOpened) {
  EXPECT_EQ(Print("group { name: \"g\" consumer { name: \"c\" }\n"),
            R"(s.textproto:1:7: error: "{" is not closed
  1 | group { name: "g" consumer { name: "c" }
    |       ^
  there is no "}" for it up to the end of the file
)");
}

}  // namespace
}  // namespace groupsim
