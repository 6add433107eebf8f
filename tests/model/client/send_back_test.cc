// What a consumer does with messages that its listener could not deal with.
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "tests/model/client/one_queue_test.h"

namespace groupsim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// One queue of broker b1, from offset 0; messages come at 2 s, and a call of
// the listener takes 1 ms. One way takes 500 us: what the consumer sends at
// 2001.5 is at the broker at 2002.
class SendBackTest : public OneQueueTest {
 protected:
  // The broker answers every message that is sent back with this.
  void AnswerSendBack(ResponseCode code) {
    cluster_.script("b1").answer[RequestCode::kConsumerSendMsgBack] =
        [code](const Request&) -> std::optional<Reply> { return Reply(code); };
  }
  // Calls end so, until `times` of them have.
  void Fail(const ListenerResult& result, size_t times = 1'000) {
    Listen(std::vector<ListenerResult>(times, result));
  }
  static ListenerResult With(ConsumeStatus status, int32_t level = 0) {
    ListenerResult result = Plain(status);
    result.delay_level = level;
    return result;
  }
  std::vector<std::string> SentBack() {
    return cluster_.RequestsWith({"CONSUMER_SEND_MSG_BACK", "SEND_MESSAGE_V2"});
  }
};

TEST_F(SendBackTest, WhatWasSentBackIsDoneWith) {
  AnswerSendBack(ResponseCode::kSuccess);
  Fail(With(ConsumeStatus::kReconsumeLater));
  Begin();
  FoundAt(2s, 5, 1);
  cluster_.RunUntil(9s);
  EXPECT_THAT(SentBack(), ElementsAre("2002 b1 CONSUMER_SEND_MSG_BACK at 500 "
                                      "of t level 0 max 16"));
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::DELIVERED, FactKind::FINISHED,
                        FactKind::SENT_BACK, FactKind::SETTLED}),
      ElementsAre("2000 DELIVERED b1#0 5 0 500000", "2001 FINISHED b1#0 5 1 2",
                  "2002 SENT_BACK b1#0 5 0 0", "2002 SETTLED b1#0 5 1 0"));
  EXPECT_EQ(Offset(), 6);
}

TEST_F(SendBackTest, AnExceptionAndANullAreFailuresToo) {
  for (const ConsumeStatus status :
       {ConsumeStatus::kException, ConsumeStatus::kNull}) {
    ScriptedCluster fresh(1, 1);
    fresh.script("b1").answer[RequestCode::kConsumerSendMsgBack] =
        [](const Request&) -> std::optional<Reply> { return Reply(); };
    fresh.listener = [status](const ListenerCall&) {
      ListenerPlan plan;
      plan.service_time = 1ms;
      plan.result.status = status;
      return plan;
    };
    fresh.stored_offsets["b1#0"] = 0;
    fresh.AddConsumer().Start();
    fresh.RunUntil(1900ms);
    fresh.At(2s,
             [&] { EXPECT_TRUE(fresh.AnswerPull("b1#0", fresh.Found(0, 1))); });
    fresh.RunUntil(3s);
    EXPECT_THAT(fresh.RequestsWith({"CONSUMER_SEND_MSG_BACK"}),
                ElementsAre("2002 b1 CONSUMER_SEND_MSG_BACK at 0 of t level 0 "
                            "max 16"));
  }
}

TEST_F(SendBackTest, TheListenerChoosesTheLevelAndTheSettingTheMaximum) {
  cluster_.consumer_config.settings.max_reconsume_times = 3;
  AnswerSendBack(ResponseCode::kSuccess);
  Fail(With(ConsumeStatus::kReconsumeLater, -1));
  Begin();
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(3s);
  EXPECT_THAT(SentBack(), ElementsAre("2002 b1 CONSUMER_SEND_MSG_BACK at 0 of "
                                      "t level -1 max 3"));
}

