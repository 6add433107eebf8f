// Directions between hosts that are cut, as connections see it.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/transport.h"
#include "sim/network/network.h"
#include "tests/sim/network/network_fixture.h"
#include "tests/sim/network/recorder.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CutTest : public NetworkTest {
 protected:
  // One direction, or both.
  int64_t CutAToB() { return network_.Cut({a_}, {b_}).directions; }
  void CutBoth() {
    network_.Cut({a_}, {b_});
    network_.Cut({b_}, {a_});
  }
  void HealBoth() {
    network_.Heal({a_}, {b_});
    network_.Heal({b_}, {a_});
  }
};

TEST_F(CutTest, WhatIsSentArrivesAtTheNextRetransmissionAfterTheHeal) {
  const Pair pair = OpenFromAToB();
  CutAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  RunFor(500ms);
  a_->Send(pair.at_a, FrameNumber(2));
  RunFor(500ms);
  EXPECT_THAT(at_b_.lines, IsEmpty());
  network_.Heal({a_}, {b_});
  a_->Send(pair.at_a, FrameNumber(3));
  RunFor(10s);
  // Sent at 1 ms, again 200, 600 and 1,400 ms later. Nobody overtakes.
  EXPECT_THAT(at_b_.lines, ElementsAre("1401100 frame 1", "1401100 frame 2",
                                       "1401100 frame 3"));
  a_->Send(pair.at_a, FrameNumber(4));
  RunFor(1s);
  EXPECT_EQ(at_b_.lines.back(), "11001100 frame 4");
  EXPECT_EQ(network_.in_flight(), 0);
  EXPECT_EQ(network_.stalled(), 0u);
}

TEST_F(CutTest, TheOtherDirectionGoesOn) {
  const Pair pair = OpenFromAToB();
  CutAToB();
  b_->Send(pair.at_b, FrameNumber(1));
  a_->Send(pair.at_a, FrameNumber(2));
  RunFor(100ms);
  EXPECT_THAT(at_a_.lines, ElementsAre("1100 frame 1"));
  EXPECT_THAT(at_b_.lines, IsEmpty());
}

TEST_F(CutTest, OtherHostsGoOn) {
  Recorder at_c(engine_);
  c_->Listen(AddressOf("c"), &at_c);
  CutBoth();
  a_->Open(AddressOf("c"), &at_a_);
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, ElementsAre("3000 opened"));
}

TEST_F(CutTest, WhatWasOnTheWayArrives) {
  const Pair pair = OpenFromAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  CutAToB();
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("1100 frame 1"));
}

TEST_F(CutTest, TimeoutsDoubleUpToTwoMinutes) {
  const Pair pair = OpenFromAToB();
  CutAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  RunFor(
      205s);  // Past the tenth time-out, after 204.6 s; the next is at 324.6.
  network_.Heal({a_}, {b_});
  RunFor(200s);
  EXPECT_THAT(at_b_.lines, ElementsAre("324601100 frame 1"));
}

