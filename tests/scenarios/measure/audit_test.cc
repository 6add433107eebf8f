// Each law of conservation is caught failing by a forged stream of facts, and
// by no other law's.
#include "scenarios/measure/audit.h"

#include <gtest/gtest.h>

#include "tests/scenarios/measure/fact_stream.h"

namespace groupsim {
namespace {

class AuditTest : public testing::Test {
 protected:
  AuditTest() : s(1, {"c1"}, 10s) { s.Start(0, "c1"); }

  void ExpectOnly(AuditLaw law) {
    ASSERT_FALSE(s.violations().empty()) << NameOf(law);
    for (const Audit::Violation& violation : s.violations()) {
      EXPECT_EQ(NameOf(violation.law), NameOf(law)) << violation.what;
    }
  }

  FactStream s;
};

TEST_F(AuditTest, AGapBetweenStoredOffsetsIsCaught) {
  s.Store(100, 0, 0);
  s.Store(110, 0, 2);
  ExpectOnly(AuditLaw::kStoredWithoutGaps);
}

TEST_F(AuditTest, DeliveryOfWhatWasNotStoredIsCaught) {
  s.Store(100, 0, 0);
  s.Deliver(110, "c1", 0, 1);
  ExpectOnly(AuditLaw::kDeliveredIsStored);
}

TEST_F(AuditTest, AFinishWithoutDeliveryIsCaught) {
  s.Store(100, 0, 0);
  s.Pulled(110, "c1", 0, 0, 1);
  s.Finish(120, "c1", 0, 0);
  ExpectOnly(AuditLaw::kFinishedIsDelivered);
}

TEST_F(AuditTest, ACommitAboveTheMaximumIsCaught) {
  s.Store(100, 0, 0);
  // One beyond the end is what an administrator may reset it to.
  s.Commit(105, 0, 2);
  EXPECT_TRUE(s.violations().empty());
  s.Commit(110, 0, 3);
  ExpectOnly(AuditLaw::kCommittedWithinQueue);
}

TEST_F(AuditTest, AnAcknowledgedSendThatWasNotStoredIsCaughtAndLost) {
  s.OnQueue(100, FactKind::SENT, "p", 0, 5);
  ExpectOnly(AuditLaw::kSentIsStored);
  EXPECT_EQ(s.delivery().counts(0).lost, 1);
}

TEST_F(AuditTest, FinishingMoreThanWasPulledIsCaught) {
  s.Store(100, 0, 0);
  s.Deliver(110, "c1", 0, 0);
  s.Finish(120, "c1", 0, 0);
  ExpectOnly(AuditLaw::kCacheIsConserved);
}

TEST_F(AuditTest, AbandoningMoreThanIsHeldIsCaught) {
  s.OnQueue(100, FactKind::DROPPED, "c1", 0, 0, 3);
  ExpectOnly(AuditLaw::kCacheIsConserved);
}

TEST_F(AuditTest, AnOwnerThatDoesNotRunIsCaught) {
  s.Life(100, FactKind::PROCESS_CRASHED, "c1");
  s.Add(200, "c1", 0);
  ExpectOnly(AuditLaw::kOwnersAreAlive);
}

TEST_F(AuditTest, AFactFromThePastIsCaught) {
  s.Store(100, 0, 0);
  s.Store(99, 0, 1);
  ExpectOnly(AuditLaw::kTimeNeverGoesBack);
}

TEST_F(AuditTest, ACopyOfWhatWasNotStoredIsCaught) {
  s.Store(100, 0, 0);
  s.OnQueue(110, FactKind::RETRY_STORED, "b", 0, 1, 1, 3);
  ExpectOnly(AuditLaw::kCopiesHaveOrigins);
}

TEST_F(AuditTest, AnHonestStreamPasses) {
  s.Store(100, 0, 0);
  s.OnQueue(101, FactKind::SENT, "p", 0, 0);
  s.Add(1'000, "c1", 0);
  s.Pulled(1'100, "c1", 0, 0, 1);
  s.Deliver(1'100, "c1", 0, 0);
  s.Finish(1'101, "c1", 0, 0);
  s.Commit(1'200, 0, 1);
  s.End();
  EXPECT_TRUE(s.violations().empty());
}

}  // namespace
}  // namespace groupsim
