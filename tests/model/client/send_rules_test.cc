#include "model/client/send_rules.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/client/fault_strategy.h"
#include "model/client/publish_info.h"
#include "model/runtime/remoting.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;

class PublishInfoTest : public ::testing::Test {
 protected:
  // Two queues on each of the brokers.
  std::vector<MessageQueue> Queues(const std::vector<std::string>& brokers) {
    std::vector<MessageQueue> queues;
    for (const std::string& broker : brokers) {
      for (int32_t id = 0; id < 2; ++id) {
        queues.push_back({names_.Intern("t"), names_.Intern(broker), id});
      }
    }
    return queues;
  }
  static const MessageQueue& Select(PublishInfo& info, Name last = Name()) {
    return FaultStrategy({}).Select(info, last, 0);
  }
  static std::string Brief(const MessageQueue& queue) {
    return queue.broker.text() + std::to_string(queue.queue_id);
  }

  NameTable names_;
};

TEST_F(PublishInfoTest, GoesRoundTheQueuesAfterItsStart) {
  PublishInfo info(Queues({"a", "b"}), 1);
  std::vector<std::string> picked;
  for (int i = 0; i < 5; ++i) picked.push_back(Brief(Select(info)));
  EXPECT_THAT(picked, ElementsAre("b0", "b1", "a0", "a1", "b0"));
}

TEST_F(PublishInfoTest, GoesRoundAlsoWhereTheIndexWraps) {
  PublishInfo info(Queues({"a", "b"}), UINT32_MAX - 1);
  std::vector<std::string> picked;
  for (int i = 0; i < 3; ++i) picked.push_back(Brief(Select(info)));
  // Without its sign bit the index is 2^31 - 1, then 0, then 1.
  EXPECT_THAT(picked, ElementsAre("b1", "a0", "a1"));
}

TEST_F(PublishInfoTest, ARetryLeavesOutTheBrokerThatFailed) {
  PublishInfo info(Queues({"a", "b"}), 3);
  const MessageQueue first = Select(info);
  EXPECT_EQ(Brief(first), "a0");
  EXPECT_EQ(Brief(Select(info, first.broker)), "b0");
}

TEST_F(PublishInfoTest, ARetryTakesTheSameBrokerIfThereIsNoOther) {
  PublishInfo info(Queues({"a"}), 1);
  const MessageQueue first = Select(info);
  EXPECT_EQ(Brief(first), "a0");
  // One full round in search of another broker, then simply the next.
  EXPECT_EQ(Brief(Select(info, first.broker)), "a1");
}

TEST_F(PublishInfoTest, WithoutQueuesItIsOfNoUse) {
  EXPECT_FALSE(PublishInfo().ok());
}

TEST(SendRulesTest, SomeRefusalsAreTriedOnAnotherBroker) {
  for (const ResponseCode code :
       {ResponseCode::kTopicNotExist, ResponseCode::kServiceNotAvailable,
        ResponseCode::kSystemError, ResponseCode::kSystemBusy,
        ResponseCode::kNoPermission, ResponseCode::kGoAway}) {
    EXPECT_TRUE(IsRetriedOnAnotherBroker(code)) << NameOf(code);
  }
  for (const ResponseCode code :
       {ResponseCode::kMessageIllegal, ResponseCode::kInvalidParameter,
        ResponseCode::kFlowControl, ResponseCode::kRequestCodeNotSupported}) {
    EXPECT_FALSE(IsRetriedOnAnotherBroker(code)) << NameOf(code);
  }
}

TEST(SendRulesTest, AnAsynchronousSendIsRepeatedOnlyWithoutReply) {
  CallResult result;
  result.error = CallError::kConnectFailed;
  EXPECT_TRUE(IsAsyncRetried(result));
  result.error = CallError::kClosed;
  EXPECT_TRUE(IsAsyncRetried(result));
  result.error = CallError::kTooManyRequests;
  EXPECT_FALSE(IsAsyncRetried(result));
  result.error = CallError::kNone;
  result.reply.code = ResponseCode::kSystemBusy;
  EXPECT_FALSE(IsAsyncRetried(result));
}

CallResult Answered(ResponseCode code) {
  CallResult result;
  result.reply = Reply(code, SendMessageReply{});
  return result;
}

TEST(SendRulesTest, WhatIsStoredIsSentUnlessASaferAnswerIsWanted) {
  for (const ResponseCode code :
       {ResponseCode::kFlushDiskTimeout, ResponseCode::kFlushSlaveTimeout,
        ResponseCode::kSlaveNotAvailable}) {
    EXPECT_EQ(JudgeAttempt(Answered(code), false), AttemptEnd::kSent);
    EXPECT_EQ(JudgeAttempt(Answered(code), true), AttemptEnd::kKeptToRetry);
  }
  EXPECT_EQ(JudgeAttempt(Answered(ResponseCode::kSuccess), true),
            AttemptEnd::kSent);
}

TEST(SendRulesTest, FactsTellCodesAndErrorsApart) {
  CallResult result;
  result.error = CallError::kTimeout;
  EXPECT_EQ(FailureNumber(result), -1);
  EXPECT_EQ(JudgeAttempt(result, false), AttemptEnd::kRetry);
  EXPECT_EQ(SyncOutcome(result), FaultStrategy::Outcome::kTransport);
  result.error = CallError::kNone;
  result.reply.code = ResponseCode::kMessageIllegal;
  EXPECT_EQ(FailureNumber(result), 13);
  EXPECT_EQ(JudgeAttempt(result, false), AttemptEnd::kFailed);
  EXPECT_EQ(SyncOutcome(result), FaultStrategy::Outcome::kRefused);
}

}  // namespace
}  // namespace groupsim
