// Orderly consumption and its locks, against brokers that answer as they are
// told.
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/message.h"
#include "tests/model/client/one_queue_test.h"

namespace groupsim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OrderlyTest : public OneQueueTest {
 protected:
  OrderlyTest() { cluster_.consumer_config.orderly = true; }
  static ListenerResult WithoutCommit(ConsumeStatus status) {
    ListenerResult result = Plain(status);
    result.auto_commit = false;
    return result;
  }
  std::vector<std::string> Calls() const {
    return cluster_.FactsOf({FactKind::DELIVERED, FactKind::FINISHED});
  }
};

TEST_F(OrderlyTest, AQueueIsLockedBeforeItsOffsetIsAskedAndTwiceItIs) {
  cluster_.stored_offsets["b1#0"] = 5;
  cluster_.AddConsumer().Start();
  cluster_.RunUntil(1900ms);
  EXPECT_THAT(cluster_.RequestsWith(
                  {"LOCK_BATCH_MQ", "QUERY_CONSUMER_OFFSET", "PULL_MESSAGE"}),
              ElementsAre("1001 b1 LOCK_BATCH_MQ b1#0",
                          "1002 b1 QUERY_CONSUMER_OFFSET b1#0",
                          // In the pull thread, before the first pull.
                          "1503 b1 QUERY_CONSUMER_OFFSET b1#0",
                          "1504 b1 PULL_MESSAGE b1#0 @5 commit 5"));
}

TEST_F(OrderlyTest, WhatOthersCommittedAfterTheAdoptionIsNotPulledAgain) {
  cluster_.stored_offsets["b1#0"] = 5;
  cluster_.AddConsumer().Start();
  cluster_.At(1200ms, [this] { cluster_.stored_offsets["b1#0"] = 8; });
  cluster_.RunUntil(1900ms);
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("1504 b1 PULL_MESSAGE b1#0 @8 commit 8"));
}

TEST_F(OrderlyTest, AnOffsetThatIsNotToBeLearntPutsTheFirstPullOff) {
  cluster_.stored_offsets["b1#0"] = 5;
  cluster_.AddConsumer().Start();
  cluster_.At(1200ms, [this] {
    cluster_.script("b1").answer[RequestCode::kQueryConsumerOffset] =
        [](const Request&) { return Reply(ResponseCode::kSystemError); };
  });
  cluster_.At(2s, [this] { cluster_.script("b1").answer.clear(); });
  cluster_.RunUntil(4s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::PULL_POSTPONED}),
              ElementsAre("1504 PULL_POSTPONED b1#0 5 9 1000000000"));
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("2505 b1 PULL_MESSAGE b1#0 @5 commit 5"));
}

TEST_F(OrderlyTest, LocksAreRenewedTwiceEachTwentySeconds) {
  Begin();
  cluster_.RunUntil(45s);
  EXPECT_THAT(
      cluster_.RequestsWith({"LOCK_BATCH_MQ"}),
      ElementsAre("21000 b1 LOCK_BATCH_MQ b1#0", "21000 b1 LOCK_BATCH_MQ b1#0",
                  "41000 b1 LOCK_BATCH_MQ b1#0",
                  "41000 b1 LOCK_BATCH_MQ b1#0"));
}

TEST_F(OrderlyTest, ARefusedQueueIsAskedForEachSecond) {
  cluster_.stored_offsets["b1#0"] = 0;
  cluster_.locked_by_others = {"b1#0"};
  cluster_.AddConsumer().Start();
  cluster_.At(3500ms, [this] { cluster_.locked_by_others.clear(); });
  cluster_.RunUntil(5s);
  EXPECT_THAT(
      cluster_.RequestsWith({"LOCK_BATCH_MQ"}),
      ElementsAre("1001 b1 LOCK_BATCH_MQ b1#0", "2004 b1 LOCK_BATCH_MQ b1#0",
                  "3007 b1 LOCK_BATCH_MQ b1#0", "4010 b1 LOCK_BATCH_MQ b1#0"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_ADDED}),
              ElementsAre("4012 QUEUE_ADDED b1#0 0 0 0"));
}

