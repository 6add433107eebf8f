// A push consumer from its start to its end.
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "tests/model/client/scripted_cluster.h"

namespace groupsim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ConsumerLifeTest, AColdStartFollowsItsTimeline) {
  ScriptedCluster cluster(2, 1);
  cluster.AddConsumer().Start();
  cluster.RunUntil(40s);
  EXPECT_THAT(
      cluster.requests,
      ElementsAre(
          // The periodic refresh after 10 ms.
          "11 n1 GET_ROUTEINFO_BY_TOPIC t",
          "12 n1 GET_ROUTEINFO_BY_TOPIC %RETRY%g",
          // The start: routes, one after the other, then a heartbeat to each
          // broker.
          "15 n1 GET_ROUTEINFO_BY_TOPIC t",
          "16 n1 GET_ROUTEINFO_BY_TOPIC %RETRY%g", "18 b2 HEART_BEAT",
          "20 b1 HEART_BEAT",
          // After a second the periodic heartbeat, and the first rebalance.
          "1000 b2 HEART_BEAT", "1000 b1 GET_CONSUMER_LIST_BY_GROUP",
          "1001 b1 HEART_BEAT", "1001 b2 QUERY_CONSUMER_OFFSET b2#0",
          "1002 b2 GET_MAX_OFFSET b2#0", "1003 b1 QUERY_CONSUMER_OFFSET b1#0",
          "1004 b1 GET_MAX_OFFSET b1#0", "1005 b2 HEART_BEAT",
          "1006 b1 HEART_BEAT",
          // It looks once more for the retry topic.
          "1007 n1 GET_ROUTEINFO_BY_TOPIC %RETRY%g",
          // First pulls half a second after the queues were taken on.
          "1505 b2 PULL_MESSAGE b2#0 @100", "1505 b1 PULL_MESSAGE b1#0 @100",
          // The next rebalance is 20 s after the end of the first.
          "21008 b2 GET_CONSUMER_LIST_BY_GROUP",
          "21009 n1 GET_ROUTEINFO_BY_TOPIC %RETRY%g",
          "30010 n1 GET_ROUTEINFO_BY_TOPIC t",
          "30011 n1 GET_ROUTEINFO_BY_TOPIC %RETRY%g", "31000 b2 HEART_BEAT",
          "31001 b1 HEART_BEAT",
          // The pulls were never answered. They expire at the first scan of a
          // second past their time-out of 30 s, and are repeated after 1 s.
          "34000 b2 PULL_MESSAGE b2#0 @100",
          "34000 b1 PULL_MESSAGE b1#0 @100"));
  EXPECT_THAT(
      cluster.FactsOf({FactKind::PROCESS_READY, FactKind::ALLOCATED,
                       FactKind::ALLOCATED_QUEUE, FactKind::QUEUE_ADDED,
                       FactKind::REBALANCED, FactKind::HEARTBEAT_SKIPPED}),
      ElementsAre("21 PROCESS_READY 0 0 3", "1001 ALLOCATED 2 2 1",
                  "1001 ALLOCATED_QUEUE b1#0 0 0 0",
                  "1001 ALLOCATED_QUEUE b2#0 0 1 0",
                  "1003 QUEUE_ADDED b2#0 100 0 0",
                  "1005 QUEUE_ADDED b1#0 100 0 0", "1008 REBALANCED 0 0 1",
                  // Once more the same allocation.
                  "21009 ALLOCATED 2 2 -1", "21010 REBALANCED 0 0 1"));
}

TEST(ConsumerLifeTest, TheRetryTopicIsOwnedAtTheSecondRebalance) {
  ScriptedCluster cluster(1, 1);
  cluster.AddConsumer().Start();
  cluster.At(500ms, [&] { cluster.SetRoute("%RETRY%g", {"b1"}, 1); });
  cluster.RunUntil(30s);
  EXPECT_THAT(cluster.FactsOf({FactKind::QUEUE_ADDED}),
              ElementsAre("1003 QUEUE_ADDED b1#0 100 0 0",
                          // Without stored offset a retry topic begins at 0.
                          "21009 QUEUE_ADDED b1#0 0 0 0"));
}

