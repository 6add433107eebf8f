// Task, TaskScope and Lane.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "tests/conformance/stage.h"

namespace groupsim::conformance {
namespace {

using ScopePtr = std::unique_ptr<ScopeUnderTest>;
using LanePtr = std::unique_ptr<LaneUnderTest>;

// Says in a log when it is destroyed.
class Tombstone {
 public:
  Tombstone(std::vector<std::string>& log, std::string name)
      : log_(log), name_(std::move(name)) {}
  ~Tombstone() { log_.push_back(name_); }
  Tombstone(const Tombstone&) = delete;
  Tombstone& operator=(const Tombstone&) = delete;

 private:
  std::vector<std::string>& log_;
  const std::string name_;
};

class Echo final : public RequestHandler {
 public:
  void OnRequest(Request, Responder responder) override {
    responder.Answer(Reply());
  }
};

// A task that waits in one of the ways in which a task can wait.
class Waits {
 public:
  enum class Kind {
    kToBegin,
    kToSleep,
    kForASignal,
    kForASignalThatIsSet,
    kForALock,
    kForALockThatIsHandedOver,
    kForAChild,
    kForAConnection,
    kForAReply,
    kLast,
  };

  explicit Waits(Env& env)
      : env_(env),
        signal_(env),
        mutex_(env),
        remoting_(env, RemotingSettings(), nullptr, nullptr) {
    mutex_.TryLock();
  }

  // Where the task of this kind stands when its scope is destroyed, is decided
  // by what Prepare does, and what would let it go on by Provoke.
  void Prepare(Kind kind) {
    if (kind == Kind::kForASignalThatIsSet) signal_.Set();
    if (kind == Kind::kForALockThatIsHandedOver) mutex_.Unlock();
  }
  void Provoke() {
    signal_.Set();
    if (mutex_.locked()) mutex_.Unlock();
  }

  Task<void> Run(Kind kind) {
    const Tombstone tombstone(graves, "task");
    ++begun;
    switch (kind) {
      case Kind::kToBegin:
        break;
      case Kind::kToSleep:
        co_await Sleep(env_, 10ms);
        break;
      case Kind::kForASignal:
      case Kind::kForASignalThatIsSet:
        co_await signal_.WaitFor(10ms);
        break;
      case Kind::kForALock:
      case Kind::kForALockThatIsHandedOver:
        co_await mutex_.LockFor(10ms);  // And never unlocks.
        break;
      case Kind::kForAChild: {
        Task<void> child = Run(Kind::kToSleep);
        co_await std::move(child);
        break;
      }
      case Kind::kForAConnection:
      case Kind::kForAReply: {
        const GetMaxOffsetRequest ask;
        const Name address = env_.names().Intern(
            kind == Kind::kForAReply ? "server:1" : "nowhere:1");
        const CallResult result = co_await remoting_.Call(address, ask, 10ms);
        ++ended;
        co_return;
      }
      case Kind::kLast:
        break;
    }
    ++ended;
  }

  int begun = 0;
  int ended = 0;
  std::vector<std::string> graves;

