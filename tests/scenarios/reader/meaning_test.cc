// What a scenario means as a whole: names, references, limits, bounds.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kGroup[] =
    "group { name: 'g' consumer { name: 'pod' count: 2 } }\n";

// "path: message" of each finding.
std::vector<std::string> Findings(const std::string& text) {
  std::vector<std::string> lines;
  const Reading reading =
      ReadScenario({.name = "s", .text = text}, ScenarioForm::kText);
  for (const Finding& finding : reading.findings.all()) {
    lines.push_back(absl::StrCat(
        finding.severity == Finding::Severity::kWarning ? "warning " : "",
        finding.path, ": ", finding.message));
  }
  return lines;
}

std::vector<std::string> WithGroup(const std::string& text) {
  return Findings(absl::StrCat(kGroup, text));
}

TEST(MeaningTest, ASmallScenarioIsFine) {
  EXPECT_THAT(WithGroup(""), IsEmpty());
  EXPECT_THAT(Findings("producer { rate { per_second: 1 } }"), IsEmpty());
}

TEST(MeaningTest, NothingToSimulateIsAnError) {
  EXPECT_THAT(Findings("seed: 3"),
              ElementsAre(": there is nothing to simulate: no group and no "
                          "producer"));
}

TEST(MeaningTest, NoTwoProcessesShareAName) {
  EXPECT_THAT(WithGroup("broker { name: 'pod-1' }"),
              ElementsAre("group[0].consumer[0].name: the name \"pod-1\" of "
                          "this consumer is taken by broker[0]"));
  EXPECT_THAT(
      WithGroup("topic { name: 't' } topic { name: 't' }"),
      testing::Contains("topic[1].name: the name \"t\" of this topic is "
                        "taken by topic[0]"));
  // A topic may be called as a group is.
  EXPECT_THAT(WithGroup("topic { name: 'g' }"), IsEmpty());
}

TEST(MeaningTest, EachProducerOfAKindHasItsName) {
  const std::string two =
      "producer { name: 'p' count: 2 rate { per_second: 1 "
      "} } ";
  EXPECT_THAT(WithGroup(two + "at { time: '1s' stop { producer: 'p-1' } } "
                              "at { time: '2s' partition { from: 'p' } }"),
              IsEmpty());
  EXPECT_THAT(WithGroup(two + "broker { name: 'p-1' }"),
              ElementsAre("producer[0].name: the name \"p-1\" of this producer "
                          "is taken by broker[0]"));
  const Reading reading = ReadScenario(
      {.name = "s", .text = two + "at { time: '1s' stop { producer: 'p' } }"},
      ScenarioForm::kText);
  ASSERT_EQ(reading.findings.all().size(), 1u);
  EXPECT_EQ(reading.findings.all()[0].hint,
            "\"p\" is a block of 2: \"p-0\" to \"p-1\"");
  EXPECT_THAT(WithGroup("producer { name: 'p' count: 999 rate { per_second: 1 "
                        "} } producer { name: 'q' count: 2 rate { "
                        "per_second: 1 } }"),
              ElementsAre("producer[0]: there are 1001 producers; at most 1000 "
                          "are allowed"));
}

TEST(MeaningTest, EveryReferenceLeadsSomewhere) {
  EXPECT_THAT(WithGroup("topic { name: 't' broker: 'broker-b' }"),
              ElementsAre("topic[0].broker[0]: there is no broker "
                          "\"broker-b\""));
  EXPECT_THAT(WithGroup("at { time: '1s' stop { name_server: 'ns' } }"),
              ElementsAre("at[0].stop.name_server[0]: there is no name server "
                          "\"ns\""));
  EXPECT_THAT(WithGroup("at { time: '1s' stop { consumer: 'pod' } }"),
              ElementsAre("at[0].stop.consumer[0]: there is no consumer "
                          "\"pod\""));
  EXPECT_THAT(WithGroup("expect { group: 'h' lost { at_most: 0 } }"),
              ElementsAre("expect[0].group: there is no group \"h\""));
  EXPECT_THAT(WithGroup("producer { topic: 'x' rate { per_second: 1 } }"),
              ElementsAre("producer[0].topic: there is no topic \"x\""));
}

