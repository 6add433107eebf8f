// What is written and changes nothing is told.
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

// "path: message; hint" of each finding.
std::vector<std::string> Findings(const std::string& text) {
  std::vector<std::string> lines;
  const Reading reading =
      ReadScenario({.name = "s", .text = text}, ScenarioForm::kText);
  for (const Finding& finding : reading.findings.all()) {
    lines.push_back(
        absl::StrCat(finding.path, ": ", finding.message, "; ", finding.hint));
  }
  return lines;
}

std::vector<std::string> Group(const std::string& text) {
  return Findings("group { name: 'g' " + text + " }");
}

TEST(EffectsTest, OrderlyCallsSucceedOrFailAsAWhole) {
  const std::string ack = "listener { fails { ack_index: 0 } } ";
  const std::string level = "listener { fails {} fails { delay_level: 3 } } ";
  const std::string orderly = "consume { mode: ORDERLY } ";
  const std::string consumer = "consumer { name: 'c' } ";
  const std::string no_ack =
      "fails[0].ack_index: ack_index has no effect where messages are consumed "
      "orderly; a call fails or succeeds there with all of its messages: leave "
      "it out";
  EXPECT_THAT(Group(ack + consumer), IsEmpty());
  EXPECT_THAT(Group(level + consumer), IsEmpty());
  EXPECT_THAT(Group(orderly + ack + consumer),
              ElementsAre("group[0].listener." + no_ack));
  const std::string bodies = "listener { leaves_body_size: '0B' } ";
  EXPECT_THAT(Group(bodies + consumer), IsEmpty());
  EXPECT_THAT(Group(orderly + bodies + consumer),
              ElementsAre("group[0].listener.leaves_body_size: "
                          "leaves_body_size has no effect where messages are "
                          "consumed orderly; leave it out"));
  EXPECT_THAT(
      Group(orderly + level + consumer),
      ElementsAre("group[0].listener.fails[1].delay_level: delay_level has no "
                  "effect where messages are consumed orderly; a message comes "
                  "again after consume.suspend_current_queue_time_millis "
                  "there"));
  // Each block has its own mode and may have its own listener.
  EXPECT_THAT(Group(ack + consumer + "consumer { name: 'd' " + orderly + "}"),
              IsEmpty());
  EXPECT_THAT(
      Group(ack + consumer + "consumer { name: 'd' " + orderly + ack + "}"),
      ElementsAre("group[0].consumer[1].listener." + no_ack));
  EXPECT_THAT(
      Findings("group { name: 'g' " + orderly + consumer +
               "} at { time: '1s' change_listener { group: 'g' " + ack + "} }"),
      ElementsAre("at[0].change_listener.listener." + no_ack));
  EXPECT_THAT(
      Findings("group { name: 'g' consumer { name: 'c' count: 2 } consumer { "
               "name: 'd' " +
               orderly +
               "} } at { time: '1s' change_listener { consumer: 'c-1' " + ack +
               "} }"),
      IsEmpty());
}

TEST(EffectsTest, OnlyOrderlyListenersCommitAndRollBack) {
  const std::string orderly = "consume { mode: ORDERLY } ";
  const std::string consumer = "consumer { name: 'c' } ";
  const std::string by_itself =
      "listener { auto_commit: false fails { how: COMMIT } } ";
  EXPECT_THAT(Group(orderly + by_itself + consumer), IsEmpty());
  EXPECT_THAT(
      Group(by_itself + consumer),
      ElementsAre(
          "group[0].listener.auto_commit: auto_commit has no effect where "
          "messages are consumed concurrently; add mode: ORDERLY to the "
          "group's consume, or leave it out",
          "group[0].listener.fails[0].how: COMMIT has no effect where messages "
          "are consumed concurrently; add mode: ORDERLY to the group's "
          "consume"));
  EXPECT_THAT(
      Group(orderly + "listener { fails { how: ROLLBACK } } " + consumer),
      ElementsAre("group[0].listener.fails[0].how: ROLLBACK has no effect with "
                  "auto_commit; add auto_commit: false to the listener"));
  // Where only some of the group do, the others would take it for a failure.
  EXPECT_THAT(
      Group(by_itself + consumer + "consumer { name: 'd' " + orderly + "}"),
      ElementsAre(testing::HasSubstr("COMMIT has no effect where messages are "
                                     "consumed concurrently")));
}

