// Each lint fires on what it is about, and on nothing else.
#include "scenarios/lint/lint.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "PATH: MESSAGE" of each warning of one lint.
std::vector<std::string> Warnings(const Scenario& scenario,
                                  const std::string& lint) {
  std::vector<std::string> warnings;
  for (const LintFinding& finding : RunLints(scenario)) {
    if (finding.lint->name != lint) continue;
    warnings.push_back(absl::StrCat(finding.path, ": ", finding.message));
  }
  return warnings;
}

// As the reader leaves it.
Scenario Read(const std::string& text) { return ScenarioFromTextOrDie(text); }

// What the reader may refuse as not yet supported, complete as it is written.
Scenario Raw(const std::string& text) {
  Scenario scenario;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &scenario));
  return scenario;
}

// Two brokers with four queues each; `group` and `rest` follow.
Scenario RawGroup(const std::string& group, const std::string& rest = "") {
  return Raw(absl::StrCat(
      "duration: '10m' broker { name: 'a' room: 'r1' } "
      "broker { name: 'b' room: 'r2' } "
      "topic { name: 't' queues_per_broker: 4 broker: 'a' broker: 'b' } "
      "group { name: 'g' subscribe { topic: 't' } ",
      group, " } ", rest));
}

TEST(LintTest, LintsHaveNamesInOrderAndSayWhatToDo) {
  EXPECT_EQ(AllLints().size(), 17u);
  EXPECT_TRUE(std::is_sorted(
      AllLints().begin(), AllLints().end(),
      [](const Lint& a, const Lint& b) { return a.name < b.name; }));
  for (const Lint& lint : AllLints()) {
    EXPECT_EQ(FindLint(lint.name), &lint);
    EXPECT_EQ(lint.meaning.back(), '.') << lint.name;
    EXPECT_NE(lint.remedy.back(), '.') << lint.name;
  }
  EXPECT_EQ(FindLint("no-such-lint"), nullptr);
}

