// A producer and its sends.
#include "model/client/producer.h"

#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "tests/model/client/scripted_cluster.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ProducerTest : public ::testing::Test {
 protected:
  void Begin() {
    host_ = &cluster_.AddProducer();
    host_->Start();
  }
  void SendAt(Duration when, int count = 1) {
    cluster_.At(when, [this, count] {
      for (int i = 0; i < count; ++i) {
        OutgoingMessage message;
        message.topic = cluster_.N("t");
        message.scheduled = cluster_.world.now();
        cluster_.producer->Send(message);
      }
    });
  }
  // Broker and queue of each SENT, in order.
  std::vector<std::string> SentTo() {
    std::vector<std::string> queues;
    for (const std::string& line : cluster_.FactsOf({FactKind::SENT})) {
      const size_t from = line.find(" SENT ") + 6;
      queues.push_back(line.substr(from, line.find(' ', from) - from));
    }
    return queues;
  }
  void Refuse(const std::string& broker, ResponseCode code) {
    cluster_.script(broker).answer[RequestCode::kSendMessageV2] =
        [code](const Request&) { return Reply(code); };
  }

  ScriptedCluster cluster_{2, 2};
  Host* host_ = nullptr;
};

TEST_F(ProducerTest, LearnsTheRouteAtTheFirstSendAndGoesRoundTheQueues) {
  Begin();
  for (int i = 0; i < 8; ++i) SendAt(Duration::Millis(100 + 20 * i));
  cluster_.RunUntil(1s);
  EXPECT_THAT(cluster_.RequestsWith({"GET_ROUTEINFO_BY_TOPIC"}),
              ElementsAre("101 n1 GET_ROUTEINFO_BY_TOPIC t"));
  const std::vector<std::string> queues = SentTo();
  ASSERT_THAT(queues, SizeIs(8));
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(queues[i], queues[i + 4]);
    for (size_t j = i + 1; j < 4; ++j) EXPECT_NE(queues[i], queues[j]);
  }
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}), IsEmpty());
}

TEST_F(ProducerTest, ASendThatABrokerRefusesGoesToAnother) {
  Refuse("b1", ResponseCode::kSystemBusy);
  Begin();
  for (int i = 0; i < 4; ++i) SendAt(Duration::Millis(100 + 20 * i));
  cluster_.RunUntil(1s);
  const std::vector<std::string> queues = SentTo();
  ASSERT_THAT(queues, SizeIs(4));
  for (const std::string& queue : queues) EXPECT_EQ(queue.substr(0, 2), "b2");
  EXPECT_FALSE(cluster_.RequestsWith({"b1"}).empty());
}

TEST_F(ProducerTest, ARefusalForGoodIsNotRepeated) {
  Refuse("b1", ResponseCode::kMessageIllegal);
  Refuse("b2", ResponseCode::kMessageIllegal);
  Begin();
  SendAt(100ms);
  cluster_.RunUntil(10s);
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}), SizeIs(1));
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}),
              ElementsAre("104 SEND_FAILED 0 1 100000000"));
}

TEST_F(ProducerTest, ThreeAttemptsAreAll) {
  Refuse("b1", ResponseCode::kSystemBusy);
  Refuse("b2", ResponseCode::kSystemBusy);
  Begin();
  SendAt(100ms);
  cluster_.RunUntil(10s);
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}), SizeIs(3));
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}), SizeIs(1));
}

TEST_F(ProducerTest, AnAttemptThatTimesOutLeavesNoTimeForAnother) {
  cluster_.script("b1").silent.insert(RequestCode::kSendMessageV2);
  cluster_.script("b2").silent.insert(RequestCode::kSendMessageV2);
  Begin();
  SendAt(100ms);
  cluster_.RunUntil(10s);
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}), SizeIs(1));
  const std::vector<std::string> failed =
      cluster_.FactsOf({FactKind::SEND_FAILED});
  ASSERT_THAT(failed, SizeIs(1));
  EXPECT_EQ(failed[0].substr(0, 4), "3100");
}

TEST_F(ProducerTest, AnUnreachableBrokerIsLeftOut) {
  Begin();
  cluster_.host("b1").Stop();
  for (int i = 0; i < 4; ++i) SendAt(Duration::Millis(100 + 20 * i));
  cluster_.RunUntil(1s);
  EXPECT_THAT(SentTo(), SizeIs(4));
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}), IsEmpty());
}

TEST_F(ProducerTest, WithoutRouteASendFails) {
  cluster_.RemoveRoute("t");
  Begin();
  SendAt(100ms);
  cluster_.RunUntil(1s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}),
              ElementsAre("102 SEND_FAILED 0 0 100000000"));
}

TEST_F(ProducerTest, FixedQueuesAreTakenInTurnWithOneAttemptEach) {
  cluster_.producer_config.queues = {cluster_.Queue("b2#1"),
                                     cluster_.Queue("b1#0")};
  Begin();
  for (int i = 0; i < 3; ++i) SendAt(Duration::Millis(100 + 20 * i));
  cluster_.At(200ms, [&] { Refuse("b1", ResponseCode::kSystemBusy); });
  SendAt(300ms);
  cluster_.RunUntil(1s);
  EXPECT_THAT(SentTo(), ElementsAre("b2#1", "b1#0", "b2#1"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}), SizeIs(1));
}

