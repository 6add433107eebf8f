// A producer and its sends.
#include "model/client/producer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
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
  void SendAt(Duration when, const std::function<void(OutgoingMessage&)>& as) {
    cluster_.At(when, [this, as] {
      OutgoingMessage message;
      message.topic = cluster_.N("t");
      message.scheduled = cluster_.world.now();
      as(message);
      cluster_.producer->Send(message);
    });
  }
  void SendKeyAt(Duration when, uint64_t key) {
    SendAt(when, [key](OutgoingMessage& message) {
      message.selector = QueueSelector::kByHash;
      message.key = key;
    });
  }
  // Broker and queue of each SENT, in order.
  std::vector<std::string> SentTo(FactKind kind = FactKind::SENT) {
    std::vector<std::string> queues;
    for (const std::string& line : cluster_.FactsOf({kind})) {
      const size_t from = line.find(" SENT") + 1;
      const size_t queue = line.find(' ', from) + 1;
      queues.push_back(line.substr(queue, line.find(' ', queue) - queue));
    }
    return queues;
  }
  // Stores the message, but not as it should be.
  void StoreBadly(const std::string& broker) {
    cluster_.script(broker).answer[RequestCode::kSendMessageV2] =
        [](const Request& request) {
          SendMessageReply reply;
          reply.queue_id = std::get<SendMessageRequest>(request.body).queue_id;
          return Reply(ResponseCode::kFlushSlaveTimeout, reply);
        };
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
              ElementsAre("104 SEND_FAILED 13 1 100000000"));
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
              ElementsAre("103 SEND_FAILED 0 0 100000000"));
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
              ElementsAre("5000 SEND_FAILED -1 1 100000000"));
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

TEST_F(ProducerTest, ATopicThatNobodyKnowsGetsTheRouteOfTheTemplate) {
  cluster_.RemoveRoute("t");
  cluster_.SetRoute("TBW102", {"b1", "b2"}, 8);
  Begin();
  for (int i = 0; i < 16; ++i) SendAt(Duration::Millis(100 + 20 * i));
  cluster_.RunUntil(1s);
  EXPECT_THAT(cluster_.RequestsWith({"GET_ROUTEINFO_BY_TOPIC"}),
              ElementsAre("101 n1 GET_ROUTEINFO_BY_TOPIC t",
                          "102 n1 GET_ROUTEINFO_BY_TOPIC TBW102"));
  const std::vector<std::string> queues = SentTo();
  // Four of the eight queues on each broker: defaultTopicQueueNums.
  EXPECT_THAT(std::set<std::string>(queues.begin(), queues.end()),
              ElementsAre("b1#0", "b1#1", "b1#2", "b1#3", "b2#0", "b2#1",
                          "b2#2", "b2#3"));
}

// A failure of the transport is no answer: upstream throws it at the sender.
TEST_F(ProducerTest, WithoutANameServerASendFailsAtTheFirstTimeOut) {
  for (const SendMode mode : {SendMode::kSync, SendMode::kAsync}) {
    ScriptedCluster cluster(2, 2);
    cluster.producer_config.mode = mode;
    cluster.producer_config.settings.send_msg_timeout = 10s;
    cluster.script("n1").silent.insert(RequestCode::kGetRouteInfoByTopic);
    cluster.AddProducer().Start();
    cluster.At(100ms, [&cluster] {
      OutgoingMessage message;
      message.topic = cluster.N("t");
      cluster.producer->Send(message);
    });
    cluster.RunUntil(9s);
    EXPECT_THAT(cluster.RequestsWith({"TBW102"}), IsEmpty());
    EXPECT_THAT(cluster.FactsOf({FactKind::SEND_FAILED}),
                ElementsAre("3100 SEND_FAILED 0 0 0"));
  }
}

