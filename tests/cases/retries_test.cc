// Messages that fail, or whose listener ends late or not: reports of copies too
// many and too few.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/cases/played.h"

namespace groupsim {
namespace {

// ---- apache/rocketmq #7182 (C58, 15.17) ----

// One message, whose listener works for longer than the process lives. Each
// restart interrupts the calls. Those that fail are sent back, and the offset
// stays: the original comes again, and a copy beside it. After k restarts 2^k
// are at work, 15 calls in all. Copies are due after 10, 30 and 60 s.
constexpr char kRestarts[] = R"(
  duration: "500s"
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 1 stored { messages: 1 } }
  group { name: "g"
    consume_from_where: CONSUME_FROM_FIRST_OFFSET
    consume { mode: MODE }
    listener { service_time { constant: "10m" } INTERRUPT }
    consumer { name: "c" } }
  at { time: "60s" restart { processes { consumer: "c" } down_for: "1s" } }
  at { time: "120s" restart { processes { consumer: "c" } down_for: "1s" } }
  at { time: "240s" restart { processes { consumer: "c" } down_for: "1s" } }
  EXPECT
)";

Played Restarts(absl::string_view mode, absl::string_view interrupt,
                absl::string_view expectations) {
  return Played(absl::StrReplaceAll(
      kRestarts,
      {{"MODE", mode}, {"INTERRUPT", interrupt}, {"EXPECT", expectations}}));
}

TEST(RestartCase, AnInterruptedListenerThatFailsDoublesTheCopies) {
  const Played played = Restarts("CONCURRENTLY", "on_interrupt: FAIL", R"(
    expect { to: "60s" sometimes {
      seen { fact: DELIVERED } at_least: 1 at_most: 1 } }
    expect { from: "61s" to: "120s" sometimes {
      seen { fact: DELIVERED } at_least: 2 at_most: 2 } }
    expect { from: "121s" to: "240s" sometimes {
      seen { fact: DELIVERED } at_least: 4 at_most: 4 } }
    expect { from: "241s" sometimes {
      seen { fact: DELIVERED } at_least: 8 at_most: 8 } })");
  EXPECT_EQ(played.metrics().sent_back(), 7);
}

// One that goes on does so until its process ends, and answers nothing.
TEST(RestartCase, OneThatGoesOnLeavesOneMessage) {
  const Played played = Restarts("CONCURRENTLY", "", "");
  EXPECT_EQ(played.metrics().deliveries(), 4);
  EXPECT_EQ(played.metrics().sent_back(), 0);
}

// In order, a failure stays in the process.
TEST(RestartCase, AnOrderlyOneLeavesOneMessageToo) {
  const Played played = Restarts("ORDERLY", "on_interrupt: FAIL", "");
  EXPECT_EQ(played.metrics().deliveries(), 4);
}

// ---- apache/rocketmq #9019, #7337 (C40) ----

// Looks come every 15 minutes and take 16 of a queue: calls that began at 1 min
// are not old enough at 15 min. The threads stay with their calls.
TEST(ExpiryCase, SixteenAtThirtyMinutesAndFourAtFortyFive) {
  const Played played(R"(
    duration: "60m"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 1 }
    producer { name: "p" rate { per_second: 1000 } from: "60s" messages: 20 }
    group { name: "g"
      listener { fails { how: HANG } }
      consumer { name: "c" } }
    expect { to: "29m59s" never { fact: EXPIRED } }
    expect { from: "29m59s" to: "30m1s" sometimes {
      seen { fact: EXPIRED } at_least: 16 at_most: 16 } }
    expect { from: "30m9s" to: "30m11s" sometimes {
      seen { fact: CAME_DUE } at_least: 16 at_most: 16 } }
    expect { from: "44m59s" to: "45m1s" sometimes {
      seen { fact: EXPIRED } at_least: 4 at_most: 4 } }
    expect { from: "45m9s" to: "45m11s" sometimes {
      seen { fact: CAME_DUE } at_least: 4 at_most: 4 } })");
  EXPECT_EQ(played.metrics().expired(), 20);
  EXPECT_EQ(played.metrics().deliveries(), 20);
}

// ---- A send-back whose answer is late (15.16) ----

// The broker has the copy, and its answer does not get through for 20 s. After
// five seconds the client gives up and sends the message to the retry topic
// itself, by the other broker: another copy. With another seed it tries the
// silent one in vain, and the message stays; three deliveries in either way.
TEST(LateAnswerCase, AMessageThatWasSentBackIsSentOnceMore) {
  const Played played(R"(
    seed: 2
    duration: "120s"
    broker { name: "a" } broker { name: "b" }
    topic { name: "t" queues_per_broker: 1 }
    producer { name: "p" rate { per_second: 1 } from: "45s" messages: 1
               queues: "a#0" }
    group { name: "g"
      listener { service_time { constant: "1s" } fails { times: 1 } }
      consumer { name: "c" } }
    at { time: "45500ms"
         partition { from: "a" to: "c" one_way: true lasts: "20s" } })");
  EXPECT_EQ(played.metrics().distinct(), 1);
  EXPECT_EQ(played.metrics().sent_back(), 0);
  EXPECT_EQ(played.metrics().send_backs_failed(), 1);
  EXPECT_EQ(played.metrics().resent(), 1);
  EXPECT_EQ(played.metrics().deliveries(), 3);
}

}  // namespace
}  // namespace groupsim