TEST_F(ProducerTest, SendsBeyondTheLimitWaitTheirTurn) {
  cluster_.producer_config.settings.max_in_flight = 2;
  cluster_.script("b1").delay[RequestCode::kSendMessageV2] = 10ms;
  cluster_.script("b2").delay[RequestCode::kSendMessageV2] = 10ms;
  Begin();
  SendAt(100ms);  // So that the route and both connections are there.
  SendAt(120ms);
  SendAt(140ms);
  SendAt(160ms);
  SendAt(200ms, 5);
  cluster_.At(201ms, [&] {
    EXPECT_EQ(cluster_.producer->in_flight(), 2);
    EXPECT_EQ(cluster_.producer->waiting(), 3u);
  });
  cluster_.RunUntil(199ms);
  cluster_.requests.clear();
  cluster_.RunUntil(1s);
  std::vector<std::string> times;
  for (const std::string& line : cluster_.RequestsWith({"SEND_MESSAGE_V2"})) {
    times.push_back(line.substr(0, 3));
  }
  EXPECT_THAT(times, ElementsAre("200", "200", "211", "211", "222"));
  EXPECT_EQ(cluster_.producer->in_flight(), 0);
}

TEST_F(ProducerTest, AnAsynchronousSendIsNotRepeatedAfterAReply) {
  cluster_.producer_config.mode = SendMode::kAsync;
  Refuse("b1", ResponseCode::kSystemBusy);
  Refuse("b2", ResponseCode::kSystemBusy);
  Begin();
  SendAt(100ms);
  cluster_.RunUntil(10s);
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}), SizeIs(1));
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}), SizeIs(1));
}

TEST_F(ProducerTest, AnAsynchronousSendGoesToAnotherBrokerIfOneIsNotReached) {
  cluster_.producer_config.mode = SendMode::kAsync;
  cluster_.host("b1").Stop();
  Begin();
  SendAt(100ms, 4);
  cluster_.RunUntil(10s);
  const std::vector<std::string> queues = SentTo();
  ASSERT_THAT(queues, SizeIs(4));
  for (const std::string& queue : queues) EXPECT_EQ(queue.substr(0, 2), "b2");
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}), IsEmpty());
}

TEST_F(ProducerTest, AnAsynchronousSendExpiresAtAScan) {
  cluster_.producer_config.mode = SendMode::kAsync;
  cluster_.script("b1").silent.insert(RequestCode::kSendMessageV2);
  cluster_.script("b2").silent.insert(RequestCode::kSendMessageV2);
  Begin();
  SendAt(100ms);
  cluster_.RunUntil(10s);
  // 3 s, a second of grace, then the next scan, on whole seconds.
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}),
              ElementsAre("5000 SEND_FAILED 0 1 100000000"));
}

TEST_F(ProducerTest, ManyAsynchronousSendsThatFailAtOnceDoNotPileUp) {
  cluster_.producer_config.mode = SendMode::kAsync;
  cluster_.producer_config.settings.max_in_flight = 1;
  cluster_.RemoveRoute("t");
  Begin();
  SendAt(100ms, 1'000);
  cluster_.RunUntil(10s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}), SizeIs(1'000));
  EXPECT_EQ(cluster_.producer->in_flight(), 0);
}

TEST_F(ProducerTest, SendsHeartbeatsToMastersAndLeavesThemAtItsEnd) {
  Begin();
  SendAt(100ms);
  cluster_.RunUntil(32s);
  EXPECT_THAT(cluster_.RequestsWith({"HEART_BEAT"}), SizeIs(testing::Ge(4u)));
  cluster_.requests.clear();
  cluster_.At(33s, [&] { host_->Stop(); });
  cluster_.RunUntil(34s);
  EXPECT_EQ(host_->state(), HostState::kStopped);
  EXPECT_THAT(cluster_.requests,
              ElementsAre("33000 b2 UNREGISTER_CLIENT pg",
                          "33001 b1 UNREGISTER_CLIENT pg",
                          "33002 b2 UNREGISTER_CLIENT CLIENT_INNER_PRODUCER",
                          "33003 b1 UNREGISTER_CLIENT CLIENT_INNER_PRODUCER"));
}

TEST_F(ProducerTest, SendsUnderWayAtItsEndHaveFailed) {
  cluster_.script("b1").silent.insert(RequestCode::kSendMessageV2);
  cluster_.script("b2").silent.insert(RequestCode::kSendMessageV2);
  cluster_.producer_config.settings.max_in_flight = 2;
  Begin();
  SendAt(100ms, 5);
  cluster_.At(200ms, [&] { host_->Stop(); });
  cluster_.RunUntil(1s);
  EXPECT_EQ(host_->state(), HostState::kStopped);
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}), SizeIs(5));
  EXPECT_EQ(cluster_.world.frame_pool().live_frames(), 0);
}

}  // namespace
}  // namespace groupsim