// The worker sends one after the other, so the second message of the batch
// leaves when the first was answered.
TEST_F(SendBackTest, MessagesBehindTheAckIndexGoBackOneByOne) {
  cluster_.consumer_config.settings.consume_message_batch_max_size = 3;
  AnswerSendBack(ResponseCode::kSuccess);
  ListenerResult result;
  result.ack_index = 0;
  Fail(result);
  Begin();
  FoundAt(2s, 0, 3);
  cluster_.RunUntil(3s);
  EXPECT_THAT(SentBack(), ElementsAre("2002 b1 CONSUMER_SEND_MSG_BACK at 100 "
                                      "of t level 0 max 16",
                                      "2003 b1 CONSUMER_SEND_MSG_BACK at 200 "
                                      "of t level 0 max 16"));
  EXPECT_EQ(Offset(), 3);
}

TEST_F(SendBackTest, WhatTheBrokerRefusesIsSentToTheRetryTopic) {
  AnswerSendBack(ResponseCode::kSystemError);
  Fail(With(ConsumeStatus::kReconsumeLater, 7), 1);
  Begin();
  // Its route is asked for when it is needed, in a millisecond.
  cluster_.SetRoute("%RETRY%g", {"b1"}, 1);
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(3s);
  // Its own level: the third plus the tries so far.
  EXPECT_THAT(SentBack(),
              ElementsAre("2002 b1 CONSUMER_SEND_MSG_BACK at 0 of t level 7 "
                          "max 16",
                          "2004 b1 SEND_MESSAGE_V2 0 of %RETRY%g level 3 times "
                          "1 max 16"));
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::SEND_BACK_FAILED, FactKind::RETRY_SENT,
                        FactKind::RESUBMITTED, FactKind::SETTLED}),
      ElementsAre("2002 SEND_BACK_FAILED b1#0 0 1 0",
                  "2004 RETRY_SENT b1#0 0 1 0", "2004 SETTLED b1#0 0 1 0"));
  EXPECT_EQ(Offset(), 1);
}

// RPC time-out of 5 s; the copy that the broker may have stored meanwhile and
// the one that is sent then are two. It leaves when the route is known and a
// new connection is open, a millisecond each.
TEST_F(SendBackTest, ASilentBrokerIsGivenUpAfterFiveSeconds) {
  cluster_.script("b1").silent.insert(RequestCode::kConsumerSendMsgBack);
  Fail(With(ConsumeStatus::kReconsumeLater), 1);
  Begin();
  cluster_.SetRoute("%RETRY%g", {"b1"}, 1);
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(9s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::SEND_BACK_FAILED}),
              ElementsAre("7001 SEND_BACK_FAILED b1#0 0 -1 0"));
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}),
              Contains(testing::StartsWith("7004 b1 SEND_MESSAGE_V2")));
}

TEST_F(SendBackTest, WhatNobodyTakesIsTriedHereAgainWithOneMoreTime) {
  AnswerSendBack(ResponseCode::kSystemError);
  Fail(With(ConsumeStatus::kReconsumeLater), 2);
  Begin();
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(20s);
  // A millisecond for the send-back, one for each of the routes that there are
  // not, its own and that of TBW102; five seconds.
  EXPECT_THAT(cluster_.FactsOf({FactKind::DELIVERED, FactKind::RESUBMITTED}),
              ElementsAre("2000 DELIVERED b1#0 0 0 500000",
                          "2004 RESUBMITTED b1#0 0 1 5000000000",
                          "7004 DELIVERED b1#0 0 1 5004500000",
                          "7008 RESUBMITTED b1#0 0 1 5000000000",
                          "12008 DELIVERED b1#0 0 2 10008500000"));
  EXPECT_EQ(Offset(), 1);
}

TEST_F(SendBackTest, ARetryTopicThatNobodyKnowsHasTheRouteOfTheTemplate) {
  AnswerSendBack(ResponseCode::kSystemError);
  Fail(With(ConsumeStatus::kReconsumeLater), 1);
  Begin();
  cluster_.SetRoute("TBW102", {"b1"}, 8);
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(3s);
  EXPECT_THAT(cluster_.RequestsWith({"GET_ROUTEINFO_BY_TOPIC"}),
              ElementsAre("2003 n1 GET_ROUTEINFO_BY_TOPIC %RETRY%g",
                          "2004 n1 GET_ROUTEINFO_BY_TOPIC TBW102"));
  EXPECT_THAT(
      cluster_.RequestsWith({"SEND_MESSAGE_V2"}),
      ElementsAre(testing::MatchesRegex("2005 b1 SEND_MESSAGE_V2 [0-3] of "
                                        "%RETRY%g level 3 times 1 max 16")));
  EXPECT_THAT(cluster_.FactsOf({FactKind::RETRY_SENT}),
              ElementsAre("2005 RETRY_SENT b1#0 0 1 0"));
}

