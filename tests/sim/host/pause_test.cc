// Processes that are frozen, threads that are stopped, clocks that are wrong.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/lane.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/timer.h"
#include "model/runtime/waiting.h"
#include "sim/host/host.h"
#include "sim/host/host_clock.h"
#include "sim/host/listener_behaviour.h"
#include "sim/host/world.h"
#include "tests/support/fact_lines.h"
#include "tests/support/lambda_process.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Every listener call takes 30 ms.
class SlowListener final : public ListenerBehaviour {
 public:
  ListenerPlan Plan(const ListenerCall& /*call*/,
                    RandomStream& /*draws*/) override {
    ListenerPlan plan;
    plan.service_time = 30ms;
    return plan;
  }
};

class PauseTest : public ::testing::Test, private ListenerDone {
 protected:
  using Timers = std::vector<std::unique_ptr<Timer>>;

  PauseTest() : facts_(world_.names()) {
    for (const FactKind kind :
         {FactKind::PROCESS_READY, FactKind::PROCESS_STOPPING,
          FactKind::PROCESS_STOPPED, FactKind::PROCESS_CRASHED,
          FactKind::PROCESS_VANISHED, FactKind::PROCESS_PAUSED,
          FactKind::PROCESS_RESUMED, FactKind::LANE_PAUSED,
          FactKind::LANE_RESUMED, FactKind::CLOCK_CHANGED}) {
      world_.trace().Observe(kind, &facts_);
    }
  }

  // A process that does this at its start, and is ready.
  Host& Run(std::function<void(LambdaProcess&)> start = nullptr) {
    HostSpec spec;
    spec.name = world_.names().Intern("p");
    spec.listeners = &listener_;
    spec.factory = MakeLambdaProcess([this, start](LambdaProcess& process) {
      env_ = &process.env();
      if (start) start(process);
      // Beside what the start may have left there.
      auto timers = std::make_shared<Timers>();
      timers_ = timers.get();
      using Both = std::pair<std::shared_ptr<void>, std::shared_ptr<Timers>>;
      process.belongings =
          std::make_shared<Both>(process.belongings, std::move(timers));
      process.env().lifecycle().OnReady();
    });
    Host& host = world_.AddHost(std::move(spec));
    host.Start();
    world_.RunFor(1ms);
    return host;
  }
  // Arms a timer of the process that says a word; it dies with the process.
  Timer* Say(const std::string& word, Duration delay) {
    timers_->push_back(
        std::make_unique<Timer>(*env_, [this, word] { Note(word); }));
    timers_->back()->Arm(delay);
    return timers_->back().get();
  }
  void Note(const std::string& word) {
    log_.push_back(
        absl::StrCat(world_.now().since_start().millis(), " ", word));
  }
  void OnListenerDone(const ListenerResult& /*result*/) override {
    Note("listener");
  }
  void CallListener() { env_->listeners().Run(ListenerCall(), this); }
  Task<void> Job(std::string name, Duration time) {
    Note(name + " begins");
    co_await Sleep(*env_, time);
    Note(name + " ends");
  }

  World world_{WorldOptions{}};
  FactLines facts_;
  SlowListener listener_;
  Timers* timers_ = nullptr;  // Of the process that lives.
  Env* env_ = nullptr;
  std::vector<std::string> log_;
};

TEST_F(PauseTest, WhatIsDueMeanwhileHappensAtTheEndInOrder) {
  Host& host = Run();
  Say("late", 150ms);
  Say("early", 20ms);
  Say("after", 300ms);
  CallListener();
  EXPECT_TRUE(host.Pause());
  EXPECT_TRUE(host.paused());
  world_.RunFor(199ms);
  EXPECT_THAT(log_, IsEmpty());
  EXPECT_TRUE(host.Resume());
  world_.RunFor(1s);
  EXPECT_THAT(
      log_, ElementsAre("200 early", "200 listener", "200 late", "301 after"));
  EXPECT_THAT(facts_.lines,
              ElementsAre("0 p PROCESS_READY", "1 p PROCESS_PAUSED",
                          "200 p PROCESS_RESUMED"));
}

TEST_F(PauseTest, ATimerThatIsDueAgainAndAgainFiresOnceAtTheEnd) {
  std::optional<Timer> timer;
  Host& host = Run();
  timer.emplace(*env_, [&] {
    Note("tick");
    timer->Arm(10ms);
  });
  timer->Arm(10ms);
  world_.RunFor(10ms);
  host.Pause();
  world_.RunFor(1s);
  host.Resume();
  world_.RunFor(10ms);
  EXPECT_THAT(log_, ElementsAre("11 tick", "1011 tick", "1021 tick"));
  timer.reset();
}

