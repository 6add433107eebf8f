// ListenerExecutor, RandomSource, FactSink, and the life of a process.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "tests/conformance/stage.h"

namespace groupsim::conformance {
namespace {

// ---- ListenerExecutor ----

// Calls the listener, telling it how many milliseconds to take.
class DoneProbe final : public ListenerDone, public Probe {
 public:
  DoneProbe(Env& env, int32_t millis) : env_(env), millis_(millis) {}
  void OnListenerDone(const ListenerResult& result) override {
    at.push_back(env_.Now());
    results.push_back(result);
  }

  ListenerRunId Run() {
    ListenerCall call;
    call.queue.queue_id = millis_;
    return env_.listeners().Run(call, this);
  }

  std::vector<Instant> at;
  std::vector<ListenerResult> results;

 private:
  Env& env_;
  const int32_t millis_;
};

Stage::Role Listener(bool hangs = false) {
  Stage::Role role;
  role.listener = [hangs](const ListenerCall& call) {
    ListenerPlan plan;
    plan.service_time = Duration::Millis(call.queue.queue_id);
    plan.hangs = hangs;
    plan.result.ack_index = call.queue.queue_id;
    return plan;
  };
  return role;
}

void ListenerCallsEndOnceWithTheirResult(Stage& stage) {
  Env& env = stage.Begin("a", Listener());
  auto& done = stage.Make<DoneProbe>("a", env, 5);
  const Instant begin = env.Now();
  stage.Expect(done.Run() != 0, "a listener call has an id");
  stage.Expect(stage.Await([&] { return !done.at.empty(); }),
               "a listener call ends");
  stage.Run(10ms);
  stage.Expect(done.at.size() == 1, "a listener call ends once");
  stage.Expect(!done.at.empty() && done.at[0] >= begin + 5ms - Duration(1us),
               "a listener call takes its time");
  stage.Expect(!done.results.empty() && done.results[0].ack_index == 5,
               "a listener call ends with its result");
}

void ListenerCallsDoNotEndInsideRun(Stage& stage) {
  Env& env = stage.Begin("a", Listener());
  auto& done = stage.Make<DoneProbe>("a", env, 0);
  done.Run();
  stage.Expect(done.at.empty(), "no listener call ends inside Run");
  stage.Await([&] { return !done.at.empty(); });
}

void AbandonedListenerCallsStaySilent(Stage& stage) {
  Env& env = stage.Begin("a", Listener());
  auto& done = stage.Make<DoneProbe>("a", env, 5);
  auto& over = stage.Make<DoneProbe>("a", env, 5);
  const ListenerRunId id = done.Run();
  env.listeners().Abandon(id);
  env.listeners().Abandon(id);
  const ListenerRunId over_id = over.Run();
  stage.Await([&] { return !over.at.empty(); });
  env.listeners().Abandon(over_id);  // Ended before: nothing happens.
  stage.Run(10ms);
  stage.Expect(done.at.empty(), "an abandoned listener call stays silent");
}

void ListenerCallsRunSideBySide(Stage& stage) {
  Env& env = stage.Begin("a", Listener());
  std::vector<DoneProbe*> all;
  const Instant begin = env.Now();
  for (int i = 0; i < 100; ++i) {
    all.push_back(&stage.Make<DoneProbe>("a", env, 20));
    all.back()->Run();
  }
  stage.Await([&] { return !all.back()->at.empty(); });
  for (DoneProbe* done : all) {
    stage.Expect(!done->at.empty() &&
                     done->at[0] <= begin + 20ms + stage.runtime().slack(),
                 "any number of listener calls run at once");
  }
}

void HangingListenerCallsDoNotEnd(Stage& stage) {
  Env& env = stage.Begin("a", Listener(/*hangs=*/true));
  auto& done = stage.Make<DoneProbe>("a", env, 1);
  const ListenerRunId id = done.Run();
  stage.Run(150ms);
  stage.Expect(done.at.empty(), "a hanging listener call does not end");
  env.listeners().Abandon(id);
}

// A listener that takes its time, and answers so if it is interrupted.
Stage::Role Interruptible(bool hangs) {
  Stage::Role role = Listener(hangs);
  role.listener = [usual = role.listener](const ListenerCall& call) {
    ListenerPlan plan = usual(call);
    plan.when_interrupted = ListenerResult();
    plan.when_interrupted->status = ConsumeStatus::kException;
    return plan;
  };
  return role;
}

void InterruptedListenerCallsEndAtOnceWhereTheyCare(Stage& stage) {
  Env& env = stage.Begin("a", Interruptible(/*hangs=*/true));
  auto& done = stage.Make<DoneProbe>("a", env, 1);
  const ListenerRunId id = done.Run();
  stage.Run(5ms);
  const Instant when = env.Now();
  env.listeners().Interrupt(id);
  env.listeners().Interrupt(id);
  stage.Expect(done.at.empty(), "no listener call ends inside Interrupt");
  stage.Await([&] { return !done.at.empty(); });
  env.listeners().Interrupt(id);  // Ended before: nothing happens.
  stage.Expect(!done.at.empty() && done.at[0] <= when + stage.runtime().slack(),
               "an interrupted listener call ends at once");
  stage.Expect(!done.results.empty() &&
                   done.results[0].status == ConsumeStatus::kException,
               "an interrupted listener call answers what it does then");
}

void ListenersThatDoNotCareGoOnWhenInterrupted(Stage& stage) {
  Env& env = stage.Begin("a", Listener());
  auto& done = stage.Make<DoneProbe>("a", env, 20);
  const Instant begin = env.Now();
  env.listeners().Interrupt(done.Run());
  stage.Await([&] { return !done.at.empty(); });
  stage.Expect(!done.at.empty() && done.at[0] >= begin + 20ms - Duration(1us),
               "a listener that does not care for interruption goes on");
}

// ---- RandomSource ----

std::vector<uint64_t> Draw(RandomStream& stream, int count) {
  std::vector<uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(stream.Next());
  return numbers;
}

void AStreamBeginsAnewEachTimeItIsAskedFor(Stage& stage) {
  Env& env = stage.Begin("a");
  const std::vector<uint64_t> first = Draw(*env.Random("offset"), 10);
  for (int i = 0; i < 3; ++i) {
    stage.Run(1ms);
    stage.Expect(Draw(*env.Random("offset"), 10) == first,
                 "a purpose has one sequence");
  }
}

void StreamsDoNotDisturbEachOther(Stage& stage) {
  Env& env = stage.Begin("a");
  const std::vector<uint64_t> alone = Draw(*env.Random("one"), 10);
  const std::unique_ptr<RandomStream> one = env.Random("one");
  const std::unique_ptr<RandomStream> two = env.Random("two");
  std::vector<uint64_t> together;
  for (int i = 0; i < 10; ++i) {
    together.push_back(one->Next());
    two->Next();
  }
  stage.Expect(together == alone, "another drawer moves no draw");
}

void PurposesAndProcessesDrawDifferently(Stage& stage) {
  Env& a = stage.Begin("a");
  Env& b = stage.Begin("b");
  const std::vector<uint64_t> one = Draw(*a.Random("one"), 10);
  const std::vector<uint64_t> two = Draw(*a.Random("two"), 10);
  const std::vector<uint64_t> other = Draw(*b.Random("one"), 10);
  stage.Expect(one != two, "purposes have their own sequences");
  stage.Expect(one != other, "processes have their own sequences");
}

// ---- FactSink ----

// The facts of this kind, which nobody but a test emits.
std::vector<Fact> OwnFacts(Stage& stage) {
  std::vector<Fact> own;
  for (const Fact& fact : stage.runtime().Facts()) {
    if (fact.kind == FactKind::HEARTBEAT_SKIPPED) own.push_back(fact);
  }
  return own;
}

void EmitNumbered(Env& env, int64_t number) {
  Fact fact;
  fact.kind = FactKind::HEARTBEAT_SKIPPED;
  fact.count = number;
  env.Emit(fact);
}

void FactsAreKeptInTheirOrder(Stage& stage) {
  Env& a = stage.Begin("a");
  Env& b = stage.Begin("b");
  for (int64_t i = 0; i < 50; ++i) EmitNumbered(i % 3 == 0 ? b : a, i);
  const std::vector<Fact> facts = OwnFacts(stage);
  bool in_order = facts.size() == 50;
  for (size_t i = 0; i < facts.size(); ++i)
    in_order = in_order && facts[i].count == static_cast<int64_t>(i);
  stage.Expect(in_order, "all facts are told, in their order");
}

void FactsSayWhenAndWhere(Stage& stage) {
  Env& env = stage.Begin("a");
  for (int i = 0; i < 3; ++i) {
    stage.Run(1ms);
    const Instant before = env.Now();
    EmitNumbered(env, i);
    const Instant after = env.Now();
    const std::vector<Fact> facts = OwnFacts(stage);
    stage.Expect(!facts.empty() && facts.back().time >= before &&
                     facts.back().time <= after,
                 "a fact says when it happened");
    stage.Expect(!facts.empty() && facts.back().host == stage.Intern("a").id(),
                 "a fact says to whom it happened");
  }
}

// ---- The life of a process ----

// Tells when it is destroyed.
class Mortal {
 public:
  explicit Mortal(std::shared_ptr<bool> dead) : dead_(std::move(dead)) {}
  ~Mortal() { *dead_ = true; }