TEST_F(SendBackTest, WithoutANameServerTheTemplateIsNotAskedFor) {
  AnswerSendBack(ResponseCode::kSystemError);
  Fail(With(ConsumeStatus::kReconsumeLater), 1);
  Begin();
  cluster_.script("n1").silent.insert(RequestCode::kGetRouteInfoByTopic);
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(6s);
  EXPECT_THAT(cluster_.RequestsWith({"TBW102"}), IsEmpty());
  EXPECT_THAT(cluster_.FactsOf({FactKind::RESUBMITTED}),
              ElementsAre("5002 RESUBMITTED b1#0 0 1 5000000000"));
}

// Stored, though not as safely as it should be, is sent.
TEST_F(SendBackTest, WhatIsStoredBadlyIsNotSentOnceMore) {
  AnswerSendBack(ResponseCode::kSystemError);
  cluster_.script("b1").answer[RequestCode::kSendMessageV2] =
      [](const Request&) -> std::optional<Reply> {
    return Reply(ResponseCode::kFlushDiskTimeout, SendMessageReply());
  };
  Fail(With(ConsumeStatus::kReconsumeLater), 1);
  Begin();
  cluster_.SetRoute("%RETRY%g", {"b1"}, 1);
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(9s);
  EXPECT_THAT(cluster_.RequestsWith({"SEND_MESSAGE_V2"}), testing::SizeIs(1));
  EXPECT_THAT(cluster_.FactsOf({FactKind::RETRY_SENT, FactKind::RESUBMITTED}),
              ElementsAre("2004 RETRY_SENT b1#0 0 1 0"));
  EXPECT_EQ(Offset(), 1);
}

// The first message of three is taken by nobody: it alone comes again, and
// holds the offset back.
TEST_F(SendBackTest, OfABatchOnlyWhatNobodyTakesIsTriedHereAgain) {
  cluster_.consumer_config.settings.consume_message_batch_max_size = 3;
  cluster_.script("b1").answer[RequestCode::kConsumerSendMsgBack] =
      [](const Request& request) -> std::optional<Reply> {
    const auto& back = std::get<SendMessageBackRequest>(request.body);
    return Reply(back.offset == 0 ? ResponseCode::kSystemError
                                  : ResponseCode::kSuccess);
  };
  Fail(With(ConsumeStatus::kReconsumeLater), 1);
  Begin();
  FoundAt(2s, 0, 3);
  cluster_.RunUntil(6s);
  EXPECT_THAT(
      cluster_.FactsOf(
          {FactKind::SENT_BACK, FactKind::RESUBMITTED, FactKind::SETTLED}),
      ElementsAre("2005 SENT_BACK b1#0 1 0 0", "2006 SENT_BACK b1#0 2 0 0",
                  "2006 RESUBMITTED b1#0 0 1 5000000000",
                  "2006 SETTLED b1#0 1 1 0", "2006 SETTLED b1#0 2 1 0"));
  EXPECT_EQ(Offset(), 0);
  cluster_.RunUntil(8s);
  EXPECT_EQ(Offset(), 3);
}

TEST_F(SendBackTest, AWorkerWaitsForTheAnswer) {
  cluster_.consumer_config.settings.consume_thread_min = 1;
  cluster_.script("b1").delay[RequestCode::kConsumerSendMsgBack] = 300ms;
  AnswerSendBack(ResponseCode::kSuccess);
  Fail(With(ConsumeStatus::kReconsumeLater), 1);
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.RunUntil(3s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::DELIVERED}),
              ElementsAre("2000 DELIVERED b1#0 0 0 500000",
                          "2302 DELIVERED b1#0 1 0 302500000"));
}

