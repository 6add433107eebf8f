// A push consumer that is asked to go on from other offsets.
#include <cstdint>
#include <string>

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
using ::testing::StartsWith;

class ResetTest : public ::testing::Test {
 protected:
  // A consumer that holds a pull of each of two queues, as of 4 s.
  void Begin() {
    cluster_.stored_offsets = {{"b1#0", 90}, {"b1#1", 95}};
    host_ = &cluster_.AddConsumer();
    host_->Start();
    cluster_.RunUntil(4s);
    cluster_.requests.clear();
    cluster_.facts.clear();
  }
  void ResetAt(Duration when, int64_t offset) {
    cluster_.At(when, [this, offset] {
      cluster_.ResetOffsets("b1", {{"b1#0", offset}});
    });
  }
  void AnswerAt(Duration when, const std::string& queue, int64_t first,
                int64_t count) {
    cluster_.At(when, [this, queue, first, count] {
      EXPECT_TRUE(cluster_.AnswerPull(queue, cluster_.Found(first, count)));
    });
  }
  // Calls of the listener never end.
  void Hang() {
    cluster_.listener = [](const ListenerCall&) {
      ListenerPlan plan;
      plan.service_time = 1h;
      return plan;
    };
  }

  ScriptedCluster cluster_{1, 2};
  Host* host_ = nullptr;
};

TEST_F(ResetTest, TheQueueIsDroppedAndComesBackTenSecondsLater) {
  Begin();
  ResetAt(5s, 40);
  cluster_.RunUntil(16s);
  // The request takes 500 us, as does the offset. Then one round: 1 ms each for
  // the members, the offset, and two heartbeats, as the queues changed and the
  // retry topic has no route; 500 ms to the first pull.
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::QUEUE_DROPPED, FactKind::QUEUE_REMOVED,
                        FactKind::REBALANCED, FactKind::QUEUE_ADDED}),
      ElementsAre("5000 QUEUE_DROPPED b1#0 0 6 0",
                  "15000 QUEUE_REMOVED b1#0 0 0 0",
                  "15002 QUEUE_ADDED b1#0 40 0 0", "15004 REBALANCED 0 0 1"));
  EXPECT_THAT(cluster_.RequestsWith({"b1#0"}),
              ElementsAre("10000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 90",
                          "15000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 90",
                          "15001 b1 UPDATE_CONSUMER_OFFSET b1#0 = 40",
                          "15002 b1 QUERY_CONSUMER_OFFSET b1#0",
                          StartsWith("15503 b1 PULL_MESSAGE b1#0 @40")));
}

TEST_F(ResetTest, OtherQueuesAreNotPulledMeanwhileButConsumed) {
  Begin();
  ResetAt(5s, 40);
  AnswerAt(6s + 200ms, "b1#1", 95, 2);
  cluster_.RunUntil(16s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::DELIVERED}), SizeIs(2));
  // It is looked at every second.
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre(StartsWith("15201 b1 PULL_MESSAGE b1#1 @97"),
                          StartsWith("15503 b1 PULL_MESSAGE b1#0 @40")));
}

TEST_F(ResetTest, WhatIsCachedIsForgottenAndWhatIsInWorkDoesNotCount) {
  cluster_.consumer_config.settings.consume_thread_min = 1;
  Begin();
  cluster_.listener = [](const ListenerCall&) {
    ListenerPlan plan;
    plan.service_time = 3s;
    return plan;
  };
  AnswerAt(4s + 500ms, "b1#0", 90, 3);
  ResetAt(5s, 40);
  cluster_.RunUntil(16s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::DELIVERED}), SizeIs(1));
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_REMOVED}),
              ElementsAre("15000 QUEUE_REMOVED b1#0 0 0 0"));
  EXPECT_THAT(cluster_.RequestsWith({"UPDATE_CONSUMER_OFFSET"}),
              ElementsAre("10000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 90",
                          "10000 b1 UPDATE_CONSUMER_OFFSET b1#1 = 95",
                          "15000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 90",
                          "15000 b1 UPDATE_CONSUMER_OFFSET b1#1 = 95",
                          "15001 b1 UPDATE_CONSUMER_OFFSET b1#0 = 40"));
}

TEST_F(ResetTest, AnOrderlyQueueGoesAlsoWhileItsListenerIsAtWork) {
  cluster_.consumer_config.orderly = true;
  Begin();
  Hang();
  AnswerAt(4s + 500ms, "b1#0", 90, 3);
  ResetAt(5s, 40);
  cluster_.RunUntil(16s);
  // 500 ms of waiting for the listener in vain; the lock stays.
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::REMOVAL_PUT_OFF, FactKind::QUEUE_REMOVED,
                        FactKind::QUEUE_ADDED}),
      ElementsAre("15500 REMOVAL_PUT_OFF b1#0 0 1 0",
                  "15500 QUEUE_REMOVED b1#0 0 0 0",
                  StartsWith("15503 QUEUE_ADDED b1#0 40")));
  EXPECT_THAT(cluster_.RequestsWith({"UNLOCK_BATCH_MQ"}), IsEmpty());
}

TEST_F(ResetTest, ASecondResetFollowsTheFirst) {
  Begin();
  ResetAt(5s, 40);
  ResetAt(7s, 30);
  cluster_.RunUntil(27s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::QUEUE_DROPPED, FactKind::QUEUE_REMOVED,
                        FactKind::QUEUE_ADDED}),
      ElementsAre(
          "5000 QUEUE_DROPPED b1#0 0 6 0", "15000 QUEUE_REMOVED b1#0 0 0 0",
          "15002 QUEUE_ADDED b1#0 40 0 0", "15004 QUEUE_DROPPED b1#0 0 6 0",
          "25004 QUEUE_REMOVED b1#0 0 0 0", "25006 QUEUE_ADDED b1#0 30 0 0"));
  // It was dropped before its first pull.
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre(StartsWith("25507 b1 PULL_MESSAGE b1#0 @30")));
}

TEST_F(ResetTest, ACrashMeanwhileLosesIt) {
  Begin();
  ResetAt(5s, 40);
  cluster_.At(12s, [&] { host_->Crash(); });
  cluster_.RunUntil(30s);
  EXPECT_EQ(cluster_.stored_offsets["b1#0"], 90);
}

TEST_F(ResetTest, AShutdownMeanwhileWaitsForIt) {
  Begin();
  ResetAt(5s, 40);
  cluster_.At(6s, [&] { host_->Stop(); });
  cluster_.RunUntil(14s + 900ms);
  EXPECT_EQ(host_->state(), HostState::kStopping);
  cluster_.RunUntil(30s);
  EXPECT_EQ(host_->state(), HostState::kStopped);
  EXPECT_EQ(cluster_.stored_offsets["b1#0"], 40);
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_ADDED}), IsEmpty());
}

TEST_F(ResetTest, WhoDoesNotOwnTheQueueIsSuspendedAllTheSame) {
  Begin();
  cluster_.At(5s, [&] { cluster_.ResetOffsets("b1", {{"b1#7", 3}}); });
  cluster_.RunUntil(6s);
  EXPECT_TRUE(cluster_.consumer->suspended());
  cluster_.RunUntil(16s);
  EXPECT_FALSE(cluster_.consumer->suspended());
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_DROPPED}), IsEmpty());
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}),
              ElementsAre("15002 REBALANCED 0 0 1"));
  EXPECT_EQ(cluster_.stored_offsets.count("b1#7"), 0u);
}

}  // namespace
}  // namespace groupsim
