// Destroying a TaskScope, wherever its tasks stand.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/runtime/lane.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "tests/support/loop_runtime/loop_host.h"

namespace groupsim {
namespace {

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

// Tasks that wait for everything that a task can wait for, one after the
// other, on a runtime of their own.
class World {
 public:
  World()
      : server_(runtime_.AddHost("server", {"s:1"})),
        client_(runtime_.AddHost("client")),
        address_(runtime_.Intern("s:1")),
        server_remoting_(server_.env(), RemotingSettings(), &echo_, nullptr),
        remoting_(client_.env(), RemotingSettings(), nullptr, nullptr),
        signal_(env()),
        mutex_(env()),
        scope_(std::in_place, env().ready()) {
    server_remoting_.Listen(address_);
    scope_->Spawn(Walk("oldest"));
    scope_->Spawn(Contend("middle"));
    scope_->Spawn(Nested("newest", 3));
  }

  Env& env() { return client_.env(); }
  LoopRuntime& runtime() { return runtime_; }
  void Destroy() { scope_.reset(); }
  int steps() const { return steps_; }
  const std::vector<std::string>& graves() const { return graves_; }
  bool finished() const { return scope_->empty(); }

 private:
  Task<void> Walk(std::string name) {
    const Tombstone tombstone(graves_, name);
    ++steps_;
    co_await Sleep(env(), 1ms);
    ++steps_;
    const CallResult first = co_await remoting_.Call(address_, ask_, 3s);
    EXPECT_TRUE(first.ok());
    ++steps_;
    const CallResult second = co_await remoting_.Call(address_, ask_, 3s);
    EXPECT_TRUE(second.ok());
    ++steps_;
    const CallResult refused =
        co_await remoting_.Call(runtime_.Intern("client:1"), ask_, 50ms);
    EXPECT_FALSE(refused.ok());
    ++steps_;
    signal_.Set();
    co_await Sleep(env(), 1ms);
    ++steps_;
  }
  Task<void> Contend(std::string name) {
    const Tombstone tombstone(graves_, name);
    const bool locked = co_await mutex_.LockFor(1s);
    EXPECT_TRUE(locked);
    ++steps_;
    const MutexHold hold(mutex_);
    co_await Sleep(env(), 3ms);
    ++steps_;
    const bool late = co_await signal_.WaitFor(2ms);
    EXPECT_FALSE(late);
    ++steps_;
    const bool set = co_await signal_.WaitFor(1s);
    EXPECT_TRUE(set);
    ++steps_;
  }
  Task<void> Nested(std::string name, int depth) {
    const Tombstone tombstone(graves_, absl::StrCat(name, depth));
    ++steps_;
    if (depth == 0) {
      const bool locked = co_await mutex_.LockFor(1h);
      EXPECT_TRUE(locked);
      ++steps_;
      mutex_.Unlock();
      co_return;
    }
    Task<void> child = Nested(name, depth - 1);
    co_await std::move(child);
    ++steps_;
    co_await Sleep(env(), 1ms);
    ++steps_;
  }

  LoopRuntime runtime_{LoopTime::kVirtual};
  LoopHost& server_;
  LoopHost& client_;
  const Name address_;
  const GetMaxOffsetRequest ask_;
  Echo echo_;
  Remoting server_remoting_;
  Remoting remoting_;
  int steps_ = 0;
  std::vector<std::string> graves_;
  Signal signal_;
  Mutex mutex_;
  std::optional<TaskScope> scope_;
};

// Destroys a scope as one of many things that are ready.
class Killer final : public ReadyNode {
 public:
  explicit Killer(World& world) : world_(world) {}
  void RunReady() override { world_.Destroy(); }

 private:
  World& world_;
};

// After the end of the scope nothing of its tasks may move.
void ExpectGone(World& world, int64_t frames, const std::string& where) {
  const int steps = world.steps();
  const size_t graves = world.graves().size();
  EXPECT_EQ(world.runtime().loop().frames().live_frames(), frames) << where;
  world.runtime().RunFor(10s);
  EXPECT_EQ(world.steps(), steps) << where;
  EXPECT_EQ(world.graves().size(), graves) << where;
}

TEST(ScopeTest, TheTasksOfThisTestEndIfNobodyDestroysThem) {
  World world;
  int events = 0;
  while (!world.finished()) {
    ASSERT_TRUE(world.runtime().loop().Step());
    ++events;
  }
  EXPECT_GT(events, 12);
  EXPECT_EQ(world.steps(), 21);
}

TEST(ScopeTest, ItMayBeDestroyedBetweenAnyTwoTurns) {
  for (int turns = 0;; ++turns) {
    World world;
    for (int i = 0; i < turns; ++i) world.runtime().loop().Step();
    const bool finished = world.finished();
    world.Destroy();
    ExpectGone(world, 0, absl::StrCat("after turn ", turns));
    if (finished) break;
  }
}

TEST(ScopeTest, ItMayBeDestroyedWithinAnyTurnBeforeItsTasksGoOn) {
  for (int turns = 0;; ++turns) {
    World world;
    for (int i = 0; i < turns; ++i) world.runtime().loop().Step();
    const bool finished = world.finished();
    Killer killer(world);
    // Comes to its turn after the next event, but before what that makes
    // ready.
    world.runtime().loop().At(Instant(), [&] {});
    world.env().ready().Post(killer);
    world.runtime().loop().Step();
    ExpectGone(world, 0, absl::StrCat("in turn ", turns));
    if (finished) break;
  }
}

TEST(ScopeTest, TheNewestTaskGoesFirstAndWithinItTheInnermost) {
  World world;
  world.runtime().RunFor(500us);
  world.Destroy();
  EXPECT_EQ(world.graves(),
            (std::vector<std::string>{"newest0", "newest1", "newest2",
                                      "newest3", "middle", "oldest"}));
}

TEST(ScopeTest, AScopeCanBeUsedAgainAfterClear) {
  LoopRuntime runtime(LoopTime::kVirtual);
  Env& env = runtime.AddHost("h").env();
  TaskScope scope(env.ready());
  int ends = 0;
  const auto sleep = [](Env& e, int& counter) -> Task<void> {
    co_await Sleep(e, 1ms);
    ++counter;
  };
  scope.Spawn(sleep(env, ends));
  runtime.RunFor(500us);
  scope.Clear();
  EXPECT_TRUE(scope.empty());
  scope.Spawn(sleep(env, ends));
  runtime.RunFor(1s);
  EXPECT_EQ(ends, 1);
}

}  // namespace
}  // namespace groupsim
