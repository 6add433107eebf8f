// Where consumption begins and begins again: reports of messages that came
// twice or never.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/cases/played.h"

namespace groupsim {
namespace {

// ---- apache/rocketmq #1289 (C14) ----

// Both of release 4.9, whose newcomers do not wait a second: the old owner's
// commit and the new one's question are under way at the same time. At 3.5 s 60
// messages are done and 20 are at work, whose results count no more.
constexpr char kHandOver[] = R"(
  duration: "60s"
  profile: ROCKETMQ_4_9
  network { same_room { constant: "0s" } }
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 2
          stored { queues: "a#1" messages: 200 } }
  group { name: "g"
    consume_from_where: CONSUME_FROM_FIRST_OFFSET
    listener { service_time { constant: "1s" } }
    consumer { name: "c1" } consumer { name: "c2" start_at: "3500ms" } }
  at { time: "0s"
       link_change { from: "c1" to: "a" latency { constant: "TO_C1" } } }
  at { time: "0s"
       link_change { from: "c2" to: "a" latency { constant: "TO_C2" } } }
)";

TEST(HandOverCase, TheCommitIsThereBeforeTheQuestionOrNot) {
  const Played commit(
      absl::StrReplaceAll(kHandOver, {{"TO_C1", "1ms"}, {"TO_C2", "5ms"}}));
  EXPECT_EQ(commit.metrics().distinct(), 200);
  EXPECT_EQ(commit.metrics().duplicates(), 20);
  const Played question(
      absl::StrReplaceAll(kHandOver, {{"TO_C1", "5ms"}, {"TO_C2", "1ms"}}));
  EXPECT_EQ(question.metrics().distinct(), 200);
  EXPECT_EQ(question.metrics().duplicates(), 80);
}

// A newcomer of 5.3 asks a second after the others were told.
TEST(HandOverCase, FromFiveOnTheNewcomerComesLate) {
  const Played played(absl::StrReplaceAll(
      kHandOver, {{"TO_C1", "5ms"}, {"TO_C2", "1ms"}, {"_4_9", "_5_3"}}));
  EXPECT_EQ(played.metrics().distinct(), 200);
  EXPECT_EQ(played.metrics().duplicates(), 20);
}

// ---- alibaba/rocketmq #367 (C56) ----

// Each pull brings the offset along, and at 100 messages a second there is one
// for each: what comes twice is not what was done since the last of the
// five-second commits, which is the report's 490, but a message or two.
constexpr char kKill[] = R"(
  duration: "180s"
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 1 }
  producer { name: "p" rate { per_second: 100 } from: "3s" until: "120s" }
  group { name: "g"
    consume_from_where: CONSUME_FROM_FIRST_OFFSET
    listener { service_time { constant: "1ms" } }
    consumer { name: "c1" } consumer { name: "c2" start_at: "64900ms" } }
  at { time: "64900ms" crash { consumer: "c1" } }
  MORE
)";

TEST(KillCase, WhatCameSinceTheLastPullComesTwice) {
  const Played played(kKill, "MORE", "");
  EXPECT_EQ(played.metrics().lost(), 0);
  EXPECT_LE(played.metrics().duplicates(), 3);
}

// The broker wrote its offsets at most five seconds before.
TEST(KillCase, WithTheBrokerWhatCameSinceItsOffsetsWereWritten) {
  const Played played(kKill, "MORE",
                      "at { time: '64900ms' crash { broker: 'a' } } "
                      "at { time: '66s' start { broker: 'a' } }");
  EXPECT_EQ(played.metrics().lost(), 0);
  EXPECT_GE(played.metrics().duplicates(), 100);
  EXPECT_LE(played.metrics().duplicates(), 505);
}

// Where the group broadcasts, no pull brings an offset: 4.9 s of the file.
TEST(KillCase, ABroadcastingMemberRepeatsWhatIsNotInItsFile) {
  const Played played(R"(
    duration: "120s"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 1 }
    producer { name: "p" rate { per_second: 100 } from: "3s" until: "80s" }
    group { name: "g" message_model: BROADCASTING
      consume_from_where: CONSUME_FROM_FIRST_OFFSET
      listener { service_time { constant: "1ms" } }
      consumer { name: "c" } }
    at { time: "64900ms" crash { consumer: "c" } }
    at { time: "66s" start { consumer: "c" } })");
  EXPECT_NEAR(static_cast<double>(played.metrics().duplicates()), 490, 5);
}

// ---- apache/rocketmq #242, #334, #4909 (C50) ----

constexpr char kNewGroup[] = R"(
  duration: "60s"
  broker { name: "a" settings { MEMORY } }
  topic { name: "t" queues_per_broker: 1 stored { messages: 500 } }
  group { name: "g" MODEL consumer { name: "c" } }
)";

Played NewGroup(absl::string_view memory, absl::string_view model) {
  return Played(
      absl::StrReplaceAll(kNewGroup, {{"MEMORY", memory}, {"MODEL", model}}));
}

