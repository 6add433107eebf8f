// Every form of expectation: one that holds, one that fails with what it says,
// one about something that did not happen.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tests/scenarios/expect/expected_story.h"

namespace groupsim {
namespace {

constexpr char kEvents[] = "at { name: \"boom\" crash { consumer: \"c1\" } }\n";

// "failed: lost at most 0, was 1, at 3, t b#0, offset 99, after c2 started ..."
std::string InWords(const Report::ExpectationReport& item) {
  std::string text = item.verdict() == Report::PASSED   ? "passed: "
                     : item.verdict() == Report::FAILED ? "failed: "
                                                        : "vacuous: ";
  absl::StrAppend(&text, item.expectation(), ", was ", item.actual());
  if (item.has_violated_at_seconds()) {
    absl::StrAppendFormat(&text, ", at %g", item.violated_at_seconds());
  }
  if (!item.subject().empty()) absl::StrAppend(&text, ", ", item.subject());
  if (!item.cause().empty()) absl::StrAppend(&text, ", ", item.cause());
  return text;
}

std::string Told(const std::string& expectation) {
  ExpectedStory story(absl::StrCat(kEvents, "expect { ", expectation, " }"));
  CrashAndTakeover(story);
  const std::vector<Report::ExpectationReport> reports = story.Judge();
  return reports.size() == 1 ? InWords(reports[0])
                             : absl::StrCat(reports.size(), " reports");
}

// Where nothing at all happens.
std::string Untold(const std::string& expectation) {
  ExpectedStory story(absl::StrCat(kEvents, "expect { ", expectation, " }"));
  const std::vector<Report::ExpectationReport> reports = story.Judge();
  return reports.size() == 1 ? InWords(reports[0])
                             : absl::StrCat(reports.size(), " reports");
}

TEST(CountFormsTest, Lost) {
  EXPECT_EQ(Told("lost { equals: 1 }"), "passed: lost equals 1, was 1");
  EXPECT_EQ(Told("lost { at_most: 0 }"),
            "failed: lost at most 0, was 1, at 3, t b#0, offset 99, after c2 "
            "started at 0 s");
  EXPECT_EQ(Untold("lost { at_most: 0 }"),
            "vacuous: lost at most 0, was nothing to judge, no message was "
            "acknowledged");
}

TEST(CountFormsTest, Duplicates) {
  EXPECT_EQ(Told("duplicates { at_least: 2 at_most: 2 }"),
            "passed: duplicates at least 2, at most 2, was 2");
  EXPECT_EQ(Told("duplicates { at_most: 1 }"),
            "failed: duplicates at most 1, was 2, at 8.5, t b#0, offset 3, at "
            "c2, after c1 crashed at 6 s");
  EXPECT_EQ(Untold("duplicates { at_most: 1 }"),
            "vacuous: duplicates at most 1, was nothing to judge, no message "
            "was delivered");
}

TEST(CountFormsTest, Skipped) {
  EXPECT_EQ(Told("skipped { equals: 2 }"), "passed: skipped equals 2, was 2");
  EXPECT_EQ(Told("skipped { equals: 0 }"),
            "failed: skipped equals 0, was 2, at 4, t b#1, offset 2, after c2 "
            "started at 0 s");
  EXPECT_EQ(Untold("skipped { equals: 0 }"),
            "vacuous: skipped equals 0, was nothing to judge, no message was "
            "stored");
}

TEST(CountFormsTest, OutOfOrder) {
  EXPECT_EQ(Told("out_of_order { equals: 1 }"),
            "passed: out of order equals 1, was 1");
  EXPECT_EQ(Told("out_of_order { at_most: 0 }"),
            "failed: out of order at most 0, was 1, at 8.5, t b#0, offset 2, "
            "at c2, after c1 crashed at 6 s");
  EXPECT_EQ(Untold("out_of_order { at_most: 0 }"),
            "vacuous: out of order at most 0, was nothing to judge, no message "
            "was delivered");
}

TEST(CountFormsTest, Moves) {
  EXPECT_EQ(Told("moves { equals: 2 }"), "passed: moves equals 2, was 2");
  EXPECT_EQ(Told("moves { at_most: 1 }"),
            "failed: moves at most 1, was 2, at 8, t b#0, at c2, after c1 "
            "crashed at 6 s");
  EXPECT_EQ(Untold("moves { at_most: 1 }"),
            "vacuous: moves at most 1, was nothing to judge, no queue had an "
            "owner");
}

TEST(CountFormsTest, CountsOfQueuesAreThoseOfTheseQueues) {
  EXPECT_EQ(Told("duplicates { at_most: 0 } queues: \"b#1\""),
            "vacuous: duplicates of b#1 at most 0, was nothing to judge, no "
            "message was delivered");
  EXPECT_EQ(Told("duplicates { equals: 2 } topic: \"t\" queues: \"b#0\""),
            "passed: duplicates of t b#0 equals 2, was 2");
  EXPECT_EQ(Told("moves { equals: 1 } queues: \"b#0\""),
            "passed: moves of b#0 equals 1, was 1");
  EXPECT_EQ(Told("skipped { at_most: 1 } topic: \"t\""),
            "failed: skipped of t at most 1, was 2, at 4, t b#1, offset 2, "
            "after c2 started at 0 s");
}

TEST(CountFormsTest, CountsOfAWindowAreThoseInIt) {
  EXPECT_EQ(Told("moves { equals: 0 } from: \"2s\" to: \"8s\""),
            "passed: moves equals 0 from 2s to 8s, was 0");
  EXPECT_EQ(Told("duplicates { equals: 0 } to: \"8s\""),
            "passed: duplicates equals 0 from 0s to 8s, was 0");
}

TEST(QueueSecondsFormsTest, Unowned) {
  EXPECT_EQ(Told("unowned_queue_seconds { at_least: 2 at_most: 2 }"),
            "passed: unowned queue-seconds at least 2, at most 2 s, was 2 s");
  EXPECT_EQ(Told("unowned_queue_seconds { at_most: 0.5 }"),
            "failed: unowned queue-seconds at most 0.500 s, was 2 s, at 6.5, t "
            "b#0, after c1 crashed at 6 s");
  EXPECT_EQ(Told("unowned_queue_seconds { at_most: 0 } queues: \"b#1\""),
            "passed: unowned queue-seconds of b#1 at most 0 s, was 0 s");
  EXPECT_EQ(Untold("unowned_queue_seconds { at_most: 0.5 }"),
            "vacuous: unowned queue-seconds at most 0.500 s, was nothing to "
            "judge, no queue had an owner");
}

TEST(QueueSecondsFormsTest, DoubleOwned) {
  EXPECT_EQ(Told("double_owned_queue_seconds { equals: 0.25 }"),
            "passed: double-owned queue-seconds equals 0.250 s, was 0.250 s");
  EXPECT_EQ(Told("double_owned_queue_seconds { at_most: 0.125 }"),
            "failed: double-owned queue-seconds at most 0.125 s, was 0.250 s, "
            "at 1.625, t b#1, after c2 started at 0 s");
  EXPECT_EQ(Untold("double_owned_queue_seconds { at_most: 1 }"),
            "vacuous: double-owned queue-seconds at most 1 s, was nothing to "
            "judge, no queue had an owner");
}

TEST(LagFormsTest, Lag) {
  EXPECT_EQ(Told("lag { equals: 5 }"), "passed: peak lag equals 5, was 5");
  EXPECT_EQ(Told("lag { at_most: 4 }"),
            "failed: peak lag at most 4, was 5, at 4, t b#0, after c2 started "
            "at 0 s");
  EXPECT_EQ(Told("lag { at_most: 4 } from: \"5s\""),
            "passed: peak lag at most 4 from 5s to the end, was 4");
  EXPECT_EQ(Told("lag { equals: 2 } queues: \"b#1\""),
            "passed: peak lag of b#1 equals 2, was 2");
  EXPECT_EQ(Untold("lag { at_most: 4 }"),
            "vacuous: peak lag at most 4, was nothing to judge, no message was "
            "stored");
}

// Back at 2, the lag at the crash, at 9 s. The most of the ten seconds before
// was 5, which it does not reach again.
TEST(LagFormsTest, LagRecovery) {
  EXPECT_EQ(Told("lag_recovery { event: \"boom\" to_lag: 2 at_least: \"3s\" "
                 "within: \"3s\" }"),
            "passed: lag recovery after event \"boom\" to 2 at least 3s within "
            "3s, was 3 s");
  EXPECT_EQ(Told("lag_recovery { event: \"boom\" within: \"0s\" }"),
            "passed: lag recovery after event \"boom\" within 0s, was 0 s");
  EXPECT_EQ(
      Told("lag_recovery { event: \"boom\" to_lag: 2 within: \"2500ms\" }"),
      "failed: lag recovery after event \"boom\" to 2 within 2500ms, was 3 s, "
      "at 8.5, after c1 crashed at 6 s");
  EXPECT_EQ(Untold("lag_recovery { event: \"boom\" within: \"1s\" }"),
            "vacuous: lag recovery after event \"boom\" within 1s, was nothing "
            "to judge, event \"boom\" never took place");
}

TEST(FlowControlFormsTest, FlowControl) {
  EXPECT_EQ(Told("flow_control { reason: COUNT at_least: 1 at_most: 1 }"),
            "passed: flow control by count at least 1, at most 1 queue-s, was "
            "1 queue-s");
  EXPECT_EQ(Told("flow_control { reason: SPAN at_most: 0 }"),
            "passed: flow control by span at most 0 queue-s, was 0 queue-s");
  EXPECT_EQ(Told("flow_control { at_most: 0.5 }"),
            "failed: flow control at most 0.500 queue-s, was 1 queue-s, at "
            "2.5, t b#0, at c1, after c2 started at 0 s");
  EXPECT_EQ(Told("flow_control { at_most: 0 } queues: \"b#1\""),
            "passed: flow control of b#1 at most 0 queue-s, was 0 queue-s");
  EXPECT_EQ(Untold("flow_control { at_most: 0.5 }"),
            "vacuous: flow control at most 0.500 queue-s, was nothing to "
            "judge, nothing was pulled");
}

// Loads 2 and 0 from 12 s on. 19 s in all: 10.75 s of 1, 0.25 s of 9 / 10
// (loads 2 and 1), 8 s of 1 / 2.
TEST(FairnessFormsTest, Jain) {
  EXPECT_EQ(Told("jain { at_least: 0.5 at_most: 0.5 }"),
            "passed: lowest jain at least 0.500, at most 0.500, was 0.500");
  EXPECT_EQ(Told("jain { at_least: 0.9 }"),
            "failed: lowest jain at least 0.900, was 0.500, at 12, after c1 "
            "started at 12 s");
  EXPECT_EQ(Told("jain { at_least: 0.78 at_most: 0.79 time_weighted: true }"),
            "passed: time-weighted jain at least 0.780, at most 0.790, was "
            "0.788");
  EXPECT_EQ(Untold("jain { at_least: 0.9 }"),
            "vacuous: lowest jain at least 0.900, was nothing to judge, there "
            "was no moment with every queue owned");
}

// 10.75 s of 1, 0.25 s of 2 * 2 / 3, 8 s of 2: 27.083 / 19.
TEST(FairnessFormsTest, MaxOverMean) {
  EXPECT_EQ(Told("max_over_mean { at_least: 1.425 at_most: 1.426 }"),
            "passed: time-weighted max/mean at least 1.425, at most 1.426, was "
            "1.425");
  EXPECT_EQ(Told("max_over_mean { at_most: 1 }"),
            "failed: time-weighted max/mean at most 1, was 1.425");
  EXPECT_EQ(Untold("max_over_mean { at_most: 1 }"),
            "vacuous: time-weighted max/mean at most 1, was nothing to judge, "
            "there was no moment with every queue owned");
}

// 1.75 s after the starts, 2 s after the crash, at once after c1 came back.
TEST(DurationFormsTest, Convergence) {
  EXPECT_EQ(Told("convergence { at_least: \"2s\" within: \"2s\" }"),
            "passed: convergence max at least 2s within 2s, was 2 s");
  EXPECT_EQ(Told("convergence { within: \"1900ms\" }"),
            "failed: convergence max within 1900ms, was 2 s, at 8, at c1, "
            "after c1 crashed at 6 s");
  EXPECT_EQ(Told("convergence { within: \"0s\" } from: \"12s\""),
            "passed: convergence max within 0s from 12s to the end, was 0 s");
  EXPECT_EQ(Untold("convergence { within: \"1s\" }"),
            "vacuous: convergence max within 1s, was nothing to judge, the "
            "group never came to rest after a change");
}

TEST(DurationFormsTest, Takeover) {
  EXPECT_EQ(Told("takeover { at_least: \"2500ms\" within: \"2500ms\" }"),
            "passed: takeover max at least 2500ms within 2500ms, was 2.5 s");
  EXPECT_EQ(Told("takeover { within: \"1s\" }"),
            "failed: takeover max within 1s, was 2.5 s, at 8.5, t b#0, at c2, "
            "after c1 crashed at 6 s");
  EXPECT_EQ(Untold("takeover { within: \"1s\" }"),
            "vacuous: takeover max within 1s, was nothing to judge, no queue "
            "went from one consumer to another and had a message there");
}

// Four of 100 ms; 4 and 5 took 1.7 s and 1.2 s. Again delivered ones do not
// count.
TEST(DurationFormsTest, Latency) {
  EXPECT_EQ(Told("latency { percentile: 50 at_least: \"100ms\" "
                 "within: \"101ms\" }"),
            "passed: latency p50 at least 100ms within 101ms, was 100.007 "
            "ms");
  EXPECT_EQ(Told("latency { within: \"1s\" }"),
            "failed: latency max within 1s, was 1.7 s, at 8.7, t b#0, offset "
            "4, at c2, after c1 crashed at 6 s");
  EXPECT_EQ(Told("latency { within: \"2s\" } topic: \"t\""),
            "passed: latency of t max within 2s, was 1.7 s");
  EXPECT_EQ(Untold("latency { within: \"1s\" }"),
            "vacuous: latency max within 1s, was nothing to judge, no message "
            "was finished");
}

TEST(AllocationFormTest, IsExactlyTheseQueues) {
  EXPECT_EQ(Told("allocation { at: \"5s\" consumer: \"c1\" queues: \"b#0\" }"),
            "passed: c1 owns b#0 at 5s, was b#0, c1");
  EXPECT_EQ(Told("allocation { at: \"10s\" consumer: \"c2\" queues: \"b#1\" }"),
            "failed: c2 owns b#1 at 10s, was b#0,b#1, at 10, c2, after c1 "
            "crashed at 6 s");
  EXPECT_EQ(Told("allocation { at: \"7s\" consumer: \"c1\" queues: \"\" }"),
            "vacuous: c1 owns nothing at 7s, was nothing to judge, c1, c1 did "
            "not run then");
}

TEST(MetricFormTest, IsAskedOfGroupConsumerTopicOrQueues) {
  EXPECT_EQ(Told("metric { name: \"queue_moves\" equals: 2 }"),
            "passed: queue_moves equals 2, was 2");
  EXPECT_EQ(Told("metric { name: \"queue_moves\" equals: 3 }"),
            "failed: queue_moves equals 3, was 2");
  EXPECT_EQ(
      Told("metric { name: \"idle_seconds\" at_least: 9 } consumer: \"c1\""),
      "passed: idle_seconds of c1 at least 9, was 9, c1");
  EXPECT_EQ(Told("metric { name: \"peak_lag\" at_most: 4 } topic: \"t\""),
            "failed: peak_lag of t at most 4, was 5");
  EXPECT_EQ(Told("metric { name: \"stored\" at_least: 2 } queues: \"b#*\""),
            "passed: stored of b#* at least 2, was 2 to 6");
  EXPECT_EQ(Told("metric { name: \"skipped\" at_most: 0 } queues: \"b#*\""),
            "failed: skipped of b#* at most 0, was 2, t b#1");
  EXPECT_EQ(Told("metric { name: \"takeover_max_seconds\" at_most: 3 } "
                 "queues: \"b#1\""),
            "vacuous: takeover_max_seconds of b#1 at most 3, was nothing to "
            "judge, there was nothing to measure");
  EXPECT_EQ(Told("metric { name: \"finished\" equals: 1 } from: \"3s\" "
                 "to: \"4s\""),
            "passed: finished equals 1 from 3s to 4s, was 1");
}

TEST(EventWindowTest, BeginsWithTheEventAndIncludesWhatItDoes) {
  EXPECT_EQ(Told("metric { name: \"membership_changes\" equals: 1 } "
                 "after_event: \"boom\" lasts: \"3s\""),
            "passed: membership_changes equals 1 in the 3s after event "
            "\"boom\", was 1");
  EXPECT_EQ(Told("unowned_queue_seconds { equals: 1 } after_event: \"boom\" "
                 "lasts: \"1s\""),
            "passed: unowned queue-seconds equals 1 s in the 1s after event "
            "\"boom\", was 1 s");
  EXPECT_EQ(Told("moves { at_most: 0 } after_event: \"boom\""),
            "failed: moves at most 0 after event \"boom\", was 1, at 8, t b#0, "
            "at c2, after c1 crashed at 6 s");
  EXPECT_EQ(Told("never { fact: DELIVERED } after_event: \"boom\" "
                 "lasts: \"2500ms\""),
            "passed: never DELIVERED in the 2500ms after event \"boom\", was "
            "seen 0 times");
  EXPECT_EQ(Untold("moves { at_most: 0 } after_event: \"boom\""),
            "vacuous: moves at most 0 after event \"boom\", was nothing to "
            "judge, event \"boom\" never took place");
}

TEST(FactFormsTest, Sometimes) {
  EXPECT_EQ(Told("sometimes { seen { fact: QUEUE_ADDED consumer: \"c1\" } }"),
            "passed: sometimes QUEUE_ADDED at c1, at least 1 times, was seen 2 "
            "times");
  EXPECT_EQ(Told("sometimes { seen { fact: DELIVERED } at_least: 9 }"),
            "failed: sometimes DELIVERED, at least 9 times, was seen 8 times");
  EXPECT_EQ(Told("sometimes { seen { fact: DELIVERED queues: \"b#0\" } "
                 "at_least: 1 at_most: 7 }"),
            "failed: sometimes DELIVERED b#0, at least 1, at most 7 times, was "
            "seen 8 times, at 8.5, DELIVERED at c2, t b#0, offset 5, after c1 "
            "crashed at 6 s");
}

TEST(FactFormsTest, Never) {
  EXPECT_EQ(Told("never { fact: DELIVERED topic: \"t\" queues: \"b#1\" }"),
            "passed: never DELIVERED of t b#1, was seen 0 times");
  EXPECT_EQ(Told("never { fact: DELIVERED process: \"c2\" offset: 3 }"),
            "failed: never DELIVERED at c2 offset 3, was seen 1 times, at 8.5, "
            "DELIVERED at c2, t b#0, offset 3, after c1 crashed at 6 s");
  EXPECT_EQ(Told("never { fact: DELIVERED process: \"c2\" } to: \"8s\""),
            "passed: never DELIVERED at c2 from 0s to 8s, was seen 0 times");
}

TEST(FactFormsTest, EventuallyOnce) {
  EXPECT_EQ(Told("eventually { seen { fact: DELIVERED } within: \"2s\" }"),
            "passed: eventually DELIVERED within 2s, was 2 s later");
  EXPECT_EQ(Told("eventually { seen { fact: DELIVERED } within: \"1s\" }"),
            "failed: eventually DELIVERED within 1s, was 2 s later, at 1, "
            "after c2 started at 0 s");
  EXPECT_EQ(Told("eventually { seen { fact: DELIVERED queues: \"b#1\" } }"),
            "failed: eventually DELIVERED b#1, was not seen, at 20, after c1 "
            "started at 12 s");
}

TEST(FactFormsTest, EventuallyAfterEach) {
  EXPECT_EQ(Told("eventually { after { fact: PROCESS_CRASHED } "
                 "seen { fact: QUEUE_ADDED } within: \"2s\" }"),
            "passed: eventually QUEUE_ADDED after each PROCESS_CRASHED within "
            "2s, was at the latest 2 s later");
  EXPECT_EQ(Told("eventually { after { fact: STORED queues: \"b#0\" } "
                 "seen { fact: FINISHED } within: \"1s\" }"),
            "failed: eventually FINISHED after each STORED b#0 within 1s, was "
            "at the latest 1.7 s later, at 8, after c1 crashed at 6 s");
  EXPECT_EQ(Told("eventually { after { fact: PROCESS_STARTED } "
                 "seen { fact: QUEUE_ADDED } }"),
            "failed: eventually QUEUE_ADDED after each PROCESS_STARTED, was "
            "not seen after that at 12 s, at 20, after c1 started at 12 s");
  EXPECT_EQ(Told("eventually { after { fact: SEND_FAILED } "
                 "seen { fact: DELIVERED } within: \"1s\" }"),
            "vacuous: eventually DELIVERED after each SEND_FAILED within 1s, "
            "was nothing to judge, no SEND_FAILED");
}

TEST(FactFormsTest, Fingerprint) {
  ExpectedStory story("");
  CrashAndTakeover(story);
  story.Judge();
  const std::string right = absl::StrFormat("%016x", story.fingerprint());
  EXPECT_EQ(
      Told(absl::StrCat("fact_fingerprint { equals: \"", right, "\" }")),
      absl::StrCat("passed: fact fingerprint equals ", right, ", was ", right));
  EXPECT_EQ(
      Told("fact_fingerprint { equals: \"0123456789abcdef\" }"),
      absl::StrCat("failed: fact fingerprint equals 0123456789abcdef, was ",
                   right));
}

TEST(ExpectationsTest, MayBeAbsentPassesWhereNothingHappened) {
  EXPECT_EQ(Untold("takeover { within: \"1s\" } may_be_absent: true"),
            "passed: takeover max within 1s, was nothing to judge, no queue "
            "went from one consumer to another and had a message there");
}

TEST(ExpectationsTest, ManyAreKnownToFailBeforeTheEnd) {
  ExpectedStory story(absl::StrCat(
      kEvents,
      "expect { moves { at_most: 1 } } expect { lag { at_most: 4 } }"
      "expect { never { fact: PROCESS_CRASHED } }"
      "expect { duplicates { at_most: 2 } }"));
  CrashAndTakeover(story);
  story.Judge();
  EXPECT_EQ(story.violated(), 3);
}

}  // namespace
}  // namespace groupsim
