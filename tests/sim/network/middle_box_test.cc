// Connections that somebody on the way resets or forgets.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/ratio.h"
#include "model/base/time.h"
#include "model/runtime/transport.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "sim/network/network.h"
#include "tests/sim/network/network_fixture.h"
#include "tests/sim/network/recorder.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class MiddleBoxTest : public NetworkTest {};

TEST_F(MiddleBoxTest, AResetEndsBothEnds) {
  OpenFromAToB();
  EXPECT_EQ(network_.ResetConnections({a_}, {b_}), 1);
  EXPECT_THAT(at_a_.lines, IsEmpty()) << "not inside of the call";
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, ElementsAre("1100 closed reset"));
  EXPECT_THAT(at_b_.lines, ElementsAre("1100 closed reset"));
  EXPECT_EQ(network_.connections(), 0u);
  EXPECT_EQ(network_.ResetConnections({a_}, {b_}), 0);
}

TEST_F(MiddleBoxTest, AResetHitsConnectionsOfBothDirectionsButNoOthers) {
  Recorder at_c(engine_);
  Recorder to_c(engine_);
  c_->Listen(AddressOf("c"), &at_c);
  a_->Open(AddressOf("c"), &to_c);
  OpenFromAToB();
  a_->Listen(AddressOf("a"), &at_a_);
  b_->Open(AddressOf("a"), &at_b_);
  RunFor(10ms);
  EXPECT_EQ(network_.ResetConnections({b_}, {a_}), 2);
  RunFor(1s);
  EXPECT_EQ(to_c.lines.back(), "3000 opened");
  EXPECT_EQ(network_.connections(), 1u);
}

TEST_F(MiddleBoxTest, WhatIsOnTheWayComesBeforeTheResetAndNothingAfterIt) {
  const Pair pair = OpenFromAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  network_.ResetConnections({a_}, {b_});
  a_->Send(pair.at_a, FrameNumber(2));
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("1100 frame 1", "1100 closed reset"));
  EXPECT_EQ(network_.in_flight(), 0);
}

TEST_F(MiddleBoxTest, AResetForgetsWhatWaitsToBeSentAgain) {
  const Pair pair = OpenFromAToB();
  network_.Cut({a_}, {b_});
  a_->Send(pair.at_a, FrameNumber(1));
  EXPECT_EQ(network_.ResetConnections({a_}, {b_}), 1);
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, ElementsAre("1100 closed reset"));
  EXPECT_THAT(at_b_.lines, ElementsAre("1100 closed reset"));
  EXPECT_EQ(network_.connections(), 0u);
  EXPECT_EQ(network_.stalled(), 0u);
}