TEST(MeaningTest, QueuesExistOnTheirBroker) {
  const std::string cluster =
      "broker { name: 'a' } broker { name: 'b' } "
      "topic { name: 't' queues_per_broker: 4 broker: 'a' } ";
  const auto producer = [&](const std::string& queues) {
    return WithGroup(absl::StrCat(cluster, "producer { queues: '", queues,
                                  "' rate { per_second: 1 } }"));
  };
  EXPECT_THAT(producer("a#0..3"), IsEmpty());
  EXPECT_THAT(producer("a#*"), IsEmpty());
  EXPECT_THAT(
      producer("a#4"),
      ElementsAre("producer[0].queues: topic \"t\" has queues 0 to 3 on "
                  "each broker, not 4"));
  EXPECT_THAT(
      producer("b#0"),
      ElementsAre("producer[0].queues: broker \"b\" does not have topic "
                  "\"t\""));
  EXPECT_THAT(producer("c#0"), ElementsAre("producer[0].queues: there is no "
                                           "broker \"c\""));
}

TEST(MeaningTest, WithSeveralTopicsOneMustBeNamed) {
  EXPECT_THAT(WithGroup("topic { name: 't' } topic { name: 'u' } "
                        "producer { rate { per_second: 1 } }"),
              ElementsAre("producer[0]: Producer needs topic, as there are 2 "
                          "topics",
                          "group[0]: Group needs subscribe, as there are 2 "
                          "topics"));
}

TEST(MeaningTest, TheWholeKeepsItsLimits) {
  EXPECT_THAT(
      Findings("group { name: 'g' consumer { name: 'a' count: 9000 } "
               "consumer { name: 'b' count: 1001 } }"),
      ElementsAre(
          "group[0]: the groups have 10001 consumers; at most 10000 are "
          "allowed"));
  EXPECT_THAT(
      WithGroup("topic { name: 't' queues_per_broker: 10000 } "
                "topic { name: 'u' queues_per_broker: 10000 } "
                "broker { name: 'a' } broker { name: 'b' } "
                "broker { name: 'c' } broker { name: 'd' } "
                "broker { name: 'e' } broker { name: 'f' } "),
      testing::Contains("topic[0]: the topics have 120000 queues; at most "
                        "100000 are allowed"));
  EXPECT_THAT(
      WithGroup("duration: '30d' producer { rate { per_second: 1000000 } }"),
      ElementsAre("producer[0]: the scenario has about 2592000000000 messages; "
                  "at most 200000000 are allowed"));
  // A limit of its own keeps a fast producer small.
  EXPECT_THAT(WithGroup("duration: '30d' producer { messages: 1000 "
                        "rate { per_second: 1000000 } }"),
              IsEmpty());
  EXPECT_THAT(
      WithGroup("topic { name: 't' stored { messages: 25000001 } }"),
      ElementsAre(
          "topic[0]: the scenario has about 200000008 messages; at most "
          "200000000 are allowed"));
}

TEST(MeaningTest, MessagesOfChangedRatesCount) {
  const std::string slow =
      "duration: '1h' producer { name: 'p' rate { per_second: 1 } } ";
  const auto change = [](const std::string& when, const std::string& rate,
                         const std::string& whose = "") {
    return absl::StrCat("at { ", when, " change_rate { ", whose,
                        " rate { per_second: ", rate, " } } } ");
  };
  const auto about = [](const std::string& messages) {
    return absl::StrCat("producer[0]: the scenario has about ", messages,
                        " messages; at most 200000000 are allowed");
  };
  EXPECT_THAT(WithGroup(slow + change("time: '30m'", "100000")), IsEmpty());
  // Half an hour of one and half an hour of the other.
  EXPECT_THAT(WithGroup(slow + change("time: '30m'", "1000000")),
              ElementsAre(about("1800001800")));
  EXPECT_THAT(WithGroup(slow + change("time: '30m'", "1000000") +
                        change("time: '31m'", "1", "producer: 'p'")),
              IsEmpty());
  // Of two at the same time the later one holds.
  EXPECT_THAT(WithGroup(slow + change("time: '30m'", "1", "producer: 'p'") +
                        change("time: '30m'", "1000000")),
              ElementsAre(about("1800001800")));
  EXPECT_THAT(WithGroup(slow + change("time: '30m'", "1000000") +
                        change("time: '30m'", "1", "producer: 'p'")),
              IsEmpty());
  // What waits for a fact may come at once, and stay.
  EXPECT_THAT(WithGroup(slow + change("after { fact: DELIVERED from: '30m' }",
                                      "1000000")),
              ElementsAre(about("1800001800")));
  // Two that take turns.
  EXPECT_THAT(WithGroup(slow + change("every: '10s'", "1000000") +
                        change("every: '10s' from: '15s'", "1")),
              ElementsAre(about("1795001805")));
  // A producer may have a limit, or be over by then.
  EXPECT_THAT(WithGroup("duration: '1h' producer { name: 'p' messages: 10 "
                        "rate { per_second: 1 } } " +
                        change("time: '30m'", "1000000")),
              IsEmpty());
  EXPECT_THAT(WithGroup("duration: '1h' producer { name: 'p' until: '30m' "
                        "rate { per_second: 1 } } " +
                        change("time: '30m'", "1000000")),
              IsEmpty());
}