TEST(EffectsTest, ApplicationsThatPollHaveSettingsOfTheirOwn) {
  const std::string consumer = "consumer { name: 'c' } ";
  EXPECT_THAT(Group("consume { mode: LITE_PULL lite_pull { auto_commit: false "
                    "pull_batch_size: 5 } } listener { fails { per_mille: 5 } "
                    "} " +
                    consumer),
              IsEmpty());
  EXPECT_THAT(
      Group("consume { mode: LITE_PULL pull_batch_size: 5 max_reconsume_times: "
            "3 } " +
            consumer),
      ElementsAre("group[0].consume.pull_batch_size: pull_batch_size has no "
                  "effect with mode: LITE_PULL; set it in lite_pull",
                  "group[0].consume.max_reconsume_times: max_reconsume_times "
                  "has no effect with mode: LITE_PULL; leave it out"));
  EXPECT_THAT(Group("consume { lite_pull { pull_batch_size: 5 } } " + consumer),
              ElementsAre("group[0].consume.lite_pull: lite_pull has no effect "
                          "without mode: LITE_PULL; add mode: LITE_PULL, or "
                          "leave it out"));
  EXPECT_THAT(
      Group("consume { mode: LITE_PULL } listener { auto_commit: false "
            "on_interrupt: FAIL leaves_body_size: '0B' fails { "
            "delay_level: 1 } fails { ack_index: 0 } fails { how: COMMIT } } " +
            consumer),
      ElementsAre(
          "group[0].listener.auto_commit: auto_commit has no effect with mode: "
          "LITE_PULL; set it in consume.lite_pull",
          "group[0].listener.leaves_body_size: leaves_body_size has no effect "
          "with mode: LITE_PULL; leave it out",
          "group[0].listener.on_interrupt: on_interrupt has no effect with "
          "mode: LITE_PULL; no thread of the consumer runs an application: "
          "leave it out",
          "group[0].listener.fails[0].delay_level: delay_level has no effect "
          "with mode: LITE_PULL; what fails there is forgotten: leave it out",
          "group[0].listener.fails[1].ack_index: ack_index has no effect with "
          "mode: LITE_PULL; what fails there is forgotten: leave it out",
          "group[0].listener.fails[2].how: COMMIT has no effect with mode: "
          "LITE_PULL; choose another one"));
}

