// Who owns what, and who believes so: reports of groups whose members disagree.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/cases/played.h"

namespace groupsim {
namespace {

// ---- One client id twice: apache/rocketmq #2760, #1547 (C02, 15.4) ----

constexpr char kTwoProcesses[] = R"(
  duration: "60s"
  broker { name: "a" } broker { name: "b" }
  topic { name: "t" queues_per_broker: 4 stored { messages: 10 } }
  group { name: "g"
    consume_from_where: CONSUME_FROM_FIRST_OFFSET
    strategy { STRATEGY {} } consume { mode: MODE }
    consumer { name: "p" count: 2 ID } }
)";

Played TwoProcesses(absl::string_view strategy, absl::string_view mode,
                    absl::string_view id, absl::string_view expectations = "") {
  return Played(absl::StrCat(
      absl::StrReplaceAll(kTwoProcesses,
                          {{"STRATEGY", strategy}, {"MODE", mode}, {"ID", id}}),
      expectations));
}

// Each finds itself at the first of two places, which are one id's.
TEST(SharedClientIdCase, HalfOfTheQueuesHaveTwoOwnersAndHalfHaveNone) {
  const Played played =
      TwoProcesses("averagely", "CONCURRENTLY", "client_id: '172.17.0.2@1'", R"(
        expect { allocation { at: "50s" consumer: "p-0" queues: "a#*" } }
        expect { allocation { at: "50s" consumer: "p-1" queues: "a#*" } })");
  EXPECT_EQ(played.metrics().deliveries(), 80);
  EXPECT_EQ(played.metrics().distinct(), 40);
  EXPECT_EQ(played.metrics().not_yet_delivered(), 40);
  for (int queue = 0; queue < 4; ++queue) {
    EXPECT_EQ(played.committed("a", queue), 10);
    EXPECT_EQ(played.committed("b", queue), -1);
  }
}

TEST(SharedClientIdCase, WithIdsOfTheirOwnTheyShare) {
  const Played played = TwoProcesses("averagely", "CONCURRENTLY", "");
  EXPECT_EQ(played.metrics().deliveries(), 80);
  EXPECT_EQ(played.metrics().distinct(), 80);
}

// A ring knows no places: one id has it all.
TEST(SharedClientIdCase, AHashRingLeavesNoHoleAndDoublesEverything) {
  const Played played = TwoProcesses("consistent_hash", "CONCURRENTLY",
                                     "client_id: '172.17.0.2@1'");
  EXPECT_EQ(played.metrics().deliveries(), 160);
  EXPECT_EQ(played.metrics().distinct(), 80);
}

// A lock is one of a client id, so both have it, and order is lost in silence.
TEST(SharedClientIdCase, TheyHaveOneLock) {
  const Played played =
      TwoProcesses("averagely", "ORDERLY", "client_id: '172.17.0.2@1'");
  EXPECT_EQ(played.metrics().deliveries(), 80);
  EXPECT_EQ(played.metrics().distinct(), 40);
  EXPECT_EQ(played.metrics().locks_refused(), 0);
}

// The connection is forgotten in between at 59 s; the client finds out when its
// heartbeat of 61 s has no answer for three seconds, and connects anew. The
// broker believes the last heartbeat on the old one, of 31 s, until the first
// look after 151 s.
TEST(SharedClientIdCase, AForgottenConnectionIsAMemberForTwoMinutes) {
  const Played played(R"(
    duration: "240s"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 6 }
    group { name: "g" consumer { name: "c" count: 2 } }
    at { time: "59s" half_open { from: "c-0" to: "a" } }
    expect { allocation { at: "50s" consumer: "c-0" queues: "a#0..2" } }
    expect { allocation { at: "110s" consumer: "c-0" queues: "a#0..1" } }
    expect { allocation { at: "110s" consumer: "c-1" queues: "a#4..5" } }
    expect { from: "100s" to: "150s"
      unowned_queue_seconds { at_least: 100 at_most: 100 } }
    expect { from: "62s" to: "151s" never { fact: MEMBER_REMOVED } }
    expect { from: "151s" to: "161s"
      sometimes { seen { fact: MEMBER_REMOVED } at_least: 1 at_most: 1 } }
    expect { allocation { at: "185s" consumer: "c-0" queues: "a#0..2" } }
    expect { allocation { at: "185s" consumer: "c-1" queues: "a#3..5" } })");
}

// ---- Different topics: alibaba/rocketmq #212 (C04, 15.21) ----