TEST(MeaningTest, CommittedOffsetsLieWithinWhatIsStored) {
  const std::string base =
      "topic { name: 't' queues_per_broker: 2 "
      "stored { queues: 'broker-a#1' messages: 10 } } "
      "group { name: 'g' consumer { name: 'c' } committed { OFFSET } }";
  const auto with = [&](const std::string& committed) {
    return Findings(absl::StrReplaceAll(base, {{"OFFSET", committed}}));
  };
  EXPECT_THAT(with("queues: 'broker-a#1' offset: 10"), IsEmpty());
  EXPECT_THAT(with("queues: 'broker-a#1' offset: 11"),
              ElementsAre("group[0].committed[0].offset: offset is 11; at most "
                          "10 messages are stored there beforehand"));
  EXPECT_THAT(
      with("offset: 1"),
      ElementsAre("group[0].committed[0].offset: offset is 1; at most 0 "
                  "messages are stored there beforehand"));
}

TEST(MeaningTest, AnExpectationNeedsABoundThatMakesSense) {
  EXPECT_THAT(WithGroup("expect { }"),
              ElementsAre(HasSubstr("expect[0]: Expectation needs lost, ")));
  EXPECT_THAT(WithGroup("expect { takeover { percentile: 99 } }"),
              ElementsAre("expect[0].takeover: a bound is missing: at_least or "
                          "within"));
  EXPECT_THAT(WithGroup("expect { lost { at_least: 2 at_most: 1 } }"),
              ElementsAre("expect[0].lost.at_least: at_least must not be above "
                          "the other bound"));
  EXPECT_THAT(WithGroup("expect { takeover { at_least: '2s' within: '1s' } }"),
              ElementsAre("expect[0].takeover.at_least: at_least must not be "
                          "above the other bound"));
  EXPECT_THAT(WithGroup("expect { lost { at_least: 2 equals: 1 } }"),
              ElementsAre("expect[0].lost.equals: equals cannot stand beside "
                          "at_least and at_most"));
  EXPECT_THAT(WithGroup("expect { from: '1m' lost { at_most: 0 } }"),
              ElementsAre("expect[0].from: from is 1m; it must lie before the "
                          "end of the run (1m)"));
  EXPECT_THAT(WithGroup("expect { to: '2m' lost { at_most: 0 } }"),
              ElementsAre("expect[0].to: to is 2m, after the end of the run "
                          "(1m)"));
}

TEST(MeaningTest, MetricsAreThoseOfTheReport) {
  EXPECT_THAT(
      WithGroup("expect { metric { name: 'idle_consumers' equals: 0 } }"),
      IsEmpty());
  EXPECT_THAT(
      WithGroup("expect { metric { name: 'idle_consumer' equals: 0 } }"),
      ElementsAre("expect[0].metric.name: there is no metric \"idle_consumer\" "
                  "of a group"));
  EXPECT_THAT(WithGroup("expect { metric { name: 'idle_consumers' equals: 0 } "
                        "consumer: 'pod-0' }"),
              ElementsAre("expect[0].metric.name: there is no metric "
                          "\"idle_consumers\" of a consumer"));
}