 private:
  const std::shared_ptr<bool> dead_;
};

void AProcessThatStopsIsDestroyedInALaterTurn(Stage& stage) {
  auto dead = std::make_shared<bool>(false);
  auto dead_inside = std::make_shared<bool>(false);
  Stage::Role role;
  role.on_shutdown = [dead, dead_inside](Env& env) {
    // The process, and with it this function, may be gone afterwards.
    const std::shared_ptr<bool> is_dead = dead;
    const std::shared_ptr<bool> was_dead = dead_inside;
    env.lifecycle().OnStopped();
    *was_dead = *is_dead;
  };
  stage.Begin("a", role);
  stage.Make<Mortal>("a", dead);
  stage.runtime().Stop("a");
  stage.Expect(stage.Await([&] { return *dead; }),
               "a process that stopped is destroyed");
  stage.Expect(!*dead_inside, "no process is destroyed in its own turn");
}

Task<void> Count(Env& env, std::shared_ptr<int> count) {
  while (true) {
    co_await Sleep(env, 1ms);
    ++*count;
  }
}

void NothingOfACrashedProcessRuns(Stage& stage) {
  const auto count = std::make_shared<int>(0);
  const auto dead = std::make_shared<bool>(false);
  Env& env = stage.Begin("a");
  stage.Make<Mortal>("a", dead);
  stage.Make<TaskScope>("a", env.ready()).Spawn(Count(env, count));
  stage.Await([&] { return *count > 3; });
  stage.runtime().Crash("a");
  stage.Run(Duration::Zero());
  stage.Expect(*dead, "a crash destroys the process");
  const int last = *count;
  stage.Run(30ms);
  stage.Expect(*count == last, "nothing of a crashed process runs");
}

}  // namespace

std::vector<Promise> ProcessPromises() {
  return {
      {"ListenerCallsEndOnceWithTheirResult",
       ListenerCallsEndOnceWithTheirResult},
      {"ListenerCallsDoNotEndInsideRun", ListenerCallsDoNotEndInsideRun},
      {"AbandonedListenerCallsStaySilent", AbandonedListenerCallsStaySilent},
      {"ListenerCallsRunSideBySide", ListenerCallsRunSideBySide},
      {"HangingListenerCallsDoNotEnd", HangingListenerCallsDoNotEnd},
      {"InterruptedListenerCallsEndAtOnceWhereTheyCare",
       InterruptedListenerCallsEndAtOnceWhereTheyCare},
      {"ListenersThatDoNotCareGoOnWhenInterrupted",
       ListenersThatDoNotCareGoOnWhenInterrupted},
      {"AStreamBeginsAnewEachTimeItIsAskedFor",
       AStreamBeginsAnewEachTimeItIsAskedFor},
      {"StreamsDoNotDisturbEachOther", StreamsDoNotDisturbEachOther},
      {"PurposesAndProcessesDrawDifferently",
       PurposesAndProcessesDrawDifferently},
      {"FactsAreKeptInTheirOrder", FactsAreKeptInTheirOrder},
      {"FactsSayWhenAndWhere", FactsSayWhenAndWhere},
      {"AProcessThatStopsIsDestroyedInALaterTurn",
       AProcessThatStopsIsDestroyedInALaterTurn},
      {"NothingOfACrashedProcessRuns", NothingOfACrashedProcessRuns},
  };
}

}  // namespace groupsim::conformance