// Of a message that waits the answer has no place in its queue.
TEST_F(ProducerTest, AMessageThatWaitsIsSentToNoPlaceYet) {
  cluster_.producer_config.delay_level = 3;
  cluster_.RemoveRoute("t");
  cluster_.SetRoute("t", {"b1"}, 1);
  Begin();
  SendAt(100ms);
  cluster_.RunUntil(1s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::SENT}),
      ElementsAre(testing::MatchesRegex("10[0-9] SENT b1#0 -1 1 100000000")));
}

TEST_F(ProducerTest, TheTopicsOwnRouteReplacesTheTemplatesAtTheNextRefresh) {
  cluster_.RemoveRoute("t");
  cluster_.SetRoute("TBW102", {"b1", "b2"}, 8);
  Begin();
  SendAt(100ms);
  cluster_.At(1s, [&] { cluster_.SetRoute("t", {"b2"}, 1); });
  SendAt(29s);
  SendAt(31s, 2);  // Routes are refreshed at 10 ms and 30,010 ms.
  cluster_.RunUntil(32s);
  const std::vector<std::string> queues = SentTo();
  ASSERT_THAT(queues, SizeIs(4));
  EXPECT_EQ(queues[2], "b2#0");
  EXPECT_EQ(queues[3], "b2#0");
}

TEST_F(ProducerTest, AOneWaySendIsOverWhenItIsSent) {
  cluster_.producer_config.mode = SendMode::kOneway;
  cluster_.host("b1").Stop();
  Begin();
  SendAt(100ms, 4);
  cluster_.RunUntil(10s);
  // Half of them go to a broker that is not there, and nobody knows.
  EXPECT_THAT(SentTo(FactKind::SENT_ONEWAY), SizeIs(4));
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}), SizeIs(2));
  EXPECT_THAT(cluster_.FactsOf({FactKind::SENT, FactKind::SEND_FAILED}),
              IsEmpty());
  EXPECT_EQ(cluster_.producer->in_flight(), 0);
}

TEST_F(ProducerTest, AKeyHasItsQueueUntilTheNumberOfQueuesChanges) {
  Begin();
  SendKeyAt(100ms, 5);
  SendKeyAt(200ms, 5);
  SendKeyAt(300ms, 6);
  cluster_.At(1s, [&] { cluster_.SetRoute("t", {"b1", "b2"}, 3); });
  SendKeyAt(29s, 5);
  SendKeyAt(31s, 5);
  SendKeyAt(31s, 6);
  cluster_.RunUntil(32s);
  // Of four queues the places 1 and 2; of six the places 5 and 0.
  EXPECT_THAT(SentTo(),
              ElementsAre("b1#1", "b1#1", "b2#0", "b1#1", "b2#2", "b1#0"));
}

TEST_F(ProducerTest, ASendToASelectedQueueHasOneAttempt) {
  Refuse("b1", ResponseCode::kSystemBusy);
  Begin();
  SendKeyAt(100ms, 1);
  SendAt(200ms, [](OutgoingMessage& message) {
    message.selector = QueueSelector::kRandom;
  });
  cluster_.RunUntil(10s);
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}), SizeIs(2));
  EXPECT_EQ(cluster_.FactsOf({FactKind::SEND_FAILED}).at(0),
            "104 SEND_FAILED 2 1 100000000");
}

TEST_F(ProducerTest, ARandomQueueIsAnyOfThem) {
  Begin();
  for (int i = 0; i < 40; ++i) {
    SendAt(Duration::Millis(100 + 20 * i), [](OutgoingMessage& message) {
      message.selector = QueueSelector::kRandom;
    });
  }
  cluster_.RunUntil(2s);
  const std::vector<std::string> queues = SentTo();
  EXPECT_THAT(std::set<std::string>(queues.begin(), queues.end()), SizeIs(4));
}

TEST_F(ProducerTest, TooLargeABodyIsNotSent) {
  cluster_.producer_config.settings.max_message_size = 1'000;
  Begin();
  SendAt(100ms, [](OutgoingMessage& message) { message.body_size = 1'001; });
  SendAt(200ms, [](OutgoingMessage& message) { message.body_size = 1'000; });
  cluster_.RunUntil(1s);
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}), SizeIs(1));
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}),
              ElementsAre("100 SEND_FAILED 13 0 100000000"));
  EXPECT_THAT(SentTo(), SizeIs(1));
}