TEST_F(OrderlyTest, MessagesOfAQueueComeOneAfterTheOther) {
  Begin();
  FoundAt(2s, 0, 3);
  cluster_.RunUntil(3s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::DELIVERED, FactKind::FINISHED}),
      ElementsAre("2000 DELIVERED b1#0 0 0 500000", "2001 FINISHED b1#0 0 0 1",
                  "2001 DELIVERED b1#0 1 0 1500000", "2002 FINISHED b1#0 1 0 1",
                  "2002 DELIVERED b1#0 2 0 2500000",
                  "2003 FINISHED b1#0 2 0 1"));
  EXPECT_EQ(Offset(), 3);
}

TEST_F(OrderlyTest, ASuspendedMessageRestsAndNothingBehindItMoves) {
  Listen({Plain(ConsumeStatus::kReconsumeLater),
          Plain(ConsumeStatus::kException), Plain(ConsumeStatus::kNull)});
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.RunUntil(6s);
  EXPECT_THAT(
      Calls(),
      ElementsAre(
          "2000 DELIVERED b1#0 0 0 500000", "2001 FINISHED b1#0 0 1 2",
          "3001 DELIVERED b1#0 0 1 1001500000", "3002 FINISHED b1#0 0 2 2",
          "4002 DELIVERED b1#0 0 2 2002500000", "4003 FINISHED b1#0 0 3 2",
          "5003 DELIVERED b1#0 0 3 3003500000", "5004 FINISHED b1#0 0 0 1",
          "5004 DELIVERED b1#0 1 0 3004500000", "5005 FINISHED b1#0 1 0 1"));
  EXPECT_EQ(Offset(), 2);
}

TEST_F(OrderlyTest, ARestLastsTenMillisecondsToThirtySeconds) {
  ListenerResult shortest = Plain(ConsumeStatus::kReconsumeLater);
  shortest.suspend_time = 0ms;
  ListenerResult longest = Plain(ConsumeStatus::kReconsumeLater);
  longest.suspend_time = 1h;
  cluster_.consumer_config.settings.suspend_current_queue_time_millis = 2ms;
  Listen({shortest, longest, Plain(ConsumeStatus::kReconsumeLater)});
  Begin();
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(40s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::FINISHED}),
      ElementsAre("2001 FINISHED b1#0 0 1 2", "2012 FINISHED b1#0 0 1 2",
                  "32013 FINISHED b1#0 0 1 2", "32024 FINISHED b1#0 0 0 1"));
}

TEST_F(OrderlyTest, WithoutAutoCommitOnlyCommitMovesTheOffset) {
  Listen({WithoutCommit(ConsumeStatus::kSuccess),
          WithoutCommit(ConsumeStatus::kSuccess),
          WithoutCommit(ConsumeStatus::kCommit),
          WithoutCommit(ConsumeStatus::kSuccess)});
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.RunUntil(3s);
  EXPECT_EQ(Offset(), 0);  // What the broker knew.
  FoundAt(3s, 2, 2);
  cluster_.RunUntil(4s);
  EXPECT_EQ(Offset(), 3);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::FINISHED, FactKind::SETTLED}),
      ElementsAre("2001 FINISHED b1#0 0 0 2", "2002 FINISHED b1#0 1 0 2",
                  "3001 FINISHED b1#0 2 4 1", "3001 SETTLED b1#0 0 0 0",
                  "3001 SETTLED b1#0 1 0 0", "3002 FINISHED b1#0 3 0 2"));
}

TEST_F(OrderlyTest, ARollbackBringsEverythingTakenAgain) {
  Listen({WithoutCommit(ConsumeStatus::kSuccess),
          WithoutCommit(ConsumeStatus::kRollback)});
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.RunUntil(4s);
  EXPECT_THAT(
      Calls(),
      ElementsAre(
          "2000 DELIVERED b1#0 0 0 500000", "2001 FINISHED b1#0 0 0 2",
          "2001 DELIVERED b1#0 1 0 1500000", "2002 FINISHED b1#0 1 5 2",
          "3002 DELIVERED b1#0 0 0 1002500000", "3003 FINISHED b1#0 0 0 1",
          "3003 DELIVERED b1#0 1 0 1003500000", "3004 FINISHED b1#0 1 0 1"));
  EXPECT_EQ(Offset(), 2);
}

