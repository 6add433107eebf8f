// Fields that are set from outside of a file.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using testing::HasSubstr;

constexpr char kBase[] = R"(duration: "1m"
topic { name: "orders" queues_per_broker: 4 }
topic { name: "refunds" }
producer { name: "shop" topic: "orders" rate { per_second: 100 } }
group {
  name: "order-processing"
  subscribe { topic: "orders" }
  consumer { name: "pod" count: 3 }
  consumer { name: "extra" }
}
at { time: "20s" crash { consumer: "pod-2" } }
expect { lost { at_most: 0 } }
)";

Reading With(const std::vector<std::string>& settings,
             const std::string& text = kBase,
             ScenarioForm form = ScenarioForm::kText) {
  ReadOptions options;
  options.settings = settings;
  return ReadScenario({.name = "s.textproto", .text = text}, form, options);
}

std::string Complaint(const std::string& setting) {
  return With({setting}).FormatFindings();
}

TEST(SettingsTest, AFieldIsSetByItsPath) {
  const Reading reading =
      With({"duration=5m", "title=A run of its own",
            "group[0].client.heartbeat_broker_interval=10s",
            "group[order-processing].consumer[pod].count=12",
            "group[0].consumer[1].consume.consume_thread_max = 7",
            "expect[0].lost.at_most=3", "topic[refunds].queues_per_broker=0x10",
            "producer[shop].send_mode=ASYNC",
            "broker_defaults.long_polling_enable=false"});
  ASSERT_TRUE(reading.ok()) << reading.FormatFindings();
  const Scenario& scenario = reading.scenario;
  EXPECT_EQ(scenario.duration(), "5m");
  EXPECT_EQ(scenario.title(), "A run of its own");
  EXPECT_EQ(scenario.group(0).client().heartbeat_broker_interval(), "10s");
  EXPECT_EQ(scenario.group(0).consumer(0).count(), 12);
  EXPECT_EQ(scenario.group(0).consumer(1).consume().consume_thread_max(), 7);
  EXPECT_EQ(scenario.expect(0).lost().at_most(), 3);
  EXPECT_EQ(scenario.topic(1).queues_per_broker(), 16);
  EXPECT_EQ(scenario.producer(0).send_mode(), schema::Producer::ASYNC);
  EXPECT_FALSE(scenario.broker_defaults().long_polling_enable());
  // Completed afterwards.
  EXPECT_EQ(scenario.producer(0).until(), "5m");
}

TEST(SettingsTest, ElementsAreAddedAndReplaced) {
  const Reading reading =
      With({"at[+]={ time: \"1s\" stop { consumer: \"extra\" } }",
            "at[0].time=2s", "broker[+]={name: 'a'}", "broker[+].name=b",
            "topic[0].broker=[a]", "topic[1].broker = [ 'a', \"b\" ]",
            "topic[0].broker[+]=b", "topic[0].broker[0]=b",
            "topic[0].broker[1]=a", "producer[0].rate={ every: \"5ms\" }",
            "expect=[{ duplicates { at_most: 1 } }]"});
  ASSERT_TRUE(reading.ok()) << reading.FormatFindings();
  const Scenario& scenario = reading.scenario;
  ASSERT_EQ(scenario.at_size(), 2);
  EXPECT_EQ(scenario.at(0).time(), "2s");
  EXPECT_EQ(scenario.at(1).stop().consumer(0), "extra");
  EXPECT_EQ(scenario.broker_size(), 2);
  ASSERT_EQ(scenario.topic(0).broker_size(), 2);
  EXPECT_EQ(scenario.topic(0).broker(0), "b");
  EXPECT_EQ(scenario.topic(0).broker(1), "a");
  EXPECT_EQ(scenario.topic(1).broker_size(), 2);
  EXPECT_EQ(scenario.producer(0).rate().every(), "5ms");
  ASSERT_EQ(scenario.expect_size(), 1);
  EXPECT_EQ(scenario.expect(0).duplicates().at_most(), 1);
}

TEST(SettingsTest, LaterSettingsSeeEarlierOnes) {
  const Reading reading =
      With({"group[+]={ name: 'late' subscribe { topic: 'refunds' } "
            "consumer { name: 'x' } }",
            "group[late].consumer[x].count=2", "duration=2m", "duration=3m"});
  ASSERT_TRUE(reading.ok()) << reading.FormatFindings();
  EXPECT_EQ(reading.scenario.group(1).consumer(0).count(), 2);
  EXPECT_EQ(reading.scenario.duration(), "3m");
}

