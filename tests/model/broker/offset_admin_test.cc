// What administrators do to the offsets of groups.
#include "model/broker/offset_admin.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/broker/settings.h"
#include "model/wire/codes.h"
#include "tests/model/broker/cluster.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class OffsetAdminTest : public ::testing::Test {
 protected:
  // A member of the group, and five messages in queue 0, stored at 10.00025 s
  // and then 2 ms apart.
  void Start() {
    cluster_.Start();
    client_ = &cluster_.AddClient("c-1");
    cluster_.Join(*client_);
    cluster_.RunUntil(10s);
    for (int i = 0; i < 5; ++i) Do(cluster_.Message(0));
  }
  Answer Do(Request request) {
    return cluster_.Do(*client_, std::move(request));
  }
  int64_t Offset(int32_t queue) {
    return Do(cluster_.QueryOffset(queue)).offset();
  }
  OffsetAdmin::Target Target() {
    OffsetAdmin::Target target;
    target.group = cluster_.group;
    target.topic = cluster_.topic;
    return target;
  }
  OffsetAdmin::Target ToOffset(int64_t offset, std::vector<int32_t> queues) {
    OffsetAdmin::Target target = Target();
    target.offset = offset;
    target.queues = std::move(queues);
    return target;
  }
  OffsetAdmin::Target ToTime(Duration since_start) {
    OffsetAdmin::Target target = Target();
    target.wall_millis = kWallEpochMillis + since_start.millis();
    return target;
  }
  // In a turn that belongs to no process.
  int64_t Reset(const OffsetAdmin::Target& target) {
    int64_t hits = -1;
    cluster_.world.At(cluster_.world.now(),
                      [&] { hits = cluster_.broker->ResetOffsets(target); });
    cluster_.RunFor(2ms);
    return hits;
  }
  int64_t Clone(const OffsetAdmin::Copying& copying) {
    int64_t hits = -1;
    cluster_.world.At(cluster_.world.now(),
                      [&] { hits = cluster_.broker->CloneOffsets(copying); });
    cluster_.RunFor(2ms);
    return hits;
  }
  OffsetAdmin::Copying Copying() {
    OffsetAdmin::Copying copying;
    copying.from = cluster_.group;
    copying.to = cluster_.Intern("h");
    copying.topic = cluster_.topic;
    return copying;
  }
  void CommitAll(int64_t offset) {
    for (int32_t id = 0; id < 4; ++id) Do(cluster_.Commit(id, offset));
  }

  Cluster cluster_;
  Cluster::Client* client_ = nullptr;
};

// ---- By the broker ----

TEST_F(OffsetAdminTest, ByTimeEachQueueGoesToItsFirstMessageOfThenOrLater) {
  Start();
  Do(cluster_.Commit(0, 5));
  EXPECT_EQ(Reset(ToTime(10s + 3ms)), 4);
  EXPECT_EQ(Offset(0), 2);  // Stored in the millisecond of 10.004 s.
  EXPECT_EQ(Offset(1), 0);
  EXPECT_EQ(Reset(ToTime(1h)), 4);
  EXPECT_EQ(Offset(0), 5);
  EXPECT_EQ(Reset(ToTime(0s)), 4);
  EXPECT_EQ(Offset(0), 0);
  EXPECT_THAT(client_->process->resets, IsEmpty());
}

TEST_F(OffsetAdminTest, CommitsDoNotCountUntilAPullHasTakenTheReset) {
  Start();
  Do(cluster_.Commit(0, 4));
  EXPECT_EQ(Reset(ToOffset(1, {0})), 1);
  EXPECT_EQ(Do(cluster_.Commit(0, 5)).code(), ResponseCode::kSuccess);
  EXPECT_EQ(Offset(0), 1);
  const Answer moved = Do(cluster_.Pull(0, 5));
  EXPECT_EQ(moved.code(), ResponseCode::kPullOffsetMoved);
  EXPECT_EQ(moved.pulled().next_begin_offset, 1);
  EXPECT_EQ(moved.pulled().min_offset, 0);
  EXPECT_EQ(moved.pulled().max_offset, 5);
  EXPECT_THAT(moved.pulled().messages, IsEmpty());
  EXPECT_EQ(Do(cluster_.Pull(0, 1)).code(), ResponseCode::kSuccess);
  Do(cluster_.Commit(0, 3));
  EXPECT_EQ(Offset(0), 3);
}