TEST_F(OrderlyTest, WithAutoCommitARollbackIsASuccess) {
  Listen({Plain(ConsumeStatus::kRollback), Plain(ConsumeStatus::kCommit)});
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.RunUntil(4s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::FINISHED}),
      ElementsAre("2001 FINISHED b1#0 0 5 1", "2002 FINISHED b1#0 1 4 1"));
  EXPECT_EQ(Offset(), 2);
}

TEST_F(OrderlyTest, AQueueYieldsItsThreadAfterItsTime) {
  cluster_.consumer_config.settings.max_time_consume_continuously = 2ms;
  cluster_.consumer_config.profile.resume_delay_with_lock = 25ms;
  Begin();
  FoundAt(2s, 0, 4);
  cluster_.RunUntil(3s);
  // 3 ms are more than 2; it goes on after 25.
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::FINISHED}),
      ElementsAre("2001 FINISHED b1#0 0 0 1", "2002 FINISHED b1#0 1 0 1",
                  "2003 FINISHED b1#0 2 0 1", "2029 FINISHED b1#0 3 0 1"));
}

TEST_F(OrderlyTest, ALockThatIsNotRenewedStopsTheQueueAfterThirtySeconds) {
  Begin();
  cluster_.At(5s, [this] {
    cluster_.script("b1").answer[RequestCode::kLockBatchMq] =
        [](const Request&) { return Reply(ResponseCode::kSystemError); };
  });
  FoundAt(31s, 0, 1);
  FoundAt(32s, 1, 1);
  cluster_.At(60s, [this] { cluster_.script("b1").answer.clear(); });
  cluster_.RunUntil(70s);
  // It was locked at 1.001 s, and pulls do not care. The task that comes at
  // 32 s asks for the lock after 100 ms, then 3.1 s and a round trip later
  // each time.
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::DELIVERED, FactKind::LOCK_LOST,
                        FactKind::LOCK_REGAINED, FactKind::PULL_POSTPONED}),
      ElementsAre("31000 DELIVERED b1#0 0 0 500000",
                  "32000 LOCK_LOST b1#0 0 2 0",
                  "60010 LOCK_REGAINED b1#0 0 0 0",
                  "60020 DELIVERED b1#0 1 0 28020500000"));
}

TEST_F(OrderlyTest, ARefusedRenewalStopsPullsAndConsumption) {
  Begin();
  cluster_.At(20s, [this] { cluster_.locked_by_others = {"b1#0"}; });
  FoundAt(22s, 0, 1);
  cluster_.At(30s, [this] { cluster_.locked_by_others.clear(); });
  cluster_.RunUntil(45s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::LOCK_LOST, FactKind::LOCK_REGAINED}),
              ElementsAre("21001 LOCK_LOST b1#0 0 1 0",
                          // 100 ms after 22 s, then 3.1 s and a round trip
                          // later each time.
                          "31404 LOCK_REGAINED b1#0 0 0 0"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::DELIVERED}),
              ElementsAre("31414 DELIVERED b1#0 0 0 9414500000"));
  const std::vector<std::string> put_off =
      cluster_.FactsOf({FactKind::PULL_POSTPONED});
  ASSERT_FALSE(put_off.empty());
  EXPECT_EQ(put_off.front(), "22000 PULL_POSTPONED b1#0 1 6 1000000000");
  EXPECT_EQ(put_off.back(), "31000 PULL_POSTPONED b1#0 1 6 1000000000");
}

TEST_F(OrderlyTest, ACopyIsDeliveredAsSuch) {
  Begin();
  Reply reply = cluster_.Found(0, 1);
  Message& message = std::get<PullMessageReply>(reply.body).messages[0];
  message.reconsume_times = 2;
  message.origin.topic = cluster_.N("t");
  message.origin.broker = static_cast<uint16_t>(cluster_.N("b1").id());
  message.origin.queue = 3;
  message.origin.offset = 7;
  AnswerAt(2s, reply);
  cluster_.RunUntil(3s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::DELIVERED, FactKind::RETRY_DELIVERED}),
      ElementsAre(testing::StartsWith("2000 DELIVERED b1#0 0 2 "),
                  "2000 RETRY_DELIVERED b1#3 7 2 0"));
}