TEST_F(ProducerTest, WhatIsStoredBadlyIsSentAllTheSame) {
  StoreBadly("b1");
  StoreBadly("b2");
  Begin();
  SendAt(100ms);
  cluster_.RunUntil(1s);
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}), SizeIs(1));
  EXPECT_THAT(SentTo(), SizeIs(1));
}

TEST_F(ProducerTest, WhatIsStoredBadlyIsTriedElsewhereIfThatIsWanted) {
  cluster_.producer_config.settings.retry_another_broker_when_not_store_ok =
      true;
  StoreBadly("b1");
  Begin();
  SendAt(100ms);
  SendAt(200ms);
  SendAt(300ms);
  cluster_.RunUntil(1s);
  for (const std::string& queue : SentTo()) {
    EXPECT_EQ(queue.substr(0, 2), "b2");
  }
  EXPECT_THAT(SentTo(), SizeIs(3));
  EXPECT_FALSE(cluster_.RequestsWith({"b1"}).empty());
}

TEST_F(ProducerTest, IfNoBrokerDoesBetterABadStoreIsASuccess) {
  cluster_.producer_config.settings.retry_another_broker_when_not_store_ok =
      true;
  StoreBadly("b1");
  Refuse("b2", ResponseCode::kMessageIllegal);
  Begin();
  SendAt(100ms);
  SendAt(200ms);
  SendAt(300ms);
  SendAt(400ms);
  cluster_.RunUntil(1s);
  // Those that b1 has stored, whatever b2 says afterwards; but what b2 refuses
  // first has failed.
  const size_t sent = SentTo().size();
  EXPECT_GT(sent, 0u);
  EXPECT_EQ(cluster_.FactsOf({FactKind::SEND_FAILED}).size(), 4 - sent);
  for (const std::string& queue : SentTo()) {
    EXPECT_EQ(queue.substr(0, 2), "b1");
  }
}

TEST_F(ProducerTest, ALimitForEachAttemptLeavesTimeForAnother) {
  cluster_.producer_config.settings.send_msg_max_timeout_per_request = 500ms;
  cluster_.script("b1").silent.insert(RequestCode::kSendMessageV2);
  Begin();
  SendAt(100ms, 2);
  cluster_.RunUntil(10s);
  EXPECT_THAT(SentTo(), SizeIs(2));
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_FAILED}), IsEmpty());
  for (const std::string& queue : SentTo()) EXPECT_EQ(queue.substr(0, 2), "b2");
}

TEST_F(ProducerTest, AnAsynchronousRetryKeepsTheNumberOfTheQueue) {
  cluster_.producer_config.mode = SendMode::kAsync;
  cluster_.host("b1").Stop();
  Begin();
  SendAt(100ms, 4);
  cluster_.RunUntil(10s);
  std::vector<std::string> queues = SentTo();
  std::sort(queues.begin(), queues.end());
  EXPECT_THAT(queues, ElementsAre("b2#0", "b2#0", "b2#1", "b2#1"));
}

// Two brokers with one queue each, of which b1 answers late.
class FaultStrategyProducerTest : public ProducerTest {
 protected:
  FaultStrategyProducerTest() {
    cluster_.SetRoute("t", {"b1", "b2"}, 1);
    cluster_.producer_config.settings.send_latency_enable = true;
  }
  size_t SendsTo(const std::string& broker) {
    size_t count = 0;
    for (const std::string& line : cluster_.RequestsWith({"SEND_MESSAGE_V2"})) {
      if (line.find(" " + broker + " ") != std::string::npos) ++count;
    }
    return count;
  }
};

