// Who owns what, and when.
#include <memory>
#include <string>
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

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

class RebalanceTest : public ::testing::Test {
 protected:
  // Runs a cold start, and forgets what was written down up to `until`.
  void RunUntilSettled(Duration until) {
    host_ = &cluster_.AddConsumer();
    host_->Start();
    cluster_.RunUntil(until);
    cluster_.requests.clear();
    cluster_.facts.clear();
  }

  ScriptedCluster cluster_{1, 4};
  Host* host_ = nullptr;
};

TEST_F(RebalanceTest, NoticesDuringTheMinimumIntervalAreOne) {
  RunUntilSettled(4s);
  for (const Duration when : {5000ms, 5010ms, 5500ms}) {
    cluster_.At(when, [&] { cluster_.Notify("b1"); });
  }
  cluster_.RunUntil(26s);
  EXPECT_EQ(cluster_.FactsOf({FactKind::NOTICE_RECEIVED}).size(), 3u);
  // The retry topic costs a question for its route each time.
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}),
              ElementsAre("5002 REBALANCED 0 0 1", "6004 REBALANCED 0 0 1"));
}

TEST_F(RebalanceTest, AThreadThatIsStoppedAnewBeforeItGoesOnStaysStopped) {
  RunUntilSettled(4s);
  cluster_.At(5s, [&] {
    EXPECT_EQ(host_->PauseLane("rebalance"), 1);
    cluster_.Notify("b1");
  });
  cluster_.At(7s, [&] {
    EXPECT_EQ(host_->ResumeLane("rebalance"), 1);
    EXPECT_EQ(host_->PauseLane("rebalance"), 1);
  });
  cluster_.At(50s, [&] { host_->ResumeLane("rebalance"); });
  cluster_.RunUntil(51s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}),
              ElementsAre("50002 REBALANCED 0 0 1"));
}

TEST_F(RebalanceTest, WhatAnotherMemberIsDueIsGivenUpWithItsOffsets) {
  RunUntilSettled(4s);
  cluster_.AnswerPull("b1#0", cluster_.Found(100, 1));
  cluster_.At(5s, [&] {
    cluster_.extra_members = {"a@1"};  // Before c1@1: it gets the first half.
    cluster_.Notify("b1");
  });
  cluster_.RunUntil(6s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::ALLOCATED, FactKind::ALLOCATED_QUEUE,
                        FactKind::QUEUE_DROPPED, FactKind::QUEUE_REMOVED}),
      ElementsAre(
          "5001 ALLOCATED 4 2 2", "5001 ALLOCATED_QUEUE b1#2 0 0 0",
          "5001 ALLOCATED_QUEUE b1#3 0 1 0", "5001 QUEUE_DROPPED b1#0 0 1 0",
          "5001 QUEUE_DROPPED b1#1 0 1 0", "5001 QUEUE_REMOVED b1#0 0 0 0",
          "5001 QUEUE_REMOVED b1#1 0 0 0"));
  // The offset of the queue that had one, then the heartbeat of the change.
  EXPECT_THAT(cluster_.RequestsWith({"UPDATE_CONSUMER_OFFSET", "HEART_BEAT"}),
              ElementsAre("5002 b1 UPDATE_CONSUMER_OFFSET b1#0 = 101",
                          "5002 b1 HEART_BEAT"));
}

TEST_F(RebalanceTest, AMemberThatIsNotListedDropsAll) {
  RunUntilSettled(4s);
  cluster_.script("b1").answer[RequestCode::kGetConsumerListByGroup] =
      [&](const Request&) {
        auto ids = std::make_shared<std::vector<Name>>();
        ids->push_back(cluster_.N("a@1"));
        return Reply(ResponseCode::kSuccess, GetConsumerListReply{ids});
      };
  cluster_.Notify("b1");
  cluster_.RunUntil(6s);
  EXPECT_EQ(cluster_.FactsOf({FactKind::QUEUE_REMOVED}).size(), 4u);
  EXPECT_TRUE(cluster_.consumer->owned().all().empty());
}

TEST_F(RebalanceTest, AFailedMemberListChangesNothingAndCountsAsBalanced) {
  RunUntilSettled(4s);
  cluster_.script("b1").answer[RequestCode::kGetConsumerListByGroup] =
      [&](const Request&) { return Reply(ResponseCode::kSystemError); };
  cluster_.Notify("b1");
  cluster_.RunUntil(25s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED, FactKind::ALLOCATED}),
              ElementsAre("4002 REBALANCED 0 0 1", "24004 REBALANCED 0 0 1"));
  EXPECT_EQ(cluster_.consumer->owned().all().size(), 4u);
}

TEST_F(RebalanceTest, AQueueWithoutStartingOffsetIsTriedAgainEachSecond) {
  int refused = 0;
  cluster_.script("b1").answer[RequestCode::kQueryConsumerOffset] =
      [&](const Request& request) -> std::optional<Reply> {
    const auto& query = std::get<QueryConsumerOffsetRequest>(request.body);
    if (query.queue.queue_id != 1 || ++refused > 2) return std::nullopt;
    return Reply(ResponseCode::kSystemError);
  };
  cluster_.AddConsumer().Start();
  cluster_.RunUntil(10s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}),
              ElementsAre("1010 REBALANCED 0 0 0", "2013 REBALANCED 0 0 0",
                          "3018 REBALANCED 0 0 1"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_ADDED}),
              Contains("3016 QUEUE_ADDED b1#1 100 0 0"));
}

