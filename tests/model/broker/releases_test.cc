// What differs between the releases 5.3 and 4.9 of brokers and name servers;
// one test for each row of the tables in docs/fidelity.md.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/broker/offset_admin.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::SizeIs;

// A cluster of one release with a client that is a member of the group.
struct Release : Cluster {
  explicit Release(const BrokerProfile& profile) {
    config.profile = profile;
    config.settings = BrokerSettingsOf(profile);
  }
  void Begin() {
    Start();
    client = &AddClient("c-1");
    Join(*client);
  }
  ResponseCode Code(Request request) {
    return Do(*client, std::move(request)).code();
  }
  // Has the group's members become another number, and says how many notices
  // c-1 got in `length`.
  size_t NoticesOfAJoin(MessageModel model, Duration length) {
    ConsumerData data;
    data.group = group;
    data.model = model;
    data.subscriptions = {Subscription("t")};
    Ask(*client, Heartbeat(*client, data));
    RunFor(5ms);
    client->process->notices.clear();
    Client& other = AddClient("c-2");
    Ask(other, Heartbeat(other, data));
    RunFor(length);
    return client->process->notices.size();
  }

  Client* client = nullptr;
};

struct OldRelease : Release {
  OldRelease() : Release(kBrokerRocketMq49) {}
};
struct NewRelease : Release {
  NewRelease() : Release(kBrokerRocketMq53) {}
};

TEST(BrokerReleaseStory, AnEmptyQueueHasNoOffsetOrZero) {
  NewRelease now;
  now.Begin();
  EXPECT_EQ(now.Code(now.QueryOffset(0)), ResponseCode::kQueryNotFound);
  OldRelease before;
  before.Begin();
  EXPECT_EQ(before.Do(*before.client, before.QueryOffset(0)).offset(), 0);
}

TEST(BrokerReleaseStory, CommitsForUnknownTopicsAndGroupsAreRefusedOrTaken) {
  const auto codes = [](Release& cluster) {
    cluster.config.settings.auto_create_subscription_group = false;
    cluster.Start();
    cluster.client = &cluster.AddClient("c-1");
    const ResponseCode group = cluster.Code(cluster.Commit(0, 5));
    SubscriptionGroupConfig config;
    config.group_name = cluster.group;
    cluster.disk.groups.Put(config);
    UpdateConsumerOffsetRequest request = cluster.Commit(0, 5);
    request.queue.topic = cluster.Intern("unknown");
    return std::pair(group, cluster.Code(request));
  };
  NewRelease now;
  EXPECT_EQ(codes(now), std::pair(ResponseCode::kSubscriptionGroupNotExist,
                                  ResponseCode::kTopicNotExist));
  OldRelease before;
  EXPECT_EQ(codes(before),
            std::pair(ResponseCode::kSuccess, ResponseCode::kSuccess));
}

TEST(BrokerReleaseStory, AQueueThatIsNotThereIsABadParameterOrAnError) {
  const auto codes = [](Release& cluster) {
    cluster.Begin();
    return std::pair(cluster.Code(cluster.Pull(9, 0)),
                     cluster.Code(cluster.Message(9)));
  };
  NewRelease now;
  EXPECT_EQ(codes(now), std::pair(ResponseCode::kInvalidParameter,
                                  ResponseCode::kInvalidParameter));
  OldRelease before;
  EXPECT_EQ(codes(before),
            std::pair(ResponseCode::kSystemError, ResponseCode::kSystemError));
}

TEST(BrokerReleaseStory, BroadcastingGroupsAreNotToldOfChangesOrAre) {
  NewRelease now;
  now.Begin();
  EXPECT_EQ(now.NoticesOfAJoin(MessageModel::kBroadcasting, 1s), 0);
  OldRelease before;
  before.Begin();
  EXPECT_EQ(before.NoticesOfAJoin(MessageModel::kBroadcasting, 1s), 1);
}

TEST(BrokerReleaseStory, NoticesMayBeGatheredOrNot) {
  const auto notices = [](Release& cluster) {
    cluster.config.settings.real_time_notify_consumer_change = false;
    cluster.Begin();
    return cluster.NoticesOfAJoin(MessageModel::kClustering, 1s);
  };
  NewRelease now;
  EXPECT_EQ(notices(now), 0);
  OldRelease before;
  EXPECT_EQ(notices(before), 1);
}