TEST(LintTest, NoLintWarnsForEver) {
  Scenario scenario = RawGroup("consumer { name: 'c' }");
  for (int i = 0; i < 3'000; ++i) scenario.add_at()->set_time("20m");
  EXPECT_EQ(Warnings(scenario, "fault-after-end").size(), 1'000u);
}

TEST(LintTest, NothingIsWrongWithTheSmallestScenario) {
  EXPECT_THAT(
      RunLints(Read("group { name: 'g' consumer { name: 'c' count: 4 } }")),
      IsEmpty());
}

TEST(MoreConsumersThanQueuesTest, CountsTheSurplus) {
  const std::string lint = "more-consumers-than-queues";
  const std::string topic = "topic { name: 't' queues_per_broker: 8 } ";
  EXPECT_THAT(
      Warnings(Read(topic + "group { name: 'g' consumer { name: 'c' count: 8 } "
                            "consumer { name: 'd' count: 2 } }"),
               lint),
      ElementsAre("group[0].consumer[1]: group \"g\" has 10 consumers and 8 "
                  "queues: 2 will own none"));
  EXPECT_THAT(
      Warnings(Read(topic + "group { name: 'g' consumer { name: 'c' count: 8 } "
                            "}"),
               lint),
      IsEmpty());
}

TEST(MoreConsumersThanQueuesTest, OneThatTakesThePlaceOfAnotherIsNoSurplus) {
  const std::string text =
      "duration: '5m' topic { name: 't' queues_per_broker: 1 } "
      "group { name: 'g' consumer { name: 'c1' } "
      "consumer { name: 'c2' start_at: '2m' } } ";
  const std::string lint = "more-consumers-than-queues";
  EXPECT_THAT(Warnings(Read(text), lint).size(), 1u);
  EXPECT_THAT(
      Warnings(Read(text + "at { time: '2m' crash { consumer: 'c1' } }"), lint),
      IsEmpty());
  EXPECT_THAT(
      Warnings(Read(text + "at { time: '3m' crash { consumer: 'c1' } }"), lint)
          .size(),
      1u);
}

TEST(MoreConsumersThanQueuesTest, ABlockThatGrowsCounts) {
  const std::string text =
      "duration: '5m' topic { name: 't' queues_per_broker: 4 } "
      "group { name: 'g' consumer { name: 'c' count: 3 } } ";
  const std::string lint = "more-consumers-than-queues";
  EXPECT_THAT(Warnings(Read(text), lint), IsEmpty());
  const std::string grow = "at { time: '1m' scale { consumer: 'c' to: 6 } } ";
  EXPECT_THAT(Warnings(Read(text + grow), lint),
              ElementsAre("group[0].consumer[0]: group \"g\" has 6 consumers "
                          "and 4 queues: 2 will own none"));
  // Who is scaled away makes room.
  EXPECT_THAT(
      Warnings(Read(text + "at { time: '30s' scale { consumer: 'c' to: 0 } } "
                           "at { time: '1m' start { consumer: 'c-0' } } "
                           "at { time: '2m' scale { consumer: 'c' to: 4 } }"),
               lint),
      IsEmpty());
}

TEST(MoreConsumersThanQueuesTest, AGroupThatEndsMakesRoom) {
  const std::string text =
      "duration: '5m' topic { name: 't' queues_per_broker: 4 } "
      "group { name: 'g' consumer { name: 'c' count: 4 } "
      "consumer { name: 'd' count: 4 start_at: '2m' } } ";
  const std::string lint = "more-consumers-than-queues";
  EXPECT_EQ(Warnings(Read(text), lint).size(), 1u);
  EXPECT_THAT(
      Warnings(Read(text + "at { time: '1m' crash { group: 'g' } }"), lint),
      IsEmpty());
}

TEST(MoreConsumersThanQueuesTest, InOrderOnlyTheLargestTopicCounts) {
  const std::string lint = "more-consumers-than-queues";
  const std::string text =
      "topic { name: 't1' queues_per_broker: 4 broker: 'a' } "
      "topic { name: 't2' queues_per_broker: 3 broker: 'a' } "
      "broker { name: 'a' } group { name: 'g' subscribe { topic: 't1' } "
      "subscribe { topic: 't2' } consumer { name: 'c' count: 6 } ";
  EXPECT_THAT(Warnings(Raw(text + "}"), lint),
              ElementsAre("group[0].consumer[0]: group \"g\" has 6 consumers "
                          "and 4 queues in its largest topic: 2 will own "
                          "none"));
  EXPECT_THAT(Warnings(Raw(text + "strategy { consistent_hash {} } }"), lint),
              IsEmpty());
}

TEST(RemainderSkewTest, ManySmallTopicsLandOnTheFirst) {
  const std::string lint = "remainder-skew";
  const std::string text =
      "topic { name: 't1' queues_per_broker: 5 } "
      "topic { name: 't2' queues_per_broker: 5 } "
      "topic { name: 't3' queues_per_broker: 1 } "
      "group { name: 'g' subscribe { topic: 't1' } subscribe { topic: 't2' } ";
  EXPECT_THAT(
      Warnings(Read(text + "subscribe { topic: 't3' } "
                           "consumer { name: 'c' count: 4 } }"),
               lint),
      ElementsAre("group[0]: the surplus queues of 3 topics go to the same "
                  "consumers of group \"g\": the first one gets 5 queues, the "
                  "last one 2"));
  EXPECT_THAT(Warnings(Read(text + "consumer { name: 'c' count: 5 } }"), lint),
              IsEmpty());
  // One surplus queue in all is as even as it gets.
  EXPECT_THAT(Warnings(Read("topic { name: 't1' queues_per_broker: 5 } group { "
                            "name: 'g' consumer { name: 'c' count: 4 } }"),
                       lint),
              IsEmpty());
}

TEST(DuplicateClientIdTest, IsToldOnceForEachId) {
  const std::string lint = "duplicate-client-id";
  EXPECT_THAT(
      Warnings(Read("group { name: 'g' consumer { name: 'c' count: 3 "
                    "client_id: 'x' } consumer { name: 'd' client_id: 'y' } }"),
               lint),
      ElementsAre("group[0].consumer[0].client_id: consumers \"c-0\" and "
                  "\"c-1\" of group \"g\" have the client id \"x\""));
  EXPECT_THAT(Warnings(Read("group { name: 'g' consumer { name: 'c' client_id: "
                            "'x' } } group { name: 'h' consumer { name: 'd' "
                            "client_id: 'x' } }"),
                       lint),
              IsEmpty());
}

TEST(InconsistentSubscriptionTest, ComparesTopicsAndTags) {
  const std::string lint = "inconsistent-subscription";
  EXPECT_THAT(
      Warnings(RawGroup("consumer { name: 'c' } consumer { name: 'd' subscribe "
                        "{ topic: 't' expression: 'red' } }"),
               lint),
      ElementsAre("group[0].consumer[1].subscribe[0]: consumer \"d\" "
                  "subscribes to something else than \"c\" of its group"));
  EXPECT_THAT(
      Warnings(RawGroup("consumer { name: 'c' } consumer { name: 'd' subscribe "
                        "{ topic: 't' expression: '*' } }"),
               lint),
      IsEmpty());
}

TEST(InconsistentSubscriptionTest, TheOrderOfTagsMakesNoDifference) {
  const std::string group =
      "consumer { name: 'c' subscribe { topic: 't' expression: 'a || b' } } "
      "consumer { name: 'd' subscribe { topic: 't' expression: 'EXPR' } }";
  const auto warnings = [&](const std::string& expression) {
    return Warnings(
        RawGroup(absl::StrReplaceAll(group, {{"EXPR", expression}})),
        "inconsistent-subscription");
  };
  EXPECT_THAT(warnings("b||a"), IsEmpty());
  EXPECT_THAT(warnings("b"), testing::SizeIs(1));
}

TEST(TagNeverSentTest, LooksAtTheProducersOfTheTopic) {
  const auto warnings = [](const std::string& expression) {
    return Warnings(
        RawGroup("consumer { name: 'c' subscribe { topic: 't' expression: '" +
                     expression + "' } }",
                 "producer { name: 'p' topic: 't' tag { name: 'red' } } "
                 "producer { name: 'q' topic: 'u' tag { name: 'blue' } }"),
        "tag-never-sent");
  };
  EXPECT_THAT(warnings("*"), IsEmpty());
  EXPECT_THAT(warnings("red"), IsEmpty());
  EXPECT_THAT(warnings("red || blue"),
              ElementsAre("group[0].consumer[0].subscribe[0].expression: no "
                          "producer sends tag \"blue\" to topic \"t\""));
}

TEST(MixedStrategiesTest, TheDefaultIsAveragely) {
  const std::string lint = "mixed-strategies";
  EXPECT_THAT(
      Warnings(RawGroup("consumer { name: 'c' } consumer { name: 'd' strategy "
                        "{ averagely_by_circle {} } }"),
               lint),
      ElementsAre("group[0].consumer[1].strategy: consumer \"d\" has another "
                  "strategy than \"c\" of its group"));
  EXPECT_THAT(Warnings(RawGroup("consumer { name: 'c' } consumer { name: 'd' "
                                "strategy { averagely {} } }"),
                       lint),
              IsEmpty());
}

TEST(CacheLargerThanHeapTest, TheSmallerOfBothLimitsCounts) {
  const std::string lint = "cache-larger-than-heap";
  const auto text = [](const std::string& body, const std::string& consume) {
    return "topic { name: 't' queues_per_broker: 100 } producer { rate { "
           "per_second: 1 } body_size { constant: '" +
           body + "' } } group { name: 'g' consume { " + consume +
           " } consumer { name: 'c' } }";
  };
  EXPECT_THAT(Warnings(Read(text("1MiB", "")), lint),
              ElementsAre("group[0].consumer[0]: each of these consumers may "
                          "cache 9.8 GiB in 100 queues; a heap of 4 GiB is "
                          "assumed"));
  EXPECT_THAT(Warnings(Read(text("1KiB", "")), lint), IsEmpty());
  EXPECT_THAT(
      Warnings(Read(text("1MiB", "pull_threshold_size_for_queue: 40")), lint),
      IsEmpty());
  EXPECT_THAT(
      Warnings(Read(text("1MiB", "pull_threshold_for_queue: 40")), lint),
      IsEmpty());
  EXPECT_THAT(
      Warnings(Read(text("1MiB", "pull_threshold_size_for_topic: 4000")), lint),
      IsEmpty());
}

TEST(ConsumeFromLastWithGrowingQueuesTest, NeedsBoth) {
  const std::string lint = "consume-from-last-with-growing-queues";
  const std::string grow =
      "at { time: '1m' add_queues { topic: 't' queues: 2 } }";
  EXPECT_THAT(
      Warnings(RawGroup("consumer { name: 'c' }", grow), lint),
      ElementsAre("at[0].add_queues: group \"g\" begins new queues of topic "
                  "\"t\" at their end: it skips what is sent there before it "
                  "finds them"));
  EXPECT_THAT(Warnings(RawGroup("consume_from_where: CONSUME_FROM_FIRST_OFFSET "
                                "consumer { name: 'c' }",
                                grow),
                       lint),
              IsEmpty());
  EXPECT_THAT(Warnings(RawGroup("consumer { name: 'c' }"), lint), IsEmpty());
}

TEST(LockOutlivesTakeoverGoalTest, OnlyWhereOrderlyConsumersDie) {
  const std::string lint = "lock-outlives-takeover-goal";
  const std::string orderly =
      "consume { mode: ORDERLY } consumer { name: 'c' }";
  const std::string crash = "at { time: '1m' crash { consumer: 'c' } } ";
  const std::string expect = "expect { takeover { within: '5s' } }";
  EXPECT_THAT(Warnings(RawGroup(orderly, crash + expect), lint),
              ElementsAre("expect[0].takeover.within: a takeover within 5s is "
                          "expected; the locks of a consumer that died live "
                          "for 1m"));
  EXPECT_THAT(
      Warnings(RawGroup("consumer { name: 'c' }", crash + expect), lint),
      IsEmpty());
  EXPECT_THAT(
      Warnings(RawGroup(orderly,
                        "at { time: '1m' stop { consumer: 'c' } } " + expect),
               lint),
      IsEmpty());
  EXPECT_THAT(
      Warnings(RawGroup(orderly, crash + "expect { takeover { within: '70s' } "
                                         "}"),
               lint),
      IsEmpty());
  EXPECT_THAT(Warnings(RawGroup(orderly, crash + expect +
                                             "broker_defaults { "
                                             "lock_max_live_time: '3s' }"),
                       lint),
              IsEmpty());
}

TEST(HeartbeatNotBelowExpiryTest, PointsAtWhatWasSet) {
  const std::string lint = "heartbeat-not-below-expiry";
  EXPECT_THAT(
      Warnings(Read("group { name: 'g' client { heartbeat_broker_interval: "
                    "'2m' } consumer { name: 'c' } }"),
               lint),
      ElementsAre("group[0].client.heartbeat_broker_interval: consumers of "
                  "group \"g\" send a heartbeat every 2m; broker \"broker-a\" "
                  "forgets who sent none for 2m"));
  EXPECT_THAT(
      Warnings(Read("broker { name: 'a' settings { channel_expired_timeout: "
                    "'20s' } } group { name: 'g' consumer { name: 'c' } }"),
               lint),
      ElementsAre("broker[0].settings.channel_expired_timeout: consumers of "
                  "group \"g\" send a heartbeat every 30s; broker \"a\" "
                  "forgets who sent none for 20s"));
  EXPECT_THAT(
      Warnings(Read("group { name: 'g' client { heartbeat_broker_interval: "
                    "'119s' } consumer { name: 'c' } }"),
               lint),
      IsEmpty());
}

TEST(ListenerOutlivesLockTest, LooksAtOrderlyListenersOnly) {
  const std::string lint = "listener-outlives-lock";
  const auto group = [](const std::string& consume,
                        const std::string& listener) {
    return Read("group { name: 'g' consume { " + consume +
                " } listener { service_time { " + listener +
                " } hang { offset: 7 lasts: '21s' } hang { offset: 8 lasts: "
                "'20s' } } consumer { name: 'c' } }");
  };
  EXPECT_THAT(Warnings(group("", "constant: '1m'"), lint), IsEmpty());
  EXPECT_THAT(
      Warnings(group("mode: ORDERLY", "constant: '1m'"), lint),
      ElementsAre("group[0].listener.service_time: a call takes about 1m; the "
                  "lock of a queue that moves is given away 20s after its last "
                  "renewal",
                  "group[0].listener.hang[0]: such a call takes 21s; the lock "
                  "of a queue that moves is given away 20s after its last "
                  "renewal"));
  EXPECT_THAT(Warnings(group("mode: ORDERLY unlock_delay_time_mills: '2m'",
                             "lognormal { median: '1s' p99: '30s' }"),
                       lint),
              IsEmpty());
}

TEST(RetriesOutlastRunTest, AddsTheDelayLevelsUp) {
  const std::string lint = "retries-outlast-run";
  // Sixteen retries: 10s, 30s, 1m ... 2h.
  EXPECT_THAT(
      Warnings(RawGroup("listener { fails {} } consumer { name: 'c' }"), lint),
      ElementsAre("group[0].listener.fails[0]: such a message is retried for "
                  "4h45m40s; the run lasts 10m"));
  EXPECT_THAT(Warnings(RawGroup("listener { fails { times: 3 } } "
                                "consumer { name: 'c' }"),
                       lint),
              IsEmpty());
  EXPECT_THAT(Warnings(RawGroup("listener { fails { delay_level: 1 } } "
                                "consumer { name: 'c' }"),
                       lint),
              IsEmpty());
  EXPECT_THAT(Warnings(RawGroup("consume { max_reconsume_times: 4 } listener { "
                                "fails {} } consumer { name: 'c' }"),
                       lint),
              IsEmpty());
  EXPECT_THAT(Warnings(RawGroup("consume { max_reconsume_times: 2147483647 } "
                                "listener { fails {} } consumer { name: 'c' }"),
                       lint)
                  .size(),
              1u);
}

TEST(RetriesOutlastRunTest, NoLimitOfAttemptsEndsRollbacks) {
  const std::string lint = "retries-outlast-run";
  const auto group = [](const std::string& failure) {
    return RawGroup(
        "consume { mode: ORDERLY max_reconsume_times: 2 } listener { "
        "auto_commit: false fails { " +
        failure + " } } consumer { name: 'c' }");
  };
  EXPECT_THAT(Warnings(group(""), lint), IsEmpty());
  EXPECT_THAT(Warnings(group("how: COMMIT"), lint), IsEmpty());
  EXPECT_THAT(Warnings(group("how: ROLLBACK times: 2"), lint), IsEmpty());
  EXPECT_EQ(Warnings(group("how: ROLLBACK"), lint).size(), 1u);
}

TEST(RetriesOutlastRunTest, GoesByTheSlowestBroker) {
  const std::string lint = "retries-outlast-run";
  const std::string group =
      "broker { name: 'a' } broker { name: 'b' SETTINGS } broker_defaults { "
      "message_delay_level: '1s' } group { name: 'g' listener { fails {} } "
      "consumer { name: 'c' } }";
  EXPECT_THAT(
      Warnings(Read(absl::StrReplaceAll(group, {{"SETTINGS", ""}})), lint),
      IsEmpty());
  EXPECT_THAT(
      Warnings(Read(absl::StrReplaceAll(
                   group, {{"SETTINGS",
                            "settings { message_delay_level: '1s 1m' }"}})),
               lint),
      ElementsAre("group[0].listener.fails[0]: such a message is retried for "
                  "16m; the run lasts 1m"));
}

TEST(RetriesOutlastRunTest, LooksAtEveryBlockOnce) {
  const std::string lint = "retries-outlast-run";
  // The second block gives up sooner.
  EXPECT_THAT(Warnings(RawGroup("listener { fails {} } consumer { name: 'c' } "
                                "consumer { name: 'd' } consumer { name: 'e' "
                                "consume { max_reconsume_times: 1 } }"),
                       lint),
              ElementsAre("group[0].listener.fails[0]: such a message is "
                          "retried for 4h45m40s; the run lasts 10m"));
  EXPECT_THAT(
      Warnings(RawGroup("consume { max_reconsume_times: 1 } listener { fails "
                        "{} } consumer { name: 'c' }"),
               lint),
      IsEmpty());
}

// Orderly messages hold their queue up until they succeed or are given up.
TEST(RetriesOutlastRunTest, OrderlyOnesHaveNoLimit) {
  const std::string lint = "retries-outlast-run";
  const auto orderly = [&](const std::string& consume,
                           const std::string& failure) {
    return Warnings(RawGroup("consume { mode: ORDERLY " + consume +
                             " } listener { fails { " + failure +
                             " } } consumer { name: 'c' }"),
                    lint);
  };
  EXPECT_THAT(orderly("", ""),
              ElementsAre("group[0].listener.fails[0]: such a message is "
                          "retried for ever; the run lasts 10m"));
  EXPECT_THAT(orderly("", "times: 3"), IsEmpty());
  EXPECT_THAT(orderly("max_reconsume_times: 3", ""), IsEmpty());
  EXPECT_THAT(orderly("max_reconsume_times: 30 "
                      "suspend_current_queue_time_millis: '1h'",
                      ""),
              ElementsAre("group[0].listener.fails[0]: such a message is "
                          "retried for 15m; the run lasts 10m"));
}

TEST(ListenerOutlivesLockTest, KnowsEveryWayToTakeLong) {
  const std::string lint = "listener-outlives-lock";
  const auto orderly = [&](const std::string& listener) {
    return Warnings(RawGroup("consume { mode: ORDERLY } listener { " +
                             listener + " } consumer { name: 'c' }"),
                    lint);
  };
  const auto about = [](const std::string& place, const std::string& call) {
    return "group[0].listener." + place + ": " + call +
           "; the lock of a queue that moves is given away 20s after its last "
           "renewal";
  };
  EXPECT_THAT(
      orderly("service_time { lognormal { median: '10s' p90: '30s' } }"),
      ElementsAre(about("service_time", "a call takes about 30s")));
  EXPECT_THAT(
      orderly("service_time { lognormal { median: '1s' p999: '21s' } }"),
      ElementsAre(about("service_time", "a call takes about 21s")));
  EXPECT_THAT(orderly("service_time { constant: '3s' } time_per_cent: 1000"),
              ElementsAre(about("service_time", "a call takes about 30s")));
  EXPECT_THAT(orderly("service_time { exponential { mean: '10s' } }"),
              ElementsAre(about("service_time", "a call takes about 46s")));
  // More than there are nanoseconds in 64 bits.
  EXPECT_THAT(orderly("service_time { exponential { mean: '30d' } } "
                      "time_per_cent: 100000"),
              ElementsAre(about("service_time", "a call takes about 36500d")));
  EXPECT_THAT(orderly("fails { how: HANG offset: 1 }"),
              ElementsAre(about("fails[0]", "such a call takes for ever")));
  EXPECT_THAT(orderly("fails { times: 1 lasts: '21s' }"),
              ElementsAre(about("fails[0]", "such a call takes 21s")));
  // Of the group, for a block that is orderly.
  EXPECT_THAT(Warnings(RawGroup("listener { service_time { constant: '30s' } } "
                                "consumer { name: 'b' } consumer { name: 'c' "
                                "consume { mode: ORDERLY } }"),
                       lint),
              ElementsAre(about("service_time", "a call takes about 30s")));
}

TEST(ShrinkBeforeDrainTest, WritersGoFirst) {
  const std::string lint = "shrink-before-drain";
  const auto shrink = [](const std::string& time, const std::string& what) {
    return "at { time: '" + time + "' shrink_queues { topic: 't' " + what +
           " } } ";
  };
  const std::string group = "consumer { name: 'c' }";
  EXPECT_THAT(
      Warnings(RawGroup(group, shrink("2m", "write_to: 2 read_to: 2")), lint),
      ElementsAre("at[0].shrink_queues.read_to: queues from 2 on are closed to "
                  "readers; nothing closed them to writers before"));
  EXPECT_THAT(Warnings(RawGroup(group, shrink("1m", "write_to: 2") +
                                           shrink("2m", "read_to: 2")),
                       lint),
              IsEmpty());
  EXPECT_THAT(Warnings(RawGroup(group, shrink("1m", "write_to: 3") +
                                           shrink("2m", "read_to: 2")),
                       lint)
                  .size(),
              1u);
  EXPECT_THAT(
      Warnings(RawGroup(group, shrink("1m", "write_to: 2 broker: 'a'") +
                                   shrink("2m", "read_to: 2 broker: 'b'")),
               lint)
          .size(),
      1u);
}

TEST(EmptyMachineRoomTest, BothKindsOfEmptinessAreTold) {
  const std::string lint = "empty-machine-room";
  const std::string nearby = "strategy { machine_room_nearby {} } ";
  EXPECT_THAT(
      Warnings(RawGroup(nearby + "consumer { name: 'c' room: 'r1' } consumer { "
                                 "name: 'd' room: 'r3' }"),
               lint),
      ElementsAre("group[0].consumer[1]: room \"r3\" has consumers of group "
                  "\"g\" and no broker of its topics: they own queues of rooms "
                  "without consumers only",
                  "broker[1]: room \"r2\" has no consumer of group \"g\": its "
                  "queues go to those of other rooms"));
  EXPECT_THAT(
      Warnings(RawGroup(nearby + "consumer { name: 'c' room: 'r1' } consumer { "
                                 "name: 'd' room: 'r2' }"),
               lint),
      IsEmpty());
  EXPECT_THAT(
      Warnings(RawGroup("strategy { by_machine_room { room: 'r1' room: 'x' } } "
                        "consumer { name: 'c' }"),
               lint),
      ElementsAre("group[0].strategy.by_machine_room.room[1]: no broker of the "
                  "topics of group \"g\" is in room \"x\""));
}

TEST(FewQueuesForHashTest, TenQueuesForEachAreEnough) {
  const std::string lint = "few-queues-for-hash";
  const std::string hash = "strategy { consistent_hash {} } ";
  EXPECT_THAT(
      Warnings(RawGroup(hash + "consumer { name: 'c' count: 2 }"), lint),
      ElementsAre("group[0].strategy: group \"g\" shares 8 queues among 2 "
                  "consumers by hash: the shares will be uneven"));
  Scenario many = RawGroup(hash + "consumer { name: 'c' count: 2 }");
  many.mutable_topic(0)->set_queues_per_broker(10);
  EXPECT_THAT(Warnings(many, lint), IsEmpty());
  EXPECT_THAT(Warnings(RawGroup("consumer { name: 'c' count: 2 }"), lint),
              IsEmpty());
}

TEST(FaultAfterEndTest, TellsEventsAndRestartsThatAreTooLate) {
  const std::string lint = "fault-after-end";
  const std::string group =
      "group { name: 'g' consumer { name: 'c' count: 3 } "
      "} ";
  EXPECT_THAT(Warnings(Read(group + "at { time: '61s' crash { consumer: 'c-0' "
                                    "} }"),
                       lint),
              ElementsAre("at[0].time: this happens at 1m1s, after the end of "
                          "the run (1m)"));
  EXPECT_THAT(Warnings(Read(group + "at { time: '1m' crash { consumer: 'c-0' "
                                    "} }"),
                       lint),
              IsEmpty());
  // Three times 15s down, two pauses of 30s.
  EXPECT_THAT(
      Warnings(Read(group + "duration: '2m' at { time: '16s' rolling_restart "
                            "{} }"),
               lint),
      ElementsAre("at[0].rolling_restart: the rolling restart needs until "
                  "2m1s; the run ends at 2m"));
  EXPECT_THAT(
      Warnings(Read(group + "duration: '2m' at { time: '15s' rolling_restart "
                            "{} }"),
               lint),
      IsEmpty());
}

TEST(LintTest, WhoBroadcastsSharesNothing) {
  const std::string members = "consumer { name: 'c' count: 9 client_id: 'x' }";
  const std::string broadcasts = members + " message_model: BROADCASTING";
  for (const std::string lint :
       {"more-consumers-than-queues", "duplicate-client-id"}) {
    EXPECT_EQ(Warnings(RawGroup(members), lint).size(), 1u) << lint;
    EXPECT_THAT(Warnings(RawGroup(broadcasts), lint), IsEmpty()) << lint;
  }
}

}  // namespace
}  // namespace groupsim