TEST(EffectsTest, ApplicationsThatPullHaveSettingsOfTheirOwn) {
  const std::string consumer = "consumer { name: 'c' } ";
  EXPECT_THAT(Group("consume { mode: PULL pull { max_nums: 5 "
                    "consumer_pull_timeout_millis: '5s' } } listener { fails { "
                    "per_mille: 5 } } " +
                    consumer),
              IsEmpty());
  EXPECT_THAT(
      Group("consume { mode: PULL consume_thread_min: 3 } listener { "
            "auto_commit: false } consume_from_where: "
            "CONSUME_FROM_FIRST_OFFSET " +
            consumer),
      ElementsAre(
          "group[0].consume_from_where: consume_from_where has no effect with "
          "mode: PULL; the application begins with what there is: leave it out",
          "group[0].consume.consume_thread_min: consume_thread_min has no "
          "effect with mode: PULL; leave it out",
          "group[0].listener.auto_commit: auto_commit has no effect with mode: "
          "PULL; leave it out"));
  EXPECT_THAT(
      Group("consume { mode: LITE_PULL pull { max_nums: 5 } } " + consumer),
      ElementsAre("group[0].consume.pull: pull has no effect without "
                  "mode: PULL; add mode: PULL, or leave it out"));
  EXPECT_THAT(
      Group("consume { mode: PULL pull { broker_suspend_max_time_millis: '5s' "
            "} } " +
            consumer),
      ElementsAre("group[0].consume.pull.broker_suspend_max_time_millis: "
                  "broker_suspend_max_time_millis has no effect without "
                  "block_if_not_found: true; add it, or leave this out"));
  EXPECT_THAT(Group("consume { mode: PULL pull { block_if_not_found: true "
                    "consumer_pull_timeout_millis: '5s' } } " +
                    consumer),
              ElementsAre("group[0].consume.pull.consumer_pull_timeout_millis: "
                          "consumer_pull_timeout_millis has no effect with "
                          "block_if_not_found: true; leave it out"));
  // Of two, one may be held.
  EXPECT_THAT(
      Group("consume { mode: PULL pull { consumer_pull_timeout_millis: '5s' "
            "broker_suspend_max_time_millis: '5s' } } " +
            consumer +
            "consumer { name: 'd' consume { pull { block_if_not_found: true } "
            "} }"),
      IsEmpty());
}

TEST(EffectsTest, ApplicationsThatPollAreNoPushConsumers) {
  const std::string consumer = "consumer { name: 'c' ";
  const std::string polls = "consume { mode: LITE_PULL } ";
  // A setting of one kind has an effect where one consumer is of that kind.
  EXPECT_THAT(Group("consume { consume_thread_max: 3 } " + consumer +
                    "} consumer { name: 'd' " + polls + "}"),
              IsEmpty());
  EXPECT_THAT(Group("message_model: BROADCASTING " + polls + consumer + "}"),
              IsEmpty());
  EXPECT_THAT(
      Findings("group { name: 'g' " + polls + consumer +
               "} } at { time: '1s' suspend_consumer { consumer: 'c' } }"),
      ElementsAre("at[0].suspend_consumer.consumer[0]: suspend_consumer has no "
                  "effect on \"c\" with mode: LITE_PULL; name consumers with "
                  "another mode"));
}

TEST(EffectsTest, OnlyApplicationsThatPollAssignQueues) {
  const std::string assign = "consumer { name: 'c' assign { queues: ";
  const std::string polls = "consume { mode: LITE_PULL } ";
  EXPECT_THAT(Group(polls + assign + "'broker-a#0' } }"), IsEmpty());
  EXPECT_THAT(
      Group(assign + "'broker-a#0' } }"),
      ElementsAre("group[0].consumer[0].assign[0]: assign has no effect "
                  "without mode: LITE_PULL; choose strategy { by_config "
                  "{ queues: ... } }"));
  EXPECT_THAT(Group("message_model: BROADCASTING " + polls + assign +
                    "'broker-a#0' } }"),
              ElementsAre("group[0].consumer[0].assign[0]: assign where the "
                          "group broadcasts is not supported yet; leave it "
                          "out"));
  EXPECT_THAT(Group(polls + assign + "'broker-x#0' } }"),
              ElementsAre(testing::StartsWith(
                  "group[0].consumer[0].assign[0].queues: there is no broker "
                  "\"broker-x\"")));
  EXPECT_THAT(
      Group("consume { mode: LITE_PULL lite_pull { "
            "broker_suspend_max_time_millis: '31s' } } "
            "consumer { name: 'c' }"),
      ElementsAre("group[0].consume.lite_pull: "
                  "broker_suspend_max_time_millis (31s) must not exceed "
                  "consumer_timeout_millis_when_suspend (30s); "));
}

