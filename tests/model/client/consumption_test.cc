// Pulling, consuming, and what becomes of offsets.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "tests/model/client/one_queue_test.h"

namespace groupsim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ConsumptionTest : public OneQueueTest {
 protected:
  // Listener calls that take `time`; that of message `hanging` never ends.
  void Listen(Duration time, int64_t hanging = -1) {
    cluster_.listener = [time, hanging](const ListenerCall& call) {
      ListenerPlan plan;
      plan.service_time = time;
      plan.hangs = call.messages[0].queue_offset == hanging;
      return plan;
    };
  }
};

TEST_F(ConsumptionTest, TheOffsetTravelsWithTheNextPullOnceItIsAboveZero) {
  Begin();
  FoundAt(2000ms, 0, 1);
  FoundAt(2100ms, 1, 1);
  FoundAt(2200ms, 2, 1);
  cluster_.RunUntil(3s);
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("2001 b1 PULL_MESSAGE b1#0 @1",
                          "2101 b1 PULL_MESSAGE b1#0 @2 commit 1",
                          "2201 b1 PULL_MESSAGE b1#0 @3 commit 2"));
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::PULLED, FactKind::FINISHED}),
      ElementsAre("2000 PULLED b1#0 0 1 1", "2001 FINISHED b1#0 0 0 1",
                  "2100 PULLED b1#0 1 1 2", "2101 FINISHED b1#0 1 0 1",
                  "2200 PULLED b1#0 2 1 3", "2201 FINISHED b1#0 2 0 1"));
}

TEST_F(ConsumptionTest, AnEmptyPullMovesTheOffsetIfNothingIsCached) {
  Begin();
  AnswerAt(2s, ScriptedCluster::NotFound(7, ResponseCode::kPullNotFound));
  AnswerAt(3s,
           ScriptedCluster::NotFound(9, ResponseCode::kPullRetryImmediately));
  cluster_.RunUntil(4s);
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("2001 b1 PULL_MESSAGE b1#0 @7 commit 7",
                          "3001 b1 PULL_MESSAGE b1#0 @9 commit 9"));
}

TEST_F(ConsumptionTest, AnEmptyPullDoesNotMoveItPastWhatIsCached) {
  Listen(1ms, /*hanging=*/3);
  Begin();
  FoundAt(2s, 3, 1);
  AnswerAt(3s, ScriptedCluster::NotFound(9, ResponseCode::kPullNotFound));
  cluster_.RunUntil(4s);
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("2001 b1 PULL_MESSAGE b1#0 @4",
                          "3001 b1 PULL_MESSAGE b1#0 @9"));
}

TEST_F(ConsumptionTest, AFailedPullIsRepeatedAfterASecondFromTheSameOffset) {
  Begin();
  AnswerAt(2s, Reply(ResponseCode::kSubscriptionNotLatest));
  AnswerAt(4s, Reply(ResponseCode::kSystemBusy));
  AnswerAt(6s, Reply(ResponseCode::kFlowControl));
  cluster_.RunUntil(7s);
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("3001 b1 PULL_MESSAGE b1#0 @0",
                          "5001 b1 PULL_MESSAGE b1#0 @0",
                          // A broker that asks for patience gets 20 ms.
                          "6021 b1 PULL_MESSAGE b1#0 @0"));
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::PULL_FAILED}),
      ElementsAre("2000 PULL_FAILED b1#0 0 25 0", "4000 PULL_FAILED b1#0 0 2 0",
                  "6000 PULL_FAILED b1#0 0 215 0"));
}

