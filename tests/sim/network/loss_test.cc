// Loss and changes of latency.
#include <cstdint>
#include <string>

#include "absl/strings/numbers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/base/ratio.h"
#include "model/base/time.h"
#include "sim/engine/engine.h"
#include "sim/network/link.h"
#include "sim/network/network.h"
#include "sim/random/distribution.h"
#include "tests/sim/network/network_fixture.h"
#include "tests/sim/network/recorder.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;

class LossTest : public NetworkTest {};

int64_t MicrosOf(const std::string& line) {
  int64_t micros = 0;
  EXPECT_TRUE(absl::SimpleAtoi(line.substr(0, line.find(' ')), &micros));
  return micros;
}

TEST_F(LossTest, ALostFrameComesAfterATimeOutAndLaterOnesBehindIt) {
  const Pair pair = OpenFromAToB();
  const Network::Disturbance loss =
      network_.SetLoss({a_}, {b_}, Ratio::PerMille(1'000));
  EXPECT_EQ(loss.directions, 1);
  a_->Send(pair.at_a, FrameNumber(1));
  network_.Undo(loss.id);
  RunFor(50ms);
  a_->Send(pair.at_a, FrameNumber(2));
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("201100 frame 1", "201100 frame 2"));
}

TEST_F(LossTest, SomeAreLostAndAllArriveInOrder) {
  const Pair pair = OpenFromAToB();
  network_.SetLoss({a_}, {b_}, Ratio::PerMille(200));
  constexpr int kFrames = 2'000;
  for (int i = 0; i < kFrames; ++i) {
    a_->Send(pair.at_a, FrameNumber(i));
    RunFor(5s);
  }
  RunFor(1min);
  ASSERT_EQ(at_b_.lines.size(), size_t{kFrames});
  int64_t late = 0;
  for (int i = 0; i < kFrames; ++i) {
    const std::string& line = at_b_.lines[i];
    EXPECT_EQ(line.substr(line.find(' ')), " frame " + std::to_string(i));
    const int64_t delay = MicrosOf(line) - (1'000 + i * int64_t{5'000'000});
    if (delay == 100) continue;
    ++late;
    EXPECT_TRUE(delay == 200'100 || delay >= 600'100) << delay;
  }
  // 400 expected; six standard deviations are 107.
  EXPECT_NEAR(static_cast<double>(late), 400, 107);
  EXPECT_EQ(network_.in_flight(), 0);
}

TEST_F(LossTest, TheOtherDirectionLosesNothing) {
  const Pair pair = OpenFromAToB();
  network_.SetLoss({a_}, {b_}, Ratio::PerMille(1'000));
  b_->Send(pair.at_b, FrameNumber(1));
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, ElementsAre("1100 frame 1"));
}

TEST_F(LossTest, ALostSynIsSentAgainAfterASecond) {
  b_->Listen(AddressOf("b"), &at_b_);
  const Network::Disturbance loss =
      network_.SetLoss({a_}, {b_}, Ratio::PerMille(1'000));
  a_->Open(AddressOf("b"), &at_a_);
  network_.Undo(loss.id);
  RunFor(10s);
  EXPECT_THAT(at_a_.lines, ElementsAre("1000200 opened"));
}

TEST(LinkTest, LossDoesNotMoveTheDrawsOfLatency) {
  NameTable names;
  Link::Ends ends;
  ends.from = names.Intern("a");
  ends.to = names.Intern("b");
  const Distribution latency = Distribution::Exponential(1'000'000).value();
  Link plain(7, ends, latency);
  Link lossy(7, ends, latency);
  LinkState state;
  state.loss = Ratio::PerMille(500);
  lossy.SetState(state);
  int lost = 0;
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_EQ(plain.NextLatency(), lossy.NextLatency());
    if (!lossy.Passes()) ++lost;
  }
  EXPECT_NEAR(lost, 500, 100);
  EXPECT_TRUE(lossy.disturbed());
  lossy.SetState(LinkState());
  EXPECT_FALSE(lossy.disturbed());
  EXPECT_EQ(plain.NextLatency(), lossy.NextLatency());
}

// Each segment draws its latency when it is first sent.
TEST_F(LossTest, ACutDoesNotMoveTheDrawsOfLatencyEither) {
  const auto arrivals = [](bool cut) {
    NameTable names;
    Engine engine;
    Trace trace(engine);
    Network network(engine, trace, 3);
    NetworkSettings settings;
    settings.same_room = Distribution::Exponential(1'000'000).value();
    network.Configure(settings);
    NetworkHost host;
    host.name = names.Intern("a");
    HostTransport& a = network.AddHost(host);
    host.name = names.Intern("b");
    const Name address = names.Intern("b:1");
    host.addresses = {address};
    HostTransport& b = network.AddHost(host);
    Recorder at_a(engine);
    Recorder at_b(engine);
    b.Listen(address, &at_b);
    const ConnectionId id = a.Open(address, &at_a);
    engine.RunUntil(Instant::Start() + 1s);
    if (cut) network.Cut({&a}, {&b});
    for (int i = 0; i < 10; ++i) a.Send(id, FrameNumber(i));
    network.HealAll();
    engine.RunUntil(Instant::Start() + 5s);
    at_b.lines.clear();
    for (int i = 0; i < 10; ++i) {
      a.Send(id, FrameNumber(i));
      engine.RunUntil(engine.now() + 1s);
    }
    return at_b.lines;
  };
  EXPECT_EQ(arrivals(false), arrivals(true));
}

TEST_F(LossTest, LatencyChangesFromThenOnAndOrderIsKept) {
  const Pair pair = OpenFromAToB();
  const Network::Disturbance slow =
      network_.ChangeLatency({a_}, {b_}, Micros(5'000));
  EXPECT_EQ(slow.directions, 1);
  a_->Send(pair.at_a, FrameNumber(1));
  b_->Send(pair.at_b, FrameNumber(2));
  RunFor(1ms);
  network_.Undo(slow.id);
  a_->Send(pair.at_a, FrameNumber(3));
  RunFor(10ms);
  EXPECT_THAT(at_b_.lines, ElementsAre("6000 frame 1", "6000 frame 3"));
  EXPECT_THAT(at_a_.lines, ElementsAre("1100 frame 2"));
  a_->Send(pair.at_a, FrameNumber(4));
  RunFor(10ms);
  EXPECT_EQ(at_b_.lines.back(), "12100 frame 4");
}

TEST_F(LossTest, AChangeHoldsForHostsThatNeverMetBefore) {
  network_.ChangeLatency({a_, b_}, {b_, a_}, Micros(700));
  b_->Listen(AddressOf("b"), &at_b_);
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, ElementsAre("1400 opened"));
}

TEST_F(LossTest, HitsAreDirectionsThatLoseMoreOrLessThanBefore) {
  EXPECT_EQ(network_.SetLoss({a_}, {b_}, Ratio::PerMille(0)).directions, 0);
  EXPECT_EQ(network_.SetLoss({a_}, {b_}, Ratio::PerMille(5)).directions, 1);
  EXPECT_EQ(network_.SetLoss({a_}, {b_, c_}, Ratio::PerMille(5)).directions, 1);
  EXPECT_EQ(network_.SetLoss({a_}, {a_, b_}, Ratio::PerMille(0)).directions, 1);
}

TEST_F(LossTest, FactsTellWhoseLinksChange) {
  Facts facts(names_);
  trace_.ObserveAll(&facts);
  const Network::Disturbance slow =
      network_.ChangeLatency({a_}, {b_}, Micros(700));
  network_.SetLoss({a_, b_}, {b_}, Ratio::PerMille(1));
  EXPECT_EQ(network_.Undo(slow.id), 1);
  EXPECT_THAT(facts.lines,
              ElementsAre("LINK_CHANGED a b 1", "LINK_CHANGED a b 1",
                          "LINK_CHANGED a b 1"));
}

TEST_F(LossTest, TakingBackALossHitsDirectionsThatLoseMoreOrLessThen) {
  Facts facts(names_);
  trace_.ObserveAll(&facts);
  const Network::Disturbance wide =
      network_.SetLoss({a_}, {b_, c_}, Ratio::PerMille(5));
  const Network::Disturbance narrow =
      network_.SetLoss({a_}, {b_}, Ratio::PerMille(7));
  EXPECT_EQ(network_.Undo(wide.id), 1) << "the way to b loses as before";
  EXPECT_EQ(network_.SetLoss({a_}, {b_}, Ratio{7, 1'000}).directions, 0);
  EXPECT_EQ(network_.Undo(narrow.id), 0);
  const std::string several = names_.FromId(0).text().empty() ? "" : "?";
  EXPECT_THAT(facts.lines,
              ElementsAre("LINK_CHANGED a " + several + " 2",
                          "LINK_CHANGED a b 1", "LINK_CHANGED a c 1"));
}

TEST_F(LossTest, LatenciesOfTheSameDirectionsLiveEachToItsOwnEnd) {
  Facts facts(names_);
  const Pair pair = OpenFromAToB();
  trace_.ObserveAll(&facts);
  const Network::Disturbance outer =
      network_.ChangeLatency({a_}, {b_}, Micros(700));
  const Network::Disturbance inner =
      network_.ChangeLatency({a_}, {b_}, Micros(900));
  EXPECT_EQ(network_.Undo(inner.id), 1);
  a_->Send(pair.at_a, FrameNumber(1));
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("1700 frame 1"));
  const Network::Disturbance later =
      network_.ChangeLatency({a_}, {b_}, Micros(800));
  EXPECT_EQ(network_.Undo(outer.id), 0) << "the later one holds";
  EXPECT_EQ(network_.Undo(later.id), 1);
  EXPECT_EQ(facts.lines.size(), 5u);
  for (const std::string& line : facts.lines) {
    EXPECT_EQ(line, "LINK_CHANGED a b 1");
  }
}

class ShuffledLossTest : public NetworkTest {
 protected:
  static EngineOptions Shuffled() {
    EngineOptions options;
    options.shuffle_ties = 5;
    return options;
  }
  ShuffledLossTest() : NetworkTest(Shuffled()) {}
};

TEST_F(ShuffledLossTest, OrderIsKeptWhateverTheTies) {
  const Pair pair = OpenFromAToB();
  network_.SetLoss({a_}, {b_}, Ratio::PerMille(300));
  for (int i = 0; i < 500; ++i) a_->Send(pair.at_a, FrameNumber(i));
  RunFor(24h);
  ASSERT_EQ(at_b_.lines.size(), 500u);
  for (int i = 0; i < 500; ++i) {
    const std::string& line = at_b_.lines[i];
    EXPECT_EQ(line.substr(line.find(' ')), " frame " + std::to_string(i));
  }
}

}  // namespace
}  // namespace groupsim
