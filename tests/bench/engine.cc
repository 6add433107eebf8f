// Event queues in the hold model: a fixed number of pending events, each of
// which, when it fires, schedules the next one after an exponential delay.
//
// The engine runs as in a simulation, with both fingerprints on and one fact
// per event; the others have neither.
#include "sim/engine/engine.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "model/facts/fact.h"
#include "sim/trace/trace.h"
#include "tests/bench/queues.h"

namespace groupsim {
namespace {

// Events fired between two looks at the clock.
constexpr int kBatch = 1'024;

// Exponential delays with a mean of one second, drawn once.
class Delays {
 public:
  Delays() {
    std::mt19937_64 random(1);
    std::exponential_distribution<double> law(1e-9);
    for (int64_t& delay : delays_) {
      delay = 1 + static_cast<int64_t>(std::llround(law(random)));
    }
  }

  int64_t Next() { return delays_[next_++ % delays_.size()]; }

 private:
  std::vector<int64_t> delays_ = std::vector<int64_t>(size_t{1} << 18);
  size_t next_ = 0;
};

struct Actor {
  uint32_t number;
};

class EngineHold {
 public:
  explicit EngineHold(int64_t pending) : trace_(engine_) {
    type_ = engine_.Register<&EngineHold::OnEvent>("hold", this);
    for (uint32_t i = 0; i < pending; ++i) Schedule(Actor{i});
  }

  void Step() { engine_.Step(); }
  size_t bytes() const { return engine_.bytes(); }

 private:
  void OnEvent(const Actor& actor) {
    Fact fact;
    fact.kind = FactKind::DELIVERED;
    fact.host = actor.number;
    fact.offset = ++offset_;
    trace_.Emit(fact);
    Schedule(actor);
  }

  void Schedule(const Actor& actor) {
    engine_.After(Duration::Nanos(delays_.Next()), type_, actor, actor.number);
  }

  Delays delays_;
  Engine engine_;
  Trace trace_;
  EventType type_ = 0;
  int64_t offset_ = 0;
};

class PriorityQueueHold {
 public:
  explicit PriorityQueueHold(int64_t pending) {
    for (uint32_t i = 0; i < pending; ++i) Schedule(Actor{i});
  }

  void Step() { loop_.Step(); }

 private:
  void Schedule(Actor actor) {
    loop_.At(loop_.now() + delays_.Next(), [this, actor] { Schedule(actor); });
  }

  Delays delays_;
  PriorityQueueLoop loop_;
};

class PlainQueueHold {
 public:
  explicit PlainQueueHold(int64_t pending)
      : loop_(
            [](void* context, uint64_t what) {
              static_cast<PlainQueueHold*>(context)->Schedule(what);
            },
            this) {
    for (int64_t i = 0; i < pending; ++i) Schedule(static_cast<uint64_t>(i));
  }

  void Step() { loop_.Step(); }

 private:
  void Schedule(uint64_t actor) {
    loop_.At(loop_.now() + delays_.Next(), actor);
  }

  Delays delays_;
  PlainQueueLoop loop_;
};

class QuadHeapHold {
 public:
  explicit QuadHeapHold(int64_t pending) {
    type_ = loop_.Register(
        [](void* context, void* payload) {
          static_cast<QuadHeapHold*>(context)->Schedule(
              *static_cast<const Actor*>(payload));
        },
        this);
    for (uint32_t i = 0; i < pending; ++i) Schedule(Actor{i});
  }

  void Step() { loop_.Step(); }

 private:
  void Schedule(Actor actor) {
    loop_.At(loop_.now() + delays_.Next(), type_, actor);
  }

  Delays delays_;
  QuadHeapLoop loop_;
  uint16_t type_ = 0;
};

template <class Hold>
void RunHold(benchmark::State& state, int64_t pending) {
  Hold hold(pending);
  // Twice round, so that the queue has forgotten how it was filled.
  for (int64_t i = 0; i < 2 * pending; ++i) hold.Step();
  for (auto _ : state) {
    for (int i = 0; i < kBatch; ++i) hold.Step();
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
  if constexpr (requires { hold.bytes(); }) {
    state.counters["bytes_per_pending"] =
        static_cast<double>(hold.bytes()) / static_cast<double>(pending);
  }
}

// Each event cancels one time-out of 30 seconds, arms the next one, and itself
// again after a short delay.
class TimerChurn {
 public:
  explicit TimerChurn(uint32_t actors) : time_outs_(actors) {
    turn_ = engine_.Register<&TimerChurn::OnTurn>("turn", this);
    time_out_ = engine_.Register<&TimerChurn::OnTimeOut>("time-out", this);
    for (uint32_t i = 0; i < actors; ++i) OnTurn(Actor{i});
  }

  void Step() { engine_.Step(); }
  const Engine& engine() const { return engine_; }

 private:
  void OnTurn(const Actor& actor) {
    engine_.Cancel(time_outs_[actor.number]);
    time_outs_[actor.number] =
        engine_.After(30s, time_out_, actor, actor.number);
    engine_.After(Duration::Nanos(delays_.Next()), turn_, actor, actor.number);
  }

  void OnTimeOut(const Actor&) {}

  Delays delays_;
  Engine engine_;
  EventType turn_ = 0;
  EventType time_out_ = 0;
  std::vector<EventHandle> time_outs_;
};

void RunTimerChurn(benchmark::State& state, int64_t actors) {
  TimerChurn churn(static_cast<uint32_t>(actors));
  for (int64_t i = 0; i < 2 * actors; ++i) churn.Step();
  for (auto _ : state) {
    for (int i = 0; i < kBatch; ++i) churn.Step();
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
  state.counters["bytes_per_pending"] =
      static_cast<double>(churn.engine().bytes()) /
      static_cast<double>(churn.engine().pending());
}

template <class Hold>
void RegisterHold(const std::string& queue, int64_t pending) {
  benchmark::RegisterBenchmark(
      ("HoldModel/" + queue + "/" + std::to_string(pending)).c_str(),
      RunHold<Hold>, pending);
}

[[maybe_unused]] const bool registered = [] {
  for (const int64_t pending : {100, 1'000, 16'384, 65'536, 1'000'000}) {
    RegisterHold<EngineHold>("engine", pending);
    RegisterHold<PriorityQueueHold>("priority_queue", pending);
    RegisterHold<QuadHeapHold>("quad_heap", pending);
    RegisterHold<PlainQueueHold>("plain_priority_queue", pending);
  }
  benchmark::RegisterBenchmark("TimerChurn/engine/10000", RunTimerChurn,
                               10'000);
  return true;
}();

}  // namespace
}  // namespace groupsim