TEST_F(ConsumptionTest, AnIllegalOffsetIsReplacedAndTheQueueTakenOnAnew) {
  Begin();
  AnswerAt(5s, ScriptedCluster::NotFound(50, ResponseCode::kPullOffsetMoved));
  cluster_.RunUntil(8s);
  EXPECT_THAT(
      cluster_.requests,
      ElementsAre("5001 b1 UPDATE_CONSUMER_OFFSET b1#0 = 50",
                  "5001 b1 UPDATE_CONSUMER_OFFSET b1#0 = 50",
                  "5001 b1 GET_CONSUMER_LIST_BY_GROUP",
                  "5002 b1 QUERY_CONSUMER_OFFSET b1#0", "5003 b1 HEART_BEAT",
                  "5004 n1 GET_ROUTEINFO_BY_TOPIC %RETRY%g",
                  "5503 b1 PULL_MESSAGE b1#0 @50 commit 50"));
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::PULL_EMPTY, FactKind::QUEUE_DROPPED,
                        FactKind::QUEUE_REMOVED, FactKind::OFFSET_CORRECTED,
                        FactKind::QUEUE_ADDED}),
      ElementsAre(
          "5000 PULL_EMPTY b1#0 0 21 50", "5000 QUEUE_DROPPED b1#0 0 3 0",
          "5000 OFFSET_CORRECTED b1#0 50 0 0", "5000 QUEUE_REMOVED b1#0 0 0 0",
          "5002 QUEUE_ADDED b1#0 50 0 0"));
}

TEST_F(ConsumptionTest, TooManyCachedMessagesPutThePullOff) {
  cluster_.consumer_config.settings.pull_threshold_for_queue = 2;
  Listen(120ms);
  Begin();
  FoundAt(2s, 0, 3);
  cluster_.RunUntil(3s);
  // Looked at every 50 ms until some are done.
  EXPECT_THAT(cluster_.FactsOf({FactKind::PULL_POSTPONED, FactKind::PULL_SENT}),
              ElementsAre("2000 PULL_POSTPONED b1#0 3 3 50000000",
                          "2050 PULL_POSTPONED b1#0 3 3 50000000",
                          "2100 PULL_POSTPONED b1#0 3 3 50000000",
                          "2150 PULL_SENT b1#0 3 0 0"));
}

TEST_F(ConsumptionTest, ASlowMessageHoldsBackTheOffsetButNotTheOthers) {
  cluster_.consumer_config.settings.consume_concurrently_max_span = 5;
  Listen(10ms, /*hanging=*/1);
  Begin();
  FoundAt(2s, 1, 8);
  cluster_.RunUntil(3s);
  // Too wide until the others are done; then only the slow one is cached.
  EXPECT_THAT(cluster_.FactsOf({FactKind::PULL_POSTPONED, FactKind::PULL_SENT}),
              ElementsAre("2000 PULL_POSTPONED b1#0 9 5 50000000",
                          "2050 PULL_SENT b1#0 9 0 0"));
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("2051 b1 PULL_MESSAGE b1#0 @9 commit 1"));
}

TEST_F(ConsumptionTest, ThePullIntervalDelaysTheNextPull) {
  cluster_.consumer_config.settings.pull_interval = 70ms;
  Begin();
  FoundAt(2s, 0, 1);
  cluster_.RunUntil(3s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::PULL_SENT}),
              ElementsAre("2070 PULL_SENT b1#0 1 0 0"));
}

TEST_F(ConsumptionTest, MessagesWithoutAWantedTagAreLeftOutWithoutATrace) {
  cluster_.consumer_config.topics[0].expression = "red";
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.RunUntil(3s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::PULLED, FactKind::DELIVERED}),
              ElementsAre("2000 PULLED b1#0 0 0 2"));
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("2001 b1 PULL_MESSAGE b1#0 @2"));
}

TEST_F(ConsumptionTest, ThreadsTakeMessagesInOrder) {
  cluster_.consumer_config.settings.consume_thread_min = 2;
  Listen(10ms);
  Begin();
  FoundAt(2s, 0, 5);
  cluster_.RunUntil(3s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::DELIVERED}),
              ElementsAre("2000 DELIVERED b1#0 0 0 500000",
                          "2000 DELIVERED b1#0 1 0 500000",
                          "2010 DELIVERED b1#0 2 0 10500000",
                          "2010 DELIVERED b1#0 3 0 10500000",
                          "2020 DELIVERED b1#0 4 0 20500000"));
  EXPECT_EQ(cluster_.consumer->consumption().running(), 0);
}

