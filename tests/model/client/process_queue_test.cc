#include "model/client/process_queue.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/wire/message.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Message> At(std::initializer_list<int64_t> offsets) {
  std::vector<Message> messages;
  for (const int64_t offset : offsets) {
    Message message;
    message.queue_offset = offset;
    message.body_size = 10;
    messages.push_back(message);
  }
  return messages;
}

std::vector<int64_t> OffsetsOf(const std::vector<Message>& messages) {
  std::vector<int64_t> offsets;
  for (const Message& m : messages) offsets.push_back(m.queue_offset);
  return offsets;
}

class ProcessQueueTest : public ::testing::Test {
 protected:
  bool Put(std::initializer_list<int64_t> offsets) {
    return queue_.PutMessages(At(offsets), std::nullopt);
  }
  int64_t Remove(std::initializer_list<int64_t> offsets) {
    return queue_.RemoveMessages(At(offsets), 0);
  }

  ProcessQueue queue_{0};
};

TEST_F(ProcessQueueTest, RemovingTheLowestOffsetMovesTheCommitPoint) {
  EXPECT_TRUE(Put({10, 11, 12}));
  EXPECT_EQ(queue_.msg_count(), 3);
  EXPECT_EQ(queue_.queue_offset_max(), 12);
  EXPECT_EQ(Remove({11}), 10);
  EXPECT_EQ(Remove({10}), 12);
  EXPECT_EQ(Remove({12}), 13);
  EXPECT_EQ(Remove({12}), -1);
}

TEST_F(ProcessQueueTest, ARepeatedOffsetIsNotCounted) {
  Put({10, 11});
  Put({11, 12});
  EXPECT_EQ(queue_.msg_count(), 3);
  EXPECT_EQ(queue_.msg_size(), 30);
  EXPECT_EQ(queue_.queue_offset_max(), 12);
}

TEST_F(ProcessQueueTest, TheHighestOffsetIsTheOneThatWasPutLast) {
  Put({20});
  EXPECT_EQ(Remove({20}), 21);
  Put({5});
  EXPECT_EQ(queue_.queue_offset_max(), 5);
  EXPECT_EQ(Remove({5}), 6);
}

TEST_F(ProcessQueueTest, OrderlyMessagesAreTakenAndCommittedInOrder) {
  EXPECT_TRUE(Put({1, 2, 3}));
  EXPECT_THAT(OffsetsOf(queue_.TakeMessages(2, 0)), ElementsAre(1, 2));
  EXPECT_FALSE(Put({4}));
  EXPECT_EQ(queue_.Commit(), 3);
  EXPECT_THAT(OffsetsOf(queue_.TakeMessages(2, 0)), ElementsAre(3, 4));
  queue_.MakeMessagesConsumeAgain(At({3, 4}));
  EXPECT_THAT(OffsetsOf(queue_.TakeMessages(1, 0)), ElementsAre(3));
  queue_.Rollback();
  EXPECT_THAT(OffsetsOf(queue_.TakeMessages(3, 0)), ElementsAre(3, 4));
  EXPECT_EQ(queue_.Commit(), 5);
  EXPECT_THAT(OffsetsOf(queue_.TakeMessages(1, 0)), IsEmpty());
  EXPECT_FALSE(queue_.consuming());
  EXPECT_TRUE(Put({5}));
}

TEST_F(ProcessQueueTest, CommittingNothingFailsAndChangesNothing) {
  Put({1});
  EXPECT_EQ(queue_.Commit(), std::nullopt);
  EXPECT_EQ(queue_.msg_count(), 1);
}

TEST_F(ProcessQueueTest, TheSpanIsThatOfWhatIsCachedNow) {
  EXPECT_EQ(queue_.MaxSpan(), 0);
  Put({0, 1, 5'000});
  EXPECT_EQ(queue_.MaxSpan(), 5'000);
  Remove({1, 5'000});
  EXPECT_EQ(queue_.MaxSpan(), 0);
}

TEST_F(ProcessQueueTest, TellsHowFarTheLastBatchWasBehind) {
  queue_.PutMessages(At({1, 2}), 10);
  EXPECT_EQ(queue_.msg_acc_cnt(), 8);
  queue_.PutMessages(At({3}), 3);  // Not behind: the old figure stays.
  EXPECT_EQ(queue_.msg_acc_cnt(), 8);
}

TEST_F(ProcessQueueTest, ExpiryIsStrictlyBeyondTheLimit) {
  queue_.set_last_pull_millis(1'000);
  queue_.set_last_lock_millis(1'000);
  EXPECT_FALSE(queue_.IsPullExpired(121'000, 120s));
  EXPECT_TRUE(queue_.IsPullExpired(121'001, 120s));
  EXPECT_FALSE(queue_.IsLockExpired(31'000, 30s));
  EXPECT_TRUE(queue_.IsLockExpired(31'001, 30s));
}

TEST_F(ProcessQueueTest, ClearForgetsEverythingButTheOwnership) {
  Put({1, 2});
  queue_.TakeMessages(1, 0);
  queue_.Clear();
  EXPECT_EQ(queue_.msg_count(), 0);
  EXPECT_EQ(queue_.msg_size(), 0);
  EXPECT_EQ(queue_.queue_offset_max(), 0);
  EXPECT_FALSE(queue_.HasMessagesToTake());
  EXPECT_TRUE(queue_.consuming());
  EXPECT_FALSE(queue_.dropped());
}

}  // namespace
}  // namespace groupsim
