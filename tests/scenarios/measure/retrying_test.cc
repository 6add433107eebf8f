#include "scenarios/measure/retrying.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/scenarios/measure/fact_stream.h"

namespace groupsim {
namespace {

// One queue of the topic; queue 9 stands for the group's retry queue.
class RetryingTest : public testing::Test {
 protected:
  static constexpr int kRetryQueue = 9;

  RetryingTest() : s(1, {"c1"}, 100s) {
    s.Start(0, "c1");
    s.Store(100, 0, 0);
    s.Pulled(110, "c1", 0, 0, 1);
    s.Deliver(120, "c1", 0, 0);
  }
  // A call that fails; the message is sent back two milliseconds later.
  void Fail(int64_t ms) {
    s.OnQueue(ms, FactKind::FINISHED, "c1", 0, 0, 1, 2);
    s.OnQueue(ms + 1, FactKind::RETRY_STORED, "b", 0, 0, 1, 3);
    s.OnQueue(ms + 2, FactKind::SENT_BACK, "c1", 0, 0);
    s.OnQueue(ms + 2, FactKind::SETTLED, "c1", 0, 0, 1);
    s.Commit(ms + 3, 0, 1);
  }
  // A copy in the retry queue comes to the listener.
  void DeliverCopy(int64_t ms, int64_t copy, int64_t times) {
    s.Pulled(ms - 1, "c1", kRetryQueue, copy, 1);
    s.OnQueue(ms, FactKind::DELIVERED, "c1", kRetryQueue, copy, times);
    s.OnQueue(ms, FactKind::RETRY_DELIVERED, "c1", 0, 0, times);
  }
  void FinishCopy(int64_t ms, int64_t copy) {
    s.Finish(ms, "c1", kRetryQueue, copy);
  }
  const RetryMeasure::GroupResult& result() {
    return s.measures().retrying().group(0);
  }

