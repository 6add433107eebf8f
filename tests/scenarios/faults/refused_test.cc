// Timelines that are refused, and why.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

// "path: message; ..." of each finding in a scenario with these events.
std::string Findings(absl::string_view more) {
  const Reading reading = ReadScenario(
      {.name = "s",
       .text = absl::StrCat(
           "duration: '1m' broker { name: 'a' } broker { name: 'b' } "
           "topic { name: 't' } topic { name: 'u' broker: 'a' } "
           "producer { topic: 't' rate { per_second: 1 } } "
           "group { name: 'g' subscribe { topic: 't' } "
           "consumer { name: 'pod' count: 2 } consumer { name: 'one' } } ",
           more)},
      ScenarioForm::kText);
  std::string text;
  for (const Finding& finding : reading.findings.all()) {
    absl::StrAppend(
        &text, text.empty() ? "" : "; ",
        finding.severity == Finding::Severity::kWarning ? "warning " : "",
        finding.path, ": ", finding.message);
  }
  return text;
}

std::string OfEvent(absl::string_view event) {
  return Findings(absl::StrCat("at { ", event, " }"));
}

TEST(RefusedTest, WhatIsRightIsNot) {
  EXPECT_EQ(OfEvent("every: '5s' from: '1s' until: '9s' crash { group: 'g' }"),
            "");
  EXPECT_EQ(OfEvent("after { fact: QUEUE_ADDED consumer: 'one' topic: 't' "
                    "queues: 'a#1' } scale { consumer: 'pod' to: 4 }"),
            "");
}

TEST(RefusedTest, AnEventNeedsAMomentAndAnAction) {
  EXPECT_EQ(OfEvent("crash { group: 'g' }"),
            "at[0]: Event needs time, every or after");
}

TEST(RefusedTest, BoundsBelongToPeriodicEvents) {
  EXPECT_EQ(OfEvent("time: '5s' from: '1s' crash { group: 'g' }"),
            "at[0].from: from has no effect without every");
  EXPECT_EQ(OfEvent("time: '5s' until: '9s' crash { group: 'g' }"),
            "at[0].until: until has no effect without every");
  EXPECT_EQ(OfEvent("every: '5s' until: '4s' crash { group: 'g' }"),
            "at[0].until: until is 4s, before the first time (5s)");
}

TEST(RefusedTest, AMillionTimesAreTheMost) {
  std::string events;
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&events,
                    "at { every: '1ms' from: '0s' crash { group: 'g' } } ");
  }
  EXPECT_EQ(Findings(events),
            "at[0]: the events take place 1200020 times; at most 1000000 are "
            "allowed");
}

TEST(RefusedTest, QueuesOfAFactExist) {
  EXPECT_EQ(OfEvent("after { fact: STORED topic: 'u' queues: 'b#0' } "
                    "crash { group: 'g' }"),
            "at[0].after.queues: broker \"b\" does not have topic \"u\"");
}

TEST(RefusedTest, SomebodyIsNamed) {
  EXPECT_EQ(OfEvent("time: '5s' restart { processes {} }"),
            "at[0].restart.processes: processes needs consumer, broker, "
            "name_server, producer or group");
}

TEST(RefusedTest, OnlyBlocksAreScaled) {
  EXPECT_EQ(OfEvent("time: '5s' scale { consumer: 'one' to: 3 }"),
            "at[0].scale.consumer: consumer \"one\" has no count: it is one "
            "process");
  EXPECT_EQ(OfEvent("time: '5s' scale { consumer: 'pods' to: 3 }"),
            "at[0].scale.consumer: there is no block of consumers \"pods\"");
}

TEST(RefusedTest, AConsumerOfALaterScaleHasAName) {
  EXPECT_EQ(OfEvent("time: '5s' scale { consumer: 'pod' to: 9 } } "
                    "at { time: '9s' crash { consumer: 'pod-8' }"),
            "");
  EXPECT_EQ(OfEvent("time: '5s' scale { consumer: 'pod' to: 9 } } "
                    "at { time: '9s' crash { consumer: 'pod-9' }"),
            "at[1].crash.consumer[0]: there is no consumer \"pod-9\"");
}

TEST(RefusedTest, ScaledConsumersCountAsConsumers) {
  EXPECT_EQ(OfEvent("time: '5s' scale { consumer: 'pod' to: 10000 }"),
            "group[0]: the groups have 10001 consumers; at most 10000 are "
            "allowed");
}

TEST(RefusedTest, WhichTopicMustBeClear) {
  EXPECT_EQ(OfEvent("time: '5s' add_queues { queues: 1 }"),
            "at[0].add_queues: AddQueues needs topic, as there are 2 topics");
  EXPECT_EQ(OfEvent("time: '5s' add_queues { topic: 'u' queues: 1 "
                    "broker: 'b' }"),
            "at[0].add_queues.broker[0]: broker \"b\" does not have topic "
            "\"u\"");
  EXPECT_EQ(OfEvent("time: '5s' shrink_queues { topic: 'u' }"),
            "at[0].shrink_queues: shrink_queues needs write_to or read_to");
}

TEST(RefusedTest, AddedQueuesAreQueuesFromThenOn) {
  const char kAdd[] = "every: '20s' add_queues { topic: 'u' queues: 2 } } ";
  EXPECT_EQ(OfEvent(absl::StrCat(kAdd, "at { after { fact: STORED topic: 'u' ",
                                 "queues: 'a#13' } crash { group: 'g' }")),
            "");
  EXPECT_EQ(OfEvent(absl::StrCat(kAdd, "at { after { fact: STORED topic: 'u' ",
                                 "queues: 'a#14' } crash { group: 'g' }")),
            "at[1].after.queues: topic \"u\" has queues 0 to 13 on each "
            "broker, not 14");
  EXPECT_EQ(OfEvent("every: '1s' add_queues { topic: 'u' queues: 200 }"),
            "at[0].add_queues: topic \"u\" would have 12008 queues on broker "
            "\"a\"; at most 10000 are allowed");
}

}  // namespace
}  // namespace groupsim
