// Pulls that are held, lost or put off: reports of queues that stand still.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/cases/played.h"

namespace groupsim {
namespace {

// ---- apache/rocketmq #1918, #9278 (C32, 15.14) ----

// Rounds are at 1, 21, 41 s and so on. The pull thread stops at 50 s; the last
// pull is more than 120 s old at the round of 181 s, which drops the queue and
// takes it on anew.
constexpr char kPullThread[] = R"(
  duration: "500s"
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 1 }
  producer { name: "p" rate { per_second: 1 } from: "3s" }
  group { name: "g" consumer { name: "c" } }
  at { time: "50500ms"
       pause { processes { consumer: "c" } lane: PULL LASTS } }
  expect { from: "52s" to: "181s" never { fact: DELIVERED } }
  expect { from: "52s" to: "180s" never { fact: QUEUE_DROPPED topic: "t" } }
  expect { from: "180s" to: "182s" sometimes {
    seen { fact: QUEUE_DROPPED topic: "t" } at_least: 1 at_most: 1 } }
  MORE
)";

// A pull that is lost ends its queue's loop; the round's repair begins another.
TEST(LostPullCase, ItsQueueIsSilentUntilItIsTakenOnAnew) {
  const Played played(absl::StrReplaceAll(
      kPullThread, {{"LASTS", "lasts: '130700ms'"}, {"MORE", R"(
    expect { from: "181s" to: "183s" sometimes {
      seen { fact: DELIVERED } at_least: 125 } }
    expect { from: "183s" never { fact: QUEUE_DROPPED topic: "t" } })"}}));
  EXPECT_EQ(played.metrics().duplicates(), 0);
}

// Without the thread nobody takes the new pull. Each round comes 20 s after the
// end of the one before, so the sixth is a little more than 120 s later: again
// each 120 s, for ever. The report, with rounds at each 20 s to the moment, has
// 140 s.
TEST(LostPullCase, WithoutItsThreadTheRepairIsRepeatedForEver) {
  const Played played(
      absl::StrReplaceAll(kPullThread, {{"LASTS", ""}, {"MORE", R"(
    expect { from: "182s" to: "300s" never { fact: QUEUE_DROPPED topic: "t" } }
    expect { from: "300s" to: "302s" sometimes {
      seen { fact: QUEUE_DROPPED topic: "t" } at_least: 1 at_most: 1 } }
    expect { from: "420s" to: "422s" sometimes {
      seen { fact: QUEUE_DROPPED topic: "t" } at_least: 1 at_most: 1 } }
    expect { from: "52s" never { fact: DELIVERED } })"}}));
  EXPECT_GE(played.metrics().final_lag(), 445);
}

// ---- apache/rocketmq #7538 (C31) ----

// A listener that empties the bodies, of 1 KiB. Each that is done still counts
// 1,024 bytes: when 101 MiB are counted after 3,232 pulls of 32 messages, the
// limit of 100 MiB bites for ever. Since 5.2.0 an empty cache counts nothing.
constexpr char kShortened[] = R"(
  duration: "300s"
  profile: PROFILE
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 1
          stored { messages: 110000 body_size: "1KiB" } }
  group { name: "g"
    consume_from_where: CONSUME_FROM_FIRST_OFFSET
    listener { leaves_body_size: "0B" }
    consumer { name: "c" FAULT } }
)";

TEST(ShortenedBodiesCase, TheyCountAsCachedForEverOrNot) {
  const auto deliveries = [](absl::string_view profile,
                             absl::string_view fault) {
    return Played(absl::StrReplaceAll(kShortened,
                                      {{"PROFILE", profile}, {"FAULT", fault}}))
        .metrics()
        .deliveries();
  };
  EXPECT_EQ(deliveries("ROCKETMQ_5_3", ""), 110'000);
  EXPECT_EQ(deliveries("ROCKETMQ_4_9", ""), 103'424);
  EXPECT_EQ(
      deliveries("ROCKETMQ_5_3", "known_fault: SHORTENED_BODIES_STAY_CACHED"),
      103'424);
}

// ---- apache/rocketmq #3323 (C47) ----

// A message that is wanted and hangs keeps the cache from being empty: no pull
// that finds foreign tags only moves the offset.
TEST(ForeignTagsCase, WithAMessageThatHangsTheLagGrowsForEver) {
  const Played played(R"(
    duration: "160s"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 1 }
    producer { name: "wanted" rate { per_second: 1 } from: "40s" messages: 1
               tag { name: "red" } }
    producer { name: "foreign" rate { per_second: 1 } from: "50500ms"
               messages: 100 tag { name: "blue" } }
    group { name: "g" subscribe { topic: "t" expression: "red" }
      listener { fails { how: HANG } }
      consumer { name: "c" } })");
  EXPECT_EQ(played.metrics().deliveries(), 1);
  EXPECT_EQ(played.metrics().final_lag(), 101);
}

// ---- apache/rocketmq PR #72 (C49) ----

// Both tags have the hash 2112: the broker lets all pass, the client none. A
// pull that comes back empty moves the offset, so that one restart later
// nothing is fetched again; the first such is due 15 to 20 s after the first
// pull.
TEST(TagsOfOneHashCase, NothingIsFetchedAgainAfterAnEmptyPull) {
  const Played played(R"(
    duration: "80s"
    broker { name: "a" }
    topic { name: "t" queues_per_broker: 1 }
    producer { name: "p" rate { per_second: 100 } from: "3s" messages: 100
               tag { name: "BB" } }
    group { name: "g" subscribe { topic: "t" expression: "Aa" }
      consumer { name: "c" } }
    at { time: "40s" restart { processes { consumer: "c" } down_for: "1s" } }
    expect { from: "41s" never { fact: PULLED topic: "t" } })");
  EXPECT_EQ(played.metrics().deliveries(), 0);
  EXPECT_EQ(played.metrics().filtered(), 100);
  EXPECT_EQ(played.metrics().final_lag(), 0);
}

// ---- apache/rocketmq #3434, #588, #5479 (C16, 15.7) ----

// Heartbeats at 1, 31, 61 and 91 s; the broker is away from 62 to 65 s and has
// forgotten everybody.
constexpr char kBrokerRestart[] = R"(
  duration: "150s"
  profile: PROFILE
  broker { name: "a" }
  topic { name: "t" queues_per_broker: 4 }
  producer { name: "p" rate { per_second: 4 } from: "3s" until: "120s" }
  group { name: "g" consumer { name: "c" } }
  at { time: "62s" restart { processes { broker: "a" } down_for: "3s" } }
  expect { lost { equals: 0 } }
  MORE
)";

TEST(BrokerRestartCase, PullsGoOnAfterTheNextHeartbeatOrAtOnce) {
  Played(absl::StrReplaceAll(kBrokerRestart,
                             {{"PROFILE", "ROCKETMQ_4_9"}, {"MORE", R"(
    expect { from: "62100ms" to: "91s" never { fact: PULLED } }
    expect { from: "91s" to: "94100ms" sometimes {
      seen { fact: PULLED } at_least: 1 } })"}}));
  Played(absl::StrReplaceAll(kBrokerRestart,
                             {{"PROFILE", "ROCKETMQ_5_3"}, {"MORE", R"(
    expect { from: "65s" to: "69s" sometimes {
      seen { fact: PULLED } at_least: 1 } })"}}));
}

}  // namespace
}  // namespace groupsim
