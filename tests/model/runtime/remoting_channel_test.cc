// The life of channels and connections, and answers to requests.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/runtime/remoting.h"
#include "tests/model/runtime/remoting_fixture.h"

namespace groupsim {
namespace {

using Log = std::vector<std::string>;

// ---- Ends of channels ----

TEST_F(RemotingTest, ThePeersFinFailsTheCallsInFlightInTheirOrder) {
  Connect();
  std::vector<int> order;
  for (int i = 0; i < 5; ++i) {
    (*client_)->CallAsync(address_, Ask(i), 30s,
                          [&order, i](CallResult result) {
                            EXPECT_EQ(result.error, CallError::kClosed);
                            order.push_back(i);
                          });
  }
  const EndingPtr sync = CallSync(Ask(), 3s);
  RunFor(1s);
  CrashServer();
  RunFor(kLatency);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(ErrorOf(sync), CallError::kClosed);
  EXPECT_FALSE((*client_)->IsActive(address_));
  EXPECT_EQ(client_->log(),
            (Log{"active s:1", "channel s:1: closed by the peer"}));
}

TEST_F(RemotingTest, OldClientsKeepTheirCallsThroughAFin) {
  RemotingSettings settings;
  settings.fin_fails_pending = false;
  Connect(settings);
  const EndingPtr async = CallAsync(Ask(), 30s);
  const EndingPtr sync = CallSync(Ask(), 3s);
  CrashServer();
  RunFor(100s);
  EXPECT_EQ(ErrorOf(async), CallError::kTimeout);
  EXPECT_EQ(EndOf(async), 32s);
  EXPECT_EQ(ErrorOf(sync), CallError::kTimeout);
  EXPECT_EQ(EndOf(sync), kRoundTrip + 3s);
}

TEST_F(RemotingTest, OldClientsLoseTheirCallsThroughAReset) {
  RemotingSettings settings;
  settings.fin_fails_pending = false;
  Connect(settings);
  VanishServer();
  server_host_.transport().ComeUp();
  const EndingPtr async = CallAsync(Ask(), 30s);
  RunFor(1s);
  EXPECT_EQ(ErrorOf(async), CallError::kClosed);
  EXPECT_EQ(EndOf(async), kRoundTrip + kRoundTrip);
}

TEST_F(RemotingTest, AVanishedServerIsNoticedOnlyByLimits) {
  Connect();
  VanishServer();
  const EndingPtr async = CallAsync(Ask(), 30s);
  RunFor(29s);
  EXPECT_FALSE(Ended(async));
  EXPECT_TRUE((*client_)->IsActive(address_));
  RunFor(10s);
  EXPECT_EQ(EndOf(async), 32s);
}

TEST_F(RemotingTest, ClosingAChannelFailsItsCallsButNotInTheSameCall) {
  Connect();
  const EndingPtr async = CallAsync(Ask(), 30s);
  const EndingPtr sync = CallSync(Ask(), 3s);
  RunFor(1s);
  (*client_)->CloseChannel(address_);
  EXPECT_FALSE((*client_)->IsActive(address_));
  EXPECT_FALSE(Ended(async));
  EXPECT_FALSE(Ended(sync));
  EXPECT_EQ(client_->log().size(), 1u);
  RunFor(Duration::Zero());
  EXPECT_EQ(ErrorOf(async), CallError::kClosed);
  EXPECT_EQ(ErrorOf(sync), CallError::kClosed);
  EXPECT_EQ(client_->log()[1], "channel s:1: closed here");
  (*client_)->CloseChannel(address_);  // Nothing to close.
}

TEST_F(RemotingTest, AChannelBeingOpenedCanBeClosed) {
  StartServer();
  StartClient();
  const EndingPtr async = CallAsync(Ask(), 30s);
  (*client_)->CloseChannel(address_);
  RunFor(1s);
  EXPECT_EQ(ErrorOf(async), CallError::kClosed);
  EXPECT_TRUE(server_->requests().empty());
}

TEST_F(RemotingTest, WhatACallbackDoesToItsChannelIsSafe) {
  Connect();
  int ends = 0;
  std::function<void(CallResult)> again = [&](CallResult result) {
    EXPECT_EQ(result.error, CallError::kClosed);
    if (++ends > 100) return;
    (*client_)->CallAsync(address_, Ask(), 3s, again);
    (*client_)->CloseChannel(address_);
  };
  for (int i = 0; i < 3; ++i) (*client_)->CallAsync(address_, Ask(), 3s, again);
  CrashServer();
  RunFor(1s);
  EXPECT_EQ(ends, 103);
}

TEST_F(RemotingTest, AnIdleChannelClosesAfterTwoMinutes) {
  Connect();
  RunFor(kLatency);
  RunFor(100s);
  (*client_)->SendOneway(address_, Ask());
  const Duration last = Now().since_start();
  RunFor(120s - 1ms);
  EXPECT_TRUE((*client_)->IsActive(address_));
  RunFor(1ms);
  EXPECT_EQ(Now().since_start(), last + 120s);
  EXPECT_FALSE((*client_)->IsActive(address_));
  EXPECT_EQ(client_->log(), (Log{"active s:1", "channel s:1: idle"}));
  RunFor(kLatency);  // The server would have closed it a moment later.
  EXPECT_EQ(server_->log().size(), 1u);
}

TEST_F(RemotingTest, AServerClosesIdleConnections) {
  RemotingSettings patient;
  patient.channel_max_idle = 1h;
  Connect(patient);
  RunFor(200s);
  EXPECT_EQ(server_->log(), Log{"connection: idle"});
  EXPECT_EQ(client_->log(),
            (Log{"active s:1", "channel s:1: closed by the peer"}));
}

TEST_F(RemotingTest, AServerForgetsAVanishedClientWhenItIsIdle) {
  Connect();
  client_host_.transport().GoDark();
  client_ = nullptr;
  RunFor(100s);
  EXPECT_TRUE(server_->log().empty());
  RunFor(30s);
  EXPECT_EQ(server_->log(), Log{"connection: idle"});
}

// ---- Ends of Remoting ----

TEST_F(RemotingTest, AShutdownClosesEverythingAndEndsEveryCall) {
  Connect();
  const EndingPtr async = CallAsync(Ask(), 30s);
  const EndingPtr sync = CallSync(Ask(), 3s);
  RunFor(1s);
  (*client_)->Shutdown();
  EXPECT_FALSE(Ended(async));
  RunFor(Duration::Zero());
  EXPECT_EQ(ErrorOf(async), CallError::kClosed);
  EXPECT_EQ(ErrorOf(sync), CallError::kClosed);
  EXPECT_EQ(client_->log(), Log{"active s:1"});
  const EndingPtr later = CallAsync(Ask(), 3s);
  const EndingPtr later_sync = CallSync(Ask(), 3s);
  (*client_)->SendOneway(address_, Ask());
  RunFor(1s);
  EXPECT_EQ(ErrorOf(later), CallError::kClosed);
  EXPECT_EQ(ErrorOf(later_sync), CallError::kClosed);
  EXPECT_EQ(server_->log(), Log{"connection: closed by the peer"});
  (*client_)->Shutdown();
}

TEST_F(RemotingTest, AServersShutdownClosesConnectionsAndRefusesFurtherOnes) {
  Connect();
  (*server_)->Shutdown();
  RunFor(1s);
  EXPECT_EQ(client_->log()[1], "channel s:1: closed by the peer");
  const EndingPtr ending = CallAsync(Ask(), 3s);
  RunFor(1s);
  EXPECT_EQ(ErrorOf(ending), CallError::kConnectFailed);
}

TEST_F(RemotingTest, AServerThatStopsListeningSaysThatConnectionsEnded) {
  Connect();
  (*server_)->StopListening();
  EXPECT_TRUE(server_->log().empty());
  RunFor(1s);
  EXPECT_EQ(server_->log(), Log{"connection: closed here"});
}

TEST_F(RemotingTest, DestroyingRemotingDropsItsCallsInWhateverState) {
  RemotingSettings settings;
  settings.max_in_flight = 6;
  Connect(settings);
  const std::vector<EndingPtr> endings = {
      CallAsync(Ask(), 30s), CallSync(Ask(), 3s),   // In flight,
      CallAsync(Ask(), 30s), CallSync(Ask(), 3s)};  // both.
  RunFor(1s);
  const Name elsewhere = runtime_.Intern("nowhere:1");
  (*client_)->CallAsync(elsewhere, Ask(), 3s,
                        [](CallResult) { FAIL() << "called back"; });
  const EndingPtr closed = CallAsync(Ask(), 3s);
  (*client_)->CloseChannel(address_);  // Ends that are not yet told.
  client_ = nullptr;
  RunFor(100s);
  for (const EndingPtr& ending : endings) {
    if (Ended(ending)) {  // A task whose end was on its way already.
      EXPECT_EQ(ErrorOf(ending), CallError::kClosed);
    }
  }
  EXPECT_FALSE(Ended(closed));
}

TEST_F(RemotingTest, TasksMayOutliveRemotingButNeverGoOn) {
  Connect();
  const EndingPtr ending = CallSync(Ask(), 3s);
  RunFor(1s);
  client_ = nullptr;
  RunFor(10s);
  EXPECT_FALSE(Ended(ending));
  scope_.Clear();
}

TEST_F(RemotingTest, DestroyingATaskGivesItsCallUp) {
  Connect();
  const EndingPtr ending = CallSync(Ask(), 3s);
  RunFor(1s);
  scope_.Clear();
  server_->kept()[1].Answer(Echo(Ask()));
  RunFor(10s);
  EXPECT_FALSE(Ended(ending));
  EXPECT_TRUE((*client_)->IsActive(address_));  // No time-out closed it.
}

// ---- Answers ----

TEST_F(RemotingTest, ARequestIsAnsweredAtMostOnce) {
  Connect();
  const EndingPtr ending = CallAsync(Ask(), 30s);
  RunFor(15s);
  Responder kept = std::move(server_->kept()[1]);
  EXPECT_FALSE(server_->kept()[1].expected());
  server_->kept()[1].Answer(Echo(Ask(1)));  // It was moved away.
  EXPECT_TRUE(kept.expected());
  kept.Answer(Echo(Ask(2)));
  EXPECT_FALSE(kept.expected());
  kept.Answer(Echo(Ask(3)));
  RunFor(1s);
  EXPECT_EQ(OffsetOf((*ending)->result), 2);
  Responder().Answer(Echo(Ask()));
}

TEST_F(RemotingTest, OnewayRequestsHaveNoAnswer) {
  Connect();
  RunFor(kLatency);
  ASSERT_EQ(server_->kept().size(), 1u);
  EXPECT_FALSE(server_->kept()[0].expected());
  server_->kept()[0].Answer(Echo(Ask()));
  RunFor(1s);
}

TEST_F(RemotingTest, AnsweringADeadConnectionDoesNothing) {
  Connect();
  const EndingPtr ending = CallAsync(Ask(), 30s);
  RunFor(kLatency);
  (*client_)->CloseChannel(address_);
  RunFor(1s);
  server_->kept()[1].Answer(Echo(Ask()));
  RunFor(1s);
  EXPECT_EQ(ErrorOf(ending), CallError::kClosed);
}

TEST_F(RemotingTest, DroppingAResponderAnswersNothing) {
  Connect();
  const EndingPtr ending = CallSync(Ask(), 3s);
  RunFor(kLatency);
  server_->kept().clear();
  RunFor(10s);
  EXPECT_EQ(ErrorOf(ending), CallError::kTimeout);
}

TEST_F(RemotingTest, ARequestWithoutHandlerIsNotSupported) {
  Remoting server(server_host_.env(), RemotingSettings(), nullptr, nullptr);
  server.Listen(address_);
  StartClient();
  const EndingPtr ending = CallAsync(Ask(), 3s);
  RunFor(1s);
  EXPECT_EQ((*ending)->result.reply.code,
            ResponseCode::kRequestCodeNotSupported);
}

TEST_F(RemotingTest, AServerSendsRequestsBackOnTheConnection) {
  Connect();
  RunFor(kLatency);
  const ConnectionId connection = server_->kept()[0].connection();
  EXPECT_TRUE((*server_)->SendOneway(connection, Ask(5)));
  RunFor(kLatency);
  ASSERT_EQ(client_->requests().size(), 1u);
  EXPECT_EQ(NumberOf(client_->requests()[0]), 5);
  EXPECT_FALSE(client_->kept()[0].expected());
  (*client_)->CloseChannel(address_);
  RunFor(kLatency);
  EXPECT_FALSE((*server_)->SendOneway(connection, Ask(6)));
}

TEST_F(RemotingTest, AServerClosesAConnectionAndHearsOfItLater) {
  Connect();
  RunFor(kLatency);
  const ConnectionId connection = server_->kept()[0].connection();
  const EndingPtr ending = CallAsync(Ask(), 30s);
  (*server_)->CloseConnection(connection);
  EXPECT_TRUE(server_->log().empty());
  RunFor(kLatency);
  EXPECT_EQ(server_->log(), Log{"connection: closed here"});
  EXPECT_EQ(ErrorOf(ending), CallError::kClosed);
  (*server_)->CloseConnection(connection);  // Nothing to close.
}

TEST(CallErrorTest, EachHasItsWords) {
  EXPECT_EQ(NameOf(CallError::kTimeout), "no reply in time");
  EXPECT_EQ(NameOf(CallError::kTooManyRequests), "too many requests");
}

}  // namespace
}  // namespace groupsim
