// What differs between the releases 5.3 and 4.9 of a client; one test for each
// row of the table in docs/fidelity.md.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/client/fault_strategy.h"
#include "model/client/settings.h"
#include "model/facts/fact.h"
#include "model/runtime/remoting.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "tests/model/client/scripted_cluster.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// When a line happened, in milliseconds.
int64_t MillisOf(const std::string& line) {
  const std::vector<std::string> words = absl::StrSplit(line, ' ');
  int64_t millis = -1;
  EXPECT_TRUE(absl::SimpleAtoi(words.at(0), &millis)) << line;
  return millis;
}

// The lines from one time to another.
std::vector<std::string> Within(const std::vector<std::string>& lines,
                                Duration from, Duration to) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    const Duration when = Duration::Millis(MillisOf(line));
    if (from <= when && when < to) found.push_back(line);
  }
  return found;
}

// A cluster whose consumer is of the release.
struct Release : ScriptedCluster {
  explicit Release(const ClientProfile& profile, int brokers = 1,
                   int queues = 1)
      : ScriptedCluster(brokers, queues) {
    consumer_config.profile = profile;
  }
  // The first fact of a kind, in milliseconds; -1 for none.
  int64_t First(FactKind kind) const {
    const std::vector<std::string> lines = FactsOf({kind});
    return lines.empty() ? -1 : MillisOf(lines.front());
  }
  int64_t FirstRequest(const std::string& word) const {
    const std::vector<std::string> lines = RequestsWith({word});
    return lines.empty() ? -1 : MillisOf(lines.front());
  }
  void Listen(Duration service_time, ConsumeStatus status) {
    listener = [service_time, status](const ListenerCall&) {
      ListenerPlan plan;
      plan.service_time = service_time;
      plan.result.status = status;
      return plan;
    };
  }
  void AnswerAt(Duration when, const std::string& queue, int64_t first,
                int64_t count) {
    At(when, [this, queue, first, count] {
      EXPECT_TRUE(AnswerPull(queue, Found(first, count)));
    });
  }
};

TEST(ReleaseStory, TheFirstRebalanceWaitsForASecondOrForNothing) {
  Release now(kClientRocketMq53);
  now.AddConsumer().Start();
  now.RunUntil(5s);
  EXPECT_EQ(now.First(FactKind::QUEUE_ADDED), 1003);
  Release before(kClientRocketMq49);
  before.AddConsumer().Start();
  before.RunUntil(5s);
  EXPECT_LT(before.First(FactKind::QUEUE_ADDED), 50);
}

TEST(ReleaseStory, FirstPullsWaitForHalfASecondOrForNothing) {
  Release now(kClientRocketMq53);
  now.AddConsumer().Start();
  now.RunUntil(5s);
  const int64_t wait =
      now.First(FactKind::PULL_SENT) - now.First(FactKind::QUEUE_ADDED);
  EXPECT_GE(wait, 500);
  EXPECT_LE(wait, 501);
  Release before(kClientRocketMq49);
  before.AddConsumer().Start();
  before.RunUntil(5s);
  EXPECT_EQ(before.First(FactKind::PULL_SENT),
            before.First(FactKind::QUEUE_ADDED));
}

TEST(ReleaseStory, RebalancesAreASecondApartOrFollowEachNotice) {
  const auto rounds = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.AddConsumer().Start();
    for (const Duration when :
         {Duration(10s), Duration(10s + 100ms), Duration(10s + 200ms)}) {
      cluster.At(when, [&] { cluster.Notify("b1"); });
    }
    cluster.RunUntil(15s);
    return Within(cluster.FactsOf({FactKind::REBALANCED}), 9s, 10s + 900ms)
        .size();
  };
  EXPECT_EQ(rounds(kClientRocketMq53), 1);
  EXPECT_EQ(rounds(kClientRocketMq49), 3);
}