TEST(ConsumerLifeTest, OffsetsAreSentAfterTenSecondsAndThenEveryFive) {
  ScriptedCluster cluster(1, 1);
  cluster.AddConsumer().Start();
  cluster.At(2s, [&] {
    EXPECT_TRUE(cluster.AnswerPull("b1#0", cluster.Found(100, 3)));
  });
  cluster.RunUntil(21s);
  // Changed or not.
  EXPECT_THAT(cluster.RequestsWith({"UPDATE_CONSUMER_OFFSET"}),
              ElementsAre("10000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 103",
                          "15000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 103",
                          "20000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 103"));
}

TEST(ConsumerLifeTest, AGracefulLeaveSendsOffsetsThenTakesItselfOffEachBroker) {
  ScriptedCluster cluster(2, 1);
  Host& host = cluster.AddConsumer();
  host.Start();
  cluster.At(2s, [&] { cluster.AnswerPull("b1#0", cluster.Found(100, 3)); });
  cluster.At(3s, [&] { host.Stop(); });
  cluster.RunUntil(2500ms);
  cluster.requests.clear();
  cluster.facts.clear();
  cluster.RunUntil(5s);
  EXPECT_EQ(host.state(), HostState::kStopped);
  EXPECT_THAT(
      cluster.requests,
      ElementsAre("3000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 103",
                  "3000 b2 UNREGISTER_CLIENT g", "3001 b1 UNREGISTER_CLIENT g",
                  "3002 b2 UNREGISTER_CLIENT CLIENT_INNER_PRODUCER",
                  "3003 b1 UNREGISTER_CLIENT CLIENT_INNER_PRODUCER"));
  EXPECT_THAT(cluster.FactsOf({FactKind::QUEUE_DROPPED, FactKind::QUEUE_REMOVED,
                               FactKind::DROPPED, FactKind::PROCESS_STOPPED}),
              ElementsAre("3004 QUEUE_DROPPED b1#0 0 5 0",
                          "3004 QUEUE_REMOVED b1#0 0 0 0",
                          "3004 QUEUE_DROPPED b2#0 0 5 0",
                          "3004 QUEUE_REMOVED b2#0 0 0 0",
                          "3004 PROCESS_STOPPED 0 0 3"));
}

TEST(ConsumerLifeTest, AShutdownDoesNotWaitForListenersByDefault) {
  ScriptedCluster cluster(1, 1);
  cluster.listener = [](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = 600ms;
    return plan;
  };
  Host& host = cluster.AddConsumer();
  host.Start();
  cluster.At(2s, [&] { cluster.AnswerPull("b1#0", cluster.Found(100, 3)); });
  cluster.At(2200ms, [&] { host.Stop(); });
  cluster.RunUntil(5s);
  EXPECT_EQ(host.state(), HostState::kStopped);
  EXPECT_THAT(cluster.RequestsWith({"UPDATE_CONSUMER_OFFSET"}), IsEmpty());
  EXPECT_THAT(cluster.FactsOf({FactKind::DROPPED}),
              ElementsAre("2202 DROPPED b1#0 100 3 0"));
  EXPECT_THAT(cluster.FactsOf({FactKind::FINISHED}), IsEmpty());
}

TEST(ConsumerLifeTest, AShutdownCanWaitForListeners) {
  ScriptedCluster cluster(1, 1);
  cluster.consumer_config.settings.await_termination_millis_when_shutdown = 1s;
  cluster.listener = [](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = 600ms;
    return plan;
  };
  Host& host = cluster.AddConsumer();
  host.Start();
  cluster.At(2s, [&] { cluster.AnswerPull("b1#0", cluster.Found(100, 3)); });
  cluster.At(2200ms, [&] { host.Stop(); });
  cluster.RunUntil(5s);
  EXPECT_EQ(host.state(), HostState::kStopped);
  EXPECT_THAT(cluster.RequestsWith({"UPDATE_CONSUMER_OFFSET"}),
              ElementsAre("2601 b1 UPDATE_CONSUMER_OFFSET b1#0 = 103"));
  EXPECT_THAT(cluster.FactsOf({FactKind::DROPPED}), IsEmpty());
}