  FactStream s;
};

TEST_F(RetryingTest, ARetryIsADeliveryThatEndsTheMessage) {
  Fail(130);
  DeliverCopy(10'150, 0, 1);
  FinishCopy(10'160, 0);
  s.End();
  const auto& counts = s.delivery().counts(0);
  EXPECT_EQ(counts.deliveries, 2);
  EXPECT_EQ(counts.distinct, 1);
  EXPECT_EQ(counts.retries, 1);
  EXPECT_EQ(counts.duplicates, 0);
  EXPECT_EQ(counts.finished, 1);
  EXPECT_EQ(result().failed, 1);
  EXPECT_EQ(result().sent_back, 1);
  // From the end of the failed call to the beginning of the next.
  EXPECT_EQ(result().retry_delay.max(), Duration::Millis(10'020));
  // The message took until then.
  EXPECT_EQ(s.delivery().LatenciesOf(0).total.max(), Duration::Millis(10'060));
  // In the listener from 120 to 130 and from 10,150 to 10,160.
  EXPECT_EQ(s.delivery().consumer(0).processing, 20'000'000);
  EXPECT_EQ(s.delivery().consumer(0).finished, 1);
  EXPECT_TRUE(s.violations().empty());
}

// What its producer had planned counts for a retry, too.
TEST_F(RetryingTest, ARetriedMessageTakesFromItsScheduledTime) {
  s.Sent(125, 0, 0, 90);
  Fail(130);
  DeliverCopy(10'150, 0, 1);
  FinishCopy(10'160, 0);
  s.End();
  EXPECT_EQ(s.delivery().LatenciesOf(0).from_schedule.max(),
            Duration::Millis(10'070));
}

TEST_F(RetryingTest, ASecondCopyIsADuplicate) {
  Fail(130);
  DeliverCopy(10'150, 0, 1);
  FinishCopy(10'160, 0);
  DeliverCopy(10'250, 1, 1);
  FinishCopy(10'260, 1);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).retries, 1);
  EXPECT_EQ(s.delivery().counts(0).duplicates, 1);
  EXPECT_EQ(s.delivery().counts(0).finished, 1);
  EXPECT_TRUE(s.violations().empty());
}

TEST_F(RetryingTest, AMessageThatStaysWithItsConsumerIsRetriedThere) {
  s.OnQueue(130, FactKind::FINISHED, "c1", 0, 0, 1, 2);
  s.OnQueue(132, FactKind::SEND_BACK_FAILED, "c1", 0, 0, 1);
  s.OnQueue(132, FactKind::RESUBMITTED, "c1", 0, 0, 1);
  s.OnQueue(5'132, FactKind::DELIVERED, "c1", 0, 0, 1);
  s.Finish(5'140, "c1", 0, 0);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).retries, 1);
  EXPECT_EQ(s.delivery().counts(0).finished, 1);
  EXPECT_EQ(result().send_backs_failed, 1);
  EXPECT_EQ(result().resubmitted, 1);
  EXPECT_EQ(result().retry_delay.max(), Duration::Millis(5'002));
  EXPECT_TRUE(s.violations().empty());
}

TEST_F(RetryingTest, ADeadLetterTakesFromTheFirstDelivery) {
  Fail(130);
  DeliverCopy(10'150, 0, 1);
  s.OnQueue(10'160, FactKind::FINISHED, "c1", kRetryQueue, 0, 1, 2);
  s.OnQueue(10'161, FactKind::DEAD_LETTERED, "b", 0, 0, 2);
  s.OnQueue(10'162, FactKind::SETTLED, "c1", kRetryQueue, 0, 1);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).dead_letters, 1);
  EXPECT_EQ(s.delivery().counts(0).finished, 0);
  EXPECT_EQ(result().failed, 2);
  EXPECT_EQ(result().time_to_dead_letter.max(), Duration::Millis(10'041));
  EXPECT_TRUE(s.violations().empty());
}

// The call goes on; its copy is a retry, and what it answers does not count.
TEST_F(RetryingTest, AnExpiredMessageIsRetriedWhileItsCallGoesOn) {
  s.OnQueue(60'000, FactKind::RETRY_STORED, "b", 0, 0, 1, 3);
  s.OnQueue(60'001, FactKind::EXPIRED, "c1", 0, 0);
  DeliverCopy(70'100, 0, 1);
  FinishCopy(70'110, 0);
  s.OnQueue(80'000, FactKind::FINISHED, "c1", 0, 0, 0, 0);
  s.End();
  EXPECT_EQ(result().expired, 1);
  EXPECT_EQ(s.delivery().counts(0).retries, 1);
  EXPECT_EQ(s.delivery().counts(0).finished, 1);
  EXPECT_EQ(result().retry_delay.max(), Duration::Millis(10'099));
  EXPECT_TRUE(s.violations().empty());
}

// A crash before the commit: the message is delivered again, and its copy comes
// besides.
TEST_F(RetryingTest, AMessageThatWasSentBackAndComesAgainIsADuplicate) {
  s.OnQueue(130, FactKind::FINISHED, "c1", 0, 0, 1, 2);
  s.OnQueue(131, FactKind::RETRY_STORED, "b", 0, 0, 1, 3);
  s.OnQueue(132, FactKind::SENT_BACK, "c1", 0, 0);
  s.OnQueue(132, FactKind::SETTLED, "c1", 0, 0, 1);
  s.Pulled(190, "c1", 0, 0, 1);
  s.Deliver(200, "c1", 0, 0);
  s.Finish(210, "c1", 0, 0);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).duplicates, 1);
  EXPECT_EQ(s.delivery().counts(0).retries, 0);
}

// Its queue went to another consumer, say: nothing counts its attempts there.
TEST_F(RetryingTest, AFailedMessageThatComesAnewEndsItsWait) {
  s.OnQueue(130, FactKind::FINISHED, "c1", 0, 0, 1, 2);
  s.Deliver(1'130, "c1", 0, 0);
  s.Finish(1'140, "c1", 0, 0);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).retries, 1);
  EXPECT_EQ(s.delivery().counts(0).duplicates, 0);
  EXPECT_EQ(result().retry_delay.max(), Duration::Millis(1'000));
}

// Where consumption commits by itself, ROLLBACK commits.
TEST_F(RetryingTest, ARollbackThatCommitsIsNoFailure) {
  s.OnQueue(130, FactKind::FINISHED, "c1", 0, 0,
            static_cast<int64_t>(ConsumeStatus::kRollback), 1);
  s.End();
  EXPECT_EQ(result().failed, 0);
  EXPECT_EQ(s.delivery().counts(0).finished, 1);
  EXPECT_EQ(s.delivery().consumer(0).finished, 1);
}

// All that was taken and not committed comes again, also what had succeeded.
TEST_F(RetryingTest, WhatWasRolledBackComesAgainAsARetry) {
  s.Store(130, 0, 1);
  s.Pulled(135, "c1", 0, 1, 1);
  s.OnQueue(140, FactKind::FINISHED, "c1", 0, 0, 0, 2);
  s.Deliver(140, "c1", 0, 1);
  s.OnQueue(150, FactKind::FINISHED, "c1", 0, 1,
            static_cast<int64_t>(ConsumeStatus::kRollback), 2);
  s.Deliver(1'150, "c1", 0, 0);
  s.Finish(1'160, "c1", 0, 0);
  s.Deliver(1'160, "c1", 0, 1);
  s.Finish(1'170, "c1", 0, 1);
  s.End();
  EXPECT_EQ(s.delivery().counts(0).deliveries, 4);
  EXPECT_EQ(s.delivery().counts(0).retries, 2);
  EXPECT_EQ(s.delivery().counts(0).duplicates, 0);
  EXPECT_EQ(s.delivery().counts(0).finished, 2);
  // 20 ms, 10 ms, 10 ms and 10 ms.
  EXPECT_EQ(s.delivery().consumer(0).processing, 50'000'000);
}

// One call under way at a crash, one at the end of the run.
TEST_F(RetryingTest, CallsThatNeverEndTakeTimeAndFinishNothing) {
  s.Life(1'120, FactKind::PROCESS_CRASHED, "c1");
  s.Start(2'000, "c1");
  s.Pulled(89'999, "c1", 0, 0, 1);
  s.Deliver(90'000, "c1", 0, 0);
  s.End();
  EXPECT_EQ(s.delivery().consumer(0).finished, 0);
  EXPECT_EQ(s.delivery().consumer(0).processing, 11'000'000'000);
}

TEST_F(RetryingTest, AnExceptionAndASuspensionFinishNothing) {
  s.OnQueue(130, FactKind::FINISHED, "c1", 0, 0,
            static_cast<int64_t>(ConsumeStatus::kException), 2);
  s.OnQueue(1'130, FactKind::DELIVERED, "c1", 0, 0, 1);
  s.OnQueue(1'140, FactKind::FINISHED, "c1", 0, 0,
            static_cast<int64_t>(ConsumeStatus::kReconsumeLater), 2);
  s.OnQueue(2'140, FactKind::DELIVERED, "c1", 0, 0, 2);
  s.Finish(2'155, "c1", 0, 0);
  s.End();
  EXPECT_EQ(s.delivery().consumer(0).finished, 1);
  EXPECT_EQ(s.delivery().counts(0).finished, 1);
  EXPECT_EQ(s.delivery().counts(0).retries, 2);
  EXPECT_EQ(result().failed, 2);
  // 10 ms, 10 ms and 15 ms.
  EXPECT_EQ(s.delivery().consumer(0).processing, 35'000'000);
}

}  // namespace
}  // namespace groupsim