TEST(ReleaseStory, AFailedRoundIsRepeatedAfterASecondOrTwenty) {
  const auto added = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.stored_offsets["b1#0"] = 5;
    cluster.script("b1").silent.insert(RequestCode::kQueryConsumerOffset);
    cluster.AddConsumer().Start();
    // The first round is over when its question is: after 5 s.
    cluster.At(4s, [&] { cluster.script("b1").silent.clear(); });
    cluster.RunUntil(40s);
    return cluster.First(FactKind::QUEUE_ADDED);
  };
  const int64_t now = added(kClientRocketMq53);
  EXPECT_GE(now, 7'000);
  EXPECT_LE(now, 7'100);
  const int64_t before = added(kClientRocketMq49);
  EXPECT_GE(before, 25'000);
  EXPECT_LE(before, 25'100);
}

TEST(ReleaseStory, ATopicWithoutARouteIsAChangeEachRoundOrNone) {
  const auto heartbeats = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.consumer_config.topics.push_back({cluster.N("unknown")});
    cluster.AddConsumer().Start();
    cluster.RunUntil(60s);
    return Within(cluster.RequestsWith({"HEART_BEAT"}), 35s, 60s).size();
  };
  EXPECT_EQ(heartbeats(kClientRocketMq53), 1);  // Of the round at about 41 s.
  EXPECT_EQ(heartbeats(kClientRocketMq49), 0);
}

TEST(ReleaseStory, AFailedOffsetQueryIsTriedAgainOrTakenForANewGroup) {
  const auto first = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.stored_offsets["b1#0"] = 40;
    cluster.script("b1").answer[RequestCode::kQueryConsumerOffset] =
        [](const Request&) { return Reply(ResponseCode::kSystemBusy); };
    cluster.At(4s, [&] { cluster.script("b1").answer.clear(); });
    cluster.AddConsumer().Start();
    cluster.RunUntil(10s);
    return cluster.RequestsWith({"PULL_MESSAGE"}).at(0);
  };
  EXPECT_THAT(first(kClientRocketMq53), HasSubstr("@40"));
  EXPECT_THAT(first(kClientRocketMq49), HasSubstr("@100"));
}

TEST(ReleaseStory, OffsetsGoToASlaveAtOnceOrAfterAskingForTheRoute) {
  const auto asked = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.stored_offsets["b1#0"] = 5;
    cluster.AddConsumer().Start();
    cluster.At(20s, [&] { cluster.SetRoute("t", {"b1"}, 1, /*broker_id=*/1); });
    cluster.RunUntil(50s);
    // Known since the route refresh at 30 s.
    EXPECT_THAT(
        Within(cluster.RequestsWith({"UPDATE_CONSUMER_OFFSET"}), 31s, 50s),
        SizeIs(3));
    std::vector<std::string> found;
    for (const std::string& line :
         Within(cluster.RequestsWith({"GET_ROUTEINFO_BY_TOPIC"}), 31s, 50s)) {
      if (line.ends_with(" t")) found.push_back(line);
    }
    return found;
  };
  EXPECT_THAT(asked(kClientRocketMq53), IsEmpty());
  EXPECT_THAT(asked(kClientRocketMq49), SizeIs(3));
}

