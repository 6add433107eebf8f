#include "sim/host/host.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/timer.h"
#include "sim/host/world.h"
#include "tests/support/fact_lines.h"
#include "tests/support/lambda_process.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class HostTest : public ::testing::Test {
 protected:
  HostTest() : facts_(world_.names()) {
    for (const FactKind kind :
         {FactKind::PROCESS_STARTED, FactKind::PROCESS_READY,
          FactKind::PROCESS_STOPPING, FactKind::PROCESS_STOPPED,
          FactKind::PROCESS_CRASHED, FactKind::PROCESS_VANISHED,
          FactKind::START_FAILED}) {
      world_.trace().Observe(kind, &facts_);
    }
  }

  Host& AddHost(LambdaProcess::Step start = nullptr,
                LambdaProcess::Step shutdown = nullptr) {
    HostSpec spec;
    spec.name = world_.names().Intern("p");
    spec.factory = MakeLambdaProcess(std::move(start), std::move(shutdown));
    return world_.AddHost(std::move(spec));
  }
  void At(Duration when, std::function<void()> action) {
    world_.At(Instant::Start() + when, std::move(action));
  }

  World world_{WorldOptions{}};
  FactLines facts_;
};

// Calls `then` once `delay` has passed, if the process is still there.
void Later(LambdaProcess& process, Duration delay,
           std::function<void(LambdaProcess&)> then) {
  auto timer = std::make_shared<Timer>(process.env(),
                                       [&process, then] { then(process); });
  timer->Arm(delay);
  process.belongings = timer;
}

TEST_F(HostTest, AProcessStartsAndStopsGracefully) {
  Host& host = AddHost(
      [](LambdaProcess& p) {
        Later(p, 10ms, [](LambdaProcess& q) { q.env().lifecycle().OnReady(); });
      },
      [](LambdaProcess& p) {
        Later(p, 20ms,
              [](LambdaProcess& q) { q.env().lifecycle().OnStopped(); });
      });
  EXPECT_EQ(host.state(), HostState::kIdle);
  At(5ms, [&] { host.Start(); });
  At(6ms, [&] { EXPECT_EQ(host.state(), HostState::kStarting); });
  At(50ms, [&] {
    EXPECT_EQ(host.state(), HostState::kRunning);
    host.Stop();
  });
  At(60ms, [&] { EXPECT_EQ(host.state(), HostState::kStopping); });
  world_.RunFor(1s);
  EXPECT_EQ(host.state(), HostState::kStopped);
  EXPECT_FALSE(host.alive());
  EXPECT_THAT(facts_.lines,
              ElementsAre("5 p PROCESS_STARTED", "15 p PROCESS_READY",
                          "50 p PROCESS_STOPPING", "70 p PROCESS_STOPPED"));
}

TEST_F(HostTest, ACommandTakesEffectAfterTheTurnThatGaveIt) {
  Host& host = AddHost();
  host.Start();
  EXPECT_FALSE(host.alive());
  At(1ms, [&] {
    host.Crash();
    EXPECT_TRUE(host.alive());
  });
  world_.RunFor(1ms);
  EXPECT_EQ(host.state(), HostState::kCrashed);
}

TEST_F(HostTest, AStopDuringTheStartIsAskedOfTheProcess) {
  Host& host = AddHost(
      [](LambdaProcess& p) {
        Later(p, 10ms, [](LambdaProcess& q) { q.env().lifecycle().OnReady(); });
      },
      [](LambdaProcess& p) {
        // Stops only once its start has ended.
        Later(p, 20ms, [](LambdaProcess& q) {
          q.env().lifecycle().OnReady();
          q.env().lifecycle().OnStopped();
        });
      });
  host.Start();
  At(5ms, [&] { host.Stop(); });
  At(6ms, [&] { host.Stop(); });
  world_.RunFor(1s);
  EXPECT_EQ(host.state(), HostState::kStopped);
  EXPECT_THAT(facts_.lines,
              ElementsAre("0 p PROCESS_STARTED", "5 p PROCESS_STOPPING",
                          "25 p PROCESS_STOPPED"));
}

TEST_F(HostTest, AStartThatFailsEndsTheProcess) {
  Host& host = AddHost([](LambdaProcess& p) {
    Later(p, 10ms,
          [](LambdaProcess& q) { q.env().lifecycle().OnStartFailed(); });
  });
  host.Start();
  world_.RunFor(1s);
  EXPECT_EQ(host.state(), HostState::kFailed);
  EXPECT_FALSE(host.alive());
  EXPECT_THAT(facts_.lines,
              ElementsAre("0 p PROCESS_STARTED", "10 p START_FAILED"));
}

TEST_F(HostTest, ACrashInTheTurnOfTheStopRequestIsACrash) {
  Host* host = nullptr;
  host = &AddHost(nullptr, [&](LambdaProcess& p) {
    host->Crash();
    p.env().lifecycle().OnStopped();
  });
  host->Start();
  At(5ms, [&] { host->Stop(); });
  world_.RunFor(1s);
  EXPECT_EQ(host->state(), HostState::kCrashed);
  EXPECT_THAT(facts_.lines,
              ElementsAre("0 p PROCESS_STARTED", "0 p PROCESS_READY",
                          "5 p PROCESS_STOPPING", "5 p PROCESS_CRASHED"));
}