// ---- Messages that have had their attempts ----

class OrderlyLimitTest : public OrderlyTest {
 protected:
  OrderlyLimitTest() {
    cluster_.consumer_config.settings.max_reconsume_times = 0;
    cluster_.consumer_config.settings.suspend_current_queue_time_millis = 1s;
  }
};

TEST_F(OrderlyLimitTest, WhatNobodyTakesComesAgain) {
  Listen({Plain(ConsumeStatus::kReconsumeLater)});
  Begin();
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(5s);
  // The routes of the retry topic and of TBW102 are asked for in vain.
  EXPECT_THAT(Calls(), ElementsAre("2000 DELIVERED b1#0 0 0 500000",
                                   "2001 FINISHED b1#0 0 1 2",
                                   "3003 DELIVERED b1#0 0 1 1003500000",
                                   "3004 FINISHED b1#0 0 0 1"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::RETRY_SENT, FactKind::SETTLED}),
              IsEmpty());
  EXPECT_EQ(Offset(), 1);
}

// The broker takes the first of two and refuses the second. Both come again,
// and the first is given up once more.
TEST_F(OrderlyLimitTest, OneThatNobodyTakesBringsTheWholeBatchAgain) {
  cluster_.consumer_config.settings.consume_message_batch_max_size = 2;
  Listen({Plain(ConsumeStatus::kReconsumeLater),
          Plain(ConsumeStatus::kReconsumeLater)});
  Begin();
  cluster_.SetRoute("%RETRY%g", {"b1"}, 1);
  int sends = 0;
  cluster_.script("b1").answer[RequestCode::kSendMessageV2] =
      [&sends](const Request&) -> std::optional<Reply> {
    if (++sends == 2) return Reply(ResponseCode::kMessageIllegal);
    return Reply(ResponseCode::kSuccess, SendMessageReply());
  };
  FoundAt(2s, 0, 2);
  cluster_.RunUntil(6s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::RETRY_SENT, FactKind::SETTLED}),
      ElementsAre("2003 RETRY_SENT b1#0 0 1 0", "3006 RETRY_SENT b1#0 0 1 0",
                  "3007 RETRY_SENT b1#0 1 1 1", "3007 SETTLED b1#0 0 1 0",
                  "3007 SETTLED b1#0 1 1 0"));
  EXPECT_EQ(sends, 4);
  EXPECT_EQ(Offset(), 2);
}

// ---- A queue that is lost ----

TEST_F(OrderlyTest, AnIdleQueueIsUnlockedInTheRebalanceThatLosesIt) {
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.At(3s, [this] {
    cluster_.extra_members = {"a@1"};
    cluster_.Notify("b1");
  });
  cluster_.RunUntil(4s);
  EXPECT_THAT(
      cluster_.RequestsWith({"UPDATE_CONSUMER_OFFSET", "UNLOCK_BATCH_MQ"}),
      ElementsAre("3002 b1 UPDATE_CONSUMER_OFFSET b1#0 = 2",
                  "3002 b1 UPDATE_CONSUMER_OFFSET b1#0 = 2",
                  "3002 b1 UNLOCK_BATCH_MQ b1#0"));
}

TEST_F(OrderlyTest, ABusyQueueStaysUntilItsLockIsTwentySecondsOld) {
  cluster_.listener = [](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = 60s;
    return plan;
  };
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.At(3s, [this] {
    cluster_.extra_members = {"a@1"};
    cluster_.Notify("b1");
  });
  cluster_.RunUntil(70s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::QUEUE_DROPPED, FactKind::DROPPED,
                        FactKind::REMOVAL_PUT_OFF, FactKind::UNLOCK_FORCED,
                        FactKind::QUEUE_REMOVED, FactKind::FINISHED}),
      ElementsAre("3001 QUEUE_DROPPED b1#0 0 1 0", "3001 DROPPED b1#0 0 2 0",
                  "3501 REMOVAL_PUT_OFF b1#0 0 1 0",
                  // The round counted as balanced, so the next is 20 s later;
                  // the lock of a dropped queue was not renewed at 21 s.
                  "23503 UNLOCK_FORCED b1#0 0 0 0",
                  "23503 QUEUE_REMOVED b1#0 0 2 0",
                  "62000 FINISHED b1#0 0 0 0"));
  EXPECT_THAT(cluster_.RequestsWith({"UNLOCK_BATCH_MQ"}),
              ElementsAre("23504 b1 UNLOCK_BATCH_MQ b1#0"));
}

