#include "model/client/orderly_step.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/client/process_queue.h"
#include "model/facts/causes.h"

namespace groupsim {
namespace {

using Taken = OrderlyOutcome::Taken;

constexpr OrderlyLimits kLimits = {.lock_max_live_time = 30s,
                                   .max_time_consume_continuously = 60s};

TEST(OrderlyStepTest, WhatHoldsFirstDecides) {
  ProcessQueue queue(0);
  EXPECT_EQ(NextOrderlyStep(queue, kLimits, 0, 0), OrderlyStep::kNotLocked);
  queue.set_locked(true);
  EXPECT_EQ(NextOrderlyStep(queue, kLimits, 0, 30'000), OrderlyStep::kConsume);
  EXPECT_EQ(NextOrderlyStep(queue, kLimits, 0, 30'001),
            OrderlyStep::kLockExpired);
  queue.set_last_lock_millis(60'000);
  EXPECT_EQ(NextOrderlyStep(queue, kLimits, 0, 60'000), OrderlyStep::kConsume);
  EXPECT_EQ(NextOrderlyStep(queue, kLimits, 0, 60'001), OrderlyStep::kYield);
  EXPECT_EQ(NextOrderlyStep(queue, kLimits, 1, 60'001), OrderlyStep::kConsume);
  EXPECT_EQ(NextOrderlyStep(queue, kLimits, 0, 90'001),
            OrderlyStep::kLockExpired);
  queue.set_locked(false);
  EXPECT_EQ(NextOrderlyStep(queue, kLimits, 0, 90'001),
            OrderlyStep::kNotLocked);
  queue.MarkDropped();
  EXPECT_EQ(NextOrderlyStep(queue, kLimits, 0, 90'001), OrderlyStep::kDropped);
}

struct Row {
  ConsumeStatus status;
  bool auto_commit;
  bool again;
  Taken taken;
  bool goes_on;
};

TEST(OrderlyStepTest, EveryAnswerOfAListenerHasItsOutcome) {
  const Row rows[] = {
      // With auto-commit, all that is no suspension commits.
      {ConsumeStatus::kSuccess, true, false, Taken::kCommit, true},
      {ConsumeStatus::kCommit, true, false, Taken::kCommit, true},
      {ConsumeStatus::kRollback, true, false, Taken::kCommit, true},
      {ConsumeStatus::kReconsumeLater, true, true, Taken::kAgain, false},
      {ConsumeStatus::kException, true, true, Taken::kAgain, false},
      {ConsumeStatus::kNull, true, true, Taken::kAgain, false},
      // Messages without attempts left are given up and committed.
      {ConsumeStatus::kReconsumeLater, true, false, Taken::kCommit, true},
      {ConsumeStatus::kException, true, false, Taken::kCommit, true},
      // Without, only COMMIT does.
      {ConsumeStatus::kSuccess, false, false, Taken::kStay, true},
      {ConsumeStatus::kCommit, false, false, Taken::kCommit, true},
      {ConsumeStatus::kRollback, false, false, Taken::kRollback, false},
      {ConsumeStatus::kReconsumeLater, false, true, Taken::kAgain, false},
      {ConsumeStatus::kNull, false, true, Taken::kAgain, false},
      {ConsumeStatus::kReconsumeLater, false, false, Taken::kStay, true},
  };
  for (const Row& row : rows) {
    const OrderlyOutcome expected = {row.taken, row.goes_on};
    EXPECT_EQ(OutcomeOf(row.status, row.auto_commit, row.again), expected)
        << NameOf(row.status) << (row.auto_commit ? ", auto-commit" : "")
        << (row.again ? ", again" : "");
  }
}

}  // namespace
}  // namespace groupsim