TEST_F(OffsetAdminTest, ThePullThatTakesItBringsTheOldOffsetBack) {
  Start();
  Reset(ToOffset(1, {0}));
  PullMessageRequest pull = cluster_.Pull(0, 5);
  pull.sys_flag = kPullFlagCommitOffset;
  pull.commit_offset = 4;
  EXPECT_EQ(Do(pull).pulled().next_begin_offset, 1);
  EXPECT_EQ(Offset(0), 4);
}

TEST_F(OffsetAdminTest, AHeldPullLearnsOfItWhenItIsWoken) {
  Start();
  const AnswerPtr held = cluster_.Ask(*client_, cluster_.LongPull(0, 5));
  cluster_.RunFor(1ms);
  Reset(ToOffset(2, {0}));
  cluster_.RunFor(1s);
  EXPECT_FALSE(held->done());
  Do(cluster_.Message(0));
  ASSERT_TRUE(held->done());
  EXPECT_EQ(held->code(), ResponseCode::kPullOffsetMoved);
  EXPECT_EQ(held->pulled().next_begin_offset, 2);
}

TEST_F(OffsetAdminTest, ARestartForgetsThatMembersHaveToLearnOfIt) {
  Start();
  Reset(ToOffset(1, {0}));
  cluster_.broker_host->Stop();
  cluster_.RunFor(1s);
  cluster_.broker_host->Start();
  cluster_.RunFor(1s);
  cluster_.Join(*client_);
  EXPECT_EQ(Offset(0), 1);
  EXPECT_EQ(Do(cluster_.Pull(0, 4)).code(), ResponseCode::kSuccess);
  Do(cluster_.Commit(0, 5));
  EXPECT_EQ(Offset(0), 5);
}

TEST_F(OffsetAdminTest, AnOffsetFurtherThanOneBeyondTheEndIsRefused) {
  Start();
  EXPECT_EQ(Reset(ToOffset(7, {0})), 0);
  EXPECT_EQ(Reset(ToOffset(-1, {0})), 0);
  EXPECT_THAT(cluster_.FactsOf(FactKind::COMMITTED), IsEmpty());
  EXPECT_EQ(Reset(ToOffset(6, {0})), 1);
  EXPECT_EQ(Offset(0), 6);
  // The others end at 0.
  EXPECT_EQ(Reset(ToOffset(5, {0, 1, 2})), 1);
  EXPECT_EQ(Reset(ToOffset(1, {})), 4);
}

TEST_F(OffsetAdminTest, UnknownGroupsTopicsAndQueuesHaveNoOffsets) {
  Start();
  OffsetAdmin::Target target = ToTime(0s);
  target.group = cluster_.Intern("nobody");
  EXPECT_EQ(Reset(target), 0);
  target = ToTime(0s);
  target.topic = cluster_.Intern("nothing");
  EXPECT_EQ(Reset(target), 0);
  target = ToTime(0s);
  target.queues = {3, 4};
  EXPECT_EQ(Reset(target), 1);
}

// ---- By the members ----

class ClientSideTest : public OffsetAdminTest {
 protected:
  ClientSideTest() {
    cluster_.config.settings.use_server_side_reset_offset = false;
  }
};