TEST_F(RebalanceTest, AHeartbeatUnderWayMakesTheOneOfTheChangeBeSkipped) {
  cluster_.script("b1").delay[RequestCode::kHeartBeat] = 300ms;
  cluster_.AddConsumer().Start();
  cluster_.RunUntil(3s);
  // At the start, and after a second; the change comes 7 ms later.
  EXPECT_THAT(cluster_.RequestsWith({"HEART_BEAT"}),
              ElementsAre("18 b1 HEART_BEAT", "1000 b1 HEART_BEAT"));
  EXPECT_THAT(cluster_.FactsOf({FactKind::HEARTBEAT_SKIPPED}),
              ElementsAre("1009 HEARTBEAT_SKIPPED 0 0 0"));
}

TEST_F(RebalanceTest, AQueueThatWasLongNotPulledIsDroppedAndTakenOnAnew) {
  cluster_.consumer_config.settings.pull_max_idle_time = 5s;
  RunUntilSettled(4s);
  cluster_.RunUntil(23s);  // Its pulls have been held since 1.5 s.
  EXPECT_EQ(cluster_.FactsOf({FactKind::QUEUE_ADDED}).size(), 4u);
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_DROPPED}),
              Contains("21012 QUEUE_DROPPED b1#0 0 2 0"));
}

TEST_F(RebalanceTest, AConnectionThatComesBackBringsHeartbeatAndRebalance) {
  RunUntilSettled(4s);
  cluster_.At(5s, [&] { cluster_.host("b1").Crash(); });
  cluster_.At(5500ms, [&] { cluster_.host("b1").Start(); });
  cluster_.RunUntil(8s);
  // The pulls fail with the connection and are repeated after a second; one
  // connection serves them all.
  EXPECT_THAT(
      cluster_.requests,
      ElementsAre(
          "6002 b1 PULL_MESSAGE b1#3 @100", "6002 b1 PULL_MESSAGE b1#1 @100",
          "6002 b1 PULL_MESSAGE b1#2 @100", "6002 b1 PULL_MESSAGE b1#0 @100",
          "6002 b1 HEART_BEAT", "6003 b1 GET_CONSUMER_LIST_BY_GROUP",
          "6004 n1 GET_ROUTEINFO_BY_TOPIC %RETRY%g"));
}

TEST_F(RebalanceTest, ATopicThatAppearsIsOwnedOnlyAtTheNextRebalance) {
  cluster_.RemoveRoute("t");
  RunUntilSettled(4s);
  EXPECT_EQ(cluster_.FactsOf({FactKind::ALLOCATED}).size(), 0u);
  cluster_.At(5s, [&] { cluster_.SetRoute("t", {"b1"}, 4); });
  cluster_.RunUntil(30s);
  // No broker was known at the start, so nothing woke the loop. The rebalance
  // of 20 s finds the route, but after it has looked for queues.
  // Asking for members opens the connection, which brings heartbeat and
  // another rebalance.
  EXPECT_THAT(cluster_.FactsOf({FactKind::ALLOCATED, FactKind::REBALANCED}),
              ElementsAre("20004 REBALANCED 0 0 1", "21005 ALLOCATED 4 4 1",
                          "21015 REBALANCED 0 0 1"));
}

TEST_F(RebalanceTest, LimitsPerTopicAreSharedOutWhenQueuesChange) {
  cluster_.consumer_config.settings.pull_threshold_for_topic = 8;
  cluster_.listener = [](const ListenerCall&) {
    ListenerPlan plan;
    plan.hangs = true;
    return plan;
  };
  RunUntilSettled(4s);
  cluster_.AnswerPull("b1#0", cluster_.Found(100, 2));  // 8 by 4 queues.
  cluster_.RunUntil(4100ms);
  EXPECT_THAT(cluster_.FactsOf({FactKind::PULL_POSTPONED}), IsEmpty());
  cluster_.AnswerPull("b1#0", cluster_.Found(102, 1));
  cluster_.RunUntil(4130ms);
  EXPECT_EQ(cluster_.FactsOf({FactKind::PULL_POSTPONED}).size(), 1u);
}

TEST_F(RebalanceTest, TheBeginningOfAGroupDependsOnWhatItWasTold) {
  struct Case {
    ConsumeFromWhere from;
    std::string added;
  };
  for (const Case& c :
       {Case{ConsumeFromWhere::kFirstOffset, "1002 QUEUE_ADDED b1#0 0 0 0"},
        Case{ConsumeFromWhere::kLastOffset, "1003 QUEUE_ADDED b1#0 100 0 0"},
        Case{ConsumeFromWhere::kTimestamp, "1003 QUEUE_ADDED b1#0 40 0 0"}}) {
    ScriptedCluster cluster(1, 1);
    cluster.consumer_config.consume_from_where = c.from;
    cluster.consumer_config.consume_timestamp = 77;
    cluster.AddConsumer().Start();
    cluster.RunUntil(5s);
    ASSERT_EQ(cluster.FactsOf({FactKind::QUEUE_ADDED}).size(), 1u);
    EXPECT_EQ(cluster.FactsOf({FactKind::QUEUE_ADDED})[0].substr(5),
              c.added.substr(5));
    EXPECT_EQ(cluster.RequestsWith({"SEARCH_OFFSET_BY_TIMESTAMP"}).size(),
              c.from == ConsumeFromWhere::kTimestamp ? 1u : 0u);
  }
}

}  // namespace
}  // namespace groupsim
