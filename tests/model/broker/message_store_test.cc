#include "model/broker/message_store.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/broker/tag_filter.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class MessageStoreTest : public ::testing::Test {
 protected:
  // Appends messages with these bodies and makes them visible.
  void Add(StoredQueue& queue, int count, int32_t body_size = 100,
           Name tag = Name()) {
    for (int i = 0; i < count; ++i) {
      MessageStore::NewMessage message;
      message.body_size = body_size;
      message.tag = tag;
      message.born = now_;
      store_.Append(queue, message, now_);
    }
    store_.Recover();
  }
  GetMessageResult Get(const StoredQueue& queue, int64_t offset,
                       int32_t max_msg_nums = 32,
                       const TagFilter* filter = nullptr) {
    messages_.clear();
    MessageStore::GetMessageQuery query;
    query.offset = offset;
    query.max_msg_nums = max_msg_nums;
    query.filter = filter;
    return store_.GetMessage(queue, query, settings_, messages_);
  }

  NameTable names_;
  const Name topic_ = names_.Intern("t");
  MessageStore store_;
  StoredQueue& queue_ = store_.FindOrCreate(topic_, 0);
  BrokerSettings settings_;
  MessageBatch messages_;
  Instant now_ = Instant::Start() + 1s;
};

TEST_F(MessageStoreTest, AMessageIsVisibleOnceItIsDispatched) {
  MessageStore::NewMessage message;
  message.born = now_ - 3ms;
  message.key = 77;
  message.tag = names_.Intern("red");
  message.body_size = 123;
  EXPECT_EQ(store_.Append(queue_, message, now_), 0);
  EXPECT_EQ(queue_.next_offset(), 1);
  EXPECT_EQ(queue_.max_offset(), 0);
  EXPECT_TRUE(store_.has_undispatched());
  EXPECT_EQ(Get(queue_, 0).status, GetMessageStatus::kNoMessageInQueue);

  store_.Dispatch([&](const StoredQueue& queue, int32_t tags_code) {
    EXPECT_EQ(&queue, &queue_);
    EXPECT_EQ(queue.max_offset(), 1);
    EXPECT_EQ(tags_code, JavaStringHash("red"));
  });
  EXPECT_FALSE(store_.has_undispatched());
  const GetMessageResult result = Get(queue_, 0);
  EXPECT_EQ(result.status, GetMessageStatus::kFound);
  EXPECT_EQ(result.next_begin_offset, 1);
  EXPECT_EQ(result.min_offset, 0);
  EXPECT_EQ(result.max_offset, 1);
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_EQ(messages_[0].queue_offset, 0);
  EXPECT_EQ(messages_[0].born, now_ - 3ms);
  EXPECT_EQ(messages_[0].stored, now_);
  EXPECT_EQ(messages_[0].key, 77u);
  EXPECT_EQ(messages_[0].tag, names_.Intern("red"));
  EXPECT_EQ(messages_[0].body_size, 123);
}

TEST_F(MessageStoreTest, OffsetsHaveNoGapsAndDispatchFollowsTheLog) {
  StoredQueue& other = store_.FindOrCreate(topic_, 3);
  const MessageStore::NewMessage message;
  EXPECT_EQ(store_.Append(queue_, message, now_), 0);
  EXPECT_EQ(store_.Append(other, message, now_), 0);
  EXPECT_EQ(store_.Append(queue_, message, now_), 1);
  std::vector<std::pair<int32_t, int64_t>> seen;
  store_.Dispatch([&](const StoredQueue& queue, int32_t) {
    seen.emplace_back(queue.queue_id(), queue.max_offset());
  });
  EXPECT_THAT(seen, ElementsAre(Pair(0, 1), Pair(3, 1), Pair(0, 2)));
}

TEST_F(MessageStoreTest, PositionsInTheLogDifferByTheSizesOfTheRecords) {
  Add(queue_, 1, 100);
  Add(queue_, 1, 200, names_.Intern("red"));
  Add(queue_, 1, 0);
  Get(queue_, 0);
  ASSERT_EQ(messages_.size(), 3u);
  // 91 fixed, topic "t", UNIQ_KEY, WAIT and CLUSTER: 42 + 10 + 23.
  EXPECT_EQ(messages_[1].commit_log_offset, 91 + 1 + 75 + 100);
  EXPECT_EQ(messages_[2].commit_log_offset - messages_[1].commit_log_offset,
            91 + 1 + 75 + 200 + 9);  // TAGS=red.
}

