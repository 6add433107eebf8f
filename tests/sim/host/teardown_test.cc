// What is left of a process that is destroyed while its tasks wait: nothing.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/runtime/lane.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "sim/host/world.h"
#include "tests/support/fact_lines.h"
#include "tests/support/lambda_process.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What happened to the tasks of a test.
struct Log {
  std::vector<std::string> lines;
};

// Notes when the frame that it lives in dies.
class InFrame {
 public:
  InFrame(Log& log, std::string name) : log_(log), name_(std::move(name)) {}
  ~InFrame() { log_.lines.push_back(name_ + " died"); }
  InFrame(const InFrame&) = delete;
  InFrame& operator=(const InFrame&) = delete;

 private:
  Log& log_;
  const std::string name_;
};

// Keeps every request without an answer.
class SilentServer final : public Process, private RequestHandler {
 public:
  SilentServer(Env& env, Name address)
      : remoting_(env, RemotingSettings(), this, nullptr), env_(env) {
    remoting_.Listen(address);
  }
  void Start() override { env_.lifecycle().OnReady(); }
  void Shutdown() override { env_.lifecycle().OnStopped(); }

 private:
  void OnRequest(Request, Responder responder) override {
    kept_.push_back(std::move(responder));
  }

  Remoting remoting_;
  Env& env_;
  std::vector<Responder> kept_;
};

// Has one of everything that a task can wait for.
struct Things {
  explicit Things(Env& env)
      : signal(env),
        mutex(env),
        lane(env),
        remoting(env, RemotingSettings(), nullptr, nullptr) {}
  Signal signal;
  Mutex mutex;
  Lane lane;
  Remoting remoting;
};

struct Context {
  Env& env;
  Things& things;
  Log& log;
  Name server;
  Name nowhere;
};

Task<void> Sleeps(Context c) {
  InFrame frame(c.log, "sleeper");
  co_await Sleep(c.env, 10ms);
  c.log.lines.push_back("ran on");
}

Task<void> WaitsForSignal(Context c) {
  InFrame frame(c.log, "waiter");
  co_await c.things.signal.WaitFor(10ms);
  c.log.lines.push_back("ran on");
}

Task<void> HoldsLock(Context c) {
  InFrame frame(c.log, "holder");
  const bool locked = co_await c.things.mutex.LockFor(1s);
  EXPECT_TRUE(locked);
  MutexHold hold(c.things.mutex);
  co_await Sleep(c.env, 10ms);
  c.log.lines.push_back("ran on");
}

Task<void> WaitsForLock(Context c) {
  InFrame frame(c.log, "waiter");
  co_await c.things.mutex.LockFor(1s);
  c.log.lines.push_back("ran on");
}

Task<int> Inner(Context c) {
  InFrame frame(c.log, "inner");
  co_await Sleep(c.env, 10ms);
  c.log.lines.push_back("ran on");
  co_return 1;
}

Task<void> WaitsForTask(Context c) {
  InFrame frame(c.log, "outer");
  const int result = co_await Inner(c);
  c.log.lines.push_back("ran on");
  EXPECT_EQ(result, 1);
}

Task<void> Calls(Context c, Name address) {
  InFrame frame(c.log, "caller");
  GetConsumerListRequest request;
  request.group = c.server;
  co_await c.things.remoting.Call(address, request, 10s);
  c.log.lines.push_back("ran on");
}

using Begin = std::function<void(LambdaProcess&, Context)>;

