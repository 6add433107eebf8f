// Each fault of a real release with its scenario, with and without it. The
// numbers are those that can be counted by hand.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/profiles.h"
#include "scenarios/runner/runner.h"

namespace groupsim {
namespace {

// The group's metrics in a scenario in which each word FAULT and BROKER_FAULT
// is replaced, by nothing or by the fault.
Report::GroupMetrics Play(absl::string_view text, absl::string_view fault,
                          absl::string_view broker_fault = "") {
  const auto field = [](absl::string_view value) {
    return value.empty() ? "" : absl::StrCat("known_fault: ", value);
  };
  const Scenario scenario = ScenarioFromTextOrDie(absl::StrReplaceAll(
      text, {{"BROKER_FAULT", field(broker_fault)}, {"FAULT", field(fault)}}));
  RunOptions options;
  options.scenario_name = "fault";
  return RunScenario(scenario, options).report.groups(0).metrics();
}

TEST(KnownFaultsTest, EveryFaultOfTheSchemaHasAnEffect) {
  const auto* client = schema::ClientFault_descriptor();
  for (int i = 1; i < client->value_count(); ++i) {
    int effects = 0;
    for (const auto& effect : ClientFaultEffects()) {
      effects += effect.fault == client->value(i)->number() ? 1 : 0;
    }
    EXPECT_EQ(effects, 1) << client->value(i)->name();
  }
  const auto* broker = schema::BrokerFault_descriptor();
  for (int i = 1; i < broker->value_count(); ++i) {
    int effects = 0;
    for (const auto& effect : BrokerFaultEffects()) {
      effects += effect.fault == broker->value(i)->number() ? 1 : 0;
    }
    EXPECT_EQ(effects, 1) << broker->value(i)->name();
  }
}

// Of two members each takes the queues of the broker that it takes for the
// first one or the second one, and that is the same.
constexpr char kTwoOrders[] = R"(
  duration: "60s"
  broker { name: "broker-a" } broker { name: "broker-b" }
  topic { name: "t" queues_per_broker: 2 }
  producer { name: "p" rate { per_second: 40 } from: "30s" messages: 40 }
  group { name: "g"
    consumer { name: "java" }
    consumer { name: "other" FAULT } }
)";

TEST(KnownFaultsTest, QueuesInDescendingOrderHaveTwoOwnersOrNone) {
  const auto right = Play(kTwoOrders, "");
  EXPECT_EQ(right.distinct(), 40);
  EXPECT_EQ(right.duplicates(), 0);
  const auto faulty = Play(kTwoOrders, "QUEUES_IN_DESCENDING_ORDER");
  EXPECT_EQ(faulty.distinct(), 20);
  EXPECT_EQ(faulty.duplicates(), 20);
}

// A queue leaves its owner and comes back while a pull of it is held.
constexpr char kThereAndBack[] = R"(
  duration: "60s"
  broker { name: "broker-a" }
  topic { name: "t" queues_per_broker: 1 }
  producer { name: "p" rate { per_second: 10 } from: "20s" messages: 100 }
  group { name: "g"
    consumer { name: "guest" start_at: "10s" }
    consumer { name: "owner" FAULT } }
  at { time: "14s" stop { consumer: "guest" } }
)";

TEST(KnownFaultsTest, AReusedQueueObjectIsPulledTwice) {
  const auto right = Play(kThereAndBack, "");
  EXPECT_EQ(right.distinct(), 100);
  EXPECT_EQ(right.deliveries(), 100);
  const auto faulty = Play(kThereAndBack, "QUEUE_OBJECT_IS_REUSED");
  EXPECT_EQ(faulty.distinct(), 100);
  EXPECT_EQ(faulty.deliveries(), 200);
}

// The listener of the first message ends, and fails, after the look of 30
// minutes has sent it back.
constexpr char kLateFailure[] = R"(
  duration: "40m"
  broker { name: "broker-a" }
  topic { name: "t" queues_per_broker: 1 }
  producer { name: "p" rate { per_second: 1 } from: "60s" messages: 1 }
  group { name: "g"
    listener { fails { times: 1 lasts: "30m" } }
    consumer { name: "c" FAULT } }
)";

TEST(KnownFaultsTest, AnExpiredMessageComesOnceMoreOrTwice) {
  EXPECT_EQ(Play(kLateFailure, "").deliveries(), 2);
  EXPECT_EQ(
      Play(kLateFailure, "EXPIRED_MESSAGE_IS_SENT_BACK_AGAIN").deliveries(), 3);
}

constexpr char kFirstOrderly[] = R"(
  duration: "60s"
  broker { name: "broker-a" }
  topic { name: "t" queues_per_broker: 1 }
  producer { name: "p" rate { per_second: 10 } from: "5s" messages: 100 }
  group { name: "g" consume { mode: ORDERLY } consumer { name: "c" FAULT } }
)";

TEST(KnownFaultsTest, AQueueThatIsNotLockedWaitsForTheNextRenewal) {
  EXPECT_LT(Play(kFirstOrderly, "").latency_max_seconds(), 0.1);
  // The renewals are at 1 s, just before it is taken on, and at 21 s.
  const auto faulty = Play(kFirstOrderly, "NEW_QUEUE_IS_NOT_LOCKED");
  EXPECT_GT(faulty.latency_max_seconds(), 16);
  EXPECT_LT(faulty.latency_max_seconds(), 18);
  EXPECT_EQ(faulty.distinct(), 100);
}