TEST(BrokerReleaseStory, AnIllegalOffsetLeavesNoEventOrOne) {
  const auto events = [](Release& cluster) {
    cluster.Begin();
    cluster.Code(cluster.Message(0));
    cluster.RunFor(5ms);
    EXPECT_EQ(cluster.Code(cluster.Pull(0, 50)),
              ResponseCode::kPullOffsetMoved);
    int64_t stored = 0;
    for (const Fact& fact : cluster.FactsOf(FactKind::STORED)) {
      if (fact.topic == cluster.Intern("OFFSET_MOVED_EVENT").id()) ++stored;
    }
    return stored;
  };
  NewRelease now;
  EXPECT_EQ(events(now), 0);
  OldRelease before;
  EXPECT_EQ(events(before), 1);
}

// How long a commit of 11 s waits to be written while a name server hangs to
// which a registration began at 10.1 s.
TEST(BrokerReleaseStory, ASilentNameServerHoldsTheSchedulerFor24SecondsOr6) {
  const auto written = [](Release& cluster) {
    cluster.Begin();
    cluster.RunUntil(9s);
    cluster.name_server_host->Vanish();
    cluster.RunUntil(11s);
    cluster.Do(*cluster.client, cluster.Commit(0, 5));
    while (cluster.disk.offsets.Query(0, cluster.group) != 5 &&
           cluster.now() < 60s) {
      cluster.RunFor(100ms);
    }
    return cluster.now();
  };
  NewRelease now;
  const Duration late = written(now);
  EXPECT_GE(late, Duration(34s));
  EXPECT_LE(late, Duration(34s + 300ms));
  OldRelease before;
  const Duration early = written(before);
  EXPECT_GE(early, Duration(16s));
  EXPECT_LE(early, Duration(16s + 300ms));
}

// One that is not connected is not waited for, or always is.
TEST(BrokerReleaseStory, RegistrationsGoToReachableNameServersOrToAll) {
  const auto written = [](Release& cluster) {
    cluster.config.settings.flush_consumer_offset_interval = 2s;
    cluster.Begin();
    cluster.RunUntil(9s);
    // Its connection ends with the time-out of a round; from then on it is not
    // to be reached.
    cluster.name_server_host->Vanish();
    cluster.RunUntil(160s + 200ms);  // A round began at 160.1 s.
    cluster.Do(*cluster.client, cluster.Commit(0, 5));
    const Duration asked = cluster.now();
    while (cluster.disk.offsets.Query(0, cluster.group) != 5 &&
           cluster.now() - asked < 60s) {
      cluster.RunFor(100ms);
    }
    return cluster.now() - asked;
  };
  NewRelease now;
  EXPECT_LE(written(now), Duration(2s));
  OldRelease before;
  EXPECT_GE(written(before), Duration(2s + 500ms));  // Connects for 3 s.
}

// ---- Name servers ----

struct NameServerRelease : Cluster {
  explicit NameServerRelease(const NameServerProfile& profile) {
    name_server.profile = profile;
    name_server.settings = NameServerSettingsOf(profile);
    name_server.settings.server_channel_max_idle_time_seconds = 600s;
  }
  void Begin() {
    name_server_host->Start();
    RunFor(100ms);
    broker_process = &AddClient("broker-process");
  }
  void Register(Duration timeout) {
    RegisterBrokerRequest request;
    request.cluster = config.cluster;
    request.broker = broker_name;
    request.address = config.address;
    request.heartbeat_timeout = timeout;
    request.topics = std::make_shared<const std::vector<TopicConfig>>(
        std::vector<TopicConfig>{Topic("t", 4), Topic("u", 4)});
    DoAtNameServer(*broker_process, request);
  }
  // When the broker, which registered at about 0.1 s, is removed.
  Duration RemovalWithTimeout(Duration timeout) {
    Begin();
    Register(timeout);
    broker_process->host->Vanish();
    RunFor(140s);
    const std::vector<Fact> removed = FactsOf(FactKind::BROKER_REMOVED);
    return removed.empty() ? Duration() : removed[0].time.since_start();
  }

  Client* broker_process = nullptr;
};

TEST(NameServerReleaseStory, SilentBrokersAreLookedForEveryFiveSecondsOrTen) {
  NameServerRelease now(kNameServerRocketMq53);
  EXPECT_EQ(now.RemovalWithTimeout(0s), Duration(125s + 5ms));
  // From 5 s on.
  NameServerRelease before(kNameServerRocketMq49);
  EXPECT_EQ(before.RemovalWithTimeout(0s), Duration(125s));
  // In between the looks of the old one.
  NameServerRelease late(kNameServerRocketMq49);
  late.Begin();
  late.RunUntil(6s);
  late.Register(0s);
  late.broker_process->host->Vanish();
  late.RunFor(140s);
  const std::vector<Fact> removed = late.FactsOf(FactKind::BROKER_REMOVED);
  ASSERT_THAT(removed, SizeIs(1));
  EXPECT_EQ(removed[0].time.since_start(), Duration(135s));
}