// Of each topic one member is due the first half of the queues and the other
// one the second: half of each is nobody's. Every heartbeat replaces the
// group's topics and is told to both: four times a minute, besides their own
// rounds.
TEST(DifferentTopicsCase, HalfOfEachIsNobodysAndHeartbeatsWakeEverybody) {
  const Played played(R"(
    duration: "240s"
    broker { name: "a" }
    topic { name: "t1" queues_per_broker: 4 stored { messages: 10 } }
    topic { name: "t2" queues_per_broker: 4 stored { messages: 10 } }
    group { name: "g"
      consume_from_where: CONSUME_FROM_FIRST_OFFSET
      subscribe { topic: "t1" } subscribe { topic: "t2" }
      consumer { name: "c1" subscribe { topic: "t1" } }
      consumer { name: "c2" start_at: "10s" subscribe { topic: "t2" } } }
    expect { allocation {
      at: "200s" consumer: "c1" topic: "t1" queues: "a#0..1" } }
    expect { allocation {
      at: "200s" consumer: "c2" topic: "t2" queues: "a#2..3" } }
    expect { from: "120s" to: "180s" sometimes {
      seen { fact: NOTICE_RECEIVED consumer: "c1" } at_least: 4 at_most: 4 } }
    expect { from: "120s" to: "180s" sometimes {
      seen { fact: NOTICE_RECEIVED consumer: "c2" } at_least: 4 at_most: 4 } }
    expect { from: "120s" to: "180s" sometimes {
      seen { fact: PULL_FAILED topic: "t1" } at_least: 2 } })");
  EXPECT_EQ(played.metrics().finished(), 2 * 20 + 20);
}

// ---- alibaba/rocketmq #310 (C10) ----

// Three of the four queues could have stayed; all move one place on.
TEST(ExtraMembersCase, OneCrashShiftsEveryQueue) {
  const Played played(R"(
    duration: "120s"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 4 }
    # groupsim: allow(more-consumers-than-queues)
    group { name: "g" consumer { name: "c" count: 6 } }
    at { name: "kill" time: "60s" crash { consumer: "c-0" } }
    expect { allocation { at: "59s" consumer: "c-0" queues: "a#0" } }
    expect { allocation { at: "59s" consumer: "c-3" queues: "a#3" } }
    expect { allocation { at: "59s" consumer: "c-4" queues: "" } }
    expect { after_event: "kill" moves { equals: 4 } }
    expect { allocation { at: "63s" consumer: "c-1" queues: "a#0" } }
    expect { allocation { at: "63s" consumer: "c-4" queues: "a#3" } }
    expect { allocation { at: "63s" consumer: "c-5" queues: "" } })");
  EXPECT_EQ(played.metrics().idle_consumers(), 1);
}

// ---- apache/rocketmq #1095 (C13, 15.6) ----

// c-1 is cut off from broker a alone at 60 s. Its last heartbeat there is of 31
// s: broker a gives it up at its first look after 151 s, and each round of c-0
// that asks broker a takes all eight queues. Healed at 300 s.
TEST(BrokersDisagreeCase, AMemberOfOneBrokerOnlyLosesHalfOfTheRounds) {
  const Played played(R"(
    duration: "360s"
    broker { name: "a" } broker { name: "b" }
    topic { name: "t" queues_per_broker: 4 }
    group { name: "g" consumer { name: "c" count: 2 } }
    at { time: "60s" partition { from: "c-1" to: "a" lasts: "240s" } }
    expect { allocation { at: "59s" consumer: "c-0" queues: "a#*" } }
    expect { allocation { at: "59s" consumer: "c-1" queues: "b#*" } }
    expect { from: "60s" to: "151s" double_owned_queue_seconds { at_most: 0 } }
    expect { from: "151s" to: "161s"
      sometimes { seen { fact: MEMBER_REMOVED process: "a" } at_least: 1 } }
    expect { from: "161s" to: "300s"
      double_owned_queue_seconds { at_least: 80 at_most: 540 } }
    expect { from: "161s" to: "300s"
      never { fact: QUEUE_DROPPED consumer: "c-1" queues: "b#*" } }
    expect { from: "340s" double_owned_queue_seconds { at_most: 0 } }
    expect { allocation { at: "355s" consumer: "c-0" queues: "a#*" } }
    expect { allocation { at: "355s" consumer: "c-1" queues: "b#*" } })");
}