TEST_F(FaultStrategyProducerTest, ASlowBrokerIsLeftAloneForATime) {
  cluster_.script("b1").delay[RequestCode::kSendMessageV2] = 600ms;
  Begin();
  // One of the first two goes to b1 and takes at least 601 ms: 2 s without it,
  // until 3.5 s at the latest.
  SendAt(100ms);
  SendAt(800ms);
  for (int i = 0; i < 10; ++i) SendAt(Duration::Millis(1'500 + 50 * i));
  cluster_.RunUntil(2100ms);
  ASSERT_THAT(cluster_.FactsOf({FactKind::BROKER_ISOLATED}), SizeIs(1));
  EXPECT_EQ(SendsTo("b1"), 1u);
  EXPECT_EQ(SendsTo("b2"), 11u);
  SendAt(3500ms);
  SendAt(3550ms);
  cluster_.RunUntil(5s);
  EXPECT_EQ(SendsTo("b1"), 2u);
  EXPECT_THAT(cluster_.FactsOf({FactKind::BROKER_ISOLATED}), SizeIs(2));
}

TEST_F(FaultStrategyProducerTest, WithoutTheStrategyASlowBrokerGetsItsShare) {
  cluster_.producer_config.settings.send_latency_enable = false;
  cluster_.script("b1").delay[RequestCode::kSendMessageV2] = 600ms;
  Begin();
  for (int i = 0; i < 10; ++i) SendAt(Duration::Millis(100 + 50 * i));
  cluster_.RunUntil(5s);
  EXPECT_EQ(SendsTo("b1"), 5u);
  EXPECT_THAT(cluster_.FactsOf({FactKind::BROKER_ISOLATED}), IsEmpty());
}

TEST_F(FaultStrategyProducerTest, ABrokerThatIsGoneIsLeftAloneForTenSeconds) {
  cluster_.host("b1").Stop();
  Begin();
  for (int i = 0; i < 10; ++i) SendAt(Duration::Millis(100 + 50 * i));
  cluster_.RunUntil(1s);
  EXPECT_THAT(SentTo(), SizeIs(10));
  const std::vector<std::string> isolated =
      cluster_.FactsOf({FactKind::BROKER_ISOLATED});
  ASSERT_THAT(isolated, SizeIs(1));
  EXPECT_THAT(isolated[0], testing::EndsWith(" 10000000000"));
}

TEST_F(FaultStrategyProducerTest, ProbesFindOutThatABrokerIsBack) {
  cluster_.producer_config.settings.start_detector_enable = true;
  cluster_.host("b1").Stop();
  Begin();
  SendAt(100ms);
  SendAt(200ms);
  cluster_.At(4s, [&] { cluster_.host("b1").Start(); });
  cluster_.RunUntil(10s);
  const auto probes = [&](const std::string& broker) {
    std::vector<std::string> times;
    for (const std::string& line : cluster_.RequestsWith({"GET_MAX_OFFSET"})) {
      if (line.find(" " + broker + " ") == std::string::npos) continue;
      times.push_back(line.substr(0, line.find(' ')));
    }
    return times;
  };
  // Rounds every 3 s, each with b2 before b1, a millisecond for the answer. The
  // first probe of b1 reaches nobody, and at 6 s b1 has to be connected to.
  EXPECT_THAT(probes("b1"), ElementsAre("6002", "9001"));
  EXPECT_THAT(probes("b2"), SizeIs(3));
}

TEST_F(FaultStrategyProducerTest, AnAsynchronousFailureIsolates) {
  cluster_.producer_config.mode = SendMode::kAsync;
  Refuse("b1", ResponseCode::kSystemBusy);
  Begin();
  for (int i = 0; i < 10; ++i) SendAt(Duration::Millis(100 + 50 * i));
  cluster_.RunUntil(5s);
  EXPECT_EQ(SendsTo("b1"), 1u);
  EXPECT_THAT(SentTo(), SizeIs(9));
  EXPECT_THAT(cluster_.FactsOf({FactKind::BROKER_ISOLATED}), SizeIs(1));
}

}  // namespace
}  // namespace groupsim