TEST(EffectsTest, WhoBroadcastsForgetsWhatFails) {
  const std::string broadcasting = "message_model: BROADCASTING ";
  const std::string consumer = "consumer { name: 'c' } ";
  const std::string limit = "consume { max_reconsume_times: 3 ";
  EXPECT_THAT(
      Group(broadcasting + limit + "} " + consumer),
      ElementsAre(
          "group[0].consume.max_reconsume_times: max_reconsume_times has no "
          "effect where the group broadcasts; what fails there is forgotten, "
          "or comes again for ever with mode: ORDERLY; leave it out"));
  EXPECT_THAT(Group(broadcasting + limit + "mode: ORDERLY } " + consumer),
              IsEmpty());
  EXPECT_THAT(Group(limit + "} " + consumer), IsEmpty());
  EXPECT_THAT(
      Group(broadcasting + "listener { fails { delay_level: 1 } } " + consumer),
      ElementsAre("group[0].listener.fails[0].delay_level: delay_level has no "
                  "effect where the group broadcasts; what fails there is "
                  "forgotten: leave it out"));
  EXPECT_THAT(
      Group(broadcasting + "consume { mode: ORDERLY lock_interval: '5s' } " +
            consumer),
      ElementsAre("group[0].consume.lock_interval: lock_interval has no effect "
                  "where the group broadcasts; nobody locks queues there: "
                  "leave it out"));
}

TEST(EffectsTest, SettingsOfOneModeNeedIt) {
  const std::string consumer = "consumer { name: 'c' } ";
  for (const std::string field :
       {"suspend_current_queue_time_millis", "lock_interval",
        "lock_max_live_time", "max_time_consume_continuously",
        "unlock_delay_time_mills"}) {
    EXPECT_THAT(
        Group("consume { " + field + ": '5s' } " + consumer),
        ElementsAre("group[0].consume." + field + ": " + field +
                    " has no effect where messages are consumed concurrently; "
                    "add mode: ORDERLY, or leave it out"));
    EXPECT_THAT(
        Group("consume { mode: ORDERLY " + field + ": '5s' } " + consumer),
        IsEmpty());
  }
  for (const std::string setting :
       {"consume_timeout: '5m'", "consume_concurrently_max_span: 10"}) {
    const std::string field = setting.substr(0, setting.find(':'));
    EXPECT_THAT(
        Group("consume { mode: ORDERLY " + setting + " } " + consumer),
        ElementsAre("group[0].consume." + field + ": " + field +
                    " has no effect where messages are consumed orderly; "
                    "leave it out"));
    EXPECT_THAT(Group("consume { " + setting + " } " + consumer), IsEmpty());
    EXPECT_THAT(Group("consume { " + setting + " } " + consumer +
                      "consumer { name: 'd' consume { mode: ORDERLY } }"),
                IsEmpty());
  }
  EXPECT_THAT(
      Group("consumer { name: 'c' consume { lock_interval: '1s' } } "
            "consumer { name: 'd' consume { mode: ORDERLY } }"),
      ElementsAre("group[0].consumer[0].consume.lock_interval: lock_interval "
                  "has no effect where messages are consumed concurrently; add "
                  "mode: ORDERLY, or leave it out"));
}

TEST(EffectsTest, TheLatencyFaultStrategyHasToBeOn) {
  const auto producer = [](const std::string& settings) {
    return Findings("producer { rate { per_second: 1 } settings { " + settings +
                    " } }");
  };
  EXPECT_THAT(
      producer("latency_max: '1s' not_available_duration: '5s'"),
      ElementsAre("producer[0].settings.latency_max[0]: latency_max has no "
                  "effect without send_latency_enable; add "
                  "send_latency_enable: true, or leave it out",
                  "producer[0].settings.not_available_duration[0]: "
                  "not_available_duration has no effect without "
                  "send_latency_enable; add send_latency_enable: true, or "
                  "leave it out"));
  EXPECT_THAT(
      producer("start_detector_enable: true detect_interval: '1s'"),
      ElementsAre("producer[0].settings.start_detector_enable: "
                  "start_detector_enable has no effect without "
                  "send_latency_enable; add send_latency_enable: true, or "
                  "leave it out"));
  EXPECT_THAT(
      producer("send_latency_enable: true detect_timeout: '1s'"),
      ElementsAre("producer[0].settings.detect_timeout: detect_timeout has no "
                  "effect without start_detector_enable; add "
                  "start_detector_enable: true, or leave it out"));
  EXPECT_THAT(producer("send_latency_enable: true start_detector_enable: true "
                       "detect_timeout: '1s' latency_max: '1s' "
                       "not_available_duration: '5s'"),
              IsEmpty());
}

