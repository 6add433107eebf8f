#include "model/runtime/timer.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "model/runtime/env.h"
#include "tests/support/loop_runtime/loop_host.h"

namespace groupsim {
namespace {

class TimerTest : public testing::Test {
 protected:
  Env& env() { return host_.env(); }
  LoopRuntime runtime_{LoopTime::kVirtual};
  LoopHost& host_ = runtime_.AddHost("h");
};

TEST_F(TimerTest, FiresOncePerArming) {
  std::vector<Instant> fired;
  Timer timer(env(), [&] { fired.push_back(env().Now()); });
  EXPECT_FALSE(timer.armed());
  timer.Arm(5ms);
  EXPECT_TRUE(timer.armed());
  EXPECT_EQ(timer.deadline(), Instant() + 5ms);
  runtime_.RunFor(1s);
  EXPECT_FALSE(timer.armed());
  timer.Arm(7ms);
  runtime_.RunFor(1s);
  EXPECT_EQ(fired,
            (std::vector<Instant>{Instant() + 5ms, Instant() + 1s + 7ms}));
}

TEST_F(TimerTest, ArmingAgainReplaces) {
  int fired = 0;
  Timer timer(env(), [&] { ++fired; });
  timer.Arm(5ms);
  timer.ArmAt(Instant() + 9ms);
  runtime_.RunFor(8ms);
  EXPECT_EQ(fired, 0);
  runtime_.RunFor(1ms);
  EXPECT_EQ(fired, 1);
}

TEST_F(TimerTest, ThePastCountsAsNowButIsALaterTurn) {
  runtime_.RunFor(1s);
  int fired = 0;
  Timer timer(env(), [&] { ++fired; });
  timer.ArmAt(Instant());
  EXPECT_EQ(fired, 0);
  EXPECT_EQ(timer.deadline(), Instant() + 1s);
  runtime_.RunFor(Duration::Zero());
  EXPECT_EQ(fired, 1);
  timer.Arm(-1 * Duration(5s));
  EXPECT_EQ(fired, 1);
  runtime_.RunFor(Duration::Zero());
  EXPECT_EQ(fired, 2);
}

TEST_F(TimerTest, NeitherCancelledNorDeadOnesFire) {
  int fired = 0;
  Timer cancelled(env(), [&] { ++fired; });
  auto dead = std::make_unique<Timer>(env(), [&] { ++fired; });
  cancelled.Arm(5ms);
  dead->Arm(5ms);
  cancelled.Cancel();
  cancelled.Cancel();
  dead = nullptr;
  runtime_.RunFor(1s);
  EXPECT_EQ(fired, 0);
  EXPECT_EQ(runtime_.loop().pending(), 0u);
}

TEST_F(TimerTest, MayArmItselfWhenItFires) {
  int fired = 0;
  Timer* self = nullptr;
  Timer timer(env(), [&] {
    if (++fired < 3) self->Arm(1ms);
  });
  self = &timer;
  timer.Arm(1ms);
  runtime_.RunFor(1s);
  EXPECT_EQ(fired, 3);
}

}  // namespace
}  // namespace groupsim