TEST(MeaningTest, DistributionsMustMakeSense) {
  const auto listener = [](const std::string& law) {
    return Findings(
        "group { name: 'g' consumer { name: 'c' } listener { "
        "service_time { " +
        law + " } } }");
  };
  EXPECT_THAT(listener("uniform { min: '1ms' max: '2ms' }"), IsEmpty());
  EXPECT_THAT(listener("uniform { min: '3ms' max: '2ms' }"),
              ElementsAre(HasSubstr("group[0].listener.service_time: ")));
  EXPECT_THAT(listener("lognormal { median: '3ms' p99: '2ms' }"),
              ElementsAre(HasSubstr("group[0].listener.service_time: ")));
  EXPECT_THAT(
      listener("constant: '31d'"),
      ElementsAre("group[0].listener.service_time.constant: constant is "
                  "31d; it must be 0s to 30d"));
  EXPECT_THAT(
      listener("constant: 5"),
      ElementsAre(HasSubstr("constant: constant is \"5\"; a duration ")));
  EXPECT_THAT(
      listener("bimodal { often { constant: '1ms' } "
               "seldom { constant: '1KiB' } seldom_per_mille: 1 }"),
      ElementsAre(HasSubstr("seldom.constant: constant is \"1KiB\"; ")));
  EXPECT_THAT(
      WithGroup("producer { rate { per_second: 1 } "
                "body_size { constant: '5MiB' } }"),
      ElementsAre("producer[0].body_size.constant: constant is 5MiB; it "
                  "must be 0 to 4MiB"));
}

TEST(MeaningTest, AnEventNeedsSomebodyToHit) {
  EXPECT_THAT(
      WithGroup("at { time: '1s' stop { } }"),
      ElementsAre("at[0].stop: stop needs consumer, broker, name_server, "
                  "producer or group"));
}

TEST(MeaningTest, DelayLevelsAreNumbersWithUnits) {
  EXPECT_THAT(
      WithGroup("broker_defaults { message_delay_level: '1s 2x' }"),
      ElementsAre(
          "broker_defaults.message_delay_level: \"2x\" is no delay; it "
          "must be a whole number from 1 on with one of the units s, m, "
          "h, d, at most 365d"));
  EXPECT_THAT(WithGroup("broker_defaults { message_delay_level: ' ' }"),
              ElementsAre("broker_defaults.message_delay_level: there must be "
                          "at least one level"));
  EXPECT_THAT(WithGroup("broker_defaults { message_delay_level: '1s 2m' }"),
              IsEmpty());
}

TEST(MeaningTest, WhatIsNotSupportedYetSaysSo) {
  for (const std::string text :
       {"at { time: '1s' slave_promotion { } }",
        "at { time: '1s' delete_topic { topic: 'topic-a' } }"}) {
    EXPECT_THAT(WithGroup(text), ElementsAre(HasSubstr("not supported yet")))
        << text;
  }
  const auto group = [](const std::string& text) {
    return Findings("group { name: 'g' consumer { name: 'c' } " + text + " }");
  };
  for (const std::string text :
       {"consume { mode: POP }", "strategy { sticky {} }"}) {
    EXPECT_THAT(group(text), ElementsAre(HasSubstr("not supported yet")))
        << text;
  }
}

TEST(MeaningTest, PointsOfARateComeInOrder) {
  EXPECT_THAT(
      Findings("producer { rate { step { point { time: '5s' per_second: 1 } "
               "point { time: '5s' per_second: 2 } } } }"),
      ElementsAre(
          "producer[0].rate.step.point[1].time: the times of the points "
          "must rise; 5s comes after 5s"));
  EXPECT_THAT(
      Findings("producer { rate { daily { point { time: '1d' per_second: 1 } } "
               "} }"),
      ElementsAre("producer[0].rate.daily.point[0].time: time 1d must lie "
                  "within a day, below 1d"));
  EXPECT_THAT(
      Findings("producer { rate { recorded { point { time: '2d' per_second: 1 "
               "} } } }"),
      IsEmpty());
}

TEST(MeaningTest, TheTablesOfTheFaultStrategyBelongTogether) {
  EXPECT_THAT(
      Findings("producer { rate { per_second: 1 } settings { "
               "send_latency_enable: true latency_max: ['1s', '2s'] } }"),
      ElementsAre(
          "producer[0].settings.latency_max[0]: latency_max has 2 entries; it "
          "must have as many as not_available_duration, which has 7"));
  EXPECT_THAT(Findings("producer { rate { per_second: 1 } settings { "
                       "send_latency_enable: true "
                       "latency_max: ['2s', '1s'] "
                       "not_available_duration: ['0s', '5s'] } }"),
              ElementsAre("producer[0].settings.latency_max[0]: latency_max "
                          "must rise; 1 s comes after 2 s"));
}

