#include "model/wire/command.h"

#include <utility>
#include <variant>

#include "gtest/gtest.h"

namespace groupsim {
namespace {

TEST(CommandTest, ARequestHasTheCodeOfItsBody) {
  PullMessageRequest pull;
  pull.queue_offset = 7;
  const Request request(pull);
  EXPECT_EQ(request.code, RequestCode::kPullMessage);
  EXPECT_EQ(std::get<PullMessageRequest>(request.body).queue_offset, 7);
  EXPECT_EQ(Request(HeartbeatRequest()).code, RequestCode::kHeartBeat);
  EXPECT_EQ(Request().code, RequestCode::kNone);
}

TEST(CommandTest, AMovedRequestKeepsWhatItShares) {
  HeartbeatRequest heartbeat;
  heartbeat.consumers = std::make_shared<std::vector<ConsumerData>>(2);
  const auto shared = heartbeat.consumers;
  Request request(std::move(heartbeat));
  const Request moved = std::move(request);
  EXPECT_EQ(std::get<HeartbeatRequest>(moved.body).consumers, shared);
  EXPECT_EQ(shared.use_count(), 2);
}

TEST(CommandTest, OnlySuccessIsOk) {
  EXPECT_TRUE(Reply().ok());
  OffsetReply body;
  body.offset = 3;
  const Reply reply(ResponseCode::kSuccess, body);
  EXPECT_TRUE(reply.ok());
  EXPECT_EQ(std::get<OffsetReply>(reply.body).offset, 3);
  const Reply error(ResponseCode::kTopicNotExist, "no such topic");
  EXPECT_FALSE(error.ok());
  EXPECT_EQ(error.remark, "no such topic");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(error.body));
}

}  // namespace
}  // namespace groupsim