// Lost and taken on again while its listener is at work: the new messages wait
// for the call that is under way.
TEST_F(OrderlyTest, AQueueThatComesBackWaitsForTheCallOfItsFormerLife) {
  cluster_.listener = [](const ListenerCall& call) {
    ListenerPlan plan;
    plan.service_time = call.messages[0].queue_offset == 0 ? 60s : 1ms;
    return plan;
  };
  Begin();
  FoundAt(2s, 0, 1);
  cluster_.At(3s, [this] {
    cluster_.extra_members = {"a@1"};
    cluster_.Notify("b1");
  });
  cluster_.At(25s, [this] {
    cluster_.extra_members.clear();
    cluster_.Notify("b1");
  });
  FoundAt(29s, 1, 1);  // For the former life: nobody wants it any more.
  FoundAt(30s, 1, 1);
  cluster_.RunUntil(70s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::DELIVERED, FactKind::FINISHED}),
      ElementsAre("2000 DELIVERED b1#0 0 0 500000", "62000 FINISHED b1#0 0 0 0",
                  "62000 DELIVERED b1#0 1 0 32000500000",
                  "62001 FINISHED b1#0 1 0 1"));
}

// A renewal is under way until 21.5 s.
TEST_F(OrderlyTest, AShutdownGivesLocksBackAfterTheCallThatIsUnderWay) {
  cluster_.consumer_config.profile.locks_are_renewed_twice = false;
  Begin();
  cluster_.script("b1").delay[RequestCode::kLockBatchMq] = 500ms;
  cluster_.At(21100ms,
              [this] { cluster_.world.FindHost(cluster_.N("c1"))->Stop(); });
  cluster_.RunUntil(23s);
  EXPECT_THAT(cluster_.RequestsWith({"LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ"}),
              ElementsAre("21000 b1 LOCK_BATCH_MQ b1#0",
                          "21501 b1 UNLOCK_BATCH_MQ b1#0"));
}

// Without a pace the loop rebalances at each wake-up. The locks of two topics
// are refused, 200 ms apart: two wake-ups, each 500 ms after its refusal.
TEST_F(OrderlyTest, EachTopicWithARefusedLockWakesTheRebalance) {
  cluster_.consumer_config.profile.paced_rebalance = false;
  cluster_.SetRoute("%RETRY%g", {"b1"}, 1);
  cluster_.locked_by_others = {"b1#0"};
  cluster_.script("b1").delay[RequestCode::kLockBatchMq] = 200ms;
  cluster_.AddConsumer().Start();
  cluster_.RunUntil(1200ms);
  EXPECT_THAT(
      cluster_.RequestsWith({"LOCK_BATCH_MQ"}),
      ElementsAre("20 b1 LOCK_BATCH_MQ b1#0", "222 b1 LOCK_BATCH_MQ b1#0",
                  "722 b1 LOCK_BATCH_MQ b1#0", "924 b1 LOCK_BATCH_MQ b1#0",
                  "1126 b1 LOCK_BATCH_MQ b1#0"));
}

TEST_F(OrderlyTest, AShutdownGivesLocksBackBeforeItUnregisters) {
  Begin();
  cluster_.At(3s,
              [this] { cluster_.world.FindHost(cluster_.N("c1"))->Stop(); });
  cluster_.RunUntil(4s);
  const std::vector<std::string> requests =
      cluster_.RequestsWith({"UNLOCK_BATCH_MQ", "UNREGISTER_CLIENT"});
  ASSERT_GE(requests.size(), 2u);
  EXPECT_EQ(requests[0], "3000 b1 UNLOCK_BATCH_MQ b1#0");
  EXPECT_EQ(requests[1].substr(0, 25), "3001 b1 UNREGISTER_CLIENT");
}

}  // namespace
}  // namespace groupsim
