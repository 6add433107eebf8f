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

TEST(RefusedTest, AResetGoesToATimeOrToAnOffset) {
  EXPECT_EQ(OfEvent("time: '5s' reset_offset { topic: 't' }"),
            "at[0].reset_offset: ResetOffset needs to_time or to_offset");
  EXPECT_EQ(
      OfEvent("time: '5s' reset_offset { topic: 't' to_time: '3s' "
              "to_offset: 4 }"),
      "at[0].reset_offset: \"to_offset\" cannot stand beside \"to_time\"");
  EXPECT_EQ(OfEvent("time: '5s' reset_offset { topic: 't' to_time: '31d' }"),
            "at[0].reset_offset.to_time: to_time is 31d; it must be 0s to 30d");
  EXPECT_EQ(OfEvent("time: '5s' reset_offset { topic: 't' to_time: '-1s' }"),
            "at[0].reset_offset.to_time: to_time is \"-1s\"; it must not be "
            "negative");
  EXPECT_EQ(OfEvent("time: '5s' reset_offset { topic: 't' to_offset: -1 }"),
            "at[0].reset_offset.to_offset: to_offset is -1; it must be 0 to "
            "200000000");
  EXPECT_EQ(OfEvent("time: '5s' reset_offset { topic: 't' "
                    "to_offset: 200000001 }"),
            "at[0].reset_offset.to_offset: to_offset is 200000001; it must be "
            "0 to 200000000");
}

TEST(RefusedTest, WhatIsResetIsThere) {
  const auto of_reset = [](absl::string_view what) {
    return OfEvent(
        absl::StrCat("time: '5s' reset_offset { to_offset: 0 ", what, " }"));
  };
  EXPECT_EQ(of_reset("topic: 't' queues: 'a#0..3,b#*,a#2'"), "");
  EXPECT_EQ(
      of_reset(""),
      "at[0].reset_offset: ResetOffset needs topic, as there are 2 topics");
  EXPECT_EQ(of_reset("topic: 'v'"),
            "at[0].reset_offset.topic: there is no topic \"v\"");
  EXPECT_EQ(of_reset("topic: 't' group: 'h'"),
            "at[0].reset_offset.group: there is no group \"h\"");
  EXPECT_EQ(of_reset("topic: 't' queues: '*'"),
            "at[0].reset_offset.queues: queues is \"*\"; queues are written as "
            "\"broker-a#3\", \"broker-a#0..3\" or \"broker-a#*\", separated by "
            "commas");
  EXPECT_EQ(of_reset("topic: 't' queues: 'a#8'"),
            "at[0].reset_offset.queues: topic \"t\" has queues 0 to 7 on each "
            "broker, not 8");
  EXPECT_EQ(of_reset("topic: 't' queues: 'c#*'"),
            "at[0].reset_offset.queues: there is no broker \"c\"");
  EXPECT_EQ(
      of_reset("topic: 'u' queues: 'b#0'"),
      "at[0].reset_offset.queues: broker \"b\" does not have topic \"u\"");
  EXPECT_EQ(of_reset("topic: 't' queues: 'a#3..1'"),
            "at[0].reset_offset.queues: queues is \"a#3..1\"; a range of "
            "queues goes from the lower to the higher number");
}

TEST(RefusedTest, ACopyIsForAnotherGroup) {
  EXPECT_EQ(OfEvent("time: '5s' clone_offsets { from: 'g' to: 'g' topic: 't' "
                    "}"),
            "at[0].clone_offsets.to: a group has its own offsets already");
  EXPECT_EQ(OfEvent("time: '5s' clone_offsets { from: 'g' to: 'h' topic: 't' "
                    "}"),
            "at[0].clone_offsets.to: there is no group \"h\"");
  EXPECT_EQ(OfEvent("time: '5s' clone_offsets { from: 'g' topic: 't' }"),
            "at[0].clone_offsets: CloneOffsets needs to");
}

TEST(RefusedTest, AChangedSubscriptionIsOne) {
  const auto of_change = [](absl::string_view what) {
    return OfEvent(absl::StrCat(
        "time: '5s' change_subscription { consumer: 'one' ", what, " }"));
  };
  EXPECT_EQ(of_change("subscribe { topic: 'u' } unsubscribe: 't'"), "");
  EXPECT_EQ(of_change(""),
            "at[0].change_subscription: change_subscription needs subscribe or "
            "unsubscribe");
  EXPECT_EQ(
      of_change("subscribe { topic: 'v' }"),
      "at[0].change_subscription.subscribe[0].topic: there is no topic \"v\"");
  EXPECT_EQ(
      of_change("unsubscribe: 'v'"),
      "at[0].change_subscription.unsubscribe[0]: there is no topic \"v\"");
  EXPECT_EQ(of_change("subscribe { topic: 'u' expression: 'red' }"), "");
  EXPECT_EQ(of_change("subscribe { topic: 'u' } unsubscribe: 'u'"),
            "at[0].change_subscription.unsubscribe[0]: topic \"u\" is "
            "subscribed to in the same change");
  EXPECT_EQ(OfEvent("time: '5s' change_subscription { unsubscribe: 't' }"),
            "at[0].change_subscription: ChangeSubscription needs consumer");
  EXPECT_EQ(
      OfEvent("time: '5s' change_subscription { consumer: 'two' "
              "unsubscribe: 't' }"),
      "at[0].change_subscription.consumer[0]: there is no consumer \"two\"");
}

TEST(RefusedTest, ATopicIsReadThatIsSubscribedToLater) {
  constexpr absl::string_view kExpect =
      " expect { group: 'g' topic: 'u' lost { at_most: 0 } }";
  EXPECT_EQ(Findings(absl::StrCat(
                "at { time: '5s' change_subscription { consumer: 'one' "
                "subscribe { topic: 'u' } } }",
                kExpect)),
            "");
  EXPECT_EQ(Findings(kExpect),
            "expect[0].topic: group \"g\" does not subscribe to topic \"u\"");
}

}  // namespace
}  // namespace groupsim
