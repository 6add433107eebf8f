#include "sim/network/network.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/transport.h"
#include "sim/engine/engine.h"
#include "sim/network/network_settings.h"
#include "sim/random/distribution.h"
#include "sim/trace/trace.h"
#include "tests/sim/network/network_fixture.h"
#include "tests/sim/network/recorder.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(NetworkTest, OpeningTakesOneRoundTrip) {
  b_->Listen(AddressOf("b"), &at_b_);
  a_->Open(AddressOf("b"), &at_a_);
  EXPECT_THAT(at_a_.lines, IsEmpty());
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("100 accepted a"));
  EXPECT_THAT(at_a_.lines, ElementsAre("200 opened"));
}

TEST_F(NetworkTest, LatencyDependsOnRoomsAndDirection) {
  Recorder at_c(engine_);
  c_->Listen(AddressOf("c"), &at_c);
  a_->Open(AddressOf("c"), &at_a_);
  RunFor(1s);
  EXPECT_THAT(at_c.lines, ElementsAre("1000 accepted a"));
  EXPECT_THAT(at_a_.lines, ElementsAre("3000 opened"));
}

TEST_F(NetworkTest, AHostReachesItselfOverTheLoopback) {
  a_->Listen(AddressOf("a"), &at_b_);
  a_->Open(AddressOf("a"), &at_a_);
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("10 accepted a"));
  EXPECT_THAT(at_a_.lines, ElementsAre("20 opened"));
}

TEST_F(NetworkTest, FramesTravelBothWays) {
  b_->Listen(AddressOf("b"), &at_b_);
  at_a_.on_opened = [&](ConnectionId id) { a_->Send(id, FrameNumber(1)); };
  at_b_.on_accepted = [&](ConnectionId id) { b_->Send(id, FrameNumber(2)); };
  at_b_.on_frame = [&](ConnectionId id, const Frame&) {
    b_->Send(id, FrameNumber(3));
  };
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("100 accepted a", "300 frame 1"));
  EXPECT_THAT(at_a_.lines,
              ElementsAre("200 opened", "200 frame 2", "400 frame 3"));
}

TEST_F(NetworkTest, NothingIsSentBeforeTheConnectionIsOpen) {
  b_->Listen(AddressOf("b"), &at_b_);
  const ConnectionId id = a_->Open(AddressOf("b"), &at_a_);
  a_->Send(id, FrameNumber(1));
  RunFor(1s);
  EXPECT_THAT(at_b_.lines, ElementsAre("100 accepted a"));
}

