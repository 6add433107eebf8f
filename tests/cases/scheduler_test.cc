// One thread for all that a client does by the clock: reports of commits and
// heartbeats that are late.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/cases/played.h"

namespace groupsim {
namespace {

// ---- apache/rocketmq #2728, #2770 (C22, 15.18) ----

// The only name server is silent from 60 s on. The report has each of fifteen
// topics wait for three seconds; the client gives the round up after the first.
// So heartbeats and commits are late by three seconds and not by 45: the
// heartbeats of 61 and 91 s, the commit of 65 s in time. Members go on.
TEST(SilentNameServerCase, EachRoundOfRoutesCostsThreeSeconds) {
  Played(R"(
    duration: "130s"
    broker { name: "a" }
    topic { name: "t00" queues_per_broker: 1 }
    topic { name: "t01" queues_per_broker: 1 }
    topic { name: "t02" queues_per_broker: 1 }
    topic { name: "t03" queues_per_broker: 1 }
    topic { name: "t04" queues_per_broker: 1 }
    topic { name: "t05" queues_per_broker: 1 }
    topic { name: "t06" queues_per_broker: 1 }
    topic { name: "t07" queues_per_broker: 1 }
    topic { name: "t08" queues_per_broker: 1 }
    topic { name: "t09" queues_per_broker: 1 }
    topic { name: "t10" queues_per_broker: 1 }
    topic { name: "t11" queues_per_broker: 1 }
    topic { name: "t12" queues_per_broker: 1 }
    topic { name: "t13" queues_per_broker: 1 }
    producer { name: "p" topic: "t00" rate { per_second: 10 } from: "3s" }
    group { name: "g"
      subscribe { topic: "t00" } subscribe { topic: "t01" }
      subscribe { topic: "t02" } subscribe { topic: "t03" }
      subscribe { topic: "t04" } subscribe { topic: "t05" }
      subscribe { topic: "t06" } subscribe { topic: "t07" }
      subscribe { topic: "t08" } subscribe { topic: "t09" }
      subscribe { topic: "t10" } subscribe { topic: "t11" }
      subscribe { topic: "t12" } subscribe { topic: "t13" }
      consumer { name: "c" } }
    at { time: "60s" partition { from: "c" to: "name-server" } }
    expect { from: "60100ms" to: "63s" never {
      fact: HEARTBEAT_ROUND process: "c" } }
    expect { from: "63s" to: "63100ms" sometimes {
      seen { fact: HEARTBEAT_ROUND process: "c" } at_least: 1 at_most: 1 } }
    expect { from: "90100ms" to: "93s" never {
      fact: HEARTBEAT_ROUND process: "c" } }
    expect { from: "93s" to: "93100ms" sometimes {
      seen { fact: HEARTBEAT_ROUND process: "c" } at_least: 1 at_most: 1 } }
    expect { from: "60s" unowned_queue_seconds { at_most: 0 } }
    expect { from: "60s" to: "129s" never { fact: MEMBER_REMOVED } })");
}

// ---- Brokers that are dead (15.19) ----

// Two of three do not answer: a round of heartbeats lasts six seconds, and
// nothing else of the thread begins meanwhile.
TEST(DeadBrokersCase, EachCostsThreeSecondsOfARoundOfHeartbeats) {
  Played(R"(
    duration: "100s"
    broker { name: "a" } broker { name: "b" } broker { name: "c" }
    topic { name: "t" queues_per_broker: 1 }
    group { name: "g" message_model: BROADCASTING consumer { name: "pod" } }
    producer { name: "p" rate { per_second: 10 } queues: "a#0" from: "3s" }
    at { time: "60s" vanish { broker: "b" broker: "c" } }
    expect { from: "55s" to: "61s" sometimes {
      seen { fact: COMMITTED queues: "a#0" } at_least: 2 at_most: 2 } }
    expect { from: "61s" to: "67s" never {
      fact: COMMITTED queues: "a#0" } }
    expect { from: "67s" to: "69s" sometimes {
      seen { fact: COMMITTED queues: "a#0" } at_least: 1 at_most: 1 } }
    expect { from: "69s" to: "71s" sometimes {
      seen { fact: COMMITTED queues: "a#0" } at_least: 1 at_most: 1 } })");
}

// ---- A loop that never rests (15.20) ----

// A list of queues is one for all topics, so that no round finds its share of
// one topic: a round a second, for all topics.
constexpr char kPace[] = R"(
  duration: "121s"
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 2 }
  group { name: "g" strategy { STRATEGY } consumer { name: "c" } }
  expect { from: "60500ms" to: "120500ms" sometimes {
    seen { fact: REBALANCED } at_least: ROUNDS at_most: ROUNDS } }
)";

TEST(HotLoopCase, AConfiguredListMakesARoundASecond) {
  Played(absl::StrReplaceAll(kPace,
                             {{"STRATEGY", "averagely {}"}, {"ROUNDS", "3"}}));
  Played(absl::StrReplaceAll(
      kPace,
      {{"STRATEGY", "by_config { queues: 'a#0..1' }"}, {"ROUNDS", "60"}}));
}

}  // namespace
}  // namespace groupsim
