#include "model/namesrv/name_server.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Brokers are clients here that register by hand.
class NameServerTest : public ::testing::Test {
 protected:
  void Start() {
    cluster_.name_server_host->Start();
    cluster_.RunFor(100ms);
    broker_ = &cluster_.AddClient("broker-process");
    client_ = &cluster_.AddClient("c-1");
  }
  RegisterBrokerRequest Registration() {
    RegisterBrokerRequest request;
    request.cluster = cluster_.config.cluster;
    request.broker = cluster_.broker_name;
    request.address = cluster_.config.address;
    request.topics = std::make_shared<const std::vector<TopicConfig>>(
        std::vector<TopicConfig>{cluster_.Topic("t", 4),
                                 cluster_.Topic("u", 4)});
    return request;
  }
  Answer Do(Cluster::Client& client, Request request) {
    return cluster_.DoAtNameServer(client, std::move(request));
  }
  bool HasRoute() {
    GetRouteInfoRequest request;
    request.topic = cluster_.topic;
    return Do(*client_, request).code() == ResponseCode::kSuccess;
  }
  std::vector<Fact> Removed() {
    return cluster_.FactsOf(FactKind::BROKER_REMOVED);
  }

  Cluster cluster_;
  Cluster::Client* broker_ = nullptr;
  Cluster::Client* client_ = nullptr;
};

TEST_F(NameServerTest, AnswersRoutesOfRegisteredTopics) {
  Start();
  EXPECT_FALSE(HasRoute());
  EXPECT_TRUE(Do(*broker_, Registration()).result->ok());
  GetRouteInfoRequest request;
  request.topic = cluster_.topic;
  const Answer answer = Do(*client_, request);
  const TopicRoutePtr route = answer.body<GetRouteInfoReply>().route;
  ASSERT_NE(route, nullptr);
  EXPECT_EQ(route->brokers[0].addresses.at(kMasterId), cluster_.config.address);
  const auto registered = cluster_.FactsOf(FactKind::BROKER_REGISTERED);
  ASSERT_THAT(registered, SizeIs(1));
  EXPECT_EQ(registered[0].broker, cluster_.broker_name.id());
  EXPECT_EQ(registered[0].count, 2);
  request.topic = cluster_.Intern("nothing");
  EXPECT_EQ(Do(*client_, request).code(), ResponseCode::kTopicNotExist);
}

TEST_F(NameServerTest, ASingleTopicOfAnUnknownBrokerIsAnError) {
  Start();
  RegisterBrokerRequest request = Registration();
  request.topics = std::make_shared<const std::vector<TopicConfig>>(
      std::vector<TopicConfig>{cluster_.Topic("t", 4)});
  EXPECT_EQ(Do(*broker_, request).code(), ResponseCode::kSystemError);
  EXPECT_THAT(cluster_.FactsOf(FactKind::BROKER_REGISTERED), IsEmpty());
}

TEST_F(NameServerTest, AnUnregistrationIsAnsweredBeforeItIsCarriedOut) {
  Start();
  Do(*broker_, Registration());
  UnregisterBrokerRequest request;
  request.cluster = cluster_.config.cluster;
  request.broker = cluster_.broker_name;
  request.address = cluster_.config.address;
  // Both come in the same instant, one behind the other.
  const AnswerPtr answer =
      cluster_.Ask(*broker_, cluster_.name_server.address, request);
  GetRouteInfoRequest route;
  route.topic = cluster_.topic;
  const AnswerPtr same_time =
      cluster_.Ask(*broker_, cluster_.name_server.address, route);
  cluster_.RunFor(1ms);
  EXPECT_EQ(answer->code(), ResponseCode::kSuccess);
  EXPECT_EQ(same_time->code(), ResponseCode::kSuccess);
  EXPECT_FALSE(HasRoute());
  ASSERT_THAT(Removed(), SizeIs(1));
  EXPECT_EQ(Removed()[0].count,
            static_cast<int64_t>(BrokerRemovalCause::kUnregistered));
  EXPECT_EQ(Removed()[0].broker, cluster_.broker_name.id());
}

TEST_F(NameServerTest, TooManyUnregistrationsAtOnceAreRefused) {
  cluster_.name_server.settings.un_register_broker_queue_capacity = 2;
  Start();
  Do(*broker_, Registration());
  std::vector<AnswerPtr> answers;
  for (int i = 0; i < 3; ++i) {
    answers.push_back(cluster_.Ask(*broker_, cluster_.name_server.address,
                                   UnregisterBrokerRequest()));
  }
  cluster_.RunFor(1ms);
  EXPECT_EQ(answers[1]->code(), ResponseCode::kSuccess);
  EXPECT_EQ(answers[2]->code(), ResponseCode::kSystemError);
  EXPECT_EQ(Do(*broker_, UnregisterBrokerRequest()).code(),
            ResponseCode::kSuccess);
}

