// What an expectation can be asked of, over which window, with which names.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "path: message" of each finding about one expectation.
std::vector<std::string> About(const std::string& expectation) {
  const std::string text = absl::StrCat(
      "broker { name: 'b' }\n"
      "topic { name: 't' } topic { name: 'u' } topic { name: 'unread' }\n"
      "group { name: 'g' subscribe { topic: 't' } subscribe { topic: 'u' }\n"
      "  consumer { name: 'pod' count: 2 } }\n"
      "at { name: 'boom' time: '20s' crash { consumer: 'pod-1' } }\n"
      "expect { ",
      expectation, " }\n");
  std::vector<std::string> lines;
  const Reading reading =
      ReadScenario({.name = "s", .text = text}, ScenarioForm::kText);
  for (const Finding& finding : reading.findings.all()) {
    lines.push_back(absl::StrCat(finding.path, ": ", finding.message));
  }
  return lines;
}

TEST(ExpectationsReadTest, EveryFormCanBeWritten) {
  for (const char* form :
       {"lost { at_most: 0 } topic: 't'",
        "duplicates { at_most: 0 } queues: 'b#0..3'",
        "skipped { equals: 0 } topic: 't' queues: 'b#*'",
        "out_of_order { at_most: 0 } group: 'g'",
        "moves { at_least: 1 at_most: 4 }",
        "lag { at_most: 100 } after_event: 'boom' lasts: '5s'",
        "unowned_queue_seconds { at_most: 1.5 } after_event: 'boom'",
        "double_owned_queue_seconds { at_most: 0 } from: '1s' to: '2s'",
        "jain { at_least: 0.9 }",
        "max_over_mean { at_most: 2 }",
        "convergence { within: '3s' }",
        "takeover { within: '3s' }",
        "latency { percentile: 99 within: '1s' } topic: 't'",
        "lag_recovery { event: 'boom' to_lag: 5 within: '10s' }",
        "flow_control { reason: SPAN at_most: 1 }",
        "allocation { at: '5s' consumer: 'pod-0' topic: 't' queues: '' }",
        "metric { name: 'gini' at_most: 0.5 } from: '1s'",
        "metric { name: 'idle_seconds' at_most: 5 } consumer: 'pod-0'",
        "metric { name: 'jain_final' at_least: 0.5 } topic: 'u'",
        "metric { name: 'peak_lag' at_most: 5 } topic: 'u' queues: 'b#3'",
        "sometimes { seen { fact: DELIVERED process: 'pod-0' } at_most: 9 }",
        "never { fact: PROCESS_CRASHED group: 'g' } to: '10s'",
        "dead_letters { at_most: 0 }",
        "flow_control { reason: LOCK at_most: 0 }",
        "eventually { seen { fact: FIRST_DELIVERY } within: '9s' "
        "  after { fact: QUEUE_ADDED topic: 't' queues: 'b#0' } }",
        "fact_fingerprint { equals: '0123456789abcdef' }"}) {
    EXPECT_THAT(About(form), IsEmpty()) << form;
  }
}

TEST(ExpectationsReadTest, EachFormHasSubjectsOfItsOwn) {
  EXPECT_THAT(About("lost { at_most: 0 } consumer: 'pod-0'"),
              ElementsAre("expect[0].consumer: only a metric can be asked of "
                          "one consumer"));
  EXPECT_THAT(About("jain { at_least: 0.9 } topic: 't'"),
              ElementsAre("expect[0].topic: jain cannot be asked of a topic"));
  EXPECT_THAT(
      About("latency { within: '1s' } queues: 'b#0'"),
      ElementsAre("expect[0].queues: latency cannot be asked of queues"));
  EXPECT_THAT(About("metric { name: 'finished' at_least: 1 } topic: 't' "
                    "consumer: 'pod-0'"),
              ElementsAre("expect[0].topic: a metric of a consumer is about "
                          "all its queues"));
  EXPECT_THAT(About("never { fact: DELIVERED } group: 'g'"),
              ElementsAre("expect[0].group: what a fact is about is said in "
                          "its pattern"));
}

TEST(ExpectationsReadTest, SubjectsMustExist) {
  EXPECT_THAT(
      About("lost { at_most: 0 } topic: 'unread'"),
      ElementsAre("expect[0].topic: no group subscribes to topic \"unread\""));
  EXPECT_THAT(About("lost { at_most: 0 } topic: 'unread' group: 'g'"),
              ElementsAre("expect[0].topic: group \"g\" does not subscribe to "
                          "topic \"unread\""));
  EXPECT_THAT(About("lost { at_most: 0 } topic: 't' queues: 'b#8'"),
              ElementsAre("expect[0].queues: topic \"t\" has queues 0 to 7 on "
                          "each broker, not 8"));
  EXPECT_THAT(About("lost { at_most: 0 } queues: 'c#0'"),
              ElementsAre("expect[0].queues: there is no broker \"c\""));
  EXPECT_THAT(About("lag { at_most: 9 } after_event: 'bom'"),
              ElementsAre("expect[0].after_event: there is no event \"bom\""));
  EXPECT_THAT(About("never { fact: DELIVERED process: 'pod-2' }"),
              ElementsAre("expect[0].never.process: there is no process "
                          "\"pod-2\""));
  EXPECT_THAT(About("metric { name: 'jain_min' equals: 1 } topic: 't'"),
              ElementsAre("expect[0].metric.name: there is no metric "
                          "\"jain_min\" of a topic"));
  EXPECT_THAT(About("metric { name: 'jain_min' equals: 1 } queues: 'b#0'"),
              ElementsAre("expect[0].metric.name: there is no metric "
                          "\"jain_min\" of a queue"));
}

TEST(ExpectationsReadTest, WindowsMakeSense) {
  EXPECT_THAT(About("lost { at_most: 0 } after_event: 'boom' from: '1s'"),
              ElementsAre("expect[0].from: from cannot stand beside "
                          "after_event"));
  EXPECT_THAT(About("lost { at_most: 0 } lasts: '1s'"),
              ElementsAre("expect[0].lasts: lasts needs after_event"));
  EXPECT_THAT(About("lag_recovery { event: 'boom' within: '1s' } from: '1s'"),
              ElementsAre("expect[0].from: lag_recovery has no window"));
  EXPECT_THAT(About("fact_fingerprint { equals: '0123456789abcdef' } "
                    "to: '5s'"),
              ElementsAre("expect[0].to: fact_fingerprint has no window"));
}

TEST(ExpectationsReadTest, BoundsMakeSense) {
  EXPECT_THAT(About("sometimes { seen { fact: DELIVERED } at_least: 5 "
                    "at_most: 4 }"),
              ElementsAre("expect[0].sometimes.at_least: at_least must not be "
                          "above the other bound"));
  EXPECT_THAT(About("lag_recovery { event: 'boom' }"),
              ElementsAre("expect[0].lag_recovery: a bound is missing: "
                          "at_least or within"));
  EXPECT_THAT(About("fact_fingerprint { equals: '0123456789abcdeg' }"),
              ElementsAre("expect[0].fact_fingerprint.equals: "
                          "\"0123456789abcdeg\" is not 16 hexadecimal digits, "
                          "as a run prints them"));
}

}  // namespace
}  // namespace groupsim