 private:
  Env& env_;
  Signal signal_;
  Mutex mutex_;
  Remoting remoting_;
};

void DestroyedTasksNeverRunAgain(Stage& stage) {
  Env& server = stage.Begin("server", {.addresses = {"server:1"}});
  auto& echo = stage.Make<Echo>("server");
  auto& listening = stage.Make<Remoting>("server", server, RemotingSettings(),
                                         &echo, nullptr);
  listening.Listen(stage.Intern("server:1"));
  Env& env = stage.Begin("client");
  for (int i = 0; i < static_cast<int>(Waits::Kind::kLast); ++i) {
    const auto kind = static_cast<Waits::Kind>(i);
    auto& waits = stage.Make<Waits>("client", env);
    ScopePtr scope = stage.runtime().NewScope(env);
    scope->Spawn(waits.Run(kind));
    if (kind == Waits::Kind::kForAReply) {
      stage.Await([&] { return waits.begun > 0; });
    } else if (kind != Waits::Kind::kToBegin) {
      stage.Run(1ms);
    }
    waits.Prepare(kind);
    const int begun = waits.begun;
    const int ended = waits.ended;
    scope = nullptr;
    waits.Provoke();
    stage.Run(12ms);
    stage.Expect(waits.begun == begun && waits.ended == ended,
                 "a destroyed task does not go on");
    // Both the task and its child, if they began.
    stage.Expect(static_cast<int>(waits.graves.size()) == begun,
                 "a scope destroys its tasks");
  }
}

Task<void> Rest(Env& env, std::vector<std::string>& graves, std::string name) {
  const Tombstone tombstone(graves, name);
  co_await Sleep(env, 1h);
}

void ScopesDestroyTheNewestTaskFirst(Stage& stage) {
  Env& env = stage.Begin("a");
  auto& graves = stage.Make<std::vector<std::string>>("a");
  ScopePtr scope = stage.runtime().NewScope(env);
  for (const char* name : {"1", "2", "3"})
    scope->Spawn(Rest(env, graves, name));
  stage.Run(1ms);
  scope = nullptr;
  std::vector<std::string> newest_first = {"3", "2", "1"};
  graves.resize(std::min<size_t>(graves.size(), 3));
  // Whether they are all destroyed is another promise.
  newest_first.resize(graves.size());
  stage.Expect(graves == newest_first,
               "a scope destroys the newest task first");
}

struct LaneState {
  LanePtr lane;
  std::vector<int> order;
  int running = 0;
  int most = 0;
};

Task<void> Work(Env& env, LaneState& state, int number) {
  state.order.push_back(number);
  state.most = std::max(state.most, ++state.running);
  co_await Sleep(env, 2ms);
  --state.running;
}

void LanesKeepTheOrderOfTheirJobs(Stage& stage) {
  Env& env = stage.Begin("a");
  auto& state = stage.Make<LaneState>("a");
  state.lane = stage.runtime().NewLane(env, 1);
  LaneState* s = &state;
  for (int i = 0; i < 3; ++i) {
    state.lane->PostTask([s, &env, i] { return Work(env, *s, 2 * i); });
    state.lane->Post([s, i] { s->order.push_back(2 * i + 1); });
  }
  stage.Await([s] { return s->order.size() == 6; });
  stage.Expect(std::is_sorted(state.order.begin(), state.order.end()),
               "a lane runs its jobs in the order posted");
}

void LanesHaveSoManyWorkersAndNoMore(Stage& stage) {
  Env& env = stage.Begin("a");
  for (int workers : {1, 3}) {
    auto& state = stage.Make<LaneState>("a");
    state.lane = stage.runtime().NewLane(env, workers);
    LaneState* s = &state;
    for (int i = 0; i < 8; ++i)
      state.lane->PostTask([s, &env, i] { return Work(env, *s, i); });
    stage.Expect(
        stage.Await([s] { return s->order.size() == 8 && s->running == 0; }),
        "a lane runs all its jobs");
    stage.Expect(state.most == workers,
                 absl::StrCat(workers, " workers run as many jobs at once"));
  }
}

void LanesDoNotBeginInsidePost(Stage& stage) {
  Env& env = stage.Begin("a");
  auto& state = stage.Make<LaneState>("a");
  state.lane = stage.runtime().NewLane(env, 1);
  LaneState* s = &state;
  state.lane->Post([s] { s->order.push_back(0); });
  stage.Expect(state.order.empty(), "no job begins inside Post");
  stage.Await([s] { return s->order.size() == 1; });
}

}  // namespace

std::vector<Promise> TaskPromises() {
  return {
      {"DestroyedTasksNeverRunAgain", DestroyedTasksNeverRunAgain},
      {"ScopesDestroyTheNewestTaskFirst", ScopesDestroyTheNewestTaskFirst},
      {"LanesKeepTheOrderOfTheirJobs", LanesKeepTheOrderOfTheirJobs},
      {"LanesHaveSoManyWorkersAndNoMore", LanesHaveSoManyWorkersAndNoMore},
      {"LanesDoNotBeginInsidePost", LanesDoNotBeginInsidePost},
  };
}

}  // namespace groupsim::conformance