// It asked for the end, and the broker says 0 of a queue that is young: its
// first message is there and in memory.
TEST(NewGroupCase, OfAYoungTopicItGetsEverything) {
  EXPECT_EQ(NewGroup("", "").metrics().distinct(), 500);
}

TEST(NewGroupCase, OfAnOldTopicItBeginsAtTheEnd) {
  EXPECT_EQ(NewGroup("access_message_in_memory_max_ratio: 0", "")
                .metrics()
                .deliveries(),
            0);
}

TEST(NewGroupCase, ABroadcastingOneBeginsAtTheEnd) {
  EXPECT_EQ(NewGroup("", "message_model: BROADCASTING").metrics().deliveries(),
            0);
}

// ---- A new group loses its starting point (15.9) ----

// Five messages at 31 s, between a stop and a start. The end of the queue that
// the first start found out stands in its pull alone, until a pull comes back
// empty after 15 to 20 s and a commit follows.
constexpr char kStartingPoint[] = R"(
  duration: "90s"
  broker { name: "a" settings { access_message_in_memory_max_ratio: 0 } }
  topic { name: "t" queues_per_broker: 1 stored { messages: 500 } }
  producer { name: "p" rate { per_second: 5 } from: "31s" messages: 5 }
  group { name: "g" consumer { name: "c" start_at: "START" } }
  at { time: "30s" stop { consumer: "c" } }
  at { time: "40s" start { consumer: "c" } }
)";

TEST(StartingPointCase, ItIsLostBeforeTheFirstEmptyPullAndKeptAfterIt) {
  const Played lost(kStartingPoint, "START", "22s");
  EXPECT_EQ(lost.metrics().skipped(), 505);  // With the 500 of the past.
  EXPECT_EQ(lost.metrics().deliveries(), 0);
  const Played kept(kStartingPoint, "START", "0s");
  EXPECT_EQ(kept.metrics().skipped(), 500);
  EXPECT_EQ(kept.metrics().deliveries(), 5);
}

// ---- Messages skipped on new queues (15.10) ----

// They are written to at once and seen by consumers later. What came meanwhile
// is read where the group begins at the first message, or the broker thinks it
// in memory.
constexpr char kNewQueues[] = R"(
  duration: "180s"
  broker { name: "a" settings { MEMORY } }
  topic { name: "t" queues_per_broker: 2 }
  producer { name: "p" rate { per_second: 40 } from: "3s" until: "150s" }
  group { name: "g" WHERE consumer { name: "c" } }
  # groupsim: allow(consume-from-last-with-growing-queues)
  at { time: "61s" add_queues { queues: 2 } }
)";

Played NewQueues(absl::string_view memory, absl::string_view where) {
  return Played(
      absl::StrReplaceAll(kNewQueues, {{"MEMORY", memory}, {"WHERE", where}}));
}

TEST(NewQueuesCase, WhatCameBeforeTheyWereSeenIsSkippedOrNot) {
  constexpr char kOnDisk[] = "access_message_in_memory_max_ratio: 0";
  constexpr char kFirst[] = "consume_from_where: CONSUME_FROM_FIRST_OFFSET";
  EXPECT_GE(NewQueues(kOnDisk, "").metrics().skipped(), 20);
  EXPECT_EQ(NewQueues(kOnDisk, kFirst).metrics().skipped(), 0);
  EXPECT_EQ(NewQueues("", "").metrics().skipped(), 0);
}

// ---- apache/rocketmq #4016 (C52) ----

// A broadcasting member and its name server are cut off from broker b, with the
// route of which its queue goes. A message of meanwhile is read if the offset
// stayed in the file.
constexpr char kOutOfSight[] = R"(
  duration: "520s"
  broker { name: "a" } broker { name: "b" }
  topic { name: "t" queues_per_broker: 1 }
  producer { name: "p" rate { per_second: 10 } from: "10s" messages: 20 }
  producer { name: "late" rate { per_second: 1 } from: "150s" messages: 1
             queues: "b#0" }
  group { name: "g" message_model: BROADCASTING consumer { name: "c" FAULT } }
  at { time: "100s" partition { from: "c" to: "b" lasts: "300s" } }
  at { time: "100s" partition { from: "name-server" to: "b" lasts: "300s" } }
  expect { from: "190s" to: "290s" sometimes {
    seen { fact: QUEUE_DROPPED queues: "b#0" } at_least: 1 } }
  expect { from: "400s" to: "480s" sometimes {
    seen { fact: QUEUE_ADDED queues: "b#0" } at_least: 1 } }
)";

TEST(OutOfSightCase, OffsetsStayInTheFileOrGoWithTheirBroker) {
  const Played right(kOutOfSight, "FAULT", "");
  EXPECT_EQ(right.metrics().skipped(), 0);
  const Played faulty(kOutOfSight, "FAULT",
                      "known_fault: OFFSET_FILE_IS_REPLACED");
  EXPECT_EQ(faulty.metrics().skipped(), 1);
}

}  // namespace
}  // namespace groupsim