// The second queue moves while a hundred of its messages are cached.
constexpr char kSlowHandOver[] = R"(
  duration: "200s"
  broker { name: "broker-a" }
  topic { name: "t" queues_per_broker: 2
          stored { queues: "broker-a#1" messages: 100 } }
  group { name: "g" consume { mode: ORDERLY }
    consume_from_where: CONSUME_FROM_FIRST_OFFSET
    listener { service_time { constant: "1s" } }
    consumer { name: "old" FAULT }
    consumer { name: "new" start_at: "20s" } }
)";

TEST(KnownFaultsTest, ALostQueueRestsOrIsConsumedOn) {
  const auto right = Play(kSlowHandOver, "");
  EXPECT_EQ(right.distinct(), 100);
  EXPECT_LE(right.duplicates(), 1);
  const auto faulty = Play(kSlowHandOver, "LOST_ORDERLY_QUEUE_IS_CONSUMED_ON");
  EXPECT_EQ(faulty.distinct(), 100);
  EXPECT_GE(faulty.duplicates(), 50);
}

// A crash 2.5 s after the first offsets were sent.
constexpr char kCrashOfAnOrderly[] = R"(
  duration: "240s"
  broker { name: "broker-a" }
  topic { name: "t" queues_per_broker: 1
          stored { queues: "broker-a#0" messages: 100 } }
  group { name: "g" consume { mode: ORDERLY }
    consume_from_where: CONSUME_FROM_FIRST_OFFSET
    listener { service_time { constant: "1s" } }
    consumer { name: "c" FAULT } }
  at { time: "12500ms" crash { consumer: "c" } }
  at { time: "15s" start { consumer: "c" } }
)";

TEST(KnownFaultsTest, AnOrderlyOffsetOfWhatWasPulledSkipsTheRest) {
  const auto right = Play(kCrashOfAnOrderly, "");
  EXPECT_EQ(right.skipped(), 0);
  EXPECT_EQ(right.distinct(), 100);
  EXPECT_LE(right.duplicates(), 4);
  const auto faulty = Play(kCrashOfAnOrderly, "ORDERLY_OFFSET_IS_THAT_PULLED");
  EXPECT_GE(faulty.skipped(), 85);
  EXPECT_LE(faulty.skipped(), 90);
}

constexpr char kPoison[] = R"(
  duration: "60s"
  broker { name: "broker-a" BROKER_FAULT }
  topic { name: "t" queues_per_broker: 1 }
  producer { name: "p" rate { per_second: 1 } from: "30s" messages: 5 }
  group { name: "g" consume { mode: ORDERLY max_reconsume_times: 3 }
    listener { fails { offset: 0 } }
    consumer { name: "c" FAULT } }
)";

// Neither fault does so alone.
TEST(KnownFaultsTest, AnOrderlyMessageAtItsLimitIsADeadLetterOrComesAgain) {
  constexpr char kClient[] = "ORDERLY_DEAD_LETTER_IS_NOT_COUNTED";
  constexpr char kBroker[] = "DEAD_LETTER_ONLY_BEYOND_LIMIT";
  EXPECT_EQ(Play(kPoison, "").dead_letters(), 1);
  EXPECT_EQ(Play(kPoison, kClient).dead_letters(), 1);
  EXPECT_EQ(Play(kPoison, "", kBroker).dead_letters(), 1);
  EXPECT_EQ(Play(kPoison, kClient, kBroker).dead_letters(), 0);
}

// ---- Releases that meet in one group ----

constexpr char kMixed[] = R"(
  duration: "120s"
  profile: ROCKETMQ_4_9
  broker { name: "broker-a" } broker { name: "broker-b" profile: ROCKETMQ_5_3 }
  topic { name: "t" queues_per_broker: 4 }
  producer { name: "p" rate { per_second: 100 } until: "100s" }
  group { name: "g"
    consumer { name: "old" count: 2 }
    consumer { name: "new" count: 2 start_at: "20s" profile: ROCKETMQ_5_3 } }
)";

TEST(MixedReleasesTest, ConsumersOfBothReleasesShareTheQueues) {
  const auto mixed = Play(kMixed, "");
  EXPECT_EQ(mixed.lost(), 0);
  EXPECT_EQ(mixed.distinct(), mixed.sent());
  EXPECT_EQ(mixed.jain_final(), 1);
}

TEST(MixedReleasesTest, TheInnermostReleaseCounts) {
  const Scenario scenario = ScenarioFromTextOrDie(kMixed);
  const schema::Group& group = scenario.group(0);
  EXPECT_EQ(ProfileOf(scenario, group, group.consumer(0)).release,
            "ROCKETMQ_4_9");
  EXPECT_EQ(ProfileOf(scenario, group, group.consumer(1)).release,
            "ROCKETMQ_5_3");
  EXPECT_EQ(ProfileOf(scenario, scenario.producer(0)).release, "ROCKETMQ_4_9");
  EXPECT_TRUE(
      ProfileOf(scenario, scenario.broker(0)).empty_queue_has_offset_zero);
  EXPECT_FALSE(
      ProfileOf(scenario, scenario.broker(1)).empty_queue_has_offset_zero);
  EXPECT_FALSE(ProfileOf(scenario).unregisters_in_batches);
}

}  // namespace
}  // namespace groupsim