TEST_F(CutTest, TheSenderGivesUpAfter924Seconds) {
  Facts facts(names_);
  trace_.ObserveAll(&facts);
  const Pair pair = OpenFromAToB();
  CutAToB();
  facts.lines.clear();
  a_->Send(pair.at_a, FrameNumber(1));
  RunFor(924s);
  a_->Send(pair.at_a, FrameNumber(2));
  EXPECT_THAT(at_a_.lines, IsEmpty());
  RunFor(1h);
  EXPECT_THAT(at_a_.lines, ElementsAre("924601000 closed unacknowledged"));
  EXPECT_THAT(facts.lines, ElementsAre("CONNECTION_CLOSED a b 7"));
  EXPECT_EQ(network_.in_flight(), 0);
  // The other end does not know, until it sends something.
  network_.Heal({a_}, {b_});
  EXPECT_THAT(at_b_.lines, IsEmpty());
  b_->Send(pair.at_b, FrameNumber(3));
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("4524001200 closed reset"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(CutTest, AHealBeforeTheLimitSavesTheConnection) {
  const Pair pair = OpenFromAToB();
  CutAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  RunFor(800s);  // The last time but one to send it again is 804.6 s.
  network_.Heal({a_}, {b_});
  RunFor(1h);
  EXPECT_THAT(at_b_.lines, ElementsAre("804601100 frame 1"));
  EXPECT_THAT(at_a_.lines, IsEmpty());
}

TEST_F(CutTest, OpeningSucceedsAtTheNextSynAfterTheHeal) {
  b_->Listen(AddressOf("b"), &at_b_);
  CutAToB();
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(4s);
  EXPECT_THAT(at_a_.lines, IsEmpty());
  network_.Heal({a_}, {b_});
  RunFor(1min);
  EXPECT_THAT(at_b_.lines, ElementsAre("7000100 accepted a"));
  EXPECT_THAT(at_a_.lines, ElementsAre("7000200 opened"));
}

TEST_F(CutTest, OpeningFailsAfter127Seconds) {
  b_->Listen(AddressOf("b"), &at_b_);
  CutAToB();
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1h);
  EXPECT_THAT(at_a_.lines, ElementsAre("127000000 closed connect time-out"));
  EXPECT_THAT(at_b_.lines, IsEmpty());
  EXPECT_EQ(network_.connections(), 0u);
  EXPECT_EQ(network_.in_flight(), 0);
}

TEST_F(CutTest, OpeningFailsOverACutWayBackToo) {
  b_->Listen(AddressOf("b"), &at_b_);
  network_.Cut({b_}, {a_});
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1h);
  EXPECT_THAT(at_a_.lines, ElementsAre("127000100 closed connect time-out"));
  EXPECT_THAT(at_b_.lines,
              ElementsAre("100 accepted a", "127000100 closed unacknowledged"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(CutTest, ARefusalComesThroughAfterTheHeal) {
  network_.Cut({b_}, {a_});
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(2s);
  network_.Heal({b_}, {a_});
  RunFor(1h);
  EXPECT_THAT(at_a_.lines, ElementsAre("3000200 closed refused"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(CutTest, ARefusalThatNeverComesThroughIsATimeOut) {
  network_.Cut({b_}, {a_});
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1h);
  EXPECT_THAT(at_a_.lines, ElementsAre("127000100 closed connect time-out"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(CutTest, WhoeverGivesUpOpeningLeavesNothingBehind) {
  b_->Listen(AddressOf("b"), &at_b_);
  CutAToB();
  a_->Close(a_->Open(AddressOf("b"), &at_a_));
  EXPECT_EQ(network_.connections(), 0u);
  network_.Heal({a_}, {b_});
  RunFor(1h);
  EXPECT_THAT(at_a_.lines, IsEmpty());
  EXPECT_THAT(at_b_.lines, IsEmpty());
}

TEST_F(CutTest, ACloseIsToldAfterTheHeal) {
  const Pair pair = OpenFromAToB();
  CutAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  a_->Close(pair.at_a);
  RunFor(50s);
  network_.Heal({a_}, {b_});
  RunFor(1h);
  EXPECT_THAT(at_b_.lines, ElementsAre("51001100 frame 1",
                                       "51001100 closed closed by the peer"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(CutTest, ACloseThatCannotBeToldForLongNeverIs) {
  const Pair pair = OpenFromAToB();
  CutAToB();
  a_->Close(pair.at_a);
  RunFor(103s);
  EXPECT_EQ(network_.in_flight(), 0);
  network_.Heal({a_}, {b_});
  RunFor(1h);
  EXPECT_THAT(at_b_.lines, IsEmpty()) << "half open";
  b_->Send(pair.at_b, FrameNumber(1));
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("3703001200 closed reset"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(CutTest, AHostThatGoesDarkSendsNothingAgain) {
  const Pair pair = OpenFromAToB();
  CutAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  a_->GoDark();
  a_->ComeUp();
  EXPECT_EQ(network_.in_flight(), 0);
  network_.Heal({a_}, {b_});
  RunFor(1h);
  EXPECT_THAT(at_b_.lines, IsEmpty());
}

TEST_F(CutTest, ADarkHostForgetsWhatClosedProcessesHadSent) {
  const Pair pair = OpenFromAToB();
  CutAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  a_->CloseAll();
  a_->GoDark();
  EXPECT_EQ(network_.in_flight(), 0);
  network_.Heal({a_}, {b_});
  RunFor(1h);
  EXPECT_THAT(at_b_.lines, IsEmpty());
  b_->Close(pair.at_b);
  RunFor(1s);
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(CutTest, FramesThatAreGivenUpAreFreed) {
  const Pair pair = OpenFromAToB();
  auto names = std::make_shared<const std::vector<Name>>(3);
  HeartbeatRequest heartbeat;
  heartbeat.producer_groups = names;
  Frame frame;
  frame.content = Request(heartbeat);
  heartbeat = HeartbeatRequest();
  CutAToB();
  a_->Send(pair.at_a, std::move(frame));
  EXPECT_GT(names.use_count(), 1);
  RunFor(1h);
  EXPECT_EQ(names.use_count(), 1);
}

TEST_F(CutTest, HitsAreDirectionsBetweenDifferentHostsThatWereOpen) {
  EXPECT_EQ(network_.Cut({a_}, {b_}).directions, 1);
  EXPECT_EQ(network_.Cut({a_}, {a_}).directions, 0);
  EXPECT_EQ(network_.Cut({a_, b_}, {a_, b_, c_}).directions, 3);
  EXPECT_EQ(network_.Heal({c_}, {a_, b_}), 0);
  EXPECT_EQ(network_.Heal({a_}, {b_, c_}), 2);
  EXPECT_EQ(network_.HealAll(), 2);
  EXPECT_EQ(network_.HealAll(), 0);
}

TEST_F(CutTest, OneOfTwoCutsCanBeTakenBack) {
  const Network::Disturbance wide = network_.Cut({a_}, {b_, c_});
  const Network::Disturbance narrow = network_.Cut({a_}, {b_});
  EXPECT_EQ(wide.directions, 2);
  EXPECT_EQ(narrow.directions, 0);
  EXPECT_EQ(network_.Undo(wide.id), 1) << "to b it is still cut";
  EXPECT_EQ(network_.Undo(narrow.id), 1);
  EXPECT_EQ(network_.Undo(narrow.id), 0);
}

TEST_F(CutTest, CutsOfTheSameDirectionsLiveEachToItsOwnEnd) {
  Facts facts(names_);
  trace_.ObserveAll(&facts);
  const Network::Disturbance outer = network_.Cut({a_}, {b_});
  const Network::Disturbance inner = network_.Cut({a_}, {b_});
  EXPECT_EQ(inner.directions, 0);
  EXPECT_EQ(network_.Undo(inner.id), 0) << "the outer one goes on";
  EXPECT_EQ(network_.Undo(outer.id), 1);
  EXPECT_THAT(facts.lines, ElementsAre("LINK_CUT a b 1", "LINK_HEALED a b 1"));
}

TEST_F(CutTest, AHealBetweenTwoCutsOutlivesTheFirst) {
  const Network::Disturbance first = network_.Cut({a_}, {b_});
  EXPECT_EQ(network_.Heal({a_}, {b_}), 1);
  const Network::Disturbance second = network_.Cut({a_}, {b_});
  EXPECT_EQ(network_.Undo(second.id), 1);
  EXPECT_EQ(network_.Undo(first.id), 0);
  EXPECT_EQ(network_.HealAll(), 0);
}

TEST_F(CutTest, TakingBackACutThatWasHealedDoesNotHealALaterOne) {
  const Network::Disturbance first = network_.Cut({a_}, {b_});
  network_.Heal({a_}, {b_});
  EXPECT_EQ(CutAToB(), 1);
  EXPECT_EQ(network_.Undo(first.id), 0);
  EXPECT_EQ(network_.Heal({a_}, {b_}), 1);
}

TEST_F(CutTest, FactsTellWhoIsCutOff) {
  Facts facts(names_);
  trace_.ObserveAll(&facts);
  network_.Cut({a_, b_}, {c_});
  network_.Cut({c_}, {a_, b_});
  network_.Heal({c_}, {a_});
  network_.HealAll();
  const std::string several = names_.FromId(0).text().empty() ? "" : "?";
  EXPECT_THAT(facts.lines,
              ElementsAre("LINK_CUT a c 1", "LINK_CUT b c 1",
                          "LINK_CUT c " + several + " 2", "LINK_HEALED c a 1",
                          "LINK_HEALED a c 1", "LINK_HEALED b c 1",
                          "LINK_HEALED c b 1"));
}

TEST_F(CutTest, ConnectionsWaitEachForItself) {
  b_->Listen(AddressOf("b"), &at_b_);
  std::vector<ConnectionId> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(a_->Open(AddressOf("b"), &at_a_));
  RunFor(1ms);
  at_b_.lines.clear();
  CutAToB();
  for (int i = 0; i < 3; ++i) {
    a_->Send(ids[i], FrameNumber(i));
    RunFor(100ms);
  }
  network_.HealAll();  // Just after the first time-out of frame 1.
  RunFor(10s);
  EXPECT_THAT(at_b_.lines, ElementsAre("401100 frame 2", "601100 frame 0",
                                       "701100 frame 1"));
}

TEST_F(CutTest, BothWaysCutAndHealedNothingIsLost) {
  const Pair pair = OpenFromAToB();
  for (int round = 0; round < 5; ++round) {
    CutBoth();
    a_->Send(pair.at_a, FrameNumber(round));
    b_->Send(pair.at_b, FrameNumber(round));
    RunFor(3s);
    HealBoth();
    RunFor(10s);
  }
  EXPECT_EQ(at_a_.lines.size(), 5u);
  EXPECT_EQ(at_b_.lines.size(), 5u);
  EXPECT_EQ(network_.in_flight(), 0);
}

}  // namespace
}  // namespace groupsim