TEST_F(NameServerTest, AClosedConnectionRemovesItsBrokerAtOnce) {
  Start();
  Do(*broker_, Registration());
  broker_->host->Crash();
  cluster_.RunFor(kOneWay + 1us);
  ASSERT_THAT(Removed(), SizeIs(1));
  EXPECT_EQ(Removed()[0].count,
            static_cast<int64_t>(BrokerRemovalCause::kChannelClosed));
  EXPECT_FALSE(HasRoute());
}

TEST_F(NameServerTest, TheLateCloseOfAnOldConnectionIsHarmless) {
  Start();
  Do(*broker_, Registration());
  Do(*client_, Registration());  // The broker, on another connection.
  broker_->host->Crash();
  cluster_.RunFor(1s);
  EXPECT_THAT(Removed(), IsEmpty());
  EXPECT_TRUE(HasRoute());
}

TEST_F(NameServerTest, ASilentBrokerIsRemovedAfter120To125Seconds) {
  for (int i = 0; i < 10; ++i) {
    Cluster cluster;
    cluster.name_server.settings.server_channel_max_idle_time_seconds = 600s;
    cluster.name_server_host->Start();
    cluster.RunFor(500ms * i);
    Cluster::Client& broker = cluster.AddClient("broker-process");
    RegisterBrokerRequest request;
    request.cluster = cluster.config.cluster;
    request.broker = cluster.broker_name;
    request.address = cluster.config.address;
    cluster.DoAtNameServer(broker, request);
    const Instant registered =
        cluster.FactsOf(FactKind::BROKER_REGISTERED)[0].time;
    broker.host->Vanish();
    cluster.RunFor(130s);
    const auto removed = cluster.FactsOf(FactKind::BROKER_REMOVED);
    ASSERT_THAT(removed, SizeIs(1));
    EXPECT_EQ(removed[0].count,
              static_cast<int64_t>(BrokerRemovalCause::kExpired));
    EXPECT_GT(removed[0].time - registered, Duration(120s));
    EXPECT_LE(removed[0].time - registered, Duration(125s) + 1ms);
    // The scan is at 5 ms and every 5 s from there.
    EXPECT_EQ(removed[0].time.since_start() % Duration(5s), Duration(5ms));
  }
}

TEST_F(NameServerTest, ARegistrationMayAskForAShorterTimeout) {
  Start();
  RegisterBrokerRequest request = Registration();
  request.heartbeat_timeout = 10s;
  Do(*broker_, request);
  cluster_.RunUntil(10s);
  EXPECT_THAT(Removed(), IsEmpty());
  cluster_.RunUntil(Duration(15s) + 5ms);
  EXPECT_THAT(Removed(), SizeIs(1));
}

TEST_F(NameServerTest, RegistrationsKeepABrokerAlive) {
  Start();
  for (int i = 0; i < 10; ++i) {
    Do(*broker_, Registration());
    cluster_.RunFor(30s);
  }
  EXPECT_THAT(Removed(), IsEmpty());
}

TEST_F(NameServerTest, AYoungServerCanRefuseRoutes) {
  cluster_.name_server.settings.need_wait_for_service = true;
  Start();
  Do(*broker_, Registration());
  EXPECT_FALSE(HasRoute());
  cluster_.RunUntil(44s + 990ms);
  EXPECT_FALSE(HasRoute());
  cluster_.RunUntil(45s);
  EXPECT_TRUE(HasRoute());
}

TEST_F(NameServerTest, ARestartForgetsEverything) {
  Start();
  Do(*broker_, Registration());
  cluster_.name_server_host->Stop();
  cluster_.RunFor(1s);
  cluster_.name_server_host->Start();
  cluster_.RunFor(1s);
  EXPECT_FALSE(HasRoute());
}

TEST_F(NameServerTest, OtherRequestsAreNotSupported) {
  Start();
  EXPECT_EQ(Do(*client_, GetMaxOffsetRequest()).code(),
            ResponseCode::kRequestCodeNotSupported);
  EXPECT_EQ(Do(*client_, Request()).code(),
            ResponseCode::kRequestCodeNotSupported);
}

}  // namespace
}  // namespace groupsim
