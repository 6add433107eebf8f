// Order and locks: reports of owners that wait for each other, or do not.
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/cases/played.h"

namespace groupsim {
namespace {

// ---- apache/rocketmq #8772 (C68) ----

// Each member gets every queue. One that asks for the lock keeps it for 60 s,
// though it does not renew it; only then the next one begins.
constexpr char kBroadcasting[] = R"(
  duration: "180s"
  profile: PROFILE
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 1 stored { messages: 10 } }
  group { name: "g" message_model: BROADCASTING
    consume { mode: ORDERLY }
    consume_from_where: CONSUME_FROM_FIRST_OFFSET
    consumer { name: "c" count: 3 stagger: "100ms" FAULT } }
  expect { to: "3s" sometimes {
    seen { fact: QUEUE_ADDED } at_least: AT_ONCE at_most: AT_ONCE } }
  expect { from: "4s" to: "60s" sometimes {
    seen { fact: QUEUE_ADDED } at_least: 0 at_most: 0 } }
  MORE
)";

Played Broadcasting(absl::string_view profile, absl::string_view fault,
                    absl::string_view first, absl::string_view more) {
  return Played(absl::StrReplaceAll(kBroadcasting, {{"PROFILE", profile},
                                                    {"FAULT", fault},
                                                    {"AT_ONCE", first},
                                                    {"MORE", more}}));
}

constexpr char kOneAMinute[] = R"(
  expect { from: "60s" to: "64s" sometimes {
    seen { fact: QUEUE_ADDED } at_least: 1 at_most: 1 } }
  expect { from: "64s" to: "120s" never { fact: QUEUE_ADDED } }
  expect { from: "120s" to: "126s" sometimes {
    seen { fact: QUEUE_ADDED } at_least: 1 at_most: 1 } }
)";

TEST(BroadcastingOrderlyCase, MembersBeginTogetherOrAMinuteAfterEachOther) {
  EXPECT_EQ(Broadcasting("ROCKETMQ_5_3", "", "3", "").metrics().deliveries(),
            30);
  EXPECT_EQ(Broadcasting("ROCKETMQ_5_3",
                         "known_fault: BROADCASTING_ORDERLY_ASKS_FOR_LOCKS",
                         "1", kOneAMinute)
                .metrics()
                .deliveries(),
            30);
  EXPECT_EQ(
      Broadcasting("ROCKETMQ_4_9", "", "1", kOneAMinute).metrics().deliveries(),
      30);
}

// ---- A queue that is given up without its lock (15.22) ----

// c-0 ends its subscription at 70 s, and itself at 90 s. Nobody gives the lock
// back that it renewed last at 61 s, or 81 s: its heir is refused for a minute
// after that.
TEST(UnsubscribedCase, ItsLocksLiveOnForAMinute) {
  Played(R"(
    duration: "180s"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 2 }
    topic { name: "u" queues_per_broker: 2 }
    producer { name: "p" topic: "t" rate { per_second: 20 } from: "3s"
               until: "160s" }
    group { name: "g" consume { mode: ORDERLY }
      subscribe { topic: "t" } subscribe { topic: "u" }
      consumer { name: "c" count: 2 } }
    at { time: "70s"
         change_subscription { consumer: "c-0" unsubscribe: "t" } }
    at { time: "90s" stop { consumer: "c-0" } }
    expect { from: "70s" to: "90s" sometimes {
      seen { fact: QUEUE_DROPPED topic: "t" queues: "a#0" } at_least: 1 } }
    expect { from: "60s" to: "120s" never { fact: UNLOCKED topic: "t" } }
    expect { from: "90s" to: "120s" sometimes {
      seen { fact: LOCK_REFUSED topic: "t" queues: "a#0" } at_least: 25 } }
    expect { from: "120s" to: "143s" sometimes {
      seen { fact: QUEUE_ADDED consumer: "c-1" topic: "t" queues: "a#0" }
      at_least: 1 at_most: 1 } }
    expect { lost { equals: 0 } })");
}

// ---- An owner that stands still (15.13) ----

// It is frozen with a message in hand for three minutes. It is missed two
// minutes after its last heartbeat, when its lock is long free; an heir
// consumes the message and those behind it. When it goes on, its call ends, and
// it commits what it had: the offset of the heir goes back.
TEST(FrozenOwnerCase, ItCommitsBehindItsHeir) {
  const Played played(R"(
    duration: "300s"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 2 }
    producer { name: "p" rate { per_second: 20 } from: "3s" until: "280s" }
    group { name: "g" consume { mode: ORDERLY }
      listener { service_time { constant: "20ms" } }
      consumer { name: "c" count: 2 } }
    at { name: "stop" time: "65s"
         pause { processes { consumer: "c-0" } lasts: "180s" } }
    expect { from: "65s" to: "245s" sometimes {
      seen { fact: QUEUE_ADDED consumer: "c-1" topic: "t" queues: "a#0" }
      at_least: 1 at_most: 1 } }
    expect { from: "155s" to: "216s" sometimes {
      seen { fact: LOCK_GRANTED topic: "t" queues: "a#0" } at_least: 1 } }
    expect { lost { equals: 0 } })");
  EXPECT_GE(played.metrics().duplicates(), 1);
  EXPECT_GE(played.metrics().out_of_order(), 1);
}

}  // namespace
}  // namespace groupsim
