// A consumer of a broadcasting group, against brokers that answer as they are
// told, and the file that it keeps its offsets in.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/client/consumer_disk.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/wire/codes.h"
#include "model/wire/subscription.h"
#include "sim/host/host.h"
#include "tests/model/client/one_queue_test.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class BroadcastingTest : public OneQueueTest {
 protected:
  BroadcastingTest() {
    cluster_.consumer_config.message_model = MessageModel::kBroadcasting;
    cluster_.work_before_jobs = 15ms;
    cluster_.consumer_config.client_id = cluster_.N("10.0.0.1@DEFAULT");
  }
  // Its one queue, whose pull is held since about 1.5 s, from offset 100 on.
  void BeginAtTheEnd() {
    cluster_.AddConsumer().Start();
    cluster_.RunUntil(1900ms);
    cluster_.requests.clear();
    cluster_.facts.clear();
  }
  OffsetFiles& Files() {
    return cluster_.disk.offset_files[{cluster_.consumer_config.client_id,
                                       cluster_.consumer_config.group}];
  }
  static OffsetFile Unreadable() {
    OffsetFile file;
    file.readable = false;
    return file;
  }
  OffsetFile Saying(int64_t offset) {
    OffsetFile file;
    file.offsets[cluster_.Queue("b1#0")] = offset;
    return file;
  }
};

TEST_F(BroadcastingTest, ItAsksNobodyForMembersLocksOrOffsets) {
  cluster_.consumer_config.orderly = true;
  cluster_.AddConsumer().Start();
  cluster_.RunUntil(25s);
  EXPECT_THAT(cluster_.RequestsWith({"GET_CONSUMER_LIST_BY_GROUP",
                                     "LOCK_BATCH_MQ", "QUERY_CONSUMER_OFFSET",
                                     "UPDATE_CONSUMER_OFFSET"}),
              IsEmpty());
  // In order, the offset is asked for again before the first pull.
  EXPECT_THAT(
      cluster_.RequestsWith({"GET_MAX_OFFSET", "PULL_MESSAGE"}),
      ElementsAre("1000 b1 GET_MAX_OFFSET b1#0", "1501 b1 GET_MAX_OFFSET b1#0",
                  "1502 b1 PULL_MESSAGE b1#0 @100"));
}

TEST_F(BroadcastingTest, PullsCarryNoOffset) {
  BeginAtTheEnd();
  FoundAt(2s, 100, 2);
  cluster_.RunUntil(3s);
  EXPECT_EQ(Offset(), 102);
  FoundAt(4s, 102, 1);
  cluster_.RunUntil(5s);
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("2001 b1 PULL_MESSAGE b1#0 @102",
                          "4001 b1 PULL_MESSAGE b1#0 @103"));
}

TEST_F(BroadcastingTest, AMessageThatFailedIsForgotten) {
  BeginAtTheEnd();
  Listen({Plain(ConsumeStatus::kReconsumeLater)});
  FoundAt(2s, 100, 2);
  cluster_.RunUntil(12s);
  EXPECT_THAT(cluster_.RequestsWith({"CONSUMER_SEND_MSG_BACK"}), IsEmpty());
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::FINISHED, FactKind::COMMITTED}),
      ElementsAre("2001 FINISHED b1#0 100 1 3", "2001 FINISHED b1#0 101 0 1",
                  "10015 COMMITTED b1#0 102 -1 0"));
}

TEST_F(BroadcastingTest, TheFileHasWhatWasPersistedAndTheBackupWhatWasBefore) {
  BeginAtTheEnd();
  FoundAt(2s, 100, 2);
  FoundAt(12s, 102, 3);
  cluster_.RunUntil(14s);
  EXPECT_THAT(Files().file->offsets,
              ElementsAre(Pair(cluster_.Queue("b1#0"), 102)));
  EXPECT_FALSE(Files().backup.has_value());
  cluster_.RunUntil(16s);
  EXPECT_THAT(Files().file->offsets,
              ElementsAre(Pair(cluster_.Queue("b1#0"), 105)));
  EXPECT_THAT(Files().backup->offsets,
              ElementsAre(Pair(cluster_.Queue("b1#0"), 102)));
}

TEST_F(BroadcastingTest, ItGoesOnWhereItsFileSays) {
  Files().file = Saying(42);
  cluster_.AddConsumer().Start();
  cluster_.RunUntil(1900ms);
  EXPECT_THAT(cluster_.RequestsWith({"GET_MAX_OFFSET", "PULL_MESSAGE"}),
              ElementsAre("1500 b1 PULL_MESSAGE b1#0 @42"));
}

TEST_F(BroadcastingTest, AnUnreadableFileCountsAsItsBackup) {
  Files().file = Unreadable();
  Files().backup = Saying(41);
  cluster_.AddConsumer().Start();
  cluster_.RunUntil(1900ms);
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("1500 b1 PULL_MESSAGE b1#0 @41"));
}

TEST_F(BroadcastingTest, WithTwoUnreadableFilesItDoesNotStart) {
  Files().file = Unreadable();
  Files().backup = Unreadable();
  Host& host = cluster_.AddConsumer();
  host.Start();
  cluster_.RunUntil(5s);
  EXPECT_EQ(host.state(), HostState::kFailed);
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}), IsEmpty());
}

TEST_F(BroadcastingTest, OffsetsOfQueuesThatAreGoneStayInTheFile) {
  Files().file = Saying(42);
  const MessageQueue gone = cluster_.Queue("b2#7");
  Files().file->offsets[gone] = 7;
  cluster_.AddConsumer().Start();
  FoundAt(2s, 42, 1);
  cluster_.RunUntil(11s);
  EXPECT_THAT(Files().file->offsets,
              ElementsAre(Pair(cluster_.Queue("b1#0"), 43), Pair(gone, 7)));
}

TEST_F(BroadcastingTest, AnIllegalOffsetIsCorrectedInTheFile) {
  Files().file = Saying(42);
  cluster_.AddConsumer().Start();
  cluster_.RunUntil(1900ms);
  cluster_.requests.clear();
  AnswerAt(2s, ScriptedCluster::NotFound(60, ResponseCode::kPullOffsetMoved));
  cluster_.RunUntil(4s);
  EXPECT_THAT(
      cluster_.FactsOf({FactKind::OFFSET_CORRECTED, FactKind::COMMITTED}),
      ElementsAre("2000 OFFSET_CORRECTED b1#0 60 0 0",
                  "2000 COMMITTED b1#0 60 42 0"));
  EXPECT_THAT(cluster_.RequestsWith({"PULL_MESSAGE"}),
              ElementsAre("2502 b1 PULL_MESSAGE b1#0 @60"));
}

}  // namespace
}  // namespace groupsim