struct Case {
  std::string name;
  Begin begin;
  std::vector<std::string> dies;  // In this order.
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  const auto add = [&](std::string name, std::vector<std::string> dies,
                       Begin begin) {
    cases.push_back({std::move(name), std::move(begin), std::move(dies)});
  };
  add("Sleep", {"sleeper died"},
      [](LambdaProcess& p, Context c) { p.scope().Spawn(Sleeps(c)); });
  add("Signal", {"waiter died"},
      [](LambdaProcess& p, Context c) { p.scope().Spawn(WaitsForSignal(c)); });
  // The newest goes first; it must not be handed the lock of the other.
  add("LockHeldAndWaitedFor", {"waiter died", "holder died"},
      [](LambdaProcess& p, Context c) {
        p.scope().Spawn(HoldsLock(c));
        p.scope().Spawn(WaitsForLock(c));
      });
  add("LockHandedToOneThatDies", {"holder died", "waiter died"},
      [](LambdaProcess& p, Context c) {
        EXPECT_TRUE(c.things.mutex.TryLock());
        p.scope().Spawn(WaitsForLock(c));
        p.scope().Spawn(HoldsLock(c));
        c.things.mutex.Unlock();
        EXPECT_TRUE(c.things.mutex.TryLock());
      });
  add("Task", {"inner died", "outer died"},
      [](LambdaProcess& p, Context c) { p.scope().Spawn(WaitsForTask(c)); });
  add("Lane", {"sleeper died"}, [](LambdaProcess&, Context c) {
    c.things.lane.PostTask([c] { return Sleeps(c); });
    c.things.lane.PostTask([c] { return WaitsForTask(c); });
  });
  add("CallThatConnects", {"caller died"}, [](LambdaProcess& p, Context c) {
    p.scope().Spawn(Calls(c, c.nowhere));
  });
  add("CallWithoutReply", {"caller died"},
      [](LambdaProcess& p, Context c) { p.scope().Spawn(Calls(c, c.server)); });
  return cases;
}

enum class Fate { kCrash, kVanish, kStop, kEndOfWorld };

class TeardownTest : public ::testing::TestWithParam<std::tuple<Case, Fate>> {};

TEST_P(TeardownTest, NothingOfAProcessRunsAfterItsEnd) {
  const Case& what = std::get<0>(GetParam());
  const Fate fate = std::get<1>(GetParam());
  Log log;
  auto world = std::make_unique<World>(WorldOptions{});
  const Name server_address = world->names().Intern("server:1");
  HostSpec server_spec;
  server_spec.name = world->names().Intern("server");
  server_spec.addresses = {server_address};
  server_spec.factory = [&](Env& env) {
    return std::make_unique<SilentServer>(env, server_address);
  };
  Host& server = world->AddHost(std::move(server_spec));

  HostSpec spec;
  spec.name = world->names().Intern("p");
  spec.factory = MakeLambdaProcess([&](LambdaProcess& p) {
    auto things = std::make_shared<Things>(p.env());
    p.belongings = things;
    Context context{p.env(), *things, log, server_address,
                    world->names().Intern("nowhere:1")};
    what.begin(p, context);
  });
  Host& host = world->AddHost(std::move(spec));
  server.Start();
  host.Start();
  world->RunUntil(Instant::Start() + 5ms);
  EXPECT_THAT(log.lines, IsEmpty());

  if (fate == Fate::kCrash) host.Crash();
  if (fate == Fate::kVanish) host.Vanish();
  if (fate == Fate::kStop) host.Stop();
  if (fate == Fate::kEndOfWorld) {
    world.reset();
    EXPECT_EQ(log.lines, what.dies);
    return;
  }
  world->RunUntil(Instant::Start() + 5ms);
  EXPECT_EQ(log.lines, what.dies);
  EXPECT_FALSE(host.alive());
  EXPECT_EQ(world->frame_pool().live_frames(), 0);
  world->RunFor(1h);
  EXPECT_EQ(log.lines, what.dies);
}

