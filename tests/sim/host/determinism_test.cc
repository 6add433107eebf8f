// Equal options give equal runs, wherever objects lie in memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "sim/host/world.h"
#include "sim/random/distribution.h"
#include "tests/support/lambda_process.h"

namespace groupsim {
namespace {

// Answers after a random time.
class Server final : public Process, private RequestHandler {
 public:
  Server(Env& env, Name address)
      : env_(env),
        draws_(env.Random("answers")),
        remoting_(env, RemotingSettings(), this, nullptr),
        scope_(env.ready()) {
    remoting_.Listen(address);
  }
  void Start() override { env_.lifecycle().OnReady(); }
  void Shutdown() override { env_.lifecycle().OnStopped(); }

 private:
  void OnRequest(Request, Responder responder) override {
    scope_.Spawn(AnswerLater(std::move(responder)));
  }
  Task<void> AnswerLater(Responder responder) {
    const Duration wait = draws_->Between(Duration::Zero(), 5ms);
    co_await Sleep(env_, wait);
    responder.Answer(Reply());
  }

  Env& env_;
  std::unique_ptr<RandomStream> draws_;
  Remoting remoting_;
  TaskScope scope_;
};

// Calls a server again and again and tells how it went.
class Client final : public Process {
 public:
  Client(Env& env, Name address)
      : env_(env),
        address_(address),
        draws_(env.Random("pauses")),
        remoting_(env, RemotingSettings(), nullptr, nullptr),
        scope_(env.ready()) {}
  void Start() override {
    env_.lifecycle().OnReady();
    scope_.Spawn(Work());
  }
  void Shutdown() override { env_.lifecycle().OnStopped(); }

 private:
  Task<void> Work() {
    for (;;) {
      GetConsumerListRequest request;
      const CallResult result =
          co_await remoting_.Call(address_, request, 50ms);
      Fact fact;
      fact.kind = FactKind::HEARTBEAT_ROUND;
      fact.count = result.ok() ? 1 : 0;
      fact.value = static_cast<int64_t>(result.error);
      env_.Emit(fact);
      const Duration pause = draws_->Between(Duration::Zero(), 20ms);
      co_await Sleep(env_, pause);
    }
  }

  Env& env_;
  const Name address_;
  std::unique_ptr<RandomStream> draws_;
  Remoting remoting_;
  TaskScope scope_;
};

struct Outcome {
  Checkpoint end;
  std::vector<Checkpoint> checkpoints;
  uint64_t answered = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Two servers and five clients with crashes, vanishing hosts and restarts.
Outcome RunOnce(uint64_t seed, bool shuffle_ties = false) {
  WorldOptions options;
  options.seed = seed;
  options.shuffle_ties = shuffle_ties;
  World world(options);
  NetworkSettings network;
  network.same_room =
      Distribution::Lognormal(
          {.median = 300'000, .per_mille = 990, .value = 3'000'000})
          .value();
  world.SetNetwork(network);
  std::vector<Name> addresses;
  for (const std::string name : {"s-1", "s-2"}) {
    const Name address = world.names().Intern(name + ":1");
    addresses.push_back(address);
    HostSpec spec;
    spec.name = world.names().Intern(name);
    spec.role = ProcessRole::kBroker;
    spec.addresses = {address};
    spec.factory = [address](Env& env) {
      return std::make_unique<Server>(env, address);
    };
    world.AddHost(std::move(spec)).Start();
  }
  for (int i = 0; i < 5; ++i) {
    const Name address = addresses[i % 2];
    HostSpec spec;
    spec.name = world.names().Intern(absl::StrCat("c-", i));
    spec.factory = [address](Env& env) {
      return std::make_unique<Client>(env, address);
    };
    world.AddHost(std::move(spec)).Start();
  }
  Host& server = world.hosts()[0];
  Host& client = world.hosts()[4];
  world.After(3s, [&] { server.Crash(); });
  world.After(4s, [&] { server.Start(); });
  world.After(5s, [&] { server.Vanish(); });
  world.After(7s, [&] { server.Start(); });
  world.After(8s, [&] {
    client.WhenStopped([&] { client.Start(); });
    client.Stop();
  });
  EXPECT_EQ(world.RunFor(20s), RunOutcome::kTimeReached);
  Outcome run;
  run.end = world.trace().CheckpointNow();
  run.checkpoints.assign(world.trace().checkpoints().begin(),
                         world.trace().checkpoints().end());
  run.answered = world.trace().CountOf(FactKind::HEARTBEAT_ROUND);
  return run;
}

TEST(DeterminismTest, EqualSeedsGiveEqualRuns) {
  const Outcome run = RunOnce(1);
  EXPECT_GT(run.answered, 3000u);
  EXPECT_FALSE(run.checkpoints.empty());
  EXPECT_EQ(RunOnce(1), run);
}

TEST(DeterminismTest, OtherSeedsGiveOtherRuns) {
  const Outcome one = RunOnce(1);
  const Outcome two = RunOnce(2);
  EXPECT_NE(one.end.schedule, two.end.schedule);
  EXPECT_NE(one.end.facts, two.end.facts);
}

TEST(DeterminismTest, MemoryThatIsUsedOtherwiseDoesNotMatter) {
  const Outcome run = RunOnce(3);
  // Blocks of all sizes, every other one freed again: what comes next lies
  // elsewhere, and in another order.
  std::vector<std::unique_ptr<char[]>> blocks;
  for (size_t i = 0; i < 20'000; ++i) {
    blocks.push_back(std::make_unique<char[]>(16 + i * 37 % 2000));
  }
  for (size_t i = 0; i < blocks.size(); i += 2) blocks[i].reset();
  EXPECT_EQ(RunOnce(3), run);
}

TEST(DeterminismTest, AWorldInsideOfAnotherDoesNotDisturbIt) {
  const Outcome run = RunOnce(4);
  World outer{WorldOptions{}};
  std::optional<Outcome> inner;
  outer.After(1s, [&] { inner = RunOnce(4); });
  outer.RunFor(2s);
  EXPECT_EQ(inner, run);
}

TEST(DeterminismTest, ShuffledTiesAreTheSameInEveryRun) {
  const Outcome run = RunOnce(5, true);
  EXPECT_EQ(RunOnce(5, true), run);
  EXPECT_NE(RunOnce(5, false).end.schedule, run.end.schedule);
}

}  // namespace
}  // namespace groupsim