TEST(NameServerReleaseStory, ABrokerMaySayItsTimeoutOrNot) {
  NameServerRelease now(kNameServerRocketMq53);
  EXPECT_LE(now.RemovalWithTimeout(10s), Duration(20s));
  NameServerRelease before(kNameServerRocketMq49);
  EXPECT_EQ(before.RemovalWithTimeout(10s), Duration(125s));
}

TEST(NameServerReleaseStory, AnUnregistrationIsAnsweredBeforeOrAfterIt) {
  const auto route = [](NameServerRelease& cluster) {
    cluster.Begin();
    cluster.Register(0s);
    UnregisterBrokerRequest request;
    request.cluster = cluster.config.cluster;
    request.broker = cluster.broker_name;
    request.address = cluster.config.address;
    Cluster::Client& broker = *cluster.broker_process;
    cluster.Ask(broker, cluster.name_server.address, request);
    // In the same instant, behind it.
    GetRouteInfoRequest question;
    question.topic = cluster.topic;
    const AnswerPtr answer =
        cluster.Ask(broker, cluster.name_server.address, question);
    cluster.RunFor(1ms);
    return answer->code();
  };
  NameServerRelease now(kNameServerRocketMq53);
  EXPECT_EQ(route(now), ResponseCode::kSuccess);
  NameServerRelease before(kNameServerRocketMq49);
  EXPECT_EQ(route(before), ResponseCode::kTopicNotExist);
}

// ---- Faults of some releases ----

TEST(BrokerFaultStory, APullFromBeyondTheEndIsSentToTheEndOrToZero) {
  const auto next = [](bool faulty) {
    NewRelease cluster;
    cluster.config.profile.overflow_is_corrected_to_zero = faulty;
    cluster.Begin();
    for (int i = 0; i < 3; ++i) cluster.Code(cluster.Message(0));
    cluster.RunFor(5ms);
    const Answer answer = cluster.Do(*cluster.client, cluster.Pull(0, 4));
    EXPECT_EQ(answer.code(), ResponseCode::kPullOffsetMoved);
    return answer.pulled().next_begin_offset;
  };
  EXPECT_EQ(next(false), 3);
  EXPECT_EQ(next(true), 0);
}

TEST(BrokerFaultStory, ADeadLetterComesAtOnceOrAfterItsDelay) {
  const auto stored_after = [](bool faulty) {
    NewRelease cluster;
    cluster.config.profile.dead_letter_is_delayed = faulty;
    cluster.Begin();
    SendMessageRequest request = cluster.Message(0);
    request.topic = cluster.Intern("%RETRY%g");
    auto properties = std::make_shared<SendProperties>();
    properties->delay_level = 6;
    properties->reconsume_times = 4;
    properties->max_reconsume_times = 3;
    properties->origin.topic = cluster.topic;
    request.properties = std::move(properties);
    const Duration sent = cluster.now();
    EXPECT_EQ(cluster.Code(request), ResponseCode::kSuccess);
    cluster.RunFor(150s);
    for (const Fact& fact : cluster.FactsOf(FactKind::STORED)) {
      if (fact.topic == cluster.Intern("%DLQ%g").id()) {
        return fact.time.since_start() - sent;
      }
    }
    return Duration::Max();
  };
  EXPECT_LE(stored_after(false), Duration(10ms));
  // Level 6 is 2 minutes.
  EXPECT_GE(stored_after(true), Duration(120s));
  EXPECT_LE(stored_after(true), Duration(120s + 200ms));
}

TEST(BrokerReleaseStory, OffsetsAreResetByTheBrokerOrByTheMembers) {
  const auto notices = [](Release& release) {
    release.Begin();
    for (int32_t id = 0; id < 4; ++id) release.Code(release.Commit(id, 0));
    OffsetAdmin::Target target;
    target.group = release.group;
    target.topic = release.topic;
    release.world.At(release.world.now(), [&] {
      EXPECT_EQ(release.broker->ResetOffsets(target), 4);
    });
    release.RunFor(2ms);
    return release.client->process->resets.size();
  };
  NewRelease now;
  EXPECT_EQ(notices(now), 0u);
  OldRelease before;
  EXPECT_EQ(notices(before), 1u);
}

}  // namespace
}  // namespace groupsim