// ---- apache/rocketmq #1465, alibaba/rocketmq #204 (C19) ----

constexpr char kFewerToRead[] = R"(
  duration: "240s"
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 8 READ }
  producer { name: "p" rate { per_second: 20 } from: "3s" messages: MESSAGES }
  group { name: "g"
    consume_from_where: CONSUME_FROM_FIRST_OFFSET
    consumer { name: "c" count: 2 start_at: "START" } }
  SHRINK
)";

Played FewerToRead(absl::string_view read, absl::string_view messages,
                   absl::string_view start, absl::string_view shrink) {
  return Played(absl::StrReplaceAll(kFewerToRead, {{"READ", read},
                                                   {"MESSAGES", messages},
                                                   {"START", start},
                                                   {"SHRINK", shrink}}));
}

TEST(FewerQueuesToReadCase, WhatIsWrittenBesideThemIsNobodys) {
  const Played played = FewerToRead(
      "read_queues: 4", "800", "0s",
      "expect { never { fact: PULL_SENT topic: 't' queues: 'a#4..7' } }");
  EXPECT_EQ(played.metrics().stored(), 800);
  EXPECT_EQ(played.metrics().distinct(), 400);
}

TEST(FewerQueuesToReadCase, AShrinkOfBothStrandsTheBacklog) {
  const Played played = FewerToRead(
      "", "200", "80s",
      "at { time: '60s' shrink_queues { write_to: 4 read_to: 4 } }");
  EXPECT_EQ(played.metrics().stored(), 200);
  EXPECT_EQ(played.metrics().distinct(), 100);
}

TEST(FewerQueuesToReadCase, WithReadingShrunkAfterTheDrainNothingIsStranded) {
  const Played played = FewerToRead(
      "", "200", "80s",
      "at { time: '60s' shrink_queues { write_to: 4 read_to: 8 } }"
      "at { time: '140s' shrink_queues { write_to: 4 read_to: 4 } }");
  EXPECT_EQ(played.metrics().distinct(), 200);
}

// ---- apache/rocketmq #4807 (C20) ----

// Each client sees two of three brokers. Who asks the broker that both see
// finds two members: the first takes its queues, the second those of the broker
// that only it sees, and the other broker's are nobody's. Who asks its own
// broker finds itself alone and takes both: then the common queues have two
// owners.
TEST(NameServersDisagreeCase, OwnersDependOnTheBrokerThatIsAsked) {
  const Played played(R"(
    duration: "400s"
    name_server { count: 2 }
    broker { name: "b1" } broker { name: "b2" } broker { name: "b3" }
    topic { name: "t" queues_per_broker: 2 }
    group { name: "g" consumer { name: "c" count: 2 start_at: "5s" } }
    at { time: "0s" partition { from: "b3" to: "name-server-0" } }
    at { time: "0s" partition { from: "b2" to: "name-server-1" } }
    at { time: "10s" partition { from: "c-0" to: "name-server-1" } }
    at { time: "10s" partition { from: "c-1" to: "name-server-0" } }
    expect { from: "150s" never {
      fact: QUEUE_ADDED consumer: "c-0" queues: "b3#*" } }
    expect { from: "150s" never {
      fact: QUEUE_ADDED consumer: "c-1" queues: "b2#*" } }
    expect { from: "150s" queues: "b1#*"
      double_owned_queue_seconds { at_least: 1 } }
    expect { from: "150s" queues: "b2#*"
      unowned_queue_seconds { at_least: 1 } }
    expect { from: "150s" queues: "b3#*"
      double_owned_queue_seconds { at_most: 0 } })");
}

// ---- apache/rocketmq #426 (C23, 15.2, 15.3) ----

constexpr char kDeath[] = R"(
  duration: "300s"
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 4 }
  producer { name: "p" rate { per_second: 40 } until: "280s" }
  group { name: "g" consumer { name: "c" count: 2 } }
  at { name: "death" time: "95s" HOW { consumer: "c-0" } }
)";