TEST_F(NetworkTest, WhereNobodyListensTheConnectionIsRefusedAfterARoundTrip) {
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, ElementsAre("200 closed refused"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(NetworkTest, AnAddressThatNoHostHasHangs) {
  const ConnectionId id = a_->Open(names_.Intern("nowhere:1"), &at_a_);
  RunFor(1h);
  EXPECT_THAT(at_a_.lines, IsEmpty());
  a_->Close(id);
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(NetworkTest, ADarkHostHangs) {
  b_->Listen(AddressOf("b"), &at_b_);
  b_->GoDark();
  const ConnectionId id = a_->Open(AddressOf("b"), &at_a_);
  RunFor(1h);
  EXPECT_THAT(at_a_.lines, IsEmpty());
  EXPECT_THAT(at_b_.lines, IsEmpty());
  a_->Close(id);
  RunFor(1s);
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(NetworkTest, StoppingToListenKeepsConnections) {
  const Pair pair = OpenFromAToB();
  b_->StopListening(AddressOf("b"));
  a_->Send(pair.at_a, FrameNumber(7));
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1ms);
  EXPECT_THAT(at_b_.lines, ElementsAre("1100 frame 7"));
  EXPECT_THAT(at_a_.lines, ElementsAre("1200 closed refused"));
}

TEST_F(NetworkTest, WhatWasSentBeforeACloseStillArrives) {
  const Pair pair = OpenFromAToB();
  a_->Send(pair.at_a, FrameNumber(1));
  a_->Send(pair.at_a, FrameNumber(2));
  a_->Close(pair.at_a);
  a_->Send(pair.at_a, FrameNumber(3));
  RunFor(1ms);
  EXPECT_THAT(at_b_.lines, ElementsAre("1100 frame 1", "1100 frame 2",
                                       "1100 closed closed by the peer"));
  EXPECT_THAT(at_a_.lines, IsEmpty());
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(NetworkTest, WhatComesInAfterAnOwnCloseIsDropped) {
  const Pair pair = OpenFromAToB();
  b_->Send(pair.at_b, FrameNumber(1));
  a_->Close(pair.at_a);
  b_->Close(pair.at_b);
  RunFor(1ms);
  EXPECT_THAT(at_a_.lines, IsEmpty());
  EXPECT_THAT(at_b_.lines, IsEmpty());
  EXPECT_EQ(network_.connections(), 0u);
  EXPECT_EQ(network_.in_flight(), 0);
}

TEST_F(NetworkTest, ClosingBeforeItIsOpenIsSeenAsACloseByTheAcceptor) {
  b_->Listen(AddressOf("b"), &at_b_);
  const ConnectionId id = a_->Open(AddressOf("b"), &at_a_);
  RunFor(50us);
  a_->Close(id);
  RunFor(1ms);
  EXPECT_THAT(at_a_.lines, IsEmpty());
  EXPECT_THAT(at_b_.lines,
              ElementsAre("100 accepted a", "150 closed closed by the peer"));
}

TEST_F(NetworkTest, AnEndedProcessClosesItsConnectionsBothWays) {
  Recorder at_c(engine_);
  c_->Listen(AddressOf("c"), &at_c);
  const Pair pair = OpenFromAToB();
  b_->Open(AddressOf("c"), &at_b_);
  RunFor(10ms);
  b_->Send(pair.at_b, FrameNumber(1));
  at_b_.lines.clear();
  b_->CloseAll();
  EXPECT_EQ(b_->live_connections(), 0u);
  a_->Send(pair.at_a, FrameNumber(2));
  RunFor(10ms);
  EXPECT_THAT(at_b_.lines, IsEmpty());
  EXPECT_THAT(at_a_.lines,
              ElementsAre("11100 frame 1", "11100 closed closed by the peer"));
  EXPECT_THAT(at_c.lines, ElementsAre("2000 accepted b",
                                      "12000 closed closed by the peer"));
  // Its host is up: who connects now is refused.
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(10ms);
  EXPECT_EQ(at_a_.lines.back(), "21200 closed refused");
}

TEST_F(NetworkTest, AVanishedHostTellsNobodyAndSwallowsWhatIsSent) {
  const Pair pair = OpenFromAToB();
  b_->Send(pair.at_b, FrameNumber(1));
  b_->GoDark();
  a_->Send(pair.at_a, FrameNumber(2));
  RunFor(1h);
  // What it had sent before was on its way already.
  EXPECT_THAT(at_a_.lines, ElementsAre("1100 frame 1"));
  EXPECT_THAT(at_b_.lines, IsEmpty());
  EXPECT_EQ(network_.in_flight(), 0);
  EXPECT_EQ(network_.connections(), 1u);
}

TEST_F(NetworkTest, AHostThatCameBackAnswersOldConnectionsByAReset) {
  const Pair pair = OpenFromAToB();
  b_->GoDark();
  RunFor(1s);
  b_->ComeUp();
  b_->Listen(AddressOf("b"), &at_b_);
  RunFor(1s);
  EXPECT_THAT(at_a_.lines, IsEmpty()) << "half open until somebody sends";
  a_->Send(pair.at_a, FrameNumber(2));
  RunFor(1ms);
  EXPECT_THAT(at_a_.lines, ElementsAre("2001200 closed reset"));
  EXPECT_THAT(at_b_.lines, IsEmpty());
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(NetworkTest, AnAcceptorIsResetToo) {
  const Pair pair = OpenFromAToB();
  a_->GoDark();
  a_->ComeUp();
  b_->Send(pair.at_b, FrameNumber(1));
  b_->Send(pair.at_b, FrameNumber(2));
  RunFor(1ms);
  EXPECT_THAT(at_b_.lines, ElementsAre("1200 closed reset"));
}

TEST_F(NetworkTest, AnOpenerThatVanishedAndCameBackResetsTheLateAcceptor) {
  b_->Listen(AddressOf("b"), &at_b_);
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(50us);
  a_->GoDark();
  a_->ComeUp();
  RunFor(1ms);
  EXPECT_THAT(at_a_.lines, IsEmpty());
  EXPECT_THAT(at_b_.lines, ElementsAre("100 accepted a", "300 closed reset"));
}

TEST_F(NetworkTest, ClosingInsideEveryCallIsAllowed) {
  b_->Listen(AddressOf("b"), &at_b_);
  at_b_.on_accepted = [&](ConnectionId id) { b_->Close(id); };
  at_a_.on_opened = [&](ConnectionId id) { a_->Close(id); };
  at_a_.on_closed = [&](ConnectionId id) { a_->Close(id); };
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1ms);
  EXPECT_THAT(at_a_.lines, ElementsAre("200 opened"));
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(NetworkTest, OpeningInsideOfACloseIsAllowed) {
  int attempts = 0;
  at_a_.on_closed = [&](ConnectionId) {
    if (++attempts < 100) a_->Open(AddressOf("b"), &at_a_);
  };
  a_->Open(AddressOf("b"), &at_a_);
  RunFor(1s);
  EXPECT_EQ(at_a_.lines.size(), 100u);
  EXPECT_EQ(at_a_.lines.back(), "20000 closed refused");
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(NetworkTest, FactsTellOfOpeningAndOfBothEnds) {
  Facts facts(names_);
  trace_.ObserveAll(&facts);
  const Pair pair = OpenFromAToB();
  a_->Close(pair.at_a);
  RunFor(1ms);
  a_->Open(AddressOf("c"), &at_a_);
  RunFor(1s);
  EXPECT_THAT(
      facts.lines,
      ElementsAre("CONNECTION_OPENED a b 0", "CONNECTION_CLOSED a b 1",
                  "CONNECTION_CLOSED b a 2", "CONNECTION_CLOSED a c 4"));
}

TEST_F(NetworkTest, FramesUnderWayAreFreedWithTheNetwork) {
  auto names = std::make_shared<const std::vector<Name>>(3);
  {
    Engine engine;
    Trace trace(engine);
    Network network(engine, trace, 1);
    NetworkHost host;
    host.name = names_.Intern("a");
    host.addresses = {AddressOf("a")};
    HostTransport& transport = network.AddHost(host);
    Recorder server(engine);
    transport.Listen(AddressOf("a"), &server);
    Recorder client(engine);
    client.on_opened = [&](ConnectionId id) {
      HeartbeatRequest heartbeat;
      heartbeat.producer_groups = names;
      Frame frame;
      frame.content = Request(heartbeat);
      transport.Send(id, std::move(frame));
    };
    transport.Open(AddressOf("a"), &client);
    engine.RunUntil([&] { return names.use_count() > 1; },
                    Instant::Start() + 1s);
    EXPECT_EQ(names.use_count(), 2);
    EXPECT_EQ(network.in_flight(), 1);
  }
  EXPECT_EQ(names.use_count(), 1);
}

TEST_F(NetworkTest, AFrameThatIsDroppedIsFreed) {
  const Pair pair = OpenFromAToB();
  auto names = std::make_shared<const std::vector<Name>>(3);
  for (int i = 0; i < 10; ++i) {
    HeartbeatRequest heartbeat;
    heartbeat.producer_groups = names;
    Frame frame;
    frame.content = Request(heartbeat);
    a_->Send(pair.at_a, std::move(frame));
  }
  EXPECT_EQ(names.use_count(), 11);
  b_->Close(pair.at_b);
  RunFor(1ms);
  EXPECT_EQ(names.use_count(), 1);
}

// Random latencies from 0 to 1 ms, and events of one instant in random order.
class RandomNetworkTest : public NetworkTest,
                          public ::testing::WithParamInterface<bool> {
 protected:
  RandomNetworkTest() : NetworkTest(Options()) {
    NetworkSettings settings;
    settings.same_room =
        Distribution::Uniform({.min = 0, .max = 1'000'000}).value();
    settings.cross_room = settings.same_room;
    network_.Configure(settings);
  }

 private:
  static EngineOptions Options() {
    EngineOptions options;
    if (GetParam()) options.shuffle_ties = 5;
    return options;
  }
};

TEST_P(RandomNetworkTest, FramesOfADirectionArriveInTheOrderSent) {
  const Pair pair = OpenFromAToB();
  RunFor(1s);
  std::vector<std::string> expected;
  int reordered_draws = 0;
  int64_t last_micros = 0;
  for (uint32_t i = 0; i < 1000; ++i) {
    a_->Send(pair.at_a, FrameNumber(i));
    if (i % 3 == 0) RunFor(Duration::Micros(i % 7));
  }
  a_->Close(pair.at_a);
  RunFor(1s);
  ASSERT_EQ(at_b_.lines.size(), 1001u);
  for (uint32_t i = 0; i < 1000; ++i) {
    EXPECT_THAT(at_b_.lines[i],
                ::testing::EndsWith(absl::StrCat(" frame ", i)));
    const int64_t micros = std::stoll(at_b_.lines[i]);
    EXPECT_GE(micros, last_micros);
    if (micros == last_micros) ++reordered_draws;
    last_micros = micros;
  }
  EXPECT_GT(reordered_draws, 100) << "no frame was held back by another";
}

INSTANTIATE_TEST_SUITE_P(Ties, RandomNetworkTest, ::testing::Bool());

// What b hears from a, with other hosts about or not.
std::vector<std::string> ArrivalsAtB(bool others, uint64_t seed) {
  NameTable names;
  Engine engine;
  Trace trace(engine);
  Network network(engine, trace, seed);
  NetworkSettings settings;
  settings.same_room =
      Distribution::Uniform({.min = 0, .max = 1'000'000'000}).value();
  network.Configure(settings);
  const auto add = [&](const std::string& name) -> HostTransport& {
    NetworkHost host;
    host.name = names.Intern(name);
    host.addresses = {names.Intern(name + ":1")};
    return network.AddHost(host);
  };
  Recorder ignored(engine);
  const auto chat = [&](HostTransport& from, const std::string& to) {
    from.Open(names.Intern(to + ":1"), &ignored);
  };
  if (others) chat(add("x"), "x");
  HostTransport& a = add("a");
  HostTransport& b = add("b");
  Recorder at_a(engine);
  Recorder at_b(engine);
  b.Listen(names.Intern("b:1"), &at_b);
  at_a.on_opened = [&](ConnectionId id) {
    for (uint32_t i = 0; i < 10; ++i) {
      a.Send(id, FrameNumber(i));
      if (others) chat(b, "x");
    }
  };
  if (others) chat(add("y"), "b");
  a.Open(names.Intern("b:1"), &at_a);
  engine.RunUntil(Instant::Start() + 1min);
  std::vector<std::string> lines;
  for (const std::string& line : at_b.lines) {
    if (line.find("accepted y") == std::string::npos) lines.push_back(line);
  }
  return lines;
}

TEST(NetworkDrawsTest, OtherHostsDoNotMoveThem) {
  const std::vector<std::string> alone = ArrivalsAtB(false, 1);
  EXPECT_EQ(alone.size(), 11u);
  EXPECT_EQ(ArrivalsAtB(true, 1), alone);
  EXPECT_NE(ArrivalsAtB(false, 2), alone);
}

using NetworkDeathTest = NetworkTest;

TEST_F(NetworkDeathTest, MisuseIsRefused) {
  EXPECT_EXIT(AddHost("a", "west"), ::testing::ExitedWithCode(70),
              "two hosts named a");
  EXPECT_EXIT(a_->Listen(AddressOf("b"), &at_a_), ::testing::ExitedWithCode(70),
              "a has no address b:1");
  const Pair pair = OpenFromAToB();
  EXPECT_EXIT(b_->Listen(AddressOf("b"), &at_b_), ::testing::ExitedWithCode(70),
              "two listeners at b:1");
  EXPECT_EXIT(a_->Send(pair.at_b, FrameNumber(1)),
              ::testing::ExitedWithCode(70), "a sends on a connection of b");
}

}  // namespace
}  // namespace groupsim
