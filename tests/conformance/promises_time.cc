// Clock, Timer, and what a turn is.
#include <algorithm>
#include <thread>
#include <vector>

#include "model/runtime/ready_queue.h"
#include "tests/conformance/stage.h"

namespace groupsim::conformance {
namespace {

void ClockNeverGoesBack(Stage& stage) {
  Env& env = stage.Begin("a");
  Instant last = env.Now();
  bool forward = true;
  for (int i = 0; i < 10'000; ++i) {
    const Instant now = env.Now();
    forward = forward && now >= last;
    last = now;
  }
  for (int i = 0; i < 5; ++i) {
    stage.Run(1ms);
    const Instant now = env.Now();
    forward = forward && now >= last + 1ms;
    last = now;
  }
  stage.Expect(forward, "Now() never goes back");
}

void WallClockGoesOn(Stage& stage) {
  Env& env = stage.Begin("a");
  const int64_t before = env.WallMillis();
  stage.Run(30ms);
  const int64_t passed = env.WallMillis() - before;
  stage.Expect(passed >= 29, "the wall clock goes on");
  stage.Expect(passed <= 31 + stage.runtime().slack().millis(),
               "the wall clock shows milliseconds");
}

void TimersAreNeverEarly(Stage& stage) {
  Env& env = stage.Begin("a");
  std::vector<std::pair<Instant, TimerProbe*>> armed;
  for (int i = 0; i < 40; ++i) {
    auto& probe = stage.Make<TimerProbe>("a", env);
    const Instant when = env.Now() + i * Duration(777us);
    env.timers().Arm(when, &probe);
    armed.emplace_back(when, &probe);
  }
  for (const auto& [when, probe] : armed) {
    TimerProbe* p = probe;
    stage.Expect(stage.Await([p] { return !p->fired.empty(); }),
                 "an armed timer fires");
    stage.Expect(p->fired.empty() || p->fired[0] >= when,
                 "a timer is never early");
  }
}

void TimersFireOnce(Stage& stage) {
  Env& env = stage.Begin("a");
  std::vector<TimerProbe*> probes;
  for (int i = 0; i < 5; ++i) {
    probes.push_back(&stage.Make<TimerProbe>("a", env));
    env.timers().Arm(env.Now() + i * Duration(1ms), probes.back());
  }
  stage.Await([&] { return !probes.back()->fired.empty(); });
  stage.Run(20ms);
  for (TimerProbe* probe : probes)
    stage.Expect(probe->fired.size() <= 1, "a timer fires once");
}

void DisarmedTimersDoNotFire(Stage& stage) {
  Env& env = stage.Begin("a");
  auto& early = stage.Make<TimerProbe>("a", env);
  auto& disarmed = stage.Make<TimerProbe>("a", env);
  auto& late = stage.Make<TimerProbe>("a", env);
  const Instant when = env.Now() + 5ms;
  env.timers().Disarm(env.timers().Arm(when, &disarmed));
  // One that is due in the same instant as the turn that disarms it.
  TimerId late_id = 0;
  early.then = [&] { env.timers().Disarm(late_id); };
  const TimerId early_id = env.timers().Arm(when, &early);
  late_id = env.timers().Arm(when, &late);
  stage.Await([&] { return !early.fired.empty(); });
  env.timers().Disarm(early_id);  // Fired before: nothing happens.
  env.timers().Disarm(late_id);
  stage.Run(10ms);
  stage.Expect(disarmed.fired.empty() && late.fired.empty(),
               "a disarmed timer does not fire");
}

void EqualTimersFireInTheOrderOfArming(Stage& stage) {
  Env& env = stage.Begin("a");
  std::vector<int> order;
  const Instant when = env.Now() + 5ms;
  for (int i = 0; i < 10; ++i) {
    auto& probe = stage.Make<TimerProbe>("a", env);
    probe.then = [&order, i] { order.push_back(i); };
    env.timers().Arm(when, &probe);
  }
  stage.Await([&] { return order.size() == 10; });
  stage.Expect(std::is_sorted(order.begin(), order.end()),
               "timers of one instant fire in the order of arming");
}

void ArmingDoesNotCallBack(Stage& stage) {
  Env& env = stage.Begin("a");
  stage.Run(1ms);
  auto& now = stage.Make<TimerProbe>("a", env);
  auto& past = stage.Make<TimerProbe>("a", env);
  env.timers().Arm(env.Now(), &now);
  env.timers().Arm(Instant::Start(), &past);
  stage.Expect(now.fired.empty() && past.fired.empty(),
               "nothing fires inside Arm");
  stage.Expect(
      stage.Await([&] { return !now.fired.empty() && !past.fired.empty(); }),
      "what is due already fires");
}

void OneTurnAtATime(Stage& stage) {
  Env& env = stage.Begin("a", {.addresses = {"a:1"}});
  bool inside = false;
  bool nested = false;
  const auto turn = [&] {
    nested = nested || inside;
    inside = true;
    Fact fact;
    fact.kind = FactKind::HEARTBEAT_ROUND;
    env.Emit(fact);
    env.timers().Disarm(0);
    env.Random("turns")->Next();
    env.WallMillis();
    env.Emit(fact);
    inside = false;
  };
  std::vector<TimerProbe*> probes;
  const Instant when = env.Now() + 5ms;
  for (int i = 0; i < 4; ++i) {
    probes.push_back(&stage.Make<TimerProbe>("a", env));
    probes.back()->then = turn;
    env.timers().Arm(when, probes.back());
  }
  stage.Await([&] { return !probes.back()->fired.empty(); });
  stage.Expect(!nested, "a turn ends before the next one begins");
}

void TurnsShareOneThread(Stage& stage) {
  Env& env = stage.Begin("a");
  const std::thread::id own = std::this_thread::get_id();
  bool same = true;
  auto& probe = stage.Make<TimerProbe>("a", env);
  probe.then = [&] { same = same && std::this_thread::get_id() == own; };
  env.timers().Arm(env.Now() + 1ms, &probe);
  stage.Await([&] { return !probe.fired.empty(); });
  stage.Expect(same, "a role runs on one thread");
}

// Calls a function when its turn has come.
class ReadyProbe final : public ReadyNode {
 public:
  explicit ReadyProbe(std::function<void()> run) : run_(std::move(run)) {}
  void RunReady() override { run_(); }