TEST_F(PauseTest, WhoeverComesFirstMayStillDisarmTheOthers) {
  Host& host = Run();
  Timer* second = nullptr;
  Timer first(*env_, [&] {
    Note("first");
    second->Cancel();
  });
  first.Arm(10ms);
  second = Say("second", 20ms);
  host.Pause();
  world_.RunFor(1s);
  host.Resume();
  world_.RunFor(1s);
  EXPECT_THAT(log_, ElementsAre("1001 first"));
}

TEST_F(PauseTest, WhatIsDueAtTheVeryEndComesAfterWhatWasHeld) {
  Host& host = Run();
  Say("held", 10ms);
  Say("at the end", 99ms);
  host.Pause();
  // Planned before the timers fire, so that it comes before the second one.
  world_.RunUntil(Instant::Start() + 99ms);
  world_.At(Instant::Start() + 100ms, [&] { host.Resume(); });
  world_.RunFor(1s);
  EXPECT_THAT(log_, ElementsAre("100 held", "100 at the end"));
}

TEST_F(PauseTest, PausingOrResumingTwiceIsNothing) {
  Host& host = Run();
  EXPECT_FALSE(host.Resume());
  EXPECT_TRUE(host.Pause());
  EXPECT_FALSE(host.Pause());
  EXPECT_TRUE(host.Resume());
  EXPECT_FALSE(host.Resume());
  EXPECT_FALSE(host.paused());
}

TEST_F(PauseTest, NothingIsPausedWhereNoProcessIsAlive) {
  Host& host = Run();
  host.Crash();
  world_.RunFor(1ms);
  EXPECT_FALSE(host.Pause());
  EXPECT_EQ(host.PauseLane("pull"), 0);
}

TEST_F(PauseTest, APausedProcessCanBeCrashedAndItsSuccessorRuns) {
  Host& host = Run();
  Say("never", 10ms);
  CallListener();
  host.Pause();
  world_.RunFor(100ms);
  host.Crash();
  world_.RunFor(100ms);
  EXPECT_EQ(host.state(), HostState::kCrashed);
  EXPECT_THAT(log_, IsEmpty());
  host.Start();
  world_.RunFor(1ms);
  EXPECT_FALSE(host.paused());
  EXPECT_EQ(host.state(), HostState::kRunning);
  Say("again", 10ms);
  world_.RunFor(1s);
  EXPECT_THAT(log_, ElementsAre("212 again"));
}

TEST_F(PauseTest, APausedProcessCanVanish) {
  Host& host = Run();
  host.Pause();
  host.Vanish();
  world_.RunFor(1ms);
  EXPECT_EQ(host.state(), HostState::kVanished);
}

TEST_F(PauseTest, AShutdownWaitsForTheEndOfThePause) {
  Host& host = Run();
  Say("before", 10ms);
  host.Pause();
  world_.RunFor(50ms);
  host.Stop();
  host.Stop();
  world_.RunFor(50ms);
  EXPECT_EQ(host.state(), HostState::kRunning);
  host.Resume();
  world_.RunFor(50ms);
  EXPECT_EQ(host.state(), HostState::kStopped);
  EXPECT_THAT(log_, ElementsAre("101 before"));
  EXPECT_THAT(facts_.lines,
              ElementsAre("0 p PROCESS_READY", "1 p PROCESS_PAUSED",
                          "101 p PROCESS_RESUMED", "101 p PROCESS_STOPPING",
                          "101 p PROCESS_STOPPED"));
}

