// How calls end: with a reply, at a limit, or with their channel.
#include <cstdint>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "model/runtime/remoting.h"
#include "tests/model/runtime/remoting_fixture.h"

namespace groupsim {
namespace {

TEST_F(RemotingTest, AnAsynchronousCallConnectsAndGetsItsReply) {
  StartServer();
  StartClient();
  server_->AnswerWith(Echo);
  const EndingPtr ending = CallAsync(Ask(7), 3s);
  RunFor(1s);
  ASSERT_TRUE(ending->has_value());
  EXPECT_TRUE((*ending)->result.ok());
  EXPECT_EQ(OffsetOf((*ending)->result), 7);
  EXPECT_EQ((*ending)->at, Instant() + kRoundTrip + kRoundTrip);
  EXPECT_EQ(client_->log(), std::vector<std::string>{"active s:1"});
}

TEST_F(RemotingTest, ASynchronousCallConnectsAndGetsItsReply) {
  StartServer();
  StartClient();
  server_->AnswerWith(Echo);
  const EndingPtr ending = CallSync(Ask(7), 3s);
  RunFor(1s);
  ASSERT_TRUE(ending->has_value());
  EXPECT_TRUE((*ending)->result.ok());
  EXPECT_EQ(OffsetOf((*ending)->result), 7);
  EXPECT_EQ((*ending)->at, Instant() + kRoundTrip + kRoundTrip);
}

TEST_F(RemotingTest, ARefusedConnectionFailsBothKindsOfCallAtOnce) {
  StartClient();
  const EndingPtr sync = CallSync(Ask(), 3s);
  const EndingPtr async = CallAsync(Ask(), 3s);
  RunFor(10ms);
  ASSERT_TRUE(sync->has_value() && async->has_value());
  EXPECT_EQ((*sync)->result.error, CallError::kConnectFailed);
  EXPECT_EQ((*async)->result.error, CallError::kConnectFailed);
  EXPECT_EQ((*sync)->at, Instant() + kRoundTrip);
}

}  // namespace
}  // namespace groupsim