TEST(SettingsTest, AChoiceIsReplacedByItsOtherMember) {
  const Reading reading = With({"producer[0].rate.every=10ms"});
  ASSERT_TRUE(reading.ok()) << reading.FormatFindings();
  EXPECT_EQ(reading.scenario.producer(0).rate().amount_case(),
            schema::Rate::kEvery);
}

TEST(SettingsTest, AWrongValueOfTheFileMayBeReplaced) {
  const std::string text =
      "duration: \"10\" group { name: \"g\" consumer { name: \"c\" } }";
  EXPECT_FALSE(With({}, text).ok());
  EXPECT_TRUE(With({"duration=10s"}, text).ok());
}

TEST(SettingsTest, EveryFormOfAScenarioCanBeSet) {
  const std::string bytes = With({}).scenario.SerializeAsString();
  const Reading reading =
      With({"group[0].consumer[pod].count=5"}, bytes, ScenarioForm::kBinary);
  ASSERT_TRUE(reading.ok()) << reading.FormatFindings();
  EXPECT_EQ(reading.scenario.group(0).consumer(0).count(), 5);
}

TEST(SettingsTest, ErrorsPointIntoTheSetting) {
  EXPECT_EQ(
      Complaint("group[0].client.heartbeat_broker_intervall=10s"),
      R"(--set:1:17: error: no field "heartbeat_broker_intervall" in ClientSettings
  at group[0].client
  1 | group[0].client.heartbeat_broker_intervall=10s
    |                 ^~~~~~~~~~~~~~~~~~~~~~~~~~
  did you mean "heartbeat_broker_interval"?
)");
  EXPECT_EQ(
      Complaint("duration=30"),
      R"(--set:1:10: error: duration is "30"; a duration is a number with a unit (ns, us, ms, s, m, h, d), such as "250us" or "1h30m"
  at duration
  1 | duration=30
    |          ^~
  did you mean "30s" (30 seconds)?
)");
  EXPECT_EQ(Complaint("group[orders].consumer[pod].count=3"),
            R"(--set:1:7: error: there is no group "orders"
  1 | group[orders].consumer[pod].count=3
    |       ^~~~~~
  there is only group[0], "order-processing"
)");
  EXPECT_EQ(Complaint("group[0].consumer[5].count=3"),
            R"(--set:1:19: error: there is no consumer "5"
  at group[0]
  1 | group[0].consumer[5].count=3
    |                   ^
  there are consumer[0] to [1], "pod" and "extra"
)");
}

TEST(SettingsTest, WhatIsNoSettingIsRefused) {
  for (const auto& [setting, words] :
       std::vector<std::pair<std::string, std::string>>{
           {"", "a setting is written PATH=VALUE"},
           {"duration", "a setting is written PATH=VALUE"},
           {"=5m", "the name of a field is missing"},
           {"duration=", "a value is missing"},
           {"seed=", "a value is missing"},
           {"broker_defaults={} 2", "nothing may follow the value"},
           {"seed=x", "seed must be a whole number, not x"},
           {"duration[0]=5m", "duration is not repeated"},
           {"duration.x=5m", "duration has no fields"},
           {"group.name=x", "group is repeated; say which, as group[0]"},
           {"group[0=x", "\"[\" is not closed"},
           {"group[0]x=1", "expected \".\", \"[\" or \"=\""},
           {"group[0]..name=x", "the name of a field is missing"},
           {"broker[0].name=x", "there is no broker \"0\""},
           {"at={}", "at is repeated"},
           {"include[+]=x", "include cannot be set from outside"},
           {"expect[0].duplicates.at_most=1", "this has \"lost\", not"},
           {"group[0].consumer[0].count=many", "count must be a whole"},
           {"group[0].consumer[0].count=20000", "it must be 1 to 10000"},
           {"topic[0].broker=[a", "\"[\" is not closed"},
           {"at[+]={ time: \"1s\" stop {", "is not closed"},
           {"title=\xff", "no UTF-8"},
       }) {
    const std::string complaint = Complaint(setting);
    EXPECT_THAT(complaint, HasSubstr(words)) << setting;
    EXPECT_THAT(complaint, HasSubstr("--set:1:")) << setting;
  }
}

TEST(SettingsTest, TheSourceOfSettingsHasTheNameThatTheCallerGives) {
  ReadOptions options;
  options.settings = {"seed=x"};
  options.settings_name = "--vary";
  EXPECT_THAT(
      ReadScenario({.name = "s", .text = kBase}, ScenarioForm::kText, options)
          .FormatFindings(),
      HasSubstr("--vary:1:6: error: "));
}

}  // namespace
}  // namespace groupsim
