// Text, JSON and binary form say the same.
#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using google::protobuf::util::MessageDifferencer;
using testing::HasSubstr;

constexpr char kText[] = R"(# A comment.
title: 'Rolling ' "restart"  # Two texts are joined.
seed: 0x10
duration: "10m";
name_server { count: 2 }
broker { name: "broker-a" room: "east" }
broker: { name: "broker-b" settings < long_polling_enable: false > },
topic { name: "orders" queues_per_broker: 4 broker: ["broker-a", "broker-b"]
        stored { queues: "broker-a#0..1" messages: 100 body_size: 300 } }
producer {
  name: "checkout"
  rate { per_second: 2000 arrivals: POISSON }
  body_size { uniform { min: 200 max: "2KiB" } }
  send_mode: ASYNC
}
group {
  name: "order-processing"
  listener { service_time { lognormal { median: "4ms" p99: "60ms" } }
             hang { queues: "broker-a#0" offset: [1, 2] } }
  consumer [{ name: "pod" count: 3 stagger: "2s" }, { name: "extra" }]
  committed { queues: "broker-a#0" offset: 7 }
}
at { time: "2m" rolling_restart { stop: CRASH } }
expect { jain { at_least: 0.98 time_weighted: true } }
expect { unowned_queue_seconds { at_most: 3e1 } }
)";

Reading Read(const std::string& text, ScenarioForm form) {
  return ReadScenario({.name = "s", .text = text}, form);
}

TEST(FormsTest, TextIsReadAsProtobufReadsIt) {
  // Protobuf's own parser, which wants sizes in quotes.
  std::string strict = kText;
  for (const std::string number : {"300", "200"}) {
    const size_t at = strict.find(": " + number + " ") + 2;
    strict.replace(at, number.size(), "\"" + number + "\"");
  }
  Scenario expected;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(strict, &expected));
  std::string printed;
  google::protobuf::TextFormat::PrintToString(expected, &printed);
  const Reading mine = Read(kText, ScenarioForm::kText);
  ASSERT_TRUE(mine.ok()) << mine.findings.Format({"s", kText});
  const Reading theirs = Read(printed, ScenarioForm::kText);
  ASSERT_TRUE(theirs.ok()) << theirs.findings.Format({"s", printed});
  EXPECT_TRUE(MessageDifferencer::Equals(mine.scenario, theirs.scenario));
  EXPECT_EQ(mine.scenario.title(), "Rolling restart");
  EXPECT_EQ(mine.scenario.seed(), 16);
  EXPECT_EQ(mine.scenario.group(0).listener().hang(0).offset_size(), 2);
  EXPECT_EQ(mine.scenario.expect(1).unowned_queue_seconds().at_most(), 30);
}

TEST(FormsTest, JsonAndBinarySayTheSameAsText) {
  const Reading text = Read(kText, ScenarioForm::kText);
  ASSERT_TRUE(text.ok());
  for (const bool proto_names : {false, true}) {
    google::protobuf::util::JsonPrintOptions options;
    options.preserve_proto_field_names = proto_names;
    options.add_whitespace = proto_names;
    std::string json;
    ASSERT_TRUE(google::protobuf::util::MessageToJsonString(text.scenario,
                                                            &json, options)
                    .ok());
    const Reading from_json = Read(json, ScenarioForm::kJson);
    ASSERT_TRUE(from_json.ok()) << from_json.findings.Format({"s", json});
    EXPECT_TRUE(MessageDifferencer::Equals(text.scenario, from_json.scenario));
  }
  const Reading binary =
      Read(text.scenario.SerializeAsString(), ScenarioForm::kBinary);
  ASSERT_TRUE(binary.ok());
  EXPECT_TRUE(MessageDifferencer::Equals(text.scenario, binary.scenario));
}