TEST(ConsumerLifeTest, AListenerThatHangsHoldsAShutdownForTwiceTheLimit) {
  ScriptedCluster cluster(1, 1);
  cluster.consumer_config.settings.await_termination_millis_when_shutdown = 1s;
  cluster.listener = [](const ListenerCall&) {
    ListenerPlan plan;
    plan.hangs = true;
    return plan;
  };
  Host& host = cluster.AddConsumer();
  host.Start();
  cluster.At(2s, [&] { cluster.AnswerPull("b1#0", cluster.Found(100, 1)); });
  cluster.At(3s, [&] { host.Stop(); });
  cluster.RunUntil(10s);
  EXPECT_EQ(host.state(), HostState::kStopped);
  EXPECT_THAT(cluster.RequestsWith({"UNREGISTER_CLIENT"}),
              ElementsAre("5000 b1 UNREGISTER_CLIENT g",
                          "5001 b1 UNREGISTER_CLIENT CLIENT_INNER_PRODUCER"));
}

TEST(ConsumerLifeTest, WithoutANameServerTheStartFails) {
  ScriptedCluster cluster(1, 1);
  cluster.host("n1").Stop();
  Host& host = cluster.AddConsumer();
  host.Start();
  cluster.RunUntil(10s);
  EXPECT_EQ(host.state(), HostState::kFailed);
  EXPECT_EQ(cluster.FactsOf({FactKind::START_FAILED}).size(), 1u);
}

TEST(ConsumerLifeTest, AStopDuringTheStartWaitsForItsEnd) {
  ScriptedCluster cluster(1, 1);
  Host& host = cluster.AddConsumer();
  host.Start();
  cluster.At(1ms, [&] { host.Stop(); });
  cluster.RunUntil(1s);
  EXPECT_EQ(host.state(), HostState::kStopped);
  EXPECT_THAT(cluster.RequestsWith({"HEART_BEAT", "UNREGISTER_CLIENT"}),
              ElementsAre("18 b1 HEART_BEAT", "19 b1 UNREGISTER_CLIENT g",
                          "20 b1 UNREGISTER_CLIENT CLIENT_INNER_PRODUCER"));
}

TEST(ConsumerLifeTest, AGeneratedClientIdChangesAtARestart) {
  ScriptedCluster cluster(1, 1);
  cluster.consumer_config.client_id = Name();
  cluster.consumer_config.origin.client_ip = "10.0.0.7";
  cluster.consumer_config.origin.pid = 31;
  Host& host = cluster.AddConsumer();
  host.Start();
  cluster.RunUntil(1s);
  EXPECT_EQ(cluster.consumer->client_id().text(), "10.0.0.7@31#0");
  host.Stop();
  cluster.RunUntil(2s);
  host.Start();
  cluster.RunUntil(3s);
  EXPECT_EQ(cluster.consumer->client_id().text(), "10.0.0.7@31#2000000000");
}

TEST(ConsumerLifeTest, ACrashAtAnyMomentLeavesNothingBehind) {
  for (int64_t micros = 100; micros < 2'700'000;
       micros += micros < 40'000 ? 370 : 29'990) {
    ScriptedCluster cluster(2, 2);
    Host& host = cluster.AddConsumer();
    host.Start();
    cluster.At(2s, [&] {
      cluster.AnswerPull("b1#0", cluster.Found(100, 30));
      cluster.AnswerPull("b1#1", ScriptedCluster::NotFound(
                                     50, ResponseCode::kPullOffsetMoved));
    });
    cluster.At(2500ms, [&] { host.Stop(); });
    cluster.RunUntil(Duration::Micros(micros));
    host.Crash();
    cluster.RunUntil(Duration::Micros(micros));
    EXPECT_FALSE(host.alive());
    ASSERT_EQ(cluster.world.frame_pool().live_frames(), 0) << micros;
    cluster.RunUntil(4s);
  }
}

}  // namespace
}  // namespace groupsim