 private:
  const std::function<void()> run_;
};

void WhatIsReadyRunsBeforeTheNextEvent(Stage& stage) {
  Env& env = stage.Begin("a");
  std::vector<int> order;
  auto& ready = stage.Make<ReadyProbe>("a", [&] { order.push_back(2); });
  auto& first = stage.Make<TimerProbe>("a", env);
  auto& second = stage.Make<TimerProbe>("a", env);
  first.then = [&] {
    env.ready().Post(ready);
    order.push_back(1);
  };
  second.then = [&] { order.push_back(3); };
  env.timers().Arm(env.Now() + 5ms, &first);
  env.timers().Arm(env.Now() + 5ms, &second);
  stage.Await([&] { return order.size() == 3; });
  stage.Expect(order == std::vector<int>{1, 2, 3},
               "what a turn makes ready runs in that turn");
}

}  // namespace

std::vector<Promise> TimePromises() {
  return {
      {"ClockNeverGoesBack", ClockNeverGoesBack},
      {"WallClockGoesOn", WallClockGoesOn},
      {"TimersAreNeverEarly", TimersAreNeverEarly},
      {"TimersFireOnce", TimersFireOnce},
      {"DisarmedTimersDoNotFire", DisarmedTimersDoNotFire},
      {"EqualTimersFireInTheOrderOfArming", EqualTimersFireInTheOrderOfArming},
      {"ArmingDoesNotCallBack", ArmingDoesNotCallBack},
      {"OneTurnAtATime", OneTurnAtATime},
      {"TurnsShareOneThread", TurnsShareOneThread},
      {"WhatIsReadyRunsBeforeTheNextEvent", WhatIsReadyRunsBeforeTheNextEvent},
  };
}

}  // namespace groupsim::conformance
