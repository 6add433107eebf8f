// Members: who counts, who is told, who is forgotten.
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ClientsTest : public ::testing::Test {
 protected:
  void Start() {
    cluster_.Start();
    a_ = &cluster_.AddClient("a");
    b_ = &cluster_.AddClient("b");
  }
  void Beat(Cluster::Client& client, std::vector<SubscriptionData> what) {
    EXPECT_TRUE(cluster_.Do(client, cluster_.Heartbeat(client, std::move(what)))
                    .result->ok());
    cluster_.RunFor(1ms);
  }
  void Beat(Cluster::Client& client) {
    Beat(client, {cluster_.Subscription("t")});
  }
  Answer Leave(Cluster::Client& client) {
    UnregisterClientRequest request;
    request.client_id = client.name;
    request.consumer_group = cluster_.group;
    const Answer answer = cluster_.Do(client, request);
    cluster_.RunFor(1ms);
    return answer;
  }
  Answer Members(Cluster::Client& client) {
    GetConsumerListRequest request;
    request.group = cluster_.group;
    return cluster_.Do(client, request);
  }
  std::vector<std::string> Log() {
    std::vector<std::string> log = cluster_.MemberLog();
    cluster_.ForgetFacts();
    return log;
  }

  Cluster cluster_;
  Cluster::Client* a_ = nullptr;
  Cluster::Client* b_ = nullptr;
};

TEST_F(ClientsTest, ANewMemberIsToldToEverybodyItselfIncluded) {
  Start();
  Beat(*a_);
  EXPECT_THAT(Log(), ElementsAre("joined a", "notified 1"));
  EXPECT_THAT(a_->process->notices, ElementsAre(cluster_.group));
  Beat(*b_);
  EXPECT_THAT(Log(), ElementsAre("joined b", "notified 2"));
  EXPECT_THAT(a_->process->notices, SizeIs(2));
  EXPECT_THAT(b_->process->notices, SizeIs(1));
  // Repetition tells nobody.
  Beat(*a_);
  Beat(*b_);
  EXPECT_THAT(Log(), IsEmpty());
}

TEST_F(ClientsTest, AnotherSetOfTopicsIsToldAnotherExpressionIsNot) {
  Start();
  Beat(*a_, {cluster_.Subscription("t", {"red"}, 1)});
  Log();
  Beat(*a_, {cluster_.Subscription("t", {"blue"}, 2)});
  EXPECT_THAT(Log(), IsEmpty());
  Beat(*a_, {cluster_.Subscription("t"), cluster_.Subscription("u")});
  EXPECT_THAT(Log(), ElementsAre("notified 1"));
  Beat(*a_, {cluster_.Subscription("u")});
  EXPECT_THAT(Log(), ElementsAre("notified 1"));
}

TEST_F(ClientsTest, MembersWithDifferentTopicsTellEverybodyAtEachHeartbeat) {
  Start();
  Beat(*a_, {cluster_.Subscription("t")});
  Beat(*b_, {cluster_.Subscription("u")});
  Log();
  for (int i = 0; i < 3; ++i) {
    Beat(*a_, {cluster_.Subscription("t")});
    EXPECT_THAT(Log(), ElementsAre("notified 2"));
    Beat(*b_, {cluster_.Subscription("u")});
    EXPECT_THAT(Log(), ElementsAre("notified 2"));
    // Pulls of the topic that is missing just now are refused.
    EXPECT_EQ(cluster_.Do(*a_, cluster_.Pull(0, 0)).code(),
              ResponseCode::kSubscriptionNotExist);
  }
}

TEST_F(ClientsTest, UnregisteringTellsThoseWhoStay) {
  Start();
  Beat(*a_);
  Beat(*b_);
  Log();
  EXPECT_TRUE(Leave(*a_).result->ok());
  EXPECT_THAT(Log(), ElementsAre("left a 1", "notified 1"));
  EXPECT_THAT(*Members(*b_).body<GetConsumerListReply>().client_ids,
              ElementsAre(b_->name));
  // Once more: nothing was removed, and still they are told.
  Leave(*a_);
  EXPECT_THAT(Log(), ElementsAre("notified 1"));
  // The last one goes: nobody is left to be told.
  Leave(*b_);
  EXPECT_THAT(Log(), ElementsAre("left b 1"));
  EXPECT_EQ(Members(*b_).code(), ResponseCode::kSystemError);
}