TEST_F(SendBackTest, TheResultOfALostQueueIsNotSentBack) {
  AnswerSendBack(ResponseCode::kSuccess);
  cluster_.listener = [](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = 3s;
    plan.result.status = ConsumeStatus::kReconsumeLater;
    return plan;
  };
  Begin();
  FoundAt(2s, 0, 1);
  cluster_.At(3s, [&] {
    cluster_.extra_members = {"a@1"};
    cluster_.Notify("b1");
  });
  cluster_.RunUntil(9s);
  EXPECT_THAT(SentBack(), IsEmpty());
  EXPECT_THAT(cluster_.FactsOf({FactKind::FINISHED}),
              ElementsAre("5000 FINISHED b1#0 0 1 0"));
}

// A queue lost while the message is on its way back: nothing is committed, and
// what was cached was abandoned with the queue.
TEST_F(SendBackTest, AQueueMayBeLostMeanwhile) {
  cluster_.script("b1").delay[RequestCode::kConsumerSendMsgBack] = 2s;
  AnswerSendBack(ResponseCode::kSuccess);
  Fail(With(ConsumeStatus::kReconsumeLater));
  Begin();
  FoundAt(2s, 0, 1);
  cluster_.At(3s, [&] {
    cluster_.extra_members = {"a@1"};
    cluster_.Notify("b1");
  });
  cluster_.RunUntil(9s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::FINISHED, FactKind::DROPPED,
                                FactKind::SENT_BACK, FactKind::SETTLED}),
              ElementsAre("2001 FINISHED b1#0 0 1 2", "3001 DROPPED b1#0 0 1 0",
                          "4002 SENT_BACK b1#0 0 0 0"));
  EXPECT_EQ(Offset(), -1);
}

// Looked for every 15 minutes from the start on: at 15:00 the call is 14:58
// old, at 30:00 it is 29:58.
TEST_F(SendBackTest, AMessageTooLongInTheListenerIsSentBackThough) {
  AnswerSendBack(ResponseCode::kSuccess);
  cluster_.listener = [](const ListenerCall& call) {
    ListenerPlan plan;
    plan.service_time = 1ms;
    plan.hangs = call.messages[0].queue_offset == 0;
    return plan;
  };
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.RunUntil(1'799s);
  EXPECT_THAT(SentBack(), IsEmpty());
  EXPECT_EQ(Offset(), 0);
  cluster_.RunUntil(1'801s);
  EXPECT_THAT(SentBack(), ElementsAre("1800000 b1 CONSUMER_SEND_MSG_BACK at 0 "
                                      "of t level 3 max 16"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::EXPIRED}),
              ElementsAre("1800001 EXPIRED b1#0 0 0 1798001000000"));
  // The removal commits nothing by itself.
  EXPECT_EQ(Offset(), 0);
  EXPECT_EQ(cluster_.consumer->consumption().running(), 1);
}

// The call fails at 31:00: its message was sent back at 30:00 and is not sent
// back again (since 5.1.0).
TEST_F(SendBackTest, ALateFailureOfAnExpiredMessageDoesNotCount) {
  AnswerSendBack(ResponseCode::kSuccess);
  cluster_.listener = [](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = 1'858s;
    plan.result.status = ConsumeStatus::kReconsumeLater;
    return plan;
  };
  Begin();
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(1'900s);
  EXPECT_THAT(SentBack(), ElementsAre("1800000 b1 CONSUMER_SEND_MSG_BACK at 0 "
                                      "of t level 3 max 16"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::FINISHED}),
              ElementsAre("1860000 FINISHED b1#0 0 1 0"));
}

// Twenty threads hang with twenty messages; one look sends back sixteen.
TEST_F(SendBackTest, ALookTakesSixteenOfAQueue) {
  AnswerSendBack(ResponseCode::kSuccess);
  cluster_.listener = [](const ListenerCall&) {
    ListenerPlan plan;
    plan.hangs = true;
    return plan;
  };
  Begin();
  FoundAt(2s, 0, 20);
  cluster_.RunUntil(1'850s);
  EXPECT_EQ(cluster_.FactsOf({FactKind::EXPIRED}).size(), 16u);
  cluster_.RunUntil(2'750s);
  EXPECT_EQ(cluster_.FactsOf({FactKind::EXPIRED}).size(), 20u);
}

}  // namespace
}  // namespace groupsim