TEST(MeaningTest, OnlyOneThingChoosesTheQueue) {
  EXPECT_THAT(
      Findings("producer { rate { per_second: 1 } random_queue: true "
               "key { keys: 5 uniform {} selects_queue: true } }"),
      ElementsAre("producer[0]: only one of random_queue and key.selects_queue "
                  "can choose the queue"));
  EXPECT_THAT(
      Findings("producer { rate { per_second: 1 } queues: 'broker-a#0' "
               "hot_queue { queues: 'broker-a#1' per_mille: 500 } }"),
      ElementsAre(
          "producer[0]: only one of queues and hot_queue can choose the "
          "queue"));
  EXPECT_THAT(Findings("producer { rate { per_second: 1 } random_queue: true "
                       "hot_queue { queues: 'broker-a#1' per_mille: 500 } }"),
              IsEmpty());
}

// A failure is about messages that there may be.
TEST(MeaningTest, SomeProducerSendsTheTagsAndKeysOfAFailure) {
  const auto fails = [](const std::string& producer,
                        const std::string& failure) {
    return Findings("producer { rate { per_second: 1 } " + producer +
                    " } group { name: 'g' consumer { name: 'c' } listener { "
                    "fails { " +
                    failure + " } } }");
  };
  const std::string tags = "tag { name: 'red' } tag { name: 'blue' }";
  EXPECT_THAT(fails(tags, "tag: 'red'"), IsEmpty());
  EXPECT_THAT(fails(tags, "tag: 'rad'"),
              ElementsAre("group[0].listener.fails[0].tag: there is no tag "
                          "\"rad\""));
  EXPECT_THAT(fails("", "tag: 'red'"),
              ElementsAre("group[0].listener.fails[0].tag: there is no tag "
                          "\"red\""));
  const std::string keys = "key { keys: 3 uniform {} }";
  EXPECT_THAT(fails(keys, "key: [1, 3]"), IsEmpty());
  EXPECT_THAT(fails(keys, "key: [1, 4]"),
              ElementsAre("group[0].listener.fails[0].key[1]: no message has "
                          "key 4"));
  EXPECT_THAT(fails("", "key: 1"),
              ElementsAre("group[0].listener.fails[0].key[0]: no message has "
                          "key 1"));
  // Messages without a key have none.
  EXPECT_THAT(fails(keys, "key: 0"),
              ElementsAre("group[0].listener.fails[0].key[0]: key is 0; it "
                          "must be 1 to 1000000000"));
}

TEST(MeaningTest, ZipfHasAsManyKeysAsItsTableHolds) {
  EXPECT_THAT(Findings("producer { rate { per_second: 1 } "
                       "key { keys: 1000001 zipf {} } }"),
              ElementsAre("producer[0].key.keys: keys 1000001 are too many for "
                          "zipf; at most 1000000 are allowed"));
  EXPECT_THAT(Findings("producer { rate { per_second: 1 } "
                       "key { keys: 1000001 uniform {} } }"),
              IsEmpty());
}

TEST(MeaningTest, RequestsThatAreDroppedHaveNames) {
  const auto drop = [](const std::string& request) {
    return Findings(
        "group { name: 'g' consumer { name: 'c' } } at { time: '1s' drop { "
        "from: 'c' to: 'broker-a' request: '" +
        request + "' } }");
  };
  EXPECT_THAT(drop("HEART_BEAT"), IsEmpty());
  EXPECT_THAT(drop("HEARTBEAT"),
              ElementsAre("at[0].drop.request[0]: there is no request "
                          "\"HEARTBEAT\""));
}

TEST(MeaningTest, ALinkSaysWhatIsOtherThere) {
  EXPECT_THAT(Findings("group { name: 'g' consumer { name: 'c' } } network { "
                       "link { from: 'c' } }"),
              ElementsAre("network.link[0]: Link needs latency or "
                          "loss_per_mille"));
}

TEST(MeaningTest, FilesAreDeletedInHours) {
  const auto hours = [](const std::string& text) {
    return Findings(
        "group { name: 'g' consumer { name: 'c' } } "
        "broker_defaults { delete_when: '" +
        text + "' }");
  };
  EXPECT_THAT(hours("04"), IsEmpty());
  EXPECT_THAT(hours("00;23"), IsEmpty());
  for (const std::string wrong : {"24", "4", "x", ""}) {
    EXPECT_THAT(hours(wrong), ElementsAre("broker_defaults.delete_when: \"" +
                                          wrong + "\" is no hour"));
  }
}

}  // namespace
}  // namespace groupsim