TEST_F(ConsumptionTest, ABatchIsAcknowledgedUpToAPosition) {
  cluster_.consumer_config.settings.consume_message_batch_max_size = 3;
  std::vector<size_t> sizes;
  cluster_.listener = [&](const ListenerCall& call) {
    sizes.push_back(call.messages.size());
    ListenerPlan plan;
    plan.service_time = 1ms;
    if (call.messages.size() == 3) plan.result.ack_index = 1;
    return plan;
  };
  Begin();
  FoundAt(2s, 0, 4);
  cluster_.RunUntil(10s);
  // The third message cannot be sent back, nor sent to the retry topic, which
  // takes a millisecond each; it comes again after five seconds. Until then
  // the first two stay cached.
  EXPECT_THAT(sizes, ElementsAre(3, 1, 1));
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::FINISHED, FactKind::SETTLED}),
      ElementsAre("2001 FINISHED b1#0 0 0 2", "2001 FINISHED b1#0 1 0 2",
                  "2001 FINISHED b1#0 2 1 2", "2001 FINISHED b1#0 3 0 1",
                  "2004 SETTLED b1#0 0 0 0", "2004 SETTLED b1#0 1 0 0",
                  "7005 FINISHED b1#0 2 0 1"));
  EXPECT_EQ(cluster_.consumer->offsets().Find(cluster_.Queue("b1#0")), 4);
}

TEST_F(ConsumptionTest, AMessageThatNobodyTakesHoldsTheOffsetAndComesAgain) {
  int calls = 0;
  cluster_.listener = [&](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = 1ms;
    if (++calls == 1) plan.result.status = ConsumeStatus::kReconsumeLater;
    return plan;
  };
  Begin();
  FoundAt(2s, 5, 2);
  cluster_.RunUntil(6s);
  EXPECT_EQ(cluster_.consumer->offsets().Find(cluster_.Queue("b1#0")), 5);
  cluster_.RunUntil(9s);
  EXPECT_EQ(cluster_.consumer->offsets().Find(cluster_.Queue("b1#0")), 7);
  // Delivered again with one more try counted.
  EXPECT_THAT(cluster_.FactsOf({FactKind::DELIVERED}),
              Contains("7004 DELIVERED b1#0 5 1 5004500000"));
}

TEST_F(ConsumptionTest, ResultsOfALostQueueDoNotCount) {
  cluster_.consumer_config.settings.consume_thread_min = 1;
  Listen(3s);
  Begin();
  FoundAt(2s, 0, 2);
  cluster_.At(3s, [&] {
    // Two members and one queue: it goes to the first.
    cluster_.extra_members = {"a@1"};
    cluster_.Notify("b1");
  });
  cluster_.RunUntil(9s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::QUEUE_DROPPED, FactKind::DROPPED,
                        FactKind::QUEUE_REMOVED, FactKind::DELIVERED,
                        FactKind::FINISHED}),
      ElementsAre("2000 DELIVERED b1#0 0 0 500000",
                  "3001 QUEUE_DROPPED b1#0 0 1 0", "3001 DROPPED b1#0 0 2 0",
                  "3001 QUEUE_REMOVED b1#0 0 2 0",
                  // The second message is not even begun.
                  "5000 FINISHED b1#0 0 0 0"));
  EXPECT_EQ(cluster_.consumer->offsets().Find(cluster_.Queue("b1#0")), -1);
}

TEST_F(ConsumptionTest, TheCacheIsToldWhenItIsLargerThanEver) {
  Listen(50ms);
  Begin();
  FoundAt(2000ms, 0, 2);
  FoundAt(2010ms, 2, 1);
  FoundAt(2100ms, 3, 3);
  FoundAt(2200ms, 6, 4);
  cluster_.RunUntil(3s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::CACHED}),
              ElementsAre("2000 CACHED 0 2 200", "2010 CACHED 0 3 300",
                          "2200 CACHED 0 4 400"));
}

}  // namespace
}  // namespace groupsim
