// Connections of a process that does not run, as its kernel keeps them.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "sim/engine/engine.h"
#include "sim/network/network.h"
#include "sim/network/pause_gate.h"
#include "tests/sim/network/network_fixture.h"
#include "tests/sim/network/recorder.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Log final : public PauseGate::Source {
 public:
  explicit Log(PauseGate& gate) : gate_(gate) {}
  // What an event would do.
  void Event(uint64_t id) {
    if (gate_.closed()) {
      gate_.Hold(*this, id);
    } else {
      OnReleased(id);
    }
  }
  void OnReleased(uint64_t id) override {
    lines.push_back(absl::StrCat("fired ", id));
    if (then) then(id);
  }
  void OnDropped(uint64_t id) override {
    lines.push_back(absl::StrCat("abandoned ", id));
  }
  std::vector<std::string> lines;
  std::function<void(uint64_t)> then;

 private:
  PauseGate& gate_;
};

class PauseGateTest : public ::testing::Test {
 protected:
  Engine engine_;
  PauseGate gate_{engine_, PauseGate::RegisterEvent(engine_), 1};
  Log log_{gate_};
};

TEST_F(PauseGateTest, HeldEventsFireInOrderEachInATurnOfItsOwn) {
  gate_.Close();
  log_.Event(1);
  log_.Event(2);
  log_.Event(3);
  EXPECT_THAT(log_.lines, IsEmpty());
  gate_.Open();
  EXPECT_THAT(log_.lines, IsEmpty());
  engine_.Step();
  EXPECT_THAT(log_.lines, ElementsAre("fired 1"));
  log_.Event(4);  // Comes up while the others still wait.
  engine_.RunUntilIdle();
  EXPECT_THAT(log_.lines,
              ElementsAre("fired 1", "fired 2", "fired 3", "fired 4"));
  EXPECT_FALSE(gate_.closed());
  EXPECT_EQ(engine_.now(), Instant::Start());
}

TEST_F(PauseGateTest, ItOpensAtOnceIfNothingIsHeld) {
  gate_.Close();
  EXPECT_TRUE(gate_.closed());
  gate_.Open();
  EXPECT_FALSE(gate_.closed());
}

TEST_F(PauseGateTest, ItCanCloseAgainBeforeAllHaveFired) {
  gate_.Close();
  log_.Event(1);
  log_.Event(2);
  gate_.Open();
  engine_.Step();
  gate_.Close();
  engine_.RunUntilIdle();
  EXPECT_THAT(log_.lines, ElementsAre("fired 1"));
  EXPECT_EQ(gate_.held(), 1u);
  gate_.Open();
  engine_.RunUntilIdle();
  EXPECT_THAT(log_.lines, ElementsAre("fired 1", "fired 2"));
}

TEST_F(PauseGateTest, ClearingAbandonsWhatIsHeldAndOpens) {
  gate_.Close();
  log_.Event(1);
  log_.Event(2);
  gate_.Open();
  engine_.Step();
  gate_.Clear();
  EXPECT_FALSE(gate_.closed());
  engine_.RunUntilIdle();
  EXPECT_THAT(log_.lines, ElementsAre("fired 1", "abandoned 2"));
}

class PausedHostTest : public NetworkTest {
 protected:
  void PauseB() { b_->gate().Close(); }
  void ResumeB() { b_->gate().Open(); }
};

TEST_F(PausedHostTest, FramesWaitAndComeInOrder) {
  const Pair pair = OpenFromAToB();
  PauseB();
  a_->Send(pair.at_a, FrameNumber(1));
  RunFor(1s);
  a_->Send(pair.at_a, FrameNumber(2));
  a_->Close(pair.at_a);
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, IsEmpty());
  ResumeB();
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("2001000 frame 1", "2001000 frame 2",
                                       "2001000 closed closed by the peer"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(PausedHostTest, ItsConnectionsAreGrantedMeanwhile) {
  b_->Listen(AddressOf("b"), &at_b_);
  PauseB();
  const ConnectionId id = a_->Open(AddressOf("b"), &at_a_);
  RunFor(1ms);
  EXPECT_THAT(at_a_.lines, ElementsAre("200 opened"));
  EXPECT_THAT(at_b_.lines, IsEmpty());
  a_->Send(id, FrameNumber(1));
  RunFor(1ms);
  ResumeB();
  RunFor(1ms);
  EXPECT_THAT(at_b_.lines, ElementsAre("2000 accepted a", "2000 frame 1"));
}

TEST_F(PausedHostTest, WhereItDoesNotListenConnectionsAreRefused) {
  PauseB();
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, ElementsAre("200 closed refused"));
}

TEST_F(PausedHostTest, ItHearsOfItsOwnConnectionsAfterwards) {
  a_->Listen(AddressOf("a"), &at_a_);
  b_->Open(AddressOf("a"), &at_b_);
  PauseB();
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, ElementsAre("100 accepted b"));
  EXPECT_THAT(at_b_.lines, IsEmpty());
  ResumeB();
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("1000000 opened"));
}

TEST_F(PausedHostTest, ItHearsOfAResetAndOfGivingUpAfterwards) {
  const Pair pair = OpenFromAToB();
  const ConnectionId second = a_->Open(AddressOf("b"), &at_a_);
  RunFor(1ms);
  const ConnectionId second_at_b = at_b_.last;
  at_b_.lines.clear();
  network_.Cut({b_}, {a_});
  b_->Send(second_at_b, FrameNumber(1));
  PauseB();
  RunFor(1h);
  EXPECT_THAT(at_b_.lines, IsEmpty());
  network_.ResetConnections({a_}, {b_});
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, IsEmpty());
  ResumeB();
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("3601002000 closed unacknowledged",
                                       "3601002000 closed reset"));
  a_->Close(pair.at_a);
  a_->Close(second);
  RunFor(1s);
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(PausedHostTest, IfItIsKilledWhatWaitedIsDropped) {
  const Pair pair = OpenFromAToB();
  PauseB();
  a_->Send(pair.at_a, FrameNumber(1));
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1s);
  at_a_.lines.clear();
  b_->CloseAll();
  EXPECT_FALSE(b_->gate().closed());
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, IsEmpty());
  EXPECT_THAT(at_a_.lines, ElementsAre("1001100 closed closed by the peer",
                                       "1001100 closed closed by the peer"));
  EXPECT_EQ(network_.connections(), 0u);
  EXPECT_EQ(network_.in_flight(), 0);
}

TEST_F(PausedHostTest, IfItsHostGoesDarkWhatWaitedIsDropped) {
  const Pair pair = OpenFromAToB();
  PauseB();
  a_->Send(pair.at_a, FrameNumber(1));
  RunFor(1s);
  b_->GoDark();
  EXPECT_EQ(network_.in_flight(), 0);
  b_->ComeUp();
  a_->Send(pair.at_a, FrameNumber(2));
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, IsEmpty());
  EXPECT_THAT(at_a_.lines, ElementsAre("1001200 closed reset"));
}

}  // namespace
}  // namespace groupsim
