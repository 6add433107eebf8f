// How calls end: with a reply, at a limit, or with their channel.
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/runtime/remoting.h"
#include "tests/model/runtime/remoting_fixture.h"

namespace groupsim {
namespace {

using Log = std::vector<std::string>;

TEST_F(RemotingTest, AnAsynchronousCallConnectsAndGetsItsReply) {
  StartServer();
  StartClient();
  server_->AnswerWith(Echo);
  const EndingPtr ending = CallAsync(Ask(7), 3s);
  EXPECT_FALSE((*client_)->IsActive(address_));
  RunFor(1s);
  ASSERT_TRUE(Ended(ending));
  EXPECT_TRUE((*ending)->result.ok());
  EXPECT_EQ(OffsetOf((*ending)->result), 7);
  EXPECT_EQ(EndOf(ending), kRoundTrip + kRoundTrip);
  EXPECT_EQ(client_->log(), Log{"active s:1"});
  EXPECT_TRUE((*client_)->IsActive(address_));
}

TEST_F(RemotingTest, ASynchronousCallConnectsAndGetsItsReply) {
  StartServer();
  StartClient();
  server_->AnswerWith(Echo);
  const EndingPtr ending = CallSync(Ask(7), 3s);
  RunFor(1s);
  ASSERT_TRUE(Ended(ending));
  EXPECT_TRUE((*ending)->result.ok());
  EXPECT_EQ(OffsetOf((*ending)->result), 7);
  EXPECT_EQ(EndOf(ending), kRoundTrip + kRoundTrip);
}

TEST_F(RemotingTest, AReplyThatIsNoSuccessIsAReplyAllTheSame) {
  Connect();
  server_->AnswerWith(
      [](const Request&) { return Reply(ResponseCode::kSystemBusy, "busy"); });
  const EndingPtr ending = CallAsync(Ask(), 3s);
  RunFor(kRoundTrip);
  ASSERT_TRUE(Ended(ending));
  EXPECT_TRUE((*ending)->result.replied());
  EXPECT_FALSE((*ending)->result.ok());
  EXPECT_EQ((*ending)->result.reply.remark, "busy");
}

TEST_F(RemotingTest, RepliesFindTheirCallsInWhateverOrderTheyCome) {
  Connect();
  const EndingPtr first = CallAsync(Ask(1), 3s);
  const EndingPtr second = CallSync(Ask(2), 3s);
  RunFor(kLatency);
  ASSERT_EQ(server_->kept().size(), 3u);  // The first is the one-way request.
  server_->kept()[2].Answer(Echo(Ask(2)));
  RunFor(kLatency);
  EXPECT_FALSE(Ended(first));
  ASSERT_TRUE(Ended(second));
  EXPECT_EQ(OffsetOf((*second)->result), 2);
  server_->kept()[1].Answer(Echo(Ask(1)));
  RunFor(kLatency);
  ASSERT_TRUE(Ended(first));
  EXPECT_EQ(OffsetOf((*first)->result), 1);
}

TEST_F(RemotingTest, CallsAndOnewaysAttachToThePendingConnectInOrder) {
  StartServer();
  StartClient();
  CallAsync(Ask(1), 3s);
  (*client_)->SendOneway(address_, Ask(2));
  CallAsync(Ask(3), 3s);
  RunFor(1s);
  std::vector<int> numbers;
  for (const Request& request : server_->requests())
    numbers.push_back(NumberOf(request));
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(client_->log(), Log{"active s:1"});  // One connection.
  ASSERT_EQ(server_->kept().size(), 3u);
  EXPECT_TRUE(server_->kept()[0].expected());
  EXPECT_FALSE(server_->kept()[1].expected());
  EXPECT_NE(server_->kept()[1].connection(), 0u);
}

// ---- Connecting ----

TEST_F(RemotingTest, ARefusedConnectionFailsBothKindsOfCallAtOnce) {
  StartClient();
  const EndingPtr sync = CallSync(Ask(), 3s);
  const EndingPtr async = CallAsync(Ask(), 3s);
  (*client_)->SendOneway(address_, Ask());
  RunFor(10ms);
  EXPECT_EQ(ErrorOf(sync), CallError::kConnectFailed);
  EXPECT_EQ(ErrorOf(async), CallError::kConnectFailed);
  EXPECT_EQ(EndOf(sync), kRoundTrip);
  EXPECT_EQ(EndOf(async), kRoundTrip);
  EXPECT_EQ(client_->log(), Log{"channel s:1: refused"});
}

TEST_F(RemotingTest, TheNextCallAfterAFailedConnectTriesAgainAtOnce) {
  StartClient();
  CallAsync(Ask(), 3s);
  RunFor(10ms);
  StartServer();
  server_->AnswerWith(Echo);
  const EndingPtr second = CallAsync(Ask(), 3s);
  RunFor(10ms);
  EXPECT_EQ(ErrorOf(second), CallError::kNone);
}

TEST_F(RemotingTest, AHangingConnectFailsAllItsCallsAfterThreeSeconds) {
  server_host_.transport().GoDark();
  StartClient();
  const EndingPtr sync = CallSync(Ask(), 3s);
  const EndingPtr async = CallAsync(Ask(), 30s);
  RunFor(1s);
  const EndingPtr later = CallAsync(Ask(), 30s);
  RunFor(9s);
  EXPECT_EQ(ErrorOf(sync), CallError::kConnectFailed);
  EXPECT_EQ(ErrorOf(async), CallError::kConnectFailed);
  EXPECT_EQ(ErrorOf(later), CallError::kConnectFailed);
  EXPECT_EQ(EndOf(sync), 3s);
  EXPECT_EQ(EndOf(async), 3s);
  EXPECT_EQ(EndOf(later), 3s);
  EXPECT_EQ(client_->log().size(), 1u);
}

TEST_F(RemotingTest, ASynchronousCallDoesNotWaitForAConnectLongerThanItsLimit) {
  server_host_.transport().GoDark();
  StartClient();
  const EndingPtr ending = CallSync(Ask(), 1s);
  RunFor(10s);
  EXPECT_EQ(ErrorOf(ending), CallError::kTimeout);
  EXPECT_EQ(EndOf(ending), 1s);
}

class SlowRemotingTest : public RemotingTest {
 protected:
  SlowRemotingTest() : RemotingTest(475ms) {}  // Connecting takes 950 ms.
};

TEST_F(SlowRemotingTest, ConnectingCountsIntoTheLimitOfASynchronousCall) {
  StartServer();
  StartClient();
  server_->AnswerWith(Echo);
  const EndingPtr short_one = CallSync(Ask(), 1899ms);
  const EndingPtr long_one = CallSync(Ask(), 1901ms);
  RunFor(5s);
  EXPECT_EQ(ErrorOf(short_one), CallError::kTimeout);
  EXPECT_EQ(EndOf(short_one), 1899ms);
  // Its time-out closed the channel, since 949 ms had been left for the reply.
  EXPECT_EQ(ErrorOf(long_one), CallError::kClosed);
}

TEST_F(SlowRemotingTest, ATimeoutThatLeftNoTimeForTheReplyKeepsTheChannel) {
  StartServer();
  StartClient();
  const EndingPtr ending = CallSync(Ask(), 1050ms);  // Left: 100 ms.
  RunFor(5s);
  EXPECT_EQ(EndOf(ending), 1050ms);
  EXPECT_TRUE((*client_)->IsActive(address_));
}

TEST_F(SlowRemotingTest, ATimeoutThatLeftJustEnoughForTheReplyCloses) {
  StartServer();
  StartClient();
  const EndingPtr ending = CallSync(Ask(), 1051ms);  // Left: 101 ms.
  RunFor(5s);
  EXPECT_EQ(EndOf(ending), 1051ms);
  EXPECT_FALSE((*client_)->IsActive(address_));
  EXPECT_EQ(client_->log(), (Log{"active s:1", "channel s:1: closed here"}));
}

TEST_F(SlowRemotingTest, AnAsynchronousCallConnectedTooLateEndsThere) {
  StartServer();
  StartClient();
  const EndingPtr ending = CallAsync(Ask(), 900ms);
  RunFor(5s);
  EXPECT_EQ(ErrorOf(ending), CallError::kTimeout);
  EXPECT_EQ(EndOf(ending), 950ms);
  EXPECT_TRUE(server_->requests().empty());
}

// ---- Limits ----

TEST_F(RemotingTest, ASynchronousTimeoutIsExactAndClosesTheChannel) {
  Connect();
  const EndingPtr other = CallAsync(Ask(), 30s);
  const EndingPtr ending = CallSync(Ask(), 3s);
  RunFor(10s);
  EXPECT_EQ(ErrorOf(ending), CallError::kTimeout);
  EXPECT_EQ(EndOf(ending), kRoundTrip + 3s);
  EXPECT_EQ(ErrorOf(other), CallError::kClosed);
  EXPECT_EQ(EndOf(other), kRoundTrip + 3s);
  EXPECT_FALSE((*client_)->IsActive(address_));
  EXPECT_EQ(server_->log(), Log{"connection: closed by the peer"});
}

TEST_F(RemotingTest, AQuarterOfAShortLimitIsEnoughToClose) {
  Connect();
  CallSync(Ask(), 100ms);
  RunFor(1s);
  EXPECT_FALSE((*client_)->IsActive(address_));
}

TEST_F(RemotingTest, ASynchronousTimeoutKeepsTheChannelWhereSoConfigured) {
  RemotingSettings settings;
  settings.close_channel_if_timeout = false;
  Connect(settings);
  const EndingPtr ending = CallSync(Ask(), 3s);
  RunFor(4s);
  EXPECT_EQ(ErrorOf(ending), CallError::kTimeout);
  EXPECT_TRUE((*client_)->IsActive(address_));
  // The late reply is ignored.
  ASSERT_EQ(server_->kept().size(), 2u);
  server_->kept()[1].Answer(Echo(Ask()));
  RunFor(1s);
  EXPECT_EQ(ErrorOf(ending), CallError::kTimeout);
}

struct ScanCase {
  Duration call;     // When, after the start.
  Duration timeout;  // Of the call.
  Duration end;      // When it ends.
};

TEST_F(RemotingTest, AsynchronousCallsExpireAtTheFirstScanPastTheGrace) {
  const std::vector<ScanCase> cases = {
      {10ms, 100ms, 3s},     // No scan before the first one.
      {1s, 1s, 3s},          // Just in time.
      {1s + 1ns, 1s, 4s},    // A nanosecond too late for it.
      {5s, 30s, 36s},        // 31 s,
      {5s + 1ns, 30s, 37s},  // nearly 32 s.
      {5500ms, 30s, 37s},    //
      {6s, 300s, 307s},      // Further than the wheel is wide.
      {7s, 90s + 1ms, 99s},  //
      {8s, Duration(), 9s},  //
      {8500ms, 1ns, 10s},    //
  };
  Connect();
  std::vector<EndingPtr> endings;
  for (const ScanCase& c : cases) {
    RunFor(c.call - Now().since_start());
    endings.push_back(CallAsync(Ask(), c.timeout));
    // Nothing else keeps the connection from being idle.
  }
  for (int i = 0; i < 40; ++i) {
    RunFor(10s);
    (*client_)->SendOneway(address_, Ask());
  }
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(ErrorOf(endings[i]), CallError::kTimeout) << i;
    EXPECT_EQ(EndOf(endings[i]), cases[i].end) << i;
  }
  EXPECT_TRUE((*client_)->IsActive(address_));
}

TEST_F(RemotingTest, TheScanGridStartsWithTheProcess) {
  StartServer();
  RunFor(250ms);
  StartClient();
  const EndingPtr ending = CallAsync(Ask(), 3s);
  RunFor(30s);
  EXPECT_EQ(EndOf(ending), 250ms + 4s);  // Due at 4.25 s; the grid is at x.25.
}

TEST_F(RemotingTest, ThousandsOfCallsInFlightNeedOneTimer) {
  Connect();
  RunFor(kLatency);
  const size_t before = runtime_.loop().pending();
  std::vector<EndingPtr> endings;
  for (int i = 0; i < 5'000; ++i) {
    endings.push_back(CallAsync(Ask(), 30s));
    RunFor(100us);
  }
  RunFor(10ms);  // All arrived.
  EXPECT_EQ(runtime_.loop().pending(), before + 1);
  for (Responder& responder : server_->kept()) responder.Answer(Echo(Ask()));
  RunFor(10ms);
  for (const EndingPtr& ending : endings)
    EXPECT_EQ(ErrorOf(ending), CallError::kNone);
  EXPECT_EQ(runtime_.loop().pending(), before + 1);
  RunFor(40s);  // Its scan found nothing and armed nothing.
  EXPECT_EQ(runtime_.loop().pending(), before);
}

TEST_F(RemotingTest, BeyondThePermitsCallsFailButNotInTheSameCall) {
  RemotingSettings settings;
  settings.max_in_flight = 3;
  Connect(settings);
  server_->AnswerWith(Echo);
  std::vector<EndingPtr> endings;
  for (int i = 0; i < 3; ++i) endings.push_back(CallAsync(Ask(), 3s));
  const EndingPtr async = CallAsync(Ask(), 3s);
  const EndingPtr sync = CallSync(Ask(), 3s);
  RunFor(Duration::Zero());
  EXPECT_EQ(ErrorOf(async), CallError::kTooManyRequests);
  EXPECT_EQ(ErrorOf(sync), CallError::kTooManyRequests);
  RunFor(kRoundTrip);  // Replies give permits back.
  const EndingPtr next = CallAsync(Ask(), 3s);
  RunFor(kRoundTrip);
  EXPECT_EQ(ErrorOf(next), CallError::kNone);
}

// ---- Going away ----

TEST_F(RemotingTest, ACallThatIsSentAwayIsRepeatedOnceOnANewChannel) {
  Connect();
  int asked = 0;
  server_->AnswerWith([&asked](const Request& request) {
    ++asked;
    return asked == 1 ? Reply(ResponseCode::kGoAway) : Echo(request);
  });
  const EndingPtr ending = CallAsync(Ask(9), 3s);
  RunFor(1s);
  EXPECT_EQ(ErrorOf(ending), CallError::kNone);
  EXPECT_EQ(OffsetOf((*ending)->result), 9);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(client_->log(), (Log{"active s:1", "active s:1"}));
  EXPECT_EQ(server_->log(), Log{"connection: closed by the peer"});
}

TEST_F(RemotingTest, BeingSentAwayTwiceIsASendError) {
  Connect();
  server_->AnswerWith(
      [](const Request&) { return Reply(ResponseCode::kGoAway); });
  const EndingPtr sync = CallSync(Ask(), 3s);
  const EndingPtr async = CallAsync(Ask(), 3s);
  RunFor(1s);
  EXPECT_EQ(ErrorOf(sync), CallError::kClosed);
  EXPECT_EQ(ErrorOf(async), CallError::kClosed);
}

TEST_F(RemotingTest, TheOldChannelStaysForItsOtherCalls) {
  Connect();
  const EndingPtr held = CallAsync(Ask(1), 30s);
  const EndingPtr moved = CallSync(Ask(2), 3s);
  RunFor(kLatency);
  server_->kept()[2].Answer(Reply(ResponseCode::kGoAway));
  RunFor(1s);
  EXPECT_EQ(server_->kept().size(), 4u);  // It was repeated.
  EXPECT_FALSE(Ended(held));
  server_->kept()[1].Answer(Echo(Ask(1)));
  RunFor(1s);
  EXPECT_EQ(ErrorOf(held), CallError::kNone);
  EXPECT_EQ(server_->log(), Log{"connection: closed by the peer"});
  // The repetition got no time of its own.
  RunFor(10s);
  EXPECT_EQ(ErrorOf(moved), CallError::kTimeout);
  EXPECT_EQ(EndOf(moved), kRoundTrip + 3s);
}

}  // namespace
}  // namespace groupsim