TEST_F(ClientsTest, AClosedConnectionIsToldWithinAOneWayTime) {
  Start();
  Beat(*a_);
  Beat(*b_);
  Log();
  const size_t told = b_->process->notices.size();
  a_->host->Crash();
  cluster_.RunFor(2 * kOneWay + 10us);
  EXPECT_THAT(Log(), ElementsAre("left a 2", "notified 1"));
  EXPECT_THAT(b_->process->notices, SizeIs(told + 1));
}

TEST_F(ClientsTest, ASilentMemberExpiresWithoutAWord) {
  Start();
  Beat(*b_);
  Beat(*a_);
  const Duration last = cluster_.now();
  Log();
  const size_t told = b_->process->notices.size();
  a_->host->Vanish();
  // The broker goes on writing to it, so that the connection is not idle.
  for (int i = 0; i < 5; ++i) {
    cluster_.RunFor(29s);
    Beat(*b_);
    if (i == 2) {
      Beat(*b_, {cluster_.Subscription("t"), cluster_.Subscription("u")});
      Beat(*b_);
    }
  }
  const std::vector<Fact> removed = cluster_.FactsOf(FactKind::MEMBER_REMOVED);
  ASSERT_THAT(removed, SizeIs(1));
  EXPECT_EQ(removed[0].count,
            static_cast<int64_t>(MemberRemovalCause::kExpired));
  EXPECT_EQ(removed[0].value, a_->name.id());
  EXPECT_GT(removed[0].time.since_start() - last, Duration(119s));
  EXPECT_LE(removed[0].time.since_start() - last, Duration(130s));
  // Scans come every 10 s of the broker's life.
  EXPECT_EQ(removed[0].time.since_start() % Duration(10s), Duration(100ms));
  EXPECT_THAT(Log(), ElementsAre("notified 2", "notified 2", "left a 4"));
  EXPECT_EQ(b_->process->notices.size(), told + 2);
}

TEST_F(ClientsTest, AnIdleConnectionIsToldIfItEndsBeforeTheScan) {
  cluster_.config.settings.server_channel_max_idle_time_seconds = 60s;
  Start();
  Beat(*a_);
  Beat(*b_);
  Log();
  a_->host->Vanish();
  cluster_.RunFor(30s);
  Beat(*b_);
  cluster_.RunFor(32s);
  EXPECT_THAT(Log(), ElementsAre("left a 3", "notified 1"));
}

TEST_F(ClientsTest, BroadcastGroupsAreNotTold) {
  Start();
  ConsumerData data;
  data.group = cluster_.group;
  data.model = MessageModel::kBroadcasting;
  cluster_.Do(*a_, cluster_.Heartbeat(*a_, data));
  cluster_.RunFor(5ms);
  cluster_.Do(*b_, cluster_.Heartbeat(*b_, data));
  Leave(*a_);
  b_->host->Crash();
  cluster_.RunFor(5ms);
  EXPECT_THAT(Log(),
              ElementsAre("joined a", "joined b", "left a 1", "left b 2"));
}

TEST_F(ClientsTest, TheGroupsSwitchDoesNotHoldForClosedConnections) {
  SubscriptionGroupConfig group;
  group.group_name = cluster_.group;
  group.notify_consumer_ids_changed_enable = false;
  cluster_.config.groups.push_back(group);
  Start();
  Beat(*a_);
  Beat(*b_);
  Leave(*a_);
  Beat(*a_);
  EXPECT_THAT(Log(),
              ElementsAre("joined a", "joined b", "left a 1", "joined a"));
  b_->host->Crash();
  cluster_.RunFor(5ms);
  EXPECT_THAT(Log(), ElementsAre("left b 2", "notified 1"));
}

TEST_F(ClientsTest, TheBrokersSwitchSilencesEverything) {
  cluster_.config.settings.notify_consumer_ids_changed_enable = false;
  Start();
  Beat(*a_);
  Beat(*b_);
  b_->host->Crash();
  cluster_.RunFor(5ms);
  EXPECT_THAT(Log(), ElementsAre("joined a", "joined b", "left b 2"));
}

TEST_F(ClientsTest, ChangesCanBeToldInBatches) {
  cluster_.config.settings.real_time_notify_consumer_change = false;
  Start();
  Beat(*a_);
  Beat(*b_);
  cluster_.RunUntil(30s + 99ms);
  EXPECT_THAT(Log(), ElementsAre("joined a", "joined b"));
  cluster_.RunFor(2ms);
  EXPECT_THAT(Log(), ElementsAre("notified 2"));
  cluster_.RunFor(15s);
  EXPECT_THAT(Log(), IsEmpty());
  Leave(*b_);
  cluster_.RunUntil(60s + 101ms);
  EXPECT_THAT(Log(), ElementsAre("left b 1", "notified 1"));
}