TEST(FormsTest, ErrorsInJsonHaveTheirPlace) {
  const Source source{.name = "s.json", .text = R"({
  "group": [{"name": "g", "consumer": [{"name": "c", "count": 1e9}]}],
  "sed": 1
})"};
  EXPECT_EQ(ReadScenario(source, ScenarioForm::kJson).findings.Format(source),
            R"(s.json:2:63: error: count must be a whole number, not 1e9
  at group[0].consumer[0].count
  2 |   "group": [{"name": "g", "consumer": [{"name": "c", "count": 1e9}]}],
    |                                                               ^~~
  did you mean 1000000000?
s.json:3:3: error: no field "sed" in Scenario
  3 |   "sed": 1
    |   ^~~~~
  did you mean "seed"?
)");
}

TEST(FormsTest, JsonThatIsNoneIsToldAtItsPlace) {
  const Source source{.name = "s.json", .text = "{\"seed\": 1,\n}"};
  EXPECT_EQ(
      ReadScenario(source, ScenarioForm::kJson).findings.Format(source),
      R"(s.json:1:11: error: a "," too many: nothing follows before the "}"
  1 | {"seed": 1,
    |           ^
  delete it
)");
  for (const std::string text :
       {"[]", "1", "{", "{\"a\"}", "{\"seed\": }", "{\"seed\": 1} x",
        "{\"title\": \"a\nb\"}", "{\"title\": \"\\x\"}",
        "{\"title\": \"\\ud800\"}", "{\"title\": \"", "{\"title\": \"\\",
        "{seed: 1}", "{\"at\": [1 2]}", "{\"seed\": tru}"}) {
    EXPECT_EQ(Read(text, ScenarioForm::kJson).findings.count(), 1) << text;
  }
}

TEST(FormsTest, UnknownFieldsOfTheBinaryFormAreErrors) {
  Scenario scenario;
  scenario.add_producer()->mutable_rate()->set_per_second(1);
  std::string bytes = scenario.SerializeAsString();
  EXPECT_TRUE(Read(bytes, ScenarioForm::kBinary).ok());
  bytes += "\xf8\x06\x01";  // Field 111 = 1.
  const Reading reading = Read(bytes, ScenarioForm::kBinary);
  EXPECT_EQ(reading.findings.Format({"s.binpb", ""}),
            "s.binpb: error: no field number 111 in Scenario\n");
}

TEST(FormsTest, TheFormFollowsFromTheName) {
  EXPECT_EQ(FormOf("a/b.textproto"), ScenarioForm::kText);
  EXPECT_EQ(FormOf("b.JSON"), ScenarioForm::kJson);
  EXPECT_EQ(FormOf("b.binpb"), ScenarioForm::kBinary);
  EXPECT_EQ(FormOf("json"), ScenarioForm::kText);
}

TEST(FormsTest, WhatIsLeftOutIsFilledIn) {
  const Reading reading = Read(
      "group { name: \"g\" consumer { name: \"pod\" count: 4 } }\n"
      "producer { rate { every: \"5ms\" } }",
      ScenarioForm::kText);
  ASSERT_TRUE(reading.ok());
  const Scenario& scenario = reading.scenario;
  EXPECT_EQ(scenario.seed(), 1);
  EXPECT_EQ(scenario.duration(), "1m");
  EXPECT_EQ(scenario.name_server().name(), "name-server");
  ASSERT_EQ(scenario.broker_size(), 1);
  EXPECT_EQ(scenario.broker(0).name(), "broker-a");
  ASSERT_EQ(scenario.topic_size(), 1);
  EXPECT_EQ(scenario.topic(0).name(), "topic-a");
  EXPECT_EQ(scenario.topic(0).queues_per_broker(), 8);
  EXPECT_EQ(scenario.topic(0).broker(0), "broker-a");
  EXPECT_EQ(scenario.producer(0).name(), "producer-0");
  EXPECT_EQ(scenario.producer(0).topic(), "topic-a");
  EXPECT_EQ(scenario.producer(0).until(), "1m");
  ASSERT_EQ(scenario.group(0).subscribe_size(), 1);
  EXPECT_EQ(scenario.group(0).subscribe(0).topic(), "topic-a");
  EXPECT_EQ(scenario.group(0).subscribe(0).expression(), "*");
}

}  // namespace
}  // namespace groupsim