std::string NameOfCase(
    const ::testing::TestParamInfo<std::tuple<Case, Fate>>& info) {
  static constexpr const char* kFates[] = {"Crash", "Vanish", "Stop",
                                           "EndOfWorld"};
  return std::get<0>(info.param).name +
         kFates[static_cast<int>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(
    Waiting, TeardownTest,
    ::testing::Combine(::testing::ValuesIn(Cases()),
                       ::testing::Values(Fate::kCrash, Fate::kVanish,
                                         Fate::kStop, Fate::kEndOfWorld)),
    NameOfCase);

// A process that leaves everything armed and running.
class Careless final : public Process,
                       private TimerTarget,
                       private ListenerDone,
                       private ConnectionListener {
 public:
  Careless(Env& env, Name address, int& calls) : env_(env), calls_(calls) {
    env.transport().Listen(address, this);
  }
  void Start() override {
    env_.timers().Arm(env_.Now() + 10ms, this);
    env_.listeners().Run(ListenerCall(), this);
    env_.lifecycle().OnReady();
  }
  void Shutdown() override { env_.lifecycle().OnStopped(); }

 private:
  void OnTimer() override { ++calls_; }
  void OnListenerDone(const ListenerResult&) override { ++calls_; }
  void OnOpened(ConnectionId) override { ++calls_; }
  void OnAccepted(ConnectionId, Name) override {}
  void OnFrame(ConnectionId, Frame) override { ++calls_; }
  void OnClosed(ConnectionId, CloseReason) override { ++calls_; }

  Env& env_;
  int& calls_;
};

class TenMillis final : public ListenerBehaviour {
 public:
  ListenerPlan Plan(const ListenerCall&, RandomStream&) override {
    ListenerPlan plan;
    plan.service_time = 10ms;
    return plan;
  }
};

class CarelessTest : public ::testing::TestWithParam<Fate> {};

TEST_P(CarelessTest, WhatAProcessLeavesBehindNeverCallsIt) {
  World world{WorldOptions{}};
  TenMillis behaviour;
  int calls = 0;
  const Name address = world.names().Intern("p:1");
  HostSpec spec;
  spec.name = world.names().Intern("p");
  spec.addresses = {address};
  spec.listeners = &behaviour;
  spec.factory = [&](Env& env) {
    return std::make_unique<Careless>(env, address, calls);
  };
  Host& host = world.AddHost(std::move(spec));

  HostSpec caller_spec;
  caller_spec.name = world.names().Intern("caller");
  caller_spec.factory = MakeLambdaProcess([&](LambdaProcess& p) {
    auto remoting = std::make_shared<Remoting>(p.env(), RemotingSettings(),
                                               nullptr, nullptr);
    p.belongings = remoting;
    GetConsumerListRequest request;
    remoting->SendOneway(address, request);
  });
  Host& caller = world.AddHost(std::move(caller_spec));
  host.Start();
  caller.Start();
  // The caller's first frame is on its way.
  const Duration almost = 600us;
  world.RunFor(almost);
  EXPECT_EQ(host.transport().live_connections(), 1u);
  EXPECT_EQ(world.network().in_flight(), 1);

  switch (GetParam()) {
    case Fate::kCrash:
      host.Crash();
      break;
    case Fate::kVanish:
      host.Vanish();
      break;
    case Fate::kStop:
      host.Stop();
      break;
    case Fate::kEndOfWorld:
      return;
  }
  world.RunFor(1min);
  EXPECT_EQ(calls, 0);
  host.Start();
  world.RunFor(11ms);
  EXPECT_EQ(calls, 2) << "the next process has its timer and its listener";
}

INSTANTIATE_TEST_SUITE_P(Fates, CarelessTest,
                         ::testing::Values(Fate::kCrash, Fate::kVanish,
                                           Fate::kStop, Fate::kEndOfWorld));

TEST(TeardownOrderTest, ConnectionsAreDeadBeforeTheProcessIsDestroyed) {
  World world{WorldOptions{}};
  FactLines facts(world.names());
  world.trace().Observe(FactKind::PROCESS_CRASHED, &facts);
  world.trace().Observe(FactKind::CONNECTION_CLOSED, &facts);
  const Name address = world.names().Intern("server:1");
  HostSpec server_spec;
  server_spec.name = world.names().Intern("server");
  server_spec.addresses = {address};
  server_spec.factory = [&](Env& env) {
    return std::make_unique<SilentServer>(env, address);
  };
  Host& server = world.AddHost(std::move(server_spec));
  HostSpec spec;
  spec.name = world.names().Intern("p");
  struct AtEnd {
    std::function<void()> call;
    ~AtEnd() { call(); }
  };
  Host* host = nullptr;
  size_t live_at_end = 99;
  spec.factory = MakeLambdaProcess([&](LambdaProcess& p) {
    auto remoting = std::make_shared<Remoting>(p.env(), RemotingSettings(),
                                               nullptr, nullptr);
    GetConsumerListRequest request;
    remoting->SendOneway(address, request);
    auto at_end = std::make_shared<AtEnd>();
    at_end->call = [&, remoting] {
      live_at_end = host->transport().live_connections();
      facts.lines.push_back("destroyed");
    };
    p.belongings = at_end;
  });
  host = &world.AddHost(std::move(spec));
  server.Start();
  host->Start();
  world.RunFor(5ms);
  EXPECT_EQ(host->transport().live_connections(), 1u);
  host->Crash();
  world.RunFor(5ms);
  EXPECT_EQ(live_at_end, 0u);
  EXPECT_THAT(facts.lines,
              ElementsAre("5 p PROCESS_CRASHED", "5 p CONNECTION_CLOSED",
                          "destroyed", "5 server CONNECTION_CLOSED"));
}

}  // namespace
}  // namespace groupsim
