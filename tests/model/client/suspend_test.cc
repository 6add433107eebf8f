// A push consumer that its application suspends and resumes.
#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "tests/model/client/scripted_cluster.h"

namespace groupsim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class SuspendTest : public ::testing::Test {
 protected:
  // A consumer that holds one pull, as of 4 s.
  void SetUp() override {
    host_ = &cluster_.AddConsumer();
    host_->Start();
    cluster_.RunUntil(4s);
    cluster_.requests.clear();
    cluster_.facts.clear();
  }
  void SuspendAt(Duration when) {
    cluster_.At(when, [this] { cluster_.consumer->Suspend(); });
  }
  void ResumeAt(Duration when) {
    cluster_.At(when, [this] { cluster_.consumer->Resume(); });
  }
  // Answers the held pull.
  void AnswerAt(Duration when, int64_t first, int64_t count) {
    cluster_.At(when, [this, first, count] {
      EXPECT_TRUE(cluster_.AnswerPull("b1#0", cluster_.Found(first, count)));
    });
  }

  ScriptedCluster cluster_{1, 1};
  Host* host_ = nullptr;
};

TEST_F(SuspendTest, TheNextPullOfAQueueIsPutOffBySecondsUntilItGoesOn) {
  SuspendAt(5s);
  AnswerAt(6s, 100, 2);
  ResumeAt(8s + 200ms);
  cluster_.RunUntil(10s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::PULL_POSTPONED}), SizeIs(3));
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre(StartsWith("9001 b1 PULL_MESSAGE b1#0 @102")));
}

TEST_F(SuspendTest, WhatWasPulledIsConsumed) {
  SuspendAt(5s);
  AnswerAt(6s, 100, 3);
  cluster_.RunUntil(20s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::DELIVERED}), SizeIs(3));
  EXPECT_THAT(cluster_.RequestsWith({"UPDATE_CONSUMER_OFFSET"}),
              Contains("10000 b1 UPDATE_CONSUMER_OFFSET b1#0 = 103"));
}

TEST_F(SuspendTest, ItsQueuesDoNotCountAsNotPulledForLong) {
  SuspendAt(5s);
  AnswerAt(6s, 100, 1);
  ResumeAt(300s);
  cluster_.RunUntil(301s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::QUEUE_DROPPED}), IsEmpty());
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}), SizeIs(1));
}

TEST_F(SuspendTest, NoRebalanceTouchesItAndOneDoesAtOnceWhenItGoesOn) {
  SuspendAt(5s);
  cluster_.At(6s, [&] { cluster_.Notify("b1"); });
  ResumeAt(60s + 200ms);
  cluster_.RunUntil(62s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::NOTICE_RECEIVED}), SizeIs(1));
  // The loop comes back every second while one of its consumers is suspended.
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}),
              ElementsAre("60202 REBALANCED 0 0 1", "61002 REBALANCED 0 0 1"));
}

TEST_F(SuspendTest, ASecondResumeOfOneTurnIsForTheLoop) {
  SuspendAt(5s);
  cluster_.At(5s + 300ms, [&] {
    cluster_.consumer->Resume();
    cluster_.consumer->Resume();
  });
  cluster_.RunUntil(8s);
  EXPECT_FALSE(cluster_.consumer->suspended());
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}),
              ElementsAre("5302 REBALANCED 0 0 1", "6302 REBALANCED 0 0 1"));
}

TEST_F(SuspendTest, AResumeDuringARebalanceIsFollowedByAnother) {
  cluster_.script("b1").delay[RequestCode::kGetConsumerListByGroup] = 500ms;
  cluster_.At(5s, [&] { cluster_.Notify("b1"); });
  SuspendAt(5s + 100ms);
  ResumeAt(5s + 200ms);
  cluster_.RunUntil(8s);
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}), SizeIs(2));
}

TEST_F(SuspendTest, ASuspendOfTheSameTurnDoesNotTakeTheRebalanceBack) {
  SuspendAt(5s);
  cluster_.At(6s, [&] {
    cluster_.consumer->Resume();
    cluster_.consumer->Suspend();
  });
  cluster_.RunUntil(20s);
  EXPECT_TRUE(cluster_.consumer->suspended());
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}),
              ElementsAre("6002 REBALANCED 0 0 1"));
}

TEST_F(SuspendTest, AResumeDuringTheShutdownDoesNothing) {
  SuspendAt(5s);
  cluster_.script("b1").delay[RequestCode::kUnregisterClient] = 1s;
  cluster_.At(6s, [&] { host_->Stop(); });
  ResumeAt(6s + 500ms);
  cluster_.RunUntil(20s);
  EXPECT_EQ(host_->state(), HostState::kStopped);
  EXPECT_THAT(cluster_.FactsOf({FactKind::REBALANCED}), IsEmpty());
}

}  // namespace
}  // namespace groupsim
