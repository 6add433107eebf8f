#include "sim/host/world.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/check.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/runtime/waiting.h"
#include "sim/engine/engine.h"
#include "tests/support/lambda_process.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Host& AddProcess(World& world, const std::string& name,
                 LambdaProcess::Step start) {
  HostSpec spec;
  spec.name = world.names().Intern(name);
  spec.factory = MakeLambdaProcess(std::move(start));
  return world.AddHost(std::move(spec));
}

TEST(WorldTest, ActionsRunAtTheirTimesInTheOrderGiven) {
  World world{WorldOptions{}};
  std::vector<std::string> log;
  const auto note = [&](std::string name) {
    return [&log, &world, name] {
      log.push_back(
          absl::StrCat(world.now().since_start().millis(), " ", name));
    };
  };
  world.At(Instant::Start() + 20ms, note("c"));
  world.At(Instant::Start() + 10ms, note("a"));
  world.At(Instant::Start() + 10ms, [&] {
    note("b")();
    world.After(Duration::Zero(), note("b, later"));
  });
  world.At(Instant::Start() + 10ms, note("b'"));
  EXPECT_EQ(world.RunFor(15ms), RunOutcome::kTimeReached);
  EXPECT_THAT(log, ElementsAre("10 a", "10 b", "10 b'", "10 b, later"));
  EXPECT_EQ(world.now(), Instant::Start() + 15ms);
  world.RunFor(15ms);
  EXPECT_EQ(log.back(), "20 c");
}

TEST(WorldTest, RunsUntilAConditionHolds) {
  World world{WorldOptions{}};
  int n = 0;
  for (int i = 1; i <= 10; ++i) {
    world.At(Instant::Start() + Duration::Millis(i), [&] { ++n; });
  }
  const Instant limit = Instant::Start() + 1s;
  EXPECT_EQ(world.RunUntil([&] { return n == 3; }, limit),
            RunOutcome::kConditionMet);
  EXPECT_EQ(world.now(), Instant::Start() + 3ms);
  EXPECT_EQ(world.RunUntil([&] { return n == 30; }, limit),
            RunOutcome::kTimeReached);
  EXPECT_EQ(world.now(), limit);
}

Task<void> Note(std::vector<std::string>& log, std::string line) {
  log.push_back(line);
  co_return;
}

TEST(WorldTest, WhatATurnMakesReadyRunsBeforeTheNextEvent) {
  World world{WorldOptions{}};
  std::vector<std::string> log;
  AddProcess(world, "p", [&](LambdaProcess& p) {
    p.scope().Spawn(Note(log, "spawned"));
    log.push_back("started");
  }).Start();
  world.At(world.now(), [&] { log.push_back("next event"); });
  world.RunFor(1ms);
  EXPECT_THAT(log, ElementsAre("started", "spawned", "next event"));
}

// Collects NAMED facts.
class Named final : public FactObserver {
 public:
  void OnFact(const Fact& fact) override { facts.push_back(fact); }
  std::vector<Fact> facts;
};

TEST(WorldTest, EachNameIsToldOnceWithAHashOfItsText) {
  World world{WorldOptions{}};
  Named named;
  world.trace().Observe(FactKind::NAMED, &named);
  world.names().Intern("a");
  world.names().Intern("b");
  world.names().Intern("a");
  ASSERT_EQ(named.facts.size(), 2u);
  EXPECT_EQ(named.facts[0].offset, 1);
  EXPECT_EQ(named.facts[1].offset, 2);
  EXPECT_NE(named.facts[0].value, named.facts[1].value);

  World other{WorldOptions{}};
  Named named_there;
  other.trace().Observe(FactKind::NAMED, &named_there);
  other.names().Intern("b");
  EXPECT_EQ(named_there.facts[0].value, named.facts[1].value);
  EXPECT_NE(other.trace().fact_fingerprint(), world.trace().fact_fingerprint());
}

TEST(WorldTest, HostsAreFoundByName) {
  World world{WorldOptions{}};
  Host& a = AddProcess(world, "a", nullptr);
  Host& b = AddProcess(world, "b", nullptr);
  EXPECT_EQ(world.FindHost(world.names().Intern("a")), &a);
  EXPECT_EQ(world.FindHost(world.names().Intern("b")), &b);
  EXPECT_EQ(world.FindHost(world.names().Intern("c")), nullptr);
  EXPECT_EQ(world.hosts().size(), 2u);
}

TEST(WorldTest, AHostCanBeAddedWhileTheWorldRuns) {
  World world{WorldOptions{}};
  bool ran = false;
  world.At(Instant::Start() + 5ms, [&] {
    AddProcess(world, "late", [&](LambdaProcess&) { ran = true; }).Start();
  });
  world.RunFor(10ms);
  EXPECT_TRUE(ran);
}

TEST(WorldTest, ArmingAtNowForEverIsALivelock) {
  WorldOptions options;
  options.max_events_at_one_instant = 1'000;
  World world(options);
  AddProcess(world, "p", [](LambdaProcess& p) {
    auto timer = std::make_shared<std::unique_ptr<Timer>>();
    Timer* raw = nullptr;
    *timer = std::make_unique<Timer>(
        p.env(), [t = timer.get()] { (*t)->Arm(Duration::Zero()); });
    raw = timer->get();
    raw->Arm(1ms);
    p.belongings = timer;
  }).Start();
  EXPECT_EQ(world.RunFor(1s), RunOutcome::kLivelock);
  EXPECT_EQ(world.now(), Instant::Start() + 1ms);
  EXPECT_THAT(world.engine().DescribeLivelock(), HasSubstr("host.timer"));
}

Task<void> Nothing() { co_return; }
Task<void> ForEver() {
  for (;;) co_await Nothing();
}

TEST(WorldDeathTest, ATurnThatDoesNotEndIsABug) {
  WorldOptions options;
  options.seed = 42;
  options.reproduce = "groupsim run --seed=42 x.textproto";
  EXPECT_EXIT(
      {
        World world(options);
        AddProcess(world, "p", [](LambdaProcess& p) {
          p.scope().Spawn(ForEver());
        }).Start();
        world.RunFor(1s);
      },
      ::testing::ExitedWithCode(70),
      "a turn does not end(.|\n)*seed 42(.|\n)*reproduce: groupsim run "
      "--seed=42 x.textproto");
}

TEST(WorldDeathTest, AFailedCheckTellsSeedAndTime) {
  WorldOptions options;
  options.seed = 42;
  EXPECT_EXIT(
      {
        World world(options);
        world.At(Instant::Start() + 1500ms, [] { CHECK(false) << "wrong"; });
        world.RunFor(10s);
      },
      ::testing::ExitedWithCode(70), "wrong(.|\n)*seed 42, virtual time 1.5 s");
  EXPECT_EQ(FailureContext::Current(), nullptr);
}

TEST(WorldDeathTest, AnActionInThePastIsABug) {
  World world{WorldOptions{}};
  world.RunFor(1s);
  EXPECT_EXIT(world.At(Instant::Start(), [] {}), ::testing::ExitedWithCode(70),
              "world.action");
}

}  // namespace
}  // namespace groupsim