TEST_F(MiddleBoxTest, AConnectionThatIsOnlyAskedForIsNotReset) {
  b_->Listen(AddressOf("b"), &at_b_);
  a_->Open(AddressOf("b"), &at_a_);
  EXPECT_EQ(network_.ResetConnections({a_}, {b_}), 0);
  RunFor(150us);
  EXPECT_EQ(network_.ResetConnections({a_}, {b_}), 1) << "b has granted it";
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, ElementsAre("200 opened", "250 closed reset"));
  EXPECT_THAT(at_b_.lines, ElementsAre("100 accepted a", "250 closed reset"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(MiddleBoxTest, OnAForgottenConnectionNothingArrivesAndNobodyIsTold) {
  const Pair pair = OpenFromAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  EXPECT_EQ(network_.ForgetConnections({a_}, {b_}), 1);
  EXPECT_EQ(network_.ForgetConnections({a_}, {b_}), 0) << "it is already";
  a_->Send(pair.at_a, FrameNumber(2));
  b_->Send(pair.at_b, FrameNumber(3));
  RunFor(15min);
  EXPECT_THAT(at_b_.lines, ElementsAre("1100 frame 1")) << "was on the way";
  EXPECT_THAT(at_a_.lines, IsEmpty());
}

TEST_F(MiddleBoxTest, AConnectionMadeLaterWorks) {
  OpenFromAToB();
  network_.ForgetConnections({b_}, {a_});
  const ConnectionId later = a_->Open(AddressOf("b"), &at_a_);
  RunFor(1ms);
  a_->Send(later, FrameNumber(1));
  RunFor(1ms);
  EXPECT_THAT(at_b_.lines, ElementsAre("1100 accepted a", "2100 frame 1"));
}

TEST_F(MiddleBoxTest, WhoeverSendsOnAForgottenConnectionGivesUpInTheEnd) {
  const Pair pair = OpenFromAToB();
  network_.ForgetConnections({a_}, {b_});
  a_->Send(pair.at_a, FrameNumber(1));
  RunFor(1h);
  EXPECT_THAT(at_a_.lines, ElementsAre("924601000 closed unacknowledged"));
  EXPECT_THAT(at_b_.lines, IsEmpty()) << "it sent nothing, and does not know";
  b_->Close(pair.at_b);
  RunFor(1h);
  EXPECT_EQ(network_.connections(), 0u);
  EXPECT_EQ(network_.in_flight(), 0);
}

TEST_F(MiddleBoxTest, ACloseOfAForgottenConnectionIsNotHeardOf) {
  const Pair pair = OpenFromAToB();
  network_.ForgetConnections({a_}, {b_});
  a_->Close(pair.at_a);
  RunFor(1h);
  EXPECT_THAT(at_b_.lines, IsEmpty());
  EXPECT_EQ(network_.connections(), 1u);
}

Frame RequestOf(RequestCode code, uint32_t number) {
  Frame frame = FrameNumber(number);
  Request request;
  request.code = code;
  frame.content = std::move(request);
  return frame;
}

TEST_F(MiddleBoxTest, RequestsOfSomeKindsAreThrownAwayOneWay) {
  const Pair pair = OpenFromAToB();
  const std::vector<RequestCode> codes = {RequestCode::kHeartBeat,
                                          RequestCode::kLockBatchMq};
  const Network::DropId drop =
      network_.DropRequests({a_}, {b_}, {codes, Ratio::PerMille(1'000), "all"});
  Facts facts(names_);
  trace_.ObserveAll(&facts);
  a_->Send(pair.at_a, RequestOf(RequestCode::kHeartBeat, 1));
  a_->Send(pair.at_a, RequestOf(RequestCode::kPullMessage, 2));
  a_->Send(pair.at_a, RequestOf(RequestCode::kLockBatchMq, 3));
  Frame reply = FrameNumber(4);
  reply.content = Reply(ResponseCode::kSuccess);
  a_->Send(pair.at_a, std::move(reply));
  b_->Send(pair.at_b, RequestOf(RequestCode::kHeartBeat, 5));
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("1100 frame 2", "1100 frame 4"));
  EXPECT_THAT(at_a_.lines, ElementsAre("1100 frame 5"));
  EXPECT_THAT(facts.lines,
              ElementsAre("REQUEST_DROPPED a b 34", "REQUEST_DROPPED a b 41"));
  EXPECT_EQ(network_.in_flight(), 0) << "nothing is sent again";
  EXPECT_EQ(network_.connections(), 1u);

  network_.StopDropping(drop);
  network_.StopDropping(drop);
  a_->Send(pair.at_a, RequestOf(RequestCode::kHeartBeat, 6));
  RunFor(1s);
  EXPECT_EQ(at_b_.lines.size(), 3u);
}

TEST_F(MiddleBoxTest, AShareOfTheRequestsIsThrownAway) {
  const Pair pair = OpenFromAToB();
  const auto drop = [this](RequestCode code, const std::string& purpose) {
    network_.DropRequests({a_}, {b_}, {{code}, Ratio::PerMille(300), purpose});
  };
  const auto arrivals = [&] {
    at_b_.lines.clear();
    for (uint32_t i = 0; i < 1'000; ++i) {
      a_->Send(pair.at_a, RequestOf(RequestCode::kHeartBeat, i));
    }
    RunFor(1s);
    return static_cast<double>(at_b_.lines.size());
  };
  drop(RequestCode::kHeartBeat, "one");
  // Five standard deviations.
  EXPECT_NEAR(arrivals(), 700, 73);
  drop(RequestCode::kLockBatchMq, "other requests");
  EXPECT_NEAR(arrivals(), 700, 73);
  drop(RequestCode::kHeartBeat, "two");
  EXPECT_NEAR(arrivals(), 490, 80);
}

TEST_F(MiddleBoxTest, FactsTellOfForgottenConnections) {
  OpenFromAToB();
  Facts facts(names_);
  trace_.ObserveAll(&facts);
  network_.ForgetConnections({a_, c_}, {b_});
  EXPECT_THAT(facts.lines, ElementsAre("CONNECTION_FORGOTTEN a b 0",
                                       "CONNECTION_FORGOTTEN b a 0"));
}

}  // namespace
}  // namespace groupsim