TEST_F(ClientSideTest, EachMemberIsToldOfAllQueues) {
  Start();
  Cluster::Client& other = cluster_.AddClient("c-2");
  cluster_.Join(other);
  CommitAll(3);
  EXPECT_EQ(Reset(ToTime(10s + 3ms)), 4);
  for (const Cluster::Client* client : {client_, &other}) {
    ASSERT_THAT(client->process->resets, SizeIs(1));
    const ResetConsumerClientOffsetRequest& reset = client->process->resets[0];
    EXPECT_EQ(reset.group, cluster_.group);
    EXPECT_EQ(reset.topic, cluster_.topic);
    EXPECT_THAT(
        reset.offsets,
        ElementsAre(Pair(cluster_.Queue(0), 2), Pair(cluster_.Queue(1), 0),
                    Pair(cluster_.Queue(2), 0), Pair(cluster_.Queue(3), 0)));
  }
  // The broker itself does nothing.
  EXPECT_EQ(Offset(0), 3);
  EXPECT_EQ(Do(cluster_.Pull(0, 4)).code(), ResponseCode::kSuccess);
}

TEST_F(ClientSideTest, AQueueWithoutAnOffsetStopsItAll) {
  Start();
  for (int32_t id = 0; id < 3; ++id) Do(cluster_.Commit(id, 0));
  EXPECT_EQ(Reset(ToTime(0s)), 0);
  EXPECT_THAT(client_->process->resets, IsEmpty());
  Do(cluster_.Commit(3, 0));
  EXPECT_EQ(Reset(ToTime(0s)), 4);
  EXPECT_THAT(client_->process->resets, SizeIs(1));
}

TEST_F(ClientSideTest, ItIsAboutTheQueuesThatAreWritten) {
  TopicConfig& topic = cluster_.config.topics[0];
  topic.read_queue_nums = 2;
  Start();
  CommitAll(0);
  EXPECT_EQ(Reset(ToTime(0s)), 4);
  topic.write_queue_nums = 1;
  cluster_.world.At(cluster_.world.now(),
                    [&] { cluster_.broker->UpdateTopic(topic); });
  cluster_.RunFor(2ms);
  EXPECT_EQ(Reset(ToTime(0s)), 1);
}

TEST_F(ClientSideTest, WhereNoMemberIsNobodyCanBeTold) {
  Start();
  CommitAll(3);
  client_->host->Crash();
  cluster_.RunFor(5ms);
  EXPECT_EQ(Reset(ToTime(0s)), 0);
}

// ---- Copies ----

TEST_F(OffsetAdminTest, ACopyReplacesAllOffsetsOfTheTopic) {
  Start();
  const OffsetAdmin::Copying copying = Copying();
  const auto copied = [&](int32_t id) {
    QueryConsumerOffsetRequest query = cluster_.QueryOffset(id);
    query.group = copying.to;
    return Do(query);
  };
  EXPECT_EQ(Clone(copying), 0);
  Do(cluster_.Commit(0, 3));
  Do(cluster_.Commit(2, 1));
  Do(cluster_.Commit(3, 0));
  EXPECT_EQ(Clone(copying), 3);
  EXPECT_EQ(copied(0).offset(), 3);
  EXPECT_EQ(copied(2).offset(), 1);
  EXPECT_EQ(copied(3).offset(), 0);
  EXPECT_EQ(copied(1).code(), ResponseCode::kQueryNotFound);
  // In the other direction one queue is missing.
  OffsetAdmin::Copying back = Copying();
  std::swap(back.from, back.to);
  Do(cluster_.Commit(1, 4));
  EXPECT_EQ(Clone(back), 3);
  EXPECT_EQ(Do(cluster_.QueryOffset(1)).code(), ResponseCode::kQueryNotFound);
  EXPECT_EQ(Offset(0), 3);
}

TEST_F(OffsetAdminTest, AGroupWithoutOffsetsIsNotCopied) {
  Start();
  OffsetAdmin::Copying copying = Copying();
  std::swap(copying.from, copying.to);
  Do(cluster_.Commit(0, 3));
  EXPECT_EQ(Clone(copying), 0);
  EXPECT_EQ(Offset(0), 3);
  copying.topic = cluster_.Intern("nothing");
  EXPECT_EQ(Clone(copying), 0);
}

}  // namespace
}  // namespace groupsim
