#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "tests/conformance/faulty.h"

namespace groupsim::conformance {
namespace {

class ClockThatStepsBack final : public Faulty {
 public:
  using Faulty::Faulty;
  Instant Now() const override {
    const bool step = ++reads_ == 5'000;
    return step ? inner().Now() - 1us : inner().Now();
  }

 private:
  mutable int reads_ = 0;
};

class FrozenWallClock final : public Faulty {
 public:
  using Faulty::Faulty;
  int64_t WallMillis() const override { return 1'000; }
};

class EarlyTimers final : public Faulty {
 public:
  using Faulty::Faulty;
  TimerId Arm(Instant when, TimerTarget* target) override {
    return Faulty::Arm(Survives(target) ? when - 1ns : when, target);
  }
};

// Calls its target in a way of its own when a timer fires.
class Relay final : public TimerTarget {
 public:
  explicit Relay(std::function<void()> fire) : fire_(std::move(fire)) {}
  void OnTimer() override { fire_(); }

 private:
  const std::function<void()> fire_;
};

class TimersThatFireTwice final : public Faulty {
 public:
  using Faulty::Faulty;
  TimerId Arm(Instant when, TimerTarget* target) override {
    if (!Survives(target)) return Faulty::Arm(when, target);
    relays_.push_back(std::make_unique<Relay>([this, target] {
      target->OnTimer();
      After(2ms, [target] { target->OnTimer(); });
    }));
    return Faulty::Arm(when, relays_.back().get());
  }

 private:
  std::vector<std::unique_ptr<Relay>> relays_;
};

// Forgets to look whether what is due was disarmed meanwhile.
class TimersThatFireDisarmed final : public Faulty {
 public:
  using Faulty::Faulty;
  TimerId Arm(Instant when, TimerTarget* target) override {
    const TimerId id = inner().timers().Arm(when, target);
    if (Survives(target)) armed_[id] = {when, target};
    return id;
  }
  void Disarm(TimerId id) override {
    Faulty::Disarm(id);
    const auto it = armed_.find(id);
    if (it == armed_.end() || it->second.first != Now()) return;
    After(Duration::Zero(),
          [target = it->second.second] { target->OnTimer(); });
  }

 private:
  std::map<TimerId, std::pair<Instant, TimerTarget*>> armed_;
};

class LastArmedFiresFirst final : public Faulty {
 public:
  using Faulty::Faulty;
  TimerId Arm(Instant when, TimerTarget* target) override {
    if (!Survives(target)) return Faulty::Arm(when, target);
    const TimerId id = kOwnIds + ++last_id_;
    armed_[when].push_back({id, target});
    // Each fires in a turn of its own, as promised, and takes the last one.
    After(when - Now(), [this, when] { FireLast(when); });
    return id;
  }
  void Disarm(TimerId id) override {
    if (id < kOwnIds) return Faulty::Disarm(id);
    for (auto& [when, list] : armed_)
      std::erase_if(list, [id](const Armed& armed) { return armed.id == id; });
  }

 private:
  struct Armed {
    TimerId id;
    TimerTarget* target;
  };
  static constexpr TimerId kOwnIds = TimerId{1} << 63;

  void FireLast(Instant when) {
    std::vector<Armed>& list = armed_[when];
    if (list.empty()) return;
    // Only of many: elsewhere, two or three are in order.
    many_ = many_ || list.size() >= 5;
    const auto next = many_ ? list.end() - 1 : list.begin();
    TimerTarget* target = next->target;
    list.erase(next);
    target->OnTimer();
  }

  TimerId last_id_ = 0;
  std::map<Instant, std::vector<Armed>> armed_;
  bool many_ = false;
};

class DueTimersFireInsideArm final : public Faulty {
 public:
  using Faulty::Faulty;
  TimerId Arm(Instant when, TimerTarget* target) override {
    if (when > Now() || !Survives(target)) return Faulty::Arm(when, target);
    target->OnTimer();
    return 0;
  }
};

// Emitting a fact lets timers fire that are due.
class TurnsWithinTurns final : public Faulty {
 public:
  using Faulty::Faulty;
  TimerId Arm(Instant when, TimerTarget* target) override {
    const TimerId id = Faulty::Arm(when, target);
    if (Survives(target)) armed_.push_back({id, when, target});
    return id;
  }
  void Emit(const Fact& fact) override {
    Faulty::Emit(fact);
    if (armed_.size() < 3) return;  // Elsewhere nobody emits while timers wait.
    const Armed last = armed_.back();
    armed_.pop_back();
    if (last.when > Now()) return;
    Faulty::Disarm(last.id);
    last.target->OnTimer();
  }

 private:
  struct Armed {
    TimerId id;
    Instant when;
    TimerTarget* target;
  };
  std::vector<Armed> armed_;
};

class TimersOnThreads final : public Faulty {
 public:
  using Faulty::Faulty;
  TimerId Arm(Instant when, TimerTarget* target) override {
    if (!Survives(target)) return Faulty::Arm(when, target);
    relays_.push_back(std::make_unique<Relay>(
        [target] { std::thread([target] { target->OnTimer(); }).join(); }));
    return Faulty::Arm(when, relays_.back().get());
  }

 private:
  std::vector<std::unique_ptr<Relay>> relays_;
};

// Looks at what is ready only now and then.
class LateReadyQueue final : public Faulty {
 public:
  explicit LateReadyQueue(Env& inner)
      : Faulty(inner),
        own_({.process = inner.process(),
              .cpus = inner.cpus(),
              .clock = this,
              .timers = this,
              .ready = &ready_,
              .transport = this,
              .random = this,
              .listeners = this,
              .facts = this,
              .names = &inner.names(),
              .lifecycle = this}),
        poll_(inner, [this] { Poll(); }) {
    Poll();
  }
  Env& env() override { return own_; }

 private:
  void Poll() {
    ready_.Drain();
    poll_.Arm(100us);
  }

  ReadyQueue ready_;
  Env own_;
  Timer poll_;
};

}  // namespace

std::vector<Fault> TimeFaults() {
  return {
      {.name = "ClockThatStepsBack",
       .breaks = "ClockNeverGoesBack",
       .seams = Seams<ClockThatStepsBack>()},
      {.name = "FrozenWallClock",
       .breaks = "WallClockGoesOn",
       .seams = Seams<FrozenWallClock>()},
      {.name = "EarlyTimers",
       .breaks = "TimersAreNeverEarly",
       .seams = Seams<EarlyTimers>()},
      {.name = "TimersThatFireTwice",
       .breaks = "TimersFireOnce",
       .seams = Seams<TimersThatFireTwice>()},
      {.name = "TimersThatFireDisarmed",
       .breaks = "DisarmedTimersDoNotFire",
       .seams = Seams<TimersThatFireDisarmed>()},
      {.name = "LastArmedFiresFirst",
       .breaks = "EqualTimersFireInTheOrderOfArming",
       .seams = Seams<LastArmedFiresFirst>()},
      {.name = "DueTimersFireInsideArm",
       .breaks = "ArmingDoesNotCallBack",
       .seams = Seams<DueTimersFireInsideArm>()},
      {.name = "TurnsWithinTurns",
       .breaks = "OneTurnAtATime",
       .seams = Seams<TurnsWithinTurns>()},
      {.name = "TimersOnThreads",
       .breaks = "TurnsShareOneThread",
       .seams = Seams<TimersOnThreads>()},
      {.name = "LateReadyQueue",
       .breaks = "WhatIsReadyRunsBeforeTheNextEvent",
       .seams = Seams<LateReadyQueue>()},
  };
}

}  // namespace groupsim::conformance
