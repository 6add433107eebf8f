#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/runtime/listener_executor.h"
#include "sim/engine/engine.h"
#include "sim/host/host_listeners.h"
#include "sim/host/listener_behaviour.h"
#include "sim/random/stream.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Serves as many milliseconds as the call has messages; hangs for none.
class ByCount final : public ListenerBehaviour {
 public:
  ListenerPlan Plan(const ListenerCall& call, RandomStream& draws) override {
    drawn.push_back(draws.Next());
    ListenerPlan plan;
    plan.service_time =
        Duration::Millis(static_cast<int64_t>(call.messages.size()));
    plan.hangs = call.messages.empty();
    plan.result.status = ConsumeStatus::kReconsumeLater;
    if (cares) plan.when_interrupted = plan.result;
    return plan;
  }
  std::vector<uint64_t> drawn;
  bool cares = false;  // For being interrupted.
};

class Done final : public ListenerDone {
 public:
  explicit Done(const Engine& engine) : engine_(engine) {}
  void OnListenerDone(const ListenerResult& result) override {
    ends.push_back(engine_.now().since_start().millis());
    EXPECT_EQ(result.status, ConsumeStatus::kReconsumeLater);
    if (then) then();
  }
  std::vector<int64_t> ends;
  std::function<void()> then;

 private:
  const Engine& engine_;
};

class HostListenersTest : public ::testing::Test {
 protected:
  HostListenersTest() {
    listeners_.emplace(
        engine_, HostListeners::RegisterEvent(engine_), 1, behaviour_,
        std::make_unique<CounterStream>(StreamKey::For(1, "c", "listener")));
  }

  ListenerRunId Run(size_t messages) {
    batch_.resize(messages);
    ListenerCall call;
    call.messages = batch_;
    return listeners_->Run(call, &done_);
  }
  void RunUntil(Duration when) { engine_.RunUntil(Instant::Start() + when); }

  Engine engine_;
  ByCount behaviour_;
  Done done_{engine_};
  std::vector<Message> batch_;
  std::optional<HostListeners> listeners_;
};

TEST_F(HostListenersTest, CallsRunSideBySideAndEndAfterTheirServiceTimes) {
  Run(30);
  Run(10);
  Run(20);
  EXPECT_EQ(listeners_->running(), 3u);
  RunUntil(1s);
  EXPECT_THAT(done_.ends, ElementsAre(10, 20, 30));
  EXPECT_EQ(listeners_->running(), 0u);
}

TEST_F(HostListenersTest, AHangingCallNeverEnds) {
  const ListenerRunId id = Run(0);
  RunUntil(24h);
  EXPECT_THAT(done_.ends, IsEmpty());
  EXPECT_EQ(listeners_->running(), 1u);
  listeners_->Abandon(id);
  EXPECT_EQ(listeners_->running(), 0u);
}

TEST_F(HostListenersTest, AnInterruptedCallEndsOnceAndAtOnceIfItCares) {
  const ListenerRunId careless = Run(10);
  behaviour_.cares = true;
  const ListenerRunId busy = Run(20);
  const ListenerRunId hanging = Run(0);
  RunUntil(5ms);
  for (const ListenerRunId id : {careless, busy, hanging, busy}) {
    listeners_->Interrupt(id);
  }
  EXPECT_THAT(done_.ends, IsEmpty());
  RunUntil(30ms);
  EXPECT_THAT(done_.ends, ElementsAre(5, 5, 10));
  EXPECT_EQ(listeners_->running(), 0u);
  listeners_->Interrupt(busy);
  listeners_->Interrupt(0);
  RunUntil(40ms);
  EXPECT_THAT(done_.ends, ElementsAre(5, 5, 10));
}

TEST_F(HostListenersTest, NobodyIsToldOfAnAbandonedCall) {
  const ListenerRunId first = Run(10);
  const ListenerRunId second = Run(10);
  RunUntil(5ms);
  listeners_->Abandon(first);
  RunUntil(20ms);
  EXPECT_THAT(done_.ends, ElementsAre(10));
  listeners_->Abandon(second);
  listeners_->Abandon(first);
  listeners_->Abandon(0);
}

TEST_F(HostListenersTest, TheNextCallMayBeginWhereOneEnds) {
  done_.then = [&] {
    if (done_.ends.size() < 3) Run(10);
  };
  Run(10);
  RunUntil(1s);
  EXPECT_THAT(done_.ends, ElementsAre(10, 20, 30));
}

TEST_F(HostListenersTest, NoCallEndsAfterTheExecutorDied) {
  Run(10);
  Run(0);
  listeners_.reset();
  EXPECT_EQ(engine_.pending(), 0u);
  RunUntil(1s);
  EXPECT_THAT(done_.ends, IsEmpty());
}

TEST_F(HostListenersTest, EachCallDrawsFromTheSameStream) {
  Run(1);
  Run(1);
  CounterStream stream(StreamKey::For(1, "c", "listener"));
  const uint64_t first = stream.Next();
  const uint64_t second = stream.Next();
  EXPECT_THAT(behaviour_.drawn, ElementsAre(first, second));
}

}  // namespace
}  // namespace groupsim