TEST(ReleaseStory, AnIllegalOffsetIsRepairedAtOnceOrAfterTenSeconds) {
  const auto lines = [](const ClientProfile& profile) {
    auto cluster = std::make_unique<Release>(profile);
    cluster->stored_offsets["b1#0"] = 0;
    cluster->AddConsumer().Start();
    cluster->At(5s, [c = cluster.get()] {
      EXPECT_TRUE(c->AnswerPull(
          "b1#0",
          ScriptedCluster::NotFound(50, ResponseCode::kPullOffsetMoved)));
    });
    cluster->RunUntil(30s);
    return cluster->FactsOf({FactKind::QUEUE_DROPPED,
                             FactKind::OFFSET_CORRECTED,
                             FactKind::QUEUE_REMOVED, FactKind::QUEUE_ADDED});
  };
  EXPECT_THAT(lines(kClientRocketMq53),
              ElementsAre("1002 QUEUE_ADDED b1#0 0 0 0",
                          "5000 QUEUE_DROPPED b1#0 0 3 0",
                          "5000 OFFSET_CORRECTED b1#0 50 0 0",
                          "5000 QUEUE_REMOVED b1#0 0 0 0",
                          "5002 QUEUE_ADDED b1#0 50 0 0"));
  const std::vector<std::string> before = lines(kClientRocketMq49);
  ASSERT_THAT(before, SizeIs(5));
  EXPECT_EQ(before[1], "5000 QUEUE_DROPPED b1#0 0 3 0");
  EXPECT_EQ(before[2], "15000 OFFSET_CORRECTED b1#0 50 0 0");
  EXPECT_EQ(before[3], "15000 QUEUE_REMOVED b1#0 0 0 0");
  // Nobody wakes the rebalance: at the next round of 20 s.
  EXPECT_GE(MillisOf(before[4]), 20'000);
  EXPECT_THAT(before[4], HasSubstr("QUEUE_ADDED b1#0 50"));
}

TEST(ReleaseStory, AConnectionThatEndsFailsItsPullsOrLeavesThemWaiting) {
  const auto failed = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.AddConsumer().Start();
    cluster.At(5s, [&] { cluster.host("b1").Crash(); });
    cluster.RunUntil(50s);
    return cluster.First(FactKind::PULL_FAILED);
  };
  EXPECT_LE(failed(kClientRocketMq53), 5'010);
  // It was sent in the first second and has 30 s; looked at each second, with
  // one second of grace.
  const int64_t before = failed(kClientRocketMq49);
  EXPECT_GE(before, 31'000);
  EXPECT_LE(before, 32'100);
}

TEST(ReleaseStory, ATimeOutClosesItsConnectionWhereTimeWasLeftOrAlways) {
  const ClientSettings settings;
  EXPECT_EQ(RemotingSettingsOf(settings, kClientRocketMq53).close_min_left,
            Duration(100ms));
  EXPECT_LT(RemotingSettingsOf(settings, kClientRocketMq49).close_min_left,
            Duration::Zero());
}

TEST(ReleaseStory, AnOpenedConnectionMakesAHeartbeatOrNone) {
  const auto heartbeats = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.stored_offsets["b1#0"] = 5;
    cluster.AddConsumer().Start();
    cluster.At(5s, [&] { cluster.host("b1").Crash(); });
    cluster.At(6s, [&] { cluster.host("b1").Start(); });
    cluster.RunUntil(32s);
    return Within(cluster.RequestsWith({"HEART_BEAT"}), 6s, 30s).size();
  };
  EXPECT_EQ(heartbeats(kClientRocketMq53), 1);
  EXPECT_EQ(heartbeats(kClientRocketMq49), 0);
}

TEST(ReleaseStory, AStartWithoutANameServerFailsOrGoesOn) {
  const auto consumed = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.stored_offsets["b1#0"] = 5;
    cluster.host("n1").Crash();
    Host& host = cluster.AddConsumer();
    host.Start();
    cluster.At(20s, [&] { cluster.host("n1").Start(); });
    cluster.RunUntil(60s);
    EXPECT_EQ(host.state() == HostState::kFailed,
              cluster.FirstRequest("PULL_MESSAGE") < 0);
    return cluster.FirstRequest("PULL_MESSAGE");
  };
  EXPECT_EQ(consumed(kClientRocketMq53), -1);
  // With the route of 30 s, at the round of 40 s.
  const int64_t before = consumed(kClientRocketMq49);
  EXPECT_GE(before, 40'000);
  EXPECT_LE(before, 40'100);
}

TEST(ReleaseStory, TheFirstHeartbeatHasToRunOrNotForTheFirstRebalance) {
  // No broker is known, so no heartbeat runs; the first round is that of 20 s,
  // or the first one of all.
  const auto round = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.RemoveRoute("t");
    cluster.AddConsumer().Start();
    cluster.RunUntil(30s);
    return cluster.First(FactKind::REBALANCED);
  };
  EXPECT_GE(round(kClientRocketMq53), 20'000);
  EXPECT_LT(round(kClientRocketMq49), 100);
}

TEST(ReleaseStory, ACallConnectsToOneNameServerOrToEach) {
  // Of four servers three refuse connections.
  const auto started = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.consumer_config.name_servers = {
        cluster.N("b1:7"), cluster.N("b1:8"), cluster.N("n1:1"),
        cluster.N("b1:9")};
    cluster.AddConsumer().Start();
    cluster.RunUntil(5s);
    return cluster.FirstRequest("PULL_MESSAGE") >= 0;
  };
  EXPECT_FALSE(started(kClientRocketMq53));
  EXPECT_TRUE(started(kClientRocketMq49));
}

TEST(ReleaseStory, PullsOfOthersGoOnOrWaitWhileABrokerIsConnected) {
  const auto next = [](const ClientProfile& profile) {
    Release cluster(profile, /*brokers=*/2, /*queues=*/1);
    cluster.stored_offsets["b1#0"] = 5;
    cluster.stored_offsets["b2#0"] = 5;
    cluster.AddConsumer().Start();
    cluster.At(2s, [&] { cluster.host("b2").Vanish(); });
    // The heartbeat of 31 s ends the connection to b2 after 3 s, and with it
    // the pull; that is repeated at 35 s and connects for 3 s.
    cluster.AnswerAt(5s, "b1#0", 5, 1);
    cluster.AnswerAt(36s, "b1#0", 6, 1);
    cluster.RunUntil(50s);
    const std::vector<std::string> pulls =
        Within(cluster.RequestsWith({"PULL_MESSAGE"}), 36s, 50s);
    return pulls.empty() ? -1 : MillisOf(pulls.front());
  };
  EXPECT_LE(next(kClientRocketMq53), 36'010);
  const int64_t before = next(kClientRocketMq49);
  EXPECT_GE(before, 37'900);
  EXPECT_LE(before, 38'200);
}

TEST(ReleaseStory, GoAwayIsObeyedOrAnAnswerLikeOthers) {
  const auto failures = [](const ClientProfile& profile) {
    auto cluster = std::make_unique<Release>(profile);
    cluster->stored_offsets["b1#0"] = 5;
    cluster->script("b1").answer[RequestCode::kPullMessage] =
        [asked = 0](const Request&) mutable -> std::optional<Reply> {
      if (asked++ > 0) return std::nullopt;
      return Reply(ResponseCode::kGoAway);
    };
    cluster->AddConsumer().Start();
    cluster->RunUntil(10s);
    EXPECT_THAT(cluster->RequestsWith({"PULL_MESSAGE"}), SizeIs(2));
    return cluster->FactsOf({FactKind::PULL_FAILED});
  };
  EXPECT_THAT(failures(kClientRocketMq53), IsEmpty());
  EXPECT_THAT(failures(kClientRocketMq49), ElementsAre(HasSubstr(" 1500 ")));
}

TEST(ReleaseStory, AMessageSentBackAsExpiredIsNotSentBackAgainOrIs) {
  const auto sent_back = [](const ClientProfile& profile) {
    Release cluster(profile);
    cluster.stored_offsets["b1#0"] = 5;
    cluster.consumer_config.settings.consume_timeout = 5s;
    // Fails after the look of 10 s found it expired.
    cluster.Listen(9s, ConsumeStatus::kReconsumeLater);
    cluster.script("b1").answer[RequestCode::kConsumerSendMsgBack] =
        [](const Request&) { return Reply(); };
    cluster.AddConsumer().Start();
    cluster.AnswerAt(4s, "b1#0", 5, 1);
    cluster.RunUntil(20s);
    return cluster.RequestsWith({"CONSUMER_SEND_MSG_BACK"}).size();
  };
  EXPECT_EQ(sent_back(kClientRocketMq53), 1);
  EXPECT_EQ(sent_back(kClientRocketMq49), 2);
}

// ---- Orderly consumption ----

struct OrderlyRelease : Release {
  explicit OrderlyRelease(const ClientProfile& profile) : Release(profile) {
    consumer_config.orderly = true;
    stored_offsets["b1#0"] = 5;
  }
  // Another member that gets the only queue.
  void LoseQueueAt(Duration when) {
    At(when, [this] {
      extra_members.push_back("0");
      Notify("b1");
    });
  }
};

TEST(ReleaseStory, ARefusedLockIsAskedForSoonOrAtTheNextRound) {
  const auto added = [](const ClientProfile& profile) {
    OrderlyRelease cluster(profile);
    cluster.locked_by_others = {"b1#0"};
    cluster.AddConsumer().Start();
    cluster.At(5s, [&] { cluster.locked_by_others.clear(); });
    cluster.RunUntil(30s);
    return cluster.First(FactKind::QUEUE_ADDED);
  };
  EXPECT_LE(added(kClientRocketMq53), 6'500);
  EXPECT_GE(added(kClientRocketMq49), 20'000);
}

TEST(ReleaseStory, LocksAreRenewedTwiceOrOnce) {
  const auto renewals = [](const ClientProfile& profile) {
    OrderlyRelease cluster(profile);
    cluster.AddConsumer().Start();
    cluster.RunUntil(25s);
    return Within(cluster.RequestsWith({"LOCK_BATCH_MQ"}), 20s + 900ms, 22s)
        .size();
  };
  EXPECT_EQ(renewals(kClientRocketMq53), 2);
  EXPECT_EQ(renewals(kClientRocketMq49), 1);
}

TEST(ReleaseStory, ALostQueueIsUnlockedByForceOrNeverUnderTheListener) {
  const auto unlocked = [](const ClientProfile& profile) {
    OrderlyRelease cluster(profile);
    cluster.Listen(100s, ConsumeStatus::kSuccess);
    cluster.AddConsumer().Start();
    cluster.AnswerAt(3s, "b1#0", 5, 1);
    cluster.LoseQueueAt(5s);
    cluster.RunUntil(90s);
    return cluster.FirstRequest("UNLOCK_BATCH_MQ");
  };
  // 20 s after the renewal of 1 s, at the first round then.
  const int64_t now = unlocked(kClientRocketMq53);
  EXPECT_GE(now, 21'000);
  EXPECT_LE(now, 45'000);
  EXPECT_EQ(unlocked(kClientRocketMq49), -1);
}

TEST(ReleaseStory,
     AFreedQueueIsUnlockedAtOnceOrWithMessagesAfterTwentySeconds) {
  const auto unlocked = [](const ClientProfile& profile) {
    OrderlyRelease cluster(profile);
    cluster.Listen(300ms, ConsumeStatus::kSuccess);
    cluster.AddConsumer().Start();
    cluster.AnswerAt(5s - 100ms, "b1#0", 5, 3);
    cluster.LoseQueueAt(5s);
    cluster.RunUntil(60s);
    return cluster.FirstRequest("UNLOCK_BATCH_MQ");
  };
  const int64_t now = unlocked(kClientRocketMq53);
  EXPECT_GE(now, 5'000);
  EXPECT_LE(now, 5'500);
  const int64_t before = unlocked(kClientRocketMq49);
  EXPECT_GE(before, 25'000);
  EXPECT_LE(before, 25'500);
}

TEST(ReleaseStory, TheOffsetOfALostQueueIsKeptOrForgottenWhileItIsNotFree) {
  const auto offset = [](const ClientProfile& profile) {
    OrderlyRelease cluster(profile);
    cluster.Listen(10s, ConsumeStatus::kSuccess);
    cluster.AddConsumer().Start();
    cluster.AnswerAt(3s, "b1#0", 5, 1);
    cluster.LoseQueueAt(5s);
    cluster.RunUntil(8s);
    return cluster.consumer->offsets().Find(cluster.Queue("b1#0"));
  };
  EXPECT_EQ(offset(kClientRocketMq53), 5);
  EXPECT_EQ(offset(kClientRocketMq49), -1);
}

TEST(ReleaseStory, AnOrderlyDeadLetterCountsItsLastAttemptOrNot) {
  const auto request = [](const ClientProfile& profile) {
    OrderlyRelease cluster(profile);
    cluster.SetRoute("%RETRY%g", {"b1"}, 1);
    cluster.consumer_config.settings.max_reconsume_times = 0;
    cluster.Listen(1ms, ConsumeStatus::kReconsumeLater);
    cluster.AddConsumer().Start();
    cluster.AnswerAt(3s, "b1#0", 5, 1);
    cluster.RunUntil(5s);
    const std::vector<std::string> sent =
        cluster.RequestsWith({"SEND_MESSAGE_V2"});
    return sent.empty() ? std::string() : sent.front();
  };
  EXPECT_THAT(request(kClientRocketMq53), HasSubstr("times 1 max 0"));
  EXPECT_THAT(request(kClientRocketMq49), HasSubstr("times 0 max 0"));
}

// ---- Producers ----

TEST(ReleaseStory, AFailedSendIsolatesItsBrokerForTenSecondsOrTenMinutes) {
  const auto isolated = [](const ClientProfile& profile) {
    const ProducerSettings settings = ProducerSettingsOf(profile);
    EXPECT_TRUE(Validate(settings).ok());
    FaultStrategy::Config config;
    config.send_latency_enable = true;
    config.latency_max = settings.latency_max;
    config.not_available_duration = settings.not_available_duration;
    config.failed_send_latency = profile.failed_send_latency;
    FaultStrategy strategy(config);
    EXPECT_EQ(strategy.NotAvailableMillis(60), 0);
    return std::pair(
        strategy.NotAvailableMillis(3'000),
        strategy.Note(Name(), 1, FaultStrategy::Outcome::kRefused, 0));
  };
  EXPECT_EQ(isolated(kClientRocketMq53),
            std::pair(int64_t{6'000}, int64_t{10'000}));
  EXPECT_EQ(isolated(kClientRocketMq49),
            std::pair(int64_t{180'000}, int64_t{600'000}));
}

}  // namespace
}  // namespace groupsim