TEST_F(ClientsTest, AClientIdOnTwoConnectionsIsListedTwice) {
  Start();
  Beat(*a_);
  HeartbeatRequest request =
      cluster_.Heartbeat(*b_, {cluster_.Subscription("t")});
  request.client_id = a_->name;
  cluster_.Do(*b_, request);
  EXPECT_THAT(*Members(*b_).body<GetConsumerListReply>().client_ids,
              ElementsAre(a_->name, a_->name));
}

TEST_F(ClientsTest, AnUnknownGroupHasNoList) {
  Start();
  EXPECT_EQ(Members(*a_).code(), ResponseCode::kSystemError);
}

TEST_F(ClientsTest, TheFirstHeartbeatCreatesTheRetryTopic) {
  Start();
  const Name retry = cluster_.Intern("%RETRY%g");
  EXPECT_EQ(cluster_.disk.topics.Find(retry), nullptr);
  Beat(*a_);
  const auto* topic = cluster_.disk.topics.Find(retry);
  ASSERT_NE(topic, nullptr);
  EXPECT_EQ(topic->config.read_queue_nums, 1);
  EXPECT_EQ(topic->config.write_queue_nums, 1);
  EXPECT_FALSE(topic->config.order);
  // The name server knows it before the member is registered.
  const auto registered = cluster_.FactsOf(FactKind::BROKER_REGISTERED);
  const auto joined = cluster_.FactsOf(FactKind::MEMBER_REGISTERED);
  ASSERT_THAT(registered, SizeIs(2));
  EXPECT_EQ(registered[1].count, 1);
  EXPECT_EQ(joined[0].time - registered[1].time, kOneWay);
  GetRouteInfoRequest route;
  route.topic = retry;
  EXPECT_EQ(cluster_.DoAtNameServer(*a_, route).code(), ResponseCode::kSuccess);
}

TEST_F(ClientsTest, TheRetryTopicFollowsTheGroupsConfigurationAndOrderFlag) {
  cluster_.config.topics[0].order = true;
  SubscriptionGroupConfig group;
  group.group_name = cluster_.group;
  group.retry_queue_nums = 3;
  cluster_.config.groups.push_back(group);
  Start();
  Beat(*a_);
  const Name retry = cluster_.Intern("%RETRY%g");
  ASSERT_NE(cluster_.disk.topics.Find(retry), nullptr);
  EXPECT_EQ(cluster_.disk.topics.Find(retry)->config.read_queue_nums, 3);
  EXPECT_TRUE(cluster_.disk.topics.Find(retry)->config.order);
  Beat(*a_, {cluster_.Subscription("u")});
  EXPECT_FALSE(cluster_.disk.topics.Find(retry)->config.order);
}

TEST_F(ClientsTest, ASilentNameServerDelaysTheFirstHeartbeatOfAGroup) {
  Start();
  cluster_.name_server_host->Vanish();
  const AnswerPtr first =
      cluster_.Ask(*a_, cluster_.Heartbeat(*a_, {cluster_.Subscription("t")}));
  cluster_.RunFor(1s);
  EXPECT_FALSE(first->done());
  // The topic is there, so that another member does not wait.
  Beat(*b_);
  EXPECT_THAT(Log(), ElementsAre("joined b", "notified 1"));
  cluster_.RunFor(24s);
  EXPECT_TRUE(first->done());
  EXPECT_THAT(Log(), ElementsAre("joined a", "notified 2"));
}

TEST_F(ClientsTest, AGroupThatMayNotBeCreatedIsSkippedInSilence) {
  cluster_.config.settings.auto_create_subscription_group = false;
  Start();
  Beat(*a_);
  EXPECT_THAT(Log(), IsEmpty());
  EXPECT_EQ(cluster_.Do(*a_, cluster_.Pull(0, 0)).code(),
            ResponseCode::kSubscriptionGroupNotExist);
}

TEST_F(ClientsTest, ASilentProducerIsDisconnected) {
  Start();
  HeartbeatRequest beat;
  beat.client_id = a_->name;
  beat.producer_groups = std::make_shared<const std::vector<Name>>(
      std::vector<Name>{cluster_.Intern("p")});
  cluster_.Do(*a_, beat);
  for (int i = 0; i < 13; ++i) {
    cluster_.RunFor(10s);
    if (!a_->process->closed.empty()) break;
    cluster_.Do(*a_, cluster_.Message(0));  // Not idle.
  }
  EXPECT_THAT(a_->process->closed, ElementsAre(CloseReason::kRemote));
  EXPECT_GT(cluster_.now(), Duration(120s));
}

}  // namespace
}  // namespace groupsim
