#include "tests/support/story_measures.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"

namespace groupsim {
namespace {

class StoryMeasuresTest : public ::testing::Test {
 protected:
  void Tell(Duration when, FactKind kind, Name host, int64_t offset = 0,
            int64_t count = 0) {
    Fact fact;
    fact.time = Instant::Start() + when;
    fact.kind = kind;
    fact.host = host.id();
    fact.topic = topic_.id();
    fact.group = static_cast<uint16_t>(group_.id());
    fact.broker = 7;
    fact.offset = offset;
    fact.count = count;
    measures_.OnFact(fact);
  }
  static Instant At(Duration when) { return Instant::Start() + when; }

  NameTable names_;
  Name topic_ = names_.Intern("topic");
  Name group_ = names_.Intern("group");
  Name a_ = names_.Intern("a");
  Name b_ = names_.Intern("b");
  StoryMeasures measures_{topic_, group_};
};

TEST_F(StoryMeasuresTest, AMessageCommittedWithoutASuccessIsLost) {
  for (int i = 0; i < 4; ++i) Tell(1s, FactKind::STORED, b_, i);
  Tell(2s, FactKind::QUEUE_ADDED, a_, 1);
  Tell(3s, FactKind::DELIVERED, a_, 1);
  Tell(3s, FactKind::FINISHED, a_, 1);
  Tell(3s, FactKind::DELIVERED, a_, 2);
  Tell(3s, FactKind::FINISHED, a_, 2,
       static_cast<int64_t>(ConsumeStatus::kReconsumeLater));
  EXPECT_EQ(measures_.lost(), 0);
  Tell(4s, FactKind::COMMITTED, a_, 3);
  EXPECT_EQ(measures_.lost(), 1);
  EXPECT_EQ(measures_.skipped(), 1);
  EXPECT_EQ(measures_.stored(), 4);
  EXPECT_EQ(measures_.delivered(), 2);
  EXPECT_EQ(measures_.duplicates(), 0);
  Tell(5s, FactKind::DELIVERED, b_, 2);
  Tell(5s, FactKind::DELIVERED, b_, 2);
  EXPECT_EQ(measures_.duplicates(), 2);
}

TEST_F(StoryMeasuresTest, OwnershipEndsWithTheDropOrTheProcess) {
  EXPECT_EQ(measures_.unowned(At(9s)), Duration::Zero());
  Tell(10s, FactKind::QUEUE_ADDED, a_);
  Tell(20s, FactKind::QUEUE_ADDED, b_);
  Tell(23s, FactKind::QUEUE_DROPPED, a_);
  EXPECT_EQ(measures_.queues_owned(), 1);
  EXPECT_EQ(measures_.queues_of(b_).size(), 1u);
  EXPECT_TRUE(measures_.queues_of(a_).empty());
  Tell(30s, FactKind::PROCESS_CRASHED, b_);
  EXPECT_EQ(measures_.queues_owned(), 0);
  EXPECT_EQ(measures_.owned_twice(At(100s)), 3s);
  EXPECT_EQ(measures_.unowned(At(30s)), Duration::Zero());
  EXPECT_EQ(measures_.unowned(At(37s)), 7s);
  Tell(40s, FactKind::QUEUE_ADDED, a_);
  EXPECT_EQ(measures_.unowned(At(100s)), 10s);
}

}  // namespace
}  // namespace groupsim
