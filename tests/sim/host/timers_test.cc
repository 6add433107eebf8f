#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/base/time.h"
#include "model/runtime/timer.h"
#include "sim/engine/engine.h"
#include "sim/host/host_timers.h"
#include "sim/host/slot_table.h"
#include "sim/host/world.h"
#include "tests/support/lambda_process.h"

namespace groupsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Target final : public TimerTarget {
 public:
  Target(const Engine& engine, std::vector<std::string>& log, std::string name)
      : engine_(engine), log_(log), name_(std::move(name)) {}
  void OnTimer() override {
    log_.push_back(
        absl::StrCat(engine_.now().since_start().millis(), " ", name_));
    if (then) then();
  }
  std::function<void()> then;

 private:
  const Engine& engine_;
  std::vector<std::string>& log_;
  const std::string name_;
};

class HostTimersTest : public ::testing::Test {
 protected:
  static Instant At(Duration when) { return Instant::Start() + when; }

  Engine engine_;
  HostTimers timers_{engine_, HostTimers::RegisterEvent(engine_), 1};
  std::vector<std::string> log_;
  Target a_{engine_, log_, "a"};
  Target b_{engine_, log_, "b"};
};

TEST_F(HostTimersTest, EachArmingFiresOnceAtItsTime) {
  timers_.Arm(At(20ms), &a_);
  timers_.Arm(At(10ms), &b_);
  timers_.Arm(At(20ms), &b_);
  engine_.RunUntil(At(1s));
  EXPECT_THAT(log_, ElementsAre("10 b", "20 a", "20 b"));
  EXPECT_EQ(timers_.armed(), 0u);
}

TEST_F(HostTimersTest, ATimeThatHasPassedIsNowButInALaterTurn) {
  engine_.RunUntil(At(5ms));
  timers_.Arm(At(1ms), &a_);
  EXPECT_THAT(log_, IsEmpty());
  engine_.RunUntil(At(5ms));
  EXPECT_THAT(log_, ElementsAre("5 a"));
}

TEST_F(HostTimersTest, ADisarmedTimerNeverFires) {
  const TimerId id = timers_.Arm(At(10ms), &a_);
  timers_.Disarm(id);
  timers_.Disarm(id);
  engine_.RunUntil(At(1s));
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(HostTimersTest, AStaleIdDisarmsNothing) {
  const TimerId fired = timers_.Arm(At(10ms), &a_);
  engine_.RunUntil(At(10ms));
  const TimerId again = timers_.Arm(At(20ms), &b_);
  EXPECT_NE(fired, again);
  timers_.Disarm(fired);
  timers_.Disarm(0);
  engine_.RunUntil(At(1s));
  EXPECT_THAT(log_, ElementsAre("10 a", "20 b"));
}

TEST_F(HostTimersTest, ATargetMayDisarmAndArmOthersOfItsInstant) {
  const TimerId b = timers_.Arm(At(11ms), &b_);
  a_.then = [&] {
    timers_.Disarm(b);
    timers_.Arm(At(10ms), &b_);
  };
  timers_.Arm(At(10ms), &a_);
  engine_.RunUntil(At(1s));
  EXPECT_THAT(log_, ElementsAre("10 a", "10 b"));
}

TEST_F(HostTimersTest, NoneFiresAfterTheTimersDied) {
  {
    HostTimers mortal(engine_, HostTimers::RegisterEvent(engine_), 2);
    mortal.Arm(At(10ms), &a_);
    mortal.Disarm(mortal.Arm(At(10ms), &a_));
    mortal.Arm(At(20ms), &b_);
  }
  EXPECT_EQ(engine_.pending(), 0u);
  engine_.RunUntil(At(1s));
  EXPECT_THAT(log_, IsEmpty());
}

TEST(SlotTableTest, ARemovedIdStaysUnknownWhenItsPlaceIsUsedAgain) {
  SlotTable<int> table;
  const uint64_t first = table.Add(1);
  table.Remove(first);
  const uint64_t second = table.Add(2);
  EXPECT_EQ(table.Find(first), nullptr);
  ASSERT_NE(table.Find(second), nullptr);
  EXPECT_EQ(*table.Find(second), 2);
  EXPECT_EQ(table.size(), 1u);
  EXPECT_EQ(table.Find(0), nullptr);
  EXPECT_EQ(table.Find(~uint64_t{0}), nullptr);
}

}  // namespace
}  // namespace groupsim
