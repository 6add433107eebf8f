// Files of the log that are deleted. A message takes 1,000 bytes here, a file
// ten messages; a run begins at midnight.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RetentionTest : public ::testing::Test {
 protected:
  // 25 messages, in turn in two queues, at 0.3 s.
  void Start(const std::string& delete_when) {
    cluster_.config.settings.mapped_file_size_commit_log = 10'000;
    cluster_.config.settings.file_reserved_time = 60s;
    cluster_.config.settings.delete_when = delete_when;
    cluster_.Start();
    client_ = &cluster_.AddClient("c-1");
    cluster_.Join(*client_);
    for (int i = 0; i < 25; ++i) {
      EXPECT_EQ(Do(cluster_.Message(i % 2, 833)).code(),
                ResponseCode::kSuccess);
    }
  }
  Answer Do(Request request) {
    return cluster_.Do(*client_, std::move(request));
  }
  int64_t Min(int32_t queue) {
    GetMinOffsetRequest request;
    request.queue = cluster_.Queue(queue);
    return Do(request).offset();
  }
  int64_t Max(int32_t queue) {
    GetMaxOffsetRequest request;
    request.queue = cluster_.Queue(queue);
    return Do(request).offset();
  }

  Cluster cluster_;
  Cluster::Client* client_ = nullptr;
};

TEST_F(RetentionTest, OldFilesGoAtTheNextLookAndQueuesBeginLater) {
  Start("00");
  cluster_.RunUntil(69s);
  EXPECT_EQ(Min(0), 0) << "too young at the first look, after 60 s";
  cluster_.RunUntil(71s);
  // Two files are complete: the first twenty messages.
  EXPECT_EQ(Min(0), 10);
  EXPECT_EQ(Min(1), 10);
  EXPECT_EQ(Max(0), 13);
  EXPECT_EQ(Max(1), 12);
  const Answer behind = Do(cluster_.Pull(0, 3));
  EXPECT_EQ(behind.code(), ResponseCode::kPullOffsetMoved);
  EXPECT_EQ(behind.body<PullMessageReply>().next_begin_offset, 10);
  const Answer there = Do(cluster_.Pull(0, 10));
  EXPECT_EQ(there.body<PullMessageReply>().messages.size(), 3u);
}

TEST_F(RetentionTest, TheLastFileStays) {
  Start("00;01");
  cluster_.RunUntil(2h);
  EXPECT_EQ(Min(0), 10);
  EXPECT_EQ(Min(1), 10);
}

TEST_F(RetentionTest, FilesGoInTheHoursThatAreSetOnly) {
  Start("04");
  cluster_.RunUntil(4h - 1s);
  EXPECT_EQ(Min(0), 0);
  cluster_.RunUntil(4h + 11s);
  EXPECT_EQ(Min(0), 10);
}

TEST_F(RetentionTest, AnAdministratorHasThemDeletedAtAnyHour) {
  Start("04");
  cluster_.RunUntil(300s);
  EXPECT_EQ(Min(0), 0);
  EXPECT_EQ(cluster_.broker->DeleteExpiredFiles(), 2);
  cluster_.RunFor(11s);
  EXPECT_EQ(Min(0), 10);
  EXPECT_EQ(cluster_.broker->DeleteExpiredFiles(), 0);
}

// An order holds for twenty looks, also for files that become old meanwhile.
TEST_F(RetentionTest, AnOrderHoldsForAWhile) {
  Start("04");
  cluster_.RunUntil(30s);
  EXPECT_EQ(cluster_.broker->DeleteExpiredFiles(), 0);
  cluster_.RunUntil(71s);
  EXPECT_EQ(Min(0), 10);
}

// apache/rocketmq #242 and others: a group that begins at the last offset
// begins at a young queue's first message, unless that is not its first ever.
TEST_F(RetentionTest, AQueueThatLostItsBeginningIsNotYoung) {
  Start("00");
  cluster_.RunUntil(50s);
  EXPECT_EQ(Do(cluster_.QueryOffset(0)).offset(), 0);
  cluster_.RunUntil(75s);
  EXPECT_EQ(Do(cluster_.QueryOffset(0)).code(), ResponseCode::kQueryNotFound);
}

// What waits in a delay level lies in the same log.
TEST_F(RetentionTest, MessagesThatWaitAreDeletedToo) {
  cluster_.config.settings.message_delay_level = "100s";
  cluster_.config.settings.mapped_file_size_commit_log = 10'000;
  cluster_.config.settings.file_reserved_time = 60s;
  cluster_.config.settings.delete_when = "00";
  cluster_.Start();
  client_ = &cluster_.AddClient("c-1");
  cluster_.Join(*client_);
  SendMessageRequest later = cluster_.Message(0, 833);
  auto properties = std::make_shared<SendProperties>();
  properties->delay_level = 1;
  later.properties = std::move(properties);
  EXPECT_EQ(Do(later).code(), ResponseCode::kSuccess);
  for (int i = 0; i < 12; ++i) Do(cluster_.Message(1, 833));
  cluster_.RunUntil(150s);
  EXPECT_EQ(Max(0), 0);
  EXPECT_GT(Min(1), 0);
}

TEST(MessageStoreTest, DeletingKeepsOffsets) {
  NameTable names;
  MessageStore store;
  StoredQueue& queue = store.FindOrCreate(names.Intern("t"), 0);
  StoredQueue& other = store.FindOrCreate(names.Intern("t"), 1);
  const auto add = [&store](StoredQueue& to, int count, Instant when) {
    for (int i = 0; i < count; ++i) {
      MessageStore::NewMessage message;
      message.body_size = 833;
      store.Append(to, message, when);
    }
    store.Recover();
  };
  add(queue, 5'000, Instant::Start() + 1s);
  add(other, 1, Instant::Start() + 2s);
  add(queue, 4'000, Instant::Start() + 3s);
  EXPECT_EQ(store.LastWriteBefore(5'000'000), Instant::Start() + 1s);
  EXPECT_EQ(store.LastWriteBefore(5'000'001), Instant::Start() + 2s);
  std::vector<int64_t> deleted;
  const auto note = [&deleted](const StoredQueue&, int64_t count) {
    deleted.push_back(count);
  };
  store.DeleteBefore(6'001'000, note);
  EXPECT_THAT(deleted, ElementsAre(6'000, 1));
  EXPECT_EQ(queue.min_offset(), 6'000);
  EXPECT_EQ(queue.max_offset(), 9'000);
  EXPECT_EQ(other.min_offset(), 1) << "all gone: it begins at its end";
  EXPECT_EQ(store.Read(queue, 6'000).commit_log_offset, 6'001'000);
  EXPECT_EQ(store.FindByPosition(5'000'000, {}).queue, nullptr);
  EXPECT_EQ(store.FindByPosition(6'001'000, {}).offset, 6'000);
  EXPECT_EQ(store.OffsetByTime(queue, Instant::Start()), 6'000);
  deleted.clear();
  store.DeleteBefore(6'001'000, note);
  EXPECT_THAT(deleted, IsEmpty());
}

}  // namespace
}  // namespace groupsim
