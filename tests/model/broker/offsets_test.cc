// Committed offsets and the bounds of queues.
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::SizeIs;

class OffsetsTest : public ::testing::Test {
 protected:
  void Start() {
    cluster_.Start();
    client_ = &cluster_.AddClient("c-1");
    cluster_.Join(*client_);
  }
  Answer Do(Request request) {
    return cluster_.Do(*client_, std::move(request));
  }
  Answer Query(int32_t queue) { return Do(cluster_.QueryOffset(queue)); }
  int64_t Max(int32_t queue) {
    GetMaxOffsetRequest request;
    request.queue = cluster_.Queue(queue);
    return Do(request).offset();
  }
  int64_t Min(int32_t queue) {
    GetMinOffsetRequest request;
    request.queue = cluster_.Queue(queue);
    return Do(request).offset();
  }
  int64_t Search(int32_t queue, int64_t wall_millis) {
    SearchOffsetRequest request;
    request.queue = cluster_.Queue(queue);
    request.timestamp = wall_millis;
    return Do(request).offset();
  }

  Cluster cluster_;
  Cluster::Client* client_ = nullptr;
};

TEST_F(OffsetsTest, ACommittedOffsetIsAnsweredAlsoOutsideTheQueue) {
  Start();
  EXPECT_EQ(Do(cluster_.Commit(0, 500)).code(), ResponseCode::kSuccess);
  EXPECT_EQ(Query(0).offset(), 500);
  EXPECT_EQ(Do(cluster_.Commit(0, 3)).code(), ResponseCode::kSuccess);
  EXPECT_EQ(Query(0).offset(), 3);
  const std::vector<Fact> facts = cluster_.FactsOf(FactKind::COMMITTED);
  ASSERT_THAT(facts, SizeIs(2));
  EXPECT_EQ(facts[1].count, 500);
  EXPECT_EQ(facts[1].offset, 3);
}

TEST_F(OffsetsTest, AnEmptyQueueHasNoOffset) {
  Start();
  EXPECT_EQ(Query(0).code(), ResponseCode::kQueryNotFound);
}

TEST_F(OffsetsTest, AYoungQueueAnswersZeroForANewGroup) {
  Start();
  Do(cluster_.Message(0));
  EXPECT_EQ(Query(0).code(), ResponseCode::kSuccess);
  EXPECT_EQ(Query(0).offset(), 0);
  EXPECT_EQ(Query(1).code(), ResponseCode::kQueryNotFound);
}

TEST_F(OffsetsTest, AQueueWhoseBeginningLeftTheMemoryIsNotYoung) {
  cluster_.config.settings.total_physical_memory_size = 100'000;
  Start();
  Do(cluster_.Message(0, 1'000));
  EXPECT_EQ(Query(0).code(), ResponseCode::kSuccess);
  Do(cluster_.Message(1, 39'000));  // Of 40,000 bytes in memory.
  EXPECT_EQ(Query(0).code(), ResponseCode::kQueryNotFound);
}

TEST_F(OffsetsTest, AMessageNotDispatchedYetDoesNotCount) {
  Start();
  // Just behind a dispatch point of the broker.
  cluster_.RunUntil(1s + 100us);
  const AnswerPtr send = cluster_.Ask(*client_, cluster_.Message(0));
  const AnswerPtr query = cluster_.Ask(*client_, cluster_.QueryOffset(0));
  GetMaxOffsetRequest max;
  max.queue = cluster_.Queue(0);
  const AnswerPtr end = cluster_.Ask(*client_, max);
  cluster_.RunFor(600us);
  ASSERT_TRUE(send->done() && query->done() && end->done());
  EXPECT_EQ(query->code(), ResponseCode::kQueryNotFound);
  EXPECT_EQ(end->offset(), 0);
  cluster_.RunFor(1ms);
  EXPECT_EQ(Max(0), 1);
}

TEST_F(OffsetsTest, CommitsForUnknownGroupsTopicsAndQueuesAreRefused) {
  cluster_.config.settings.auto_create_subscription_group = true;
  Start();
  UpdateConsumerOffsetRequest request = cluster_.Commit(0, 1);
  request.group = cluster_.Intern("h");
  request.queue.topic = cluster_.Intern("nothing");
  EXPECT_EQ(Do(request).code(), ResponseCode::kSubscriptionGroupNotExist);
  request.group = cluster_.group;
  EXPECT_EQ(Do(request).code(), ResponseCode::kTopicNotExist);
  request.queue.topic = cluster_.topic;
  request.queue.queue_id = -1;
  EXPECT_EQ(Do(request).code(), ResponseCode::kInvalidParameter);
  request.queue.queue_id = 1'000'000;
  EXPECT_EQ(Do(request).code(), ResponseCode::kInvalidParameter);
  // A queue beyond the topic's is none of the table's business.
  request.queue.queue_id = 77;
  EXPECT_EQ(Do(request).code(), ResponseCode::kSuccess);
  EXPECT_EQ(Query(77).offset(), 1);
}

TEST_F(OffsetsTest, BoundsOfUnknownQueuesAreZero) {
  Start();
  EXPECT_EQ(Max(0), 0);
  EXPECT_EQ(Min(0), 0);
  EXPECT_EQ(Max(1'000'000), 0);
  EXPECT_EQ(Min(-5), 0);
  for (int i = 0; i < 3; ++i) Do(cluster_.Message(0));
  EXPECT_EQ(Max(0), 3);
  EXPECT_EQ(Min(0), 0);
}

TEST_F(OffsetsTest, AnOffsetIsFoundByWallClockTime) {
  Start();
  EXPECT_EQ(Search(0, 0), 0);
  cluster_.RunUntil(10s);
  for (int i = 0; i < 5; ++i) {
    Do(cluster_.Message(0));  // Stored at 10.00025 s, then 2 ms apart.
  }
  const int64_t first = kWallEpochMillis + 10'000;
  EXPECT_EQ(Search(0, 0), 0);
  EXPECT_EQ(Search(0, first), 0);
  EXPECT_EQ(Search(0, first + 1), 1);
  EXPECT_EQ(Search(0, first + 2), 1);
  EXPECT_EQ(Search(0, first + 8), 4);
  EXPECT_EQ(Search(0, first + 9), 5);
  EXPECT_EQ(Search(0, INT64_MAX), 5);
  EXPECT_EQ(Search(0, INT64_MIN), 0);
}

}  // namespace
}  // namespace groupsim