TEST_F(PauseTest, AWorldMayEndWithAPausedProcess) {
  Host& host = Run();
  Say("never", 10ms);
  host.Pause();
  world_.RunFor(1s);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(PauseTest, ClocksGoOn) {
  Host& host = Run();
  host.Pause();
  const int64_t wall = env_->WallMillis();
  world_.RunFor(1min);
  EXPECT_EQ(env_->WallMillis() - wall, 60'000);
  EXPECT_EQ(env_->Now(), world_.now());
}

TEST_F(PauseTest, APausedLaneBeginsNothing) {
  std::optional<Lane> lane;
  Host& host = Run();
  lane.emplace(*env_, "worker");
  lane->PostTask([this] { return Job("a", 10ms); });
  lane->PostTask([this] { return Job("b", 10ms); });
  world_.RunFor(5ms);
  EXPECT_EQ(host.PauseLane("other"), 0);
  EXPECT_EQ(host.PauseLane("worker"), 1);
  EXPECT_EQ(host.PauseLane("worker"), 0) << "it is already";
  Say("timer", 50ms);
  world_.RunFor(94ms);
  EXPECT_THAT(log_, ElementsAre("1 a begins", "11 a ends", "56 timer"));
  EXPECT_EQ(host.ResumeLane("worker"), 1);
  EXPECT_EQ(host.ResumeLane("worker"), 0);
  world_.RunFor(1s);
  log_.erase(log_.begin(), log_.begin() + 3);
  EXPECT_THAT(log_, ElementsAre("100 b begins", "110 b ends"));
  EXPECT_THAT(facts_.lines, ElementsAre("0 p PROCESS_READY", "6 p LANE_PAUSED",
                                        "100 p LANE_RESUMED"));
  lane.reset();
}

TEST_F(PauseTest, ALaneThatIsPausedWhileIdleBeginsNothingEither) {
  std::optional<Lane> lane;
  Host& host = Run();
  lane.emplace(*env_, "worker");
  host.PauseLane("worker");
  lane->Post([this] { Note("job"); });
  world_.RunFor(1s);
  EXPECT_THAT(log_, IsEmpty());
  host.ResumeLane("worker");
  world_.RunFor(1ms);
  EXPECT_THAT(log_, ElementsAre("1001 job"));
  lane.reset();
}

TEST_F(PauseTest, ALaneOfAPausedProcessGoesOnWithTheProcess) {
  std::optional<Lane> lane;
  Host& host = Run();
  lane.emplace(*env_, "worker");
  host.PauseLane("worker");
  lane->Post([this] { Note("job"); });
  host.Pause();
  Say("due before", 10ms);
  world_.RunFor(50ms);
  EXPECT_EQ(host.ResumeLane("worker"), 1);
  EXPECT_EQ(host.ResumeLane("worker"), 0) << "it was asked to already";
  Say("due after", 10ms);
  world_.RunFor(149ms);
  EXPECT_THAT(log_, IsEmpty());
  host.Resume();
  world_.RunFor(1s);
  EXPECT_THAT(log_, ElementsAre("200 due before", "200 job", "200 due after"));
  EXPECT_THAT(
      facts_.lines,
      ElementsAre("0 p PROCESS_READY", "1 p LANE_PAUSED", "1 p PROCESS_PAUSED",
                  "200 p PROCESS_RESUMED", "200 p LANE_RESUMED"));
  lane.reset();
}

TEST_F(PauseTest, ALaneOfAPausedProcessMayBeStoppedAgainBeforeItGoesOn) {
  std::optional<Lane> lane;
  Host& host = Run();
  lane.emplace(*env_, "worker");
  host.PauseLane("worker");
  lane->Post([this] { Note("job"); });
  host.Pause();
  EXPECT_EQ(host.ResumeLane("worker"), 1);
  EXPECT_EQ(host.PauseLane("worker"), 1);
  host.Resume();
  world_.RunFor(1s);
  EXPECT_THAT(log_, IsEmpty());
  EXPECT_EQ(host.ResumeLane("worker"), 1);
  world_.RunFor(1ms);
  EXPECT_THAT(log_, ElementsAre("1001 job"));
  lane.reset();
}

TEST_F(PauseTest, ALaneThatWasToGoOnDiesWithItsPausedProcess) {
  std::optional<Lane> lane;
  Host& host = Run();
  lane.emplace(*env_, "worker");
  host.PauseLane("worker");
  host.Pause();
  host.ResumeLane("worker");
  lane.reset();
  host.Crash();
  world_.RunFor(1ms);
  host.Start();
  world_.RunFor(1ms);
  lane.emplace(*env_, "worker");
  EXPECT_EQ(host.PauseLane("worker"), 1);
  host.Pause();
  EXPECT_EQ(host.ResumeLane("worker"), 1);
  lane.reset();
}

TEST_F(PauseTest, CallsReachAPausedProcessInOrderWithWhatIsDue) {
  Host& host = Run();
  host.WhenAwake([this] { Note("at once"); });
  EXPECT_THAT(log_, ElementsAre("1 at once"));
  host.Pause();
  Say("due before", 10ms);
  world_.RunFor(50ms);
  host.WhenAwake([this, &host] {
    Note("first");
    host.WhenAwake([this] { Note("third"); });
  });
  host.WhenAwake([this] { Note("second"); });
  world_.RunFor(50ms);
  log_.clear();
  host.Resume();
  world_.RunFor(1s);
  EXPECT_THAT(log_, ElementsAre("101 due before", "101 first", "101 second",
                                "101 third"));
}

TEST_F(PauseTest, CallsDieWithTheProcessTheyWereFor) {
  Host& host = Run();
  host.Pause();
  host.WhenAwake([this] { Note("never"); });
  host.Crash();
  world_.RunFor(1ms);
  host.WhenAwake([this] { Note("never either"); });
  host.Start();
  world_.RunFor(1ms);
  host.Pause();
  host.Resume();
  world_.RunFor(1s);
  EXPECT_THAT(log_, IsEmpty());
}

// A gate that belongs to a process.
struct Gated {
  explicit Gated(Env& env) : gate(env.lane_gates(), env.ready(), "loop") {}
  LaneGate gate;
};

TEST_F(PauseTest, ALoopWaitsAtItsGate) {
  Gated* gated = nullptr;
  const auto run = [&]() -> Task<void> {
    for (int i = 0; i < 3; ++i) {
      co_await Sleep(*env_, 10ms);
      co_await gated->gate.Pass();
      Note("round");
    }
  };
  Host& host = Run([&](LambdaProcess& process) {
    auto mine = std::make_shared<Gated>(process.env());
    gated = mine.get();
    process.belongings = mine;
    process.scope().Spawn(run());
  });
  world_.RunFor(10ms);
  EXPECT_EQ(host.PauseLane("loop"), 1);
  world_.RunFor(89ms);
  host.ResumeLane("loop");
  world_.RunFor(1s);
  EXPECT_THAT(log_, ElementsAre("10 round", "100 round", "110 round"));
}

TEST_F(PauseTest, AProcessMayDieWithATaskThatWaitsAtAGate) {
  Gated* gated = nullptr;
  const auto run = [&]() -> Task<void> {
    co_await Sleep(*env_, 10ms);
    co_await gated->gate.Pass();
    Note("never");
  };
  Host& host = Run([&](LambdaProcess& process) {
    auto mine = std::make_shared<Gated>(process.env());
    gated = mine.get();
    process.belongings = mine;
    process.scope().Spawn(run());
  });
  host.PauseLane("loop");
  world_.RunFor(1s);
  host.Crash();
  world_.RunFor(1s);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(PauseTest, SkewAndJumpsMoveTheWallClockOnly) {
  Host& host = Run();
  Say("timer", 5s);
  const int64_t wall = env_->WallMillis();
  host.SetClockSkew(10s);
  EXPECT_EQ(env_->WallMillis() - wall, 10'000);
  host.JumpClock(-15s);
  EXPECT_EQ(env_->WallMillis() - wall, -5'000);
  EXPECT_EQ(host.clock_ahead(), -5s);
  EXPECT_EQ(env_->Now(), world_.now());
  world_.RunFor(6s);
  EXPECT_EQ(env_->WallMillis() - wall, 1'000);
  EXPECT_THAT(log_, ElementsAre("5001 timer"));
  host.SetClockSkew(0s);
  EXPECT_EQ(env_->WallMillis() - wall, 6'000);
  EXPECT_EQ(world_.trace().CountOf(FactKind::CLOCK_CHANGED), 3u);
}

TEST_F(PauseTest, AClockMayGainOrLose) {
  Host& host = Run();
  const int64_t wall = env_->WallMillis();
  host.SetClockSkew(0s, 1'000);
  world_.RunFor(1h);
  EXPECT_EQ(env_->WallMillis() - wall, 3'603'600);
  host.JumpClock(1s);
  EXPECT_EQ(env_->WallMillis() - wall, 3'604'600);
  world_.RunFor(1h);
  EXPECT_EQ(env_->WallMillis() - wall, 7'208'200);
  host.SetClockSkew(host.clock_ahead(), -1'000);
  world_.RunFor(1h);
  EXPECT_EQ(env_->WallMillis() - wall, 10'804'600);
}

TEST_F(PauseTest, AHostKeepsItsClockOverARestart) {
  Host& host = Run();
  host.SetClockSkew(-1h);
  host.Crash();
  world_.RunFor(1s);
  host.Start();
  world_.RunFor(1s);
  EXPECT_EQ(env_->WallMillis(),
            kWallEpochMillis + world_.now().since_start().millis() - 3'600'000);
}

}  // namespace
}  // namespace groupsim