TEST(EffectsTest, AttemptsBelongToAWayOfSending) {
  const auto producer = [](const std::string& text) {
    return Findings("producer { rate { per_second: 1 } " + text + " }");
  };
  EXPECT_THAT(
      producer("send_mode: ASYNC settings { retry_times_when_send_failed: 1 }"),
      ElementsAre("producer[0].settings.retry_times_when_send_failed: "
                  "retry_times_when_send_failed has no effect with send_mode "
                  "ASYNC; there it is retry_times_when_send_async_failed"));
  EXPECT_THAT(
      producer("settings { retry_times_when_send_async_failed: 1 }"),
      ElementsAre("producer[0].settings.retry_times_when_send_async_failed: "
                  "retry_times_when_send_async_failed has no effect with "
                  "send_mode SYNC; there it is retry_times_when_send_failed"));
  EXPECT_THAT(
      producer("send_mode: ONEWAY settings { retry_times_when_send_failed: 1 "
               "}"),
      ElementsAre("producer[0].settings.retry_times_when_send_failed: "
                  "retry_times_when_send_failed has no effect with send_mode "
                  "ONEWAY; nobody learns that such a send failed; leave it "
                  "out"));
  EXPECT_THAT(producer("settings { retry_times_when_send_failed: 1 }"),
              IsEmpty());
}

TEST(EffectsTest, ConsumersSayHowOftenAMessageComesAgain) {
  EXPECT_THAT(
      Group("subscription_group { retry_max_times: 3 } consumer { name: 'c' }"),
      ElementsAre("group[0].subscription_group.retry_max_times: "
                  "retry_max_times has no effect where consumers say how often "
                  "a message comes again, and those of this release do; set "
                  "consume.max_reconsume_times of the group instead"));
}

// A block is not one for the likeness of its name.
TEST(EffectsTest, OnlyPushConsumersAreSuspended) {
  EXPECT_THAT(
      Findings("group { name: 'g' consumer { name: 'c' count: 2 } consumer { "
               "name: 'c-poll' consume { mode: LITE_PULL } } } at { time: '1s' "
               "suspend_consumer { consumer: 'c-poll' consumer: 'c-1' } }"),
      ElementsAre(testing::StartsWith(
          "at[0].suspend_consumer.consumer[0]: suspend_consumer has no effect "
          "on \"c-poll\"")));
}

TEST(EffectsTest, WhoRefusesNothingHasNoPatience) {
  const std::string group = "group { name: 'g' consumer { name: 'c' } } ";
  EXPECT_THAT(
      Findings(group + "broker_defaults { broker_fast_failure_enable: false } "
                       "broker { name: 'broker-a' settings { "
                       "wait_time_mills_in_send_queue: '1s' } }"),
      ElementsAre("broker[0].settings.wait_time_mills_in_send_queue: "
                  "wait_time_mills_in_send_queue has no effect with "
                  "broker_fast_failure_enable: false; leave it out"));
  EXPECT_THAT(
      Findings(group + "broker { name: 'broker-a' profile: ROCKETMQ_4_9 "
                       "settings { use_server_side_reset_offset: true } }"),
      ElementsAre("broker[0].settings.use_server_side_reset_offset: "
                  "use_server_side_reset_offset: true has no effect on a "
                  "broker of release 4.9; leave it out"));
}

}  // namespace
}  // namespace groupsim