TEST_F(MessageStoreTest, OffsetsOutsideTheQueueAreCorrected) {
  EXPECT_EQ(Get(queue_, 0).status, GetMessageStatus::kNoMessageInQueue);
  EXPECT_EQ(Get(queue_, 9).next_begin_offset, 0);
  Add(queue_, 5);
  EXPECT_EQ(Get(queue_, 5).status, GetMessageStatus::kOffsetOverflowOne);
  EXPECT_EQ(Get(queue_, 5).next_begin_offset, 5);
  EXPECT_EQ(Get(queue_, 6).status, GetMessageStatus::kOffsetOverflowBadly);
  EXPECT_EQ(Get(queue_, INT64_MAX).next_begin_offset, 5);
  EXPECT_EQ(Get(queue_, -1).status, GetMessageStatus::kOffsetTooSmall);
  EXPECT_EQ(Get(queue_, INT64_MIN).next_begin_offset, 0);
}

TEST_F(MessageStoreTest, AtMost32MessagesInMemoryAreReadAtOnce) {
  Add(queue_, 100);
  EXPECT_EQ(Get(queue_, 0, 1'000).next_begin_offset, 32);
  EXPECT_EQ(messages_.size(), 32u);
  EXPECT_EQ(Get(queue_, 90, 1'000).next_begin_offset, 100);
  EXPECT_EQ(Get(queue_, 10, 7).next_begin_offset, 17);
  EXPECT_EQ(messages_[0].queue_offset, 10);
}

TEST_F(MessageStoreTest, TheFirstMessageIsReadWhateverItsSize) {
  Add(queue_, 1, 1'000'000);
  Add(queue_, 3, 100);
  EXPECT_EQ(Get(queue_, 0).next_begin_offset, 1);
  EXPECT_EQ(messages_.size(), 1u);
  EXPECT_EQ(Get(queue_, 1).next_begin_offset, 4);
}

TEST_F(MessageStoreTest, ABatchHoldsAtMost256KiBOfTheLog) {
  constexpr int32_t kOverhead = 91 + 1 + 75;
  Add(queue_, 4, 65'536 - kOverhead);  // Four fill 256 KiB exactly.
  Add(queue_, 1, 0);
  EXPECT_EQ(Get(queue_, 0).next_begin_offset, 4);
  StoredQueue& other = store_.FindOrCreate(topic_, 1);
  Add(other, 4, 65'536 - kOverhead + 1);
  EXPECT_EQ(Get(other, 0).next_begin_offset, 3);
}

TEST_F(MessageStoreTest, FromDiskEightMessagesOr64KiBAreRead) {
  settings_.total_physical_memory_size = 100 * 1'000;  // 40 kB in memory.
  Add(queue_, 100, 100);
  StoredQueue& other = store_.FindOrCreate(topic_, 1);
  Add(other, 1, 50'000);
  EXPECT_FALSE(store_.IsInMemory(queue_, 0, settings_));
  EXPECT_TRUE(store_.FindOrCreate(topic_, 1).max_offset() == 1);
  EXPECT_EQ(Get(queue_, 0, 32).next_begin_offset, 8);
  StoredQueue& large = store_.FindOrCreate(topic_, 2);
  Add(large, 3, 40'000);
  Add(other, 1, 50'000);
  EXPECT_EQ(Get(large, 0, 32).next_begin_offset, 1);
}

TEST_F(MessageStoreTest, OneReadScansAtMost800Entries) {
  const TagFilter filter({names_.Intern("red")});
  Add(queue_, 2'000, 10, names_.Intern("blue"));
  EXPECT_EQ(Get(queue_, 0, 32, &filter).status,
            GetMessageStatus::kNoMatchedMessage);
  EXPECT_EQ(Get(queue_, 0, 32, &filter).next_begin_offset, 800);
  EXPECT_EQ(Get(queue_, 1'500, 32, &filter).next_begin_offset, 2'000);
  EXPECT_EQ(Get(queue_, 0, 1'000, &filter).next_begin_offset, 1'000);
}

TEST_F(MessageStoreTest, FilteredMessagesCountAsScanned) {
  const TagFilter filter({names_.Intern("red")});
  Add(queue_, 3, 10, names_.Intern("blue"));
  Add(queue_, 1, 10, names_.Intern("red"));
  Add(queue_, 2, 10);
  const GetMessageResult result = Get(queue_, 0, 32, &filter);
  EXPECT_EQ(result.status, GetMessageStatus::kFound);
  EXPECT_EQ(result.next_begin_offset, 6);
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_EQ(messages_[0].queue_offset, 3);
  // A full batch ends the scan before the next match, not behind it.
  EXPECT_EQ(Get(queue_, 3, 1, &filter).next_begin_offset, 4);
}

TEST_F(MessageStoreTest, AReadEndsAtTheEndOfAConsumeQueueFile) {
  Add(queue_, 300'010, 0);
  EXPECT_EQ(Get(queue_, 299'990).next_begin_offset, 300'000);
  EXPECT_EQ(Get(queue_, 300'000).next_begin_offset, 300'010);
}

TEST_F(MessageStoreTest, KeysAreKeptFromTheFirstOneOn) {
  Add(queue_, 2);
  MessageStore::NewMessage message;
  message.key = 5;
  store_.Append(queue_, message, now_);
  Add(queue_, 1);
  Get(queue_, 0);
  ASSERT_EQ(messages_.size(), 4u);
  EXPECT_EQ(messages_[0].key, 0u);
  EXPECT_EQ(messages_[1].key, 0u);
  EXPECT_EQ(messages_[2].key, 5u);
  EXPECT_EQ(messages_[3].key, 0u);
}

TEST_F(MessageStoreTest, TheOffsetOfATimeIsTheFirstStoredNotBefore) {
  EXPECT_EQ(store_.OffsetByTime(queue_, now_), 0);
  for (int i = 0; i < 10; ++i) {
    Add(queue_, 2);
    now_ += 10ms;
  }
  const Instant start = Instant::Start() + 1s;
  EXPECT_EQ(store_.OffsetByTime(queue_, Instant::Start()), 0);
  EXPECT_EQ(store_.OffsetByTime(queue_, start), 0);
  EXPECT_EQ(store_.OffsetByTime(queue_, start + 1ms), 2);
  EXPECT_EQ(store_.OffsetByTime(queue_, start + 10ms), 2);
  EXPECT_EQ(store_.OffsetByTime(queue_, start + 90ms), 18);
  EXPECT_EQ(store_.OffsetByTime(queue_, start + 91ms), 20);
  EXPECT_EQ(store_.OffsetByTime(queue_, Instant::Max()), 20);
}

TEST_F(MessageStoreTest, MessagesAreFoundInEveryChunk) {
  for (int i = 0; i < 10'000; ++i) {
    MessageStore::NewMessage message;
    message.body_size = i;
    store_.Append(queue_, message, now_);
  }
  store_.Recover();
  for (int64_t offset : {0, 1, 4'095, 4'096, 4'097, 8'191, 8'192, 9'999}) {
    Get(queue_, offset, 1);
    ASSERT_EQ(messages_.size(), 1u);
    EXPECT_EQ(messages_[0].body_size, offset);
  }
}

TEST(PullCodeTest, FollowsTheStatusAndWhetherZeroWasAsked) {
  using Status = GetMessageStatus;
  const auto code = [](Status status, int64_t offset) {
    return static_cast<int>(PullCodeOf(status, offset));
  };
  EXPECT_EQ(code(Status::kFound, 3), 0);
  EXPECT_EQ(code(Status::kMessageWasRemoving, 3), 20);
  EXPECT_EQ(code(Status::kNoMatchedMessage, 3), 20);
  EXPECT_EQ(code(Status::kNoMessageInQueue, 0), 19);
  EXPECT_EQ(code(Status::kNoMessageInQueue, 3), 21);
  EXPECT_EQ(code(Status::kNoMatchedLogicQueue, 0), 19);
  EXPECT_EQ(code(Status::kNoMatchedLogicQueue, 3), 21);
  EXPECT_EQ(code(Status::kOffsetFoundNull, 3), 19);
  EXPECT_EQ(code(Status::kOffsetOverflowOne, 3), 19);
  EXPECT_EQ(code(Status::kOffsetOverflowBadly, 3), 21);
  EXPECT_EQ(code(Status::kOffsetTooSmall, 3), 21);
  EXPECT_EQ(code(Status::kOffsetReset, 3), 21);
}

TEST(TagFilterTest, HashesAsJavaDoes) {
  EXPECT_EQ(JavaStringHash(""), 0);
  EXPECT_EQ(JavaStringHash("TagA"), 2'598'919);
  EXPECT_EQ(JavaStringHash("TagB"), 2'598'920);
  EXPECT_EQ(JavaStringHash("\xE4\xB8\xAD"), 0x4E2D);
  EXPECT_EQ(JavaStringHash("\xF0\x9F\x98\x80"), 31 * 0xD83D + 0xDE00);
}

TEST(TagFilterTest, LetsTagsOfEqualHashThrough) {
  NameTable names;
  const TagFilter filter({names.Intern("Aa"), names.Intern("x")});
  EXPECT_TRUE(filter.Matches(JavaStringHash("Aa")));
  EXPECT_TRUE(filter.Matches(JavaStringHash("BB")));  // The same hash.
  EXPECT_TRUE(filter.Matches(JavaStringHash("x")));
  EXPECT_FALSE(filter.Matches(JavaStringHash("y")));
  EXPECT_FALSE(filter.Matches(0));
}

}  // namespace
}  // namespace groupsim