TEST_F(HostTest, TheEndThatOneProcessAskedForDoesNotHitTheNext) {
  Host* host = nullptr;
  host = &AddHost(nullptr, [&](LambdaProcess& p) {
    host->Crash();
    host->Start();
    p.env().lifecycle().OnStopped();
  });
  host->Start();
  At(5ms, [&] { host->Stop(); });
  world_.RunFor(1s);
  EXPECT_EQ(host->state(), HostState::kRunning);
  EXPECT_EQ(host->incarnation(), 2);
}

TEST_F(HostTest, CommandsWithoutASubjectDoNothing) {
  Host& host = AddHost();
  host.Stop();
  host.Crash();
  world_.RunFor(1ms);
  EXPECT_EQ(host.state(), HostState::kIdle);
  host.Start();
  host.Start();
  world_.RunFor(1ms);
  EXPECT_EQ(host.incarnation(), 1);
  host.Crash();
  host.Crash();
  host.Stop();
  world_.RunFor(1ms);
  EXPECT_EQ(host.state(), HostState::kCrashed);
  EXPECT_THAT(facts_.lines,
              ElementsAre("1 p PROCESS_STARTED", "1 p PROCESS_READY",
                          "2 p PROCESS_CRASHED"));
}

TEST_F(HostTest, AHostWithoutAProcessCanVanishToo) {
  Host& host = AddHost();
  host.Vanish();
  world_.RunFor(1ms);
  EXPECT_EQ(host.state(), HostState::kVanished);
  EXPECT_FALSE(host.transport().up());
  EXPECT_THAT(facts_.lines, IsEmpty());
  host.Start();
  world_.RunFor(1ms);
  EXPECT_TRUE(host.transport().up());
  host.Vanish();
  world_.RunFor(1ms);
  EXPECT_EQ(host.state(), HostState::kVanished);
  EXPECT_THAT(facts_.lines,
              ElementsAre("1 p PROCESS_STARTED", "1 p PROCESS_READY",
                          "2 p PROCESS_VANISHED"));
}

TEST_F(HostTest, WhoWaitsForTheEndIsCalledHoweverItCame) {
  Host& host = AddHost();
  std::vector<std::string> ends;
  const auto note = [&] {
    EXPECT_FALSE(host.alive());
    ends.push_back(absl::StrCat(world_.now().since_start().millis(), " ",
                                NameOf(host.state())));
  };
  host.WhenStopped(note);  // None is alive.
  EXPECT_THAT(ends, IsEmpty());
  At(1ms, [&] { host.Start(); });
  At(2ms, [&] { host.WhenStopped(note); });
  At(3ms, [&] { host.Stop(); });
  At(4ms, [&] { host.Start(); });
  At(5ms, [&] {
    host.WhenStopped(note);
    host.WhenStopped([&] { host.Start(); });
    host.Crash();
  });
  At(6ms, [&] {
    host.WhenStopped(note);
    host.Vanish();
  });
  world_.RunFor(1s);
  EXPECT_THAT(ends,
              ElementsAre("0 idle", "3 stopped", "5 crashed", "6 vanished"));
}

TEST_F(HostTest, ARestartedProcessDrawsAnewButTheSameInEveryRun) {
  const auto draws_of = [](uint64_t seed) {
    WorldOptions options;
    options.seed = seed;
    World world(options);
    std::vector<uint64_t> draws;
    HostSpec spec;
    spec.name = world.names().Intern("p");
    spec.factory = MakeLambdaProcess([&](LambdaProcess& p) {
      draws.push_back(p.env().Random("jitter")->Next());
      draws.push_back(p.env().Random("jitter")->Next());
      draws.push_back(p.env().Random("other")->Next());
    });
    Host& host = world.AddHost(spec);
    for (int i = 0; i < 2; ++i) {
      host.Start();
      host.Crash();
    }
    world.RunFor(1ms);
    return draws;
  };
  const std::vector<uint64_t> draws = draws_of(1);
  ASSERT_EQ(draws.size(), 6u);
  EXPECT_EQ(draws[0], draws[1]);
  EXPECT_NE(draws[0], draws[2]);
  EXPECT_NE(draws[0], draws[3]);
  EXPECT_NE(draws[2], draws[5]);
  EXPECT_EQ(draws_of(1), draws);
  EXPECT_NE(draws_of(2), draws);
}

TEST_F(HostTest, AProcessSeesItsHost) {
  HostSpec spec;
  spec.name = world_.names().Intern("p");
  spec.cpus = 16;
  int64_t wall = 0;
  spec.factory = MakeLambdaProcess([&](LambdaProcess& p) {
    EXPECT_EQ(p.env().process(), spec.name);
    EXPECT_EQ(p.env().cpus(), 16);
    EXPECT_EQ(p.env().Now(), Instant::Start() + 1500us);
    wall = p.env().WallMillis();
  });
  Host& host = world_.AddHost(spec);
  At(1500us, [&] { host.Start(); });
  world_.RunFor(1s);
  EXPECT_EQ(wall, 1'767'225'600'001) << "1 ms after 2026-01-01T00:00:00Z";
}

}  // namespace
}  // namespace groupsim