TEST(DeathCase, AClosedConnectionIsSeenAtOnce) {
  Played(absl::StrCat(absl::StrReplaceAll(kDeath, {{"HOW", "crash"}}), R"(
    expect { from: "95s" to: "96s"
      sometimes { seen { fact: MEMBER_REMOVED } at_least: 1 at_most: 1 } }
    expect { after_event: "death" takeover { within: "1600ms" } })"));
}

// The last heartbeat was at 91 s. The broker looks every ten seconds; its first
// look after 211 s finds it. Nobody is told, so the queues move at the next
// round: 116 to 146 s after the death.
TEST(DeathCase, ASilentOneAtTheFirstLookAfterTwoMinutes) {
  Played(absl::StrCat(absl::StrReplaceAll(kDeath, {{"HOW", "vanish"}}), R"(
    expect { from: "95s" to: "211s" never { fact: MEMBER_REMOVED } }
    expect { from: "211s" to: "221100ms"
      sometimes { seen { fact: MEMBER_REMOVED } at_least: 1 at_most: 1 } }
    expect { after_event: "death" takeover { at_least: "116s" within: "147s" } }
  )"));
}

// ---- apache/rocketmq #8483, #9115 (C25) ----

constexpr char kGroupStart[] = R"(
  duration: "40s"
  broker { name: "a" profile: PROFILE } broker { name: "b" profile: PROFILE }
  topic { name: "t" queues_per_broker: 8 }
  group { name: "g" MODEL
    consumer { name: "c" count: 10 stagger: "100ms" } }
  EXPECT
)";

Played GroupStart(absl::string_view profile, absl::string_view model,
                  absl::string_view notices) {
  const std::string expectation =
      notices == "0" ? "expect { to: '8s' never { fact: NOTICE_RECEIVED } }"
                     : absl::StrCat(
                           "expect { to: '8s' sometimes { seen { fact: "
                           "NOTICE_RECEIVED } at_least: ",
                           notices, " at_most: ", notices, " } }");
  return Played(absl::StrReplaceAll(
      kGroupStart,
      {{"PROFILE", profile}, {"MODEL", model}, {"EXPECT", expectation}}));
}

// Each of ten that come is told to all that are there, by both brokers:
// 2 * (1 + 2 + ... + 10).
TEST(GroupStartCase, EachComerIsToldToAll) {
  GroupStart("ROCKETMQ_5_3", "", "110");
}

TEST(GroupStartCase, MembersOfABroadcastingGroupAreNotTold) {
  GroupStart("ROCKETMQ_5_3", "message_model: BROADCASTING", "0");
  GroupStart("ROCKETMQ_4_9", "message_model: BROADCASTING", "110");
}

// ---- apache/rocketmq #3066 (C26) ----

// One that registers and never consumes, as by a start and a stop at once: its
// listener returns no more from 60 s on. Its share stays with it for ever. At a
// message a second, more than 1,000 are cached 1,001 s later.
TEST(GhostCase, AMemberThatConsumesNothingKeepsItsShare) {
  const Played played(R"(
    duration: "1500s"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 4 }
    producer { name: "p" rate { per_second: 4 } from: "3s" }
    group { name: "g"
      consume_from_where: CONSUME_FROM_FIRST_OFFSET
      consumer { name: "c" count: 2 } }
    at { time: "60s" change_listener { consumer: "c-1"
      listener { fails { how: HANG } } } }
    expect { allocation { at: "1490s" consumer: "c-1" queues: "a#2..3" } }
    expect { queues: "a#2..3" to: "1055s" flow_control { at_most: 0 } }
    expect { queues: "a#2..3" from: "1065s" flow_control { at_least: 868 } })");
  EXPECT_NEAR(static_cast<double>(played.metrics().final_lag()), 2 * 1'440, 8);
  EXPECT_NEAR(static_cast<double>(played.committed("a", 2)), 57, 2);
  EXPECT_NEAR(static_cast<double>(played.committed("a", 3)), 57, 2);
}

// ---- Double ownership after a join (15.5) ----

// The newcomer's first round is a second after its start; an owner that missed
// the notice lets go at its next round, up to 20 s later.
TEST(JoinCase, AnOwnerThatMissedTheNoticeStaysForUpToTwentySeconds) {
  Played(R"(
    duration: "120s"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 4 }
    producer { name: "p" rate { per_second: 400 } from: "3s" until: "100s" }
    group { name: "g" consumer { name: "old" }
      consumer { name: "young" start_at: "50s" } }
    at { time: "49s" lose_change_notices { lasts: "10s" } }
    expect { from: "51500ms" to: "60s" double_owned_queue_seconds {
      at_least: 17 at_most: 17 } }
    expect { from: "62s" double_owned_queue_seconds { at_most: 0 } }
    expect { duplicates { at_least: 1500 } }
    expect { lost { equals: 0 } })");
}

}  // namespace
}  // namespace groupsim
