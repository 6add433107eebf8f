#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/client/consumed_offsets.h"
#include "model/client/starting_offset.h"
#include "model/wire/message_queue.h"
#include "model/wire/subscription.h"

namespace groupsim {
namespace {

class ConsumedOffsetsTest : public ::testing::Test {
 protected:
  NameTable names_;
  const MessageQueue a_{names_.Intern("t"), names_.Intern("b"), 0};
  const MessageQueue b_{names_.Intern("t"), names_.Intern("b"), 1};
  ConsumedOffsets offsets_;
};

TEST_F(ConsumedOffsetsTest, RaisingNeverLowers) {
  EXPECT_EQ(offsets_.Find(a_), -1);
  offsets_.Raise(a_, 21);
  offsets_.Raise(a_, 6);
  EXPECT_EQ(offsets_.Find(a_), 21);
  offsets_.Set(a_, 6);
  EXPECT_EQ(offsets_.Find(a_), 6);
  EXPECT_EQ(offsets_.Find(b_), -1);
}

TEST_F(ConsumedOffsetsTest, AFrozenOffsetStaysUntilItIsRemoved) {
  offsets_.Raise(a_, 5);
  offsets_.SetAndFreeze(a_, 3);
  offsets_.Raise(a_, 9);
  offsets_.Set(a_, 9);
  EXPECT_EQ(offsets_.Find(a_), 3);
  offsets_.Remove(a_);
  EXPECT_EQ(offsets_.Find(a_), -1);
  offsets_.Raise(a_, 9);
  EXPECT_EQ(offsets_.Find(a_), 9);
}

TEST_F(ConsumedOffsetsTest, OffsetsOfOtherQueuesCanBeForgotten) {
  offsets_.Raise(a_, 5);
  offsets_.SetAndFreeze(b_, 7);
  offsets_.RemoveUnless([&](const MessageQueue& queue) { return queue == a_; });
  EXPECT_EQ(offsets_.Find(a_), 5);
  EXPECT_EQ(offsets_.Find(b_), -1);
}

TEST(StartingOffsetTest, DependsOnWhatWasAskedForAndOnTheTopic) {
  using From = ConsumeFromWhere;
  EXPECT_EQ(WhereToStart(From::kLastOffset, false), StartingPoint::kMaximum);
  EXPECT_EQ(WhereToStart(From::kLastOffset, true), StartingPoint::kZero);
  EXPECT_EQ(WhereToStart(From::kFirstOffset, false), StartingPoint::kZero);
  EXPECT_EQ(WhereToStart(From::kFirstOffset, true), StartingPoint::kZero);
  EXPECT_EQ(WhereToStart(From::kTimestamp, false), StartingPoint::kTimestamp);
  EXPECT_EQ(WhereToStart(From::kTimestamp, true), StartingPoint::kMaximum);
}

}  // namespace
}  // namespace groupsim
