#include "model/runtime/waiting.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/runtime/task.h"
#include "tests/support/loop_runtime/loop_host.h"

namespace groupsim {
namespace {

using Log = std::vector<std::string>;

class WaitingTest : public testing::Test {
 protected:
  Env& env() { return host_.env(); }
  void Say(absl::string_view what) {
    log_.push_back(absl::StrCat(env().Now().since_start().millis(), " ", what));
  }

  Task<void> Sleeper(Duration delay) {
    co_await Sleep(env(), delay);
    Say("awake");
  }
  Task<void> SignalWaiter(Signal& signal, Duration limit) {
    const bool set = co_await signal.WaitFor(limit);
    Say(set ? "set" : "over");
  }
  // Takes the lock, if it can, for a while.
  Task<void> Locker(Mutex& mutex, char name, Duration limit, Duration hold) {
    const bool locked = co_await mutex.LockFor(limit);
    Say(absl::StrCat(std::string(1, name), locked ? " locked" : " gave up"));
    if (!locked) co_return;
    const MutexHold holding(mutex);
    co_await Sleep(env(), hold);
  }

  LoopRuntime runtime_{LoopTime::kVirtual};
  LoopHost& host_ = runtime_.AddHost("h");
  Log log_;
  std::unique_ptr<TaskScope> scope_ =
      std::make_unique<TaskScope>(env().ready());
};

TEST_F(WaitingTest, SleepLastsAsLongAsAsked) {
  scope_->Spawn(Sleeper(20ms));
  scope_->Spawn(Sleeper(Duration::Zero()));
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, (Log{"0 awake", "20 awake"}));
}

TEST_F(WaitingTest, ASignalWakesItsWaiterOnce) {
  Signal signal(env());
  scope_->Spawn(SignalWaiter(signal, 1s));
  runtime_.RunFor(5ms);
  signal.Set();
  signal.Set();
  EXPECT_TRUE(log_.empty());
  runtime_.RunFor(5ms);
  scope_->Spawn(SignalWaiter(signal, 20ms));
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, (Log{"5 set", "30 over"}));
  EXPECT_EQ(runtime_.loop().pending(), 0u);
}

TEST_F(WaitingTest, ASignalSetBeforeIsSeenAtOnce) {
  Signal signal(env());
  signal.Set();
  scope_->Spawn(SignalWaiter(signal, 1s));
  runtime_.RunFor(Duration::Zero());
  EXPECT_EQ(log_, Log{"0 set"});
}

TEST_F(WaitingTest, ASignalAtTheVeryLimitCounts) {
  Signal signal(env());
  runtime_.loop().At(Instant() + 20ms, [&] { signal.Set(); });
  scope_->Spawn(SignalWaiter(signal, 20ms));
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, Log{"20 set"});
}

TEST_F(WaitingTest, ALockGoesToItsWaitersInTheirOrder) {
  Mutex mutex(env());
  scope_->Spawn(Locker(mutex, 'a', 1s, 10ms));
  scope_->Spawn(Locker(mutex, 'b', 1s, 10ms));
  scope_->Spawn(Locker(mutex, 'c', 1s, 10ms));
  runtime_.RunFor(5ms);
  EXPECT_TRUE(mutex.locked());
  EXPECT_FALSE(mutex.TryLock());
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, (Log{"0 a locked", "10 b locked", "20 c locked"}));
  EXPECT_FALSE(mutex.locked());
}

TEST_F(WaitingTest, AWaiterLeavesAtItsLimitAndIsPassedOver) {
  Mutex mutex(env());
  scope_->Spawn(Locker(mutex, 'a', 1s, 10ms));
  scope_->Spawn(Locker(mutex, 'b', 5ms, 10ms));
  scope_->Spawn(Locker(mutex, 'c', 1s, 10ms));
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, (Log{"0 a locked", "5 b gave up", "10 c locked"}));
}

TEST_F(WaitingTest, ALockHandedToADestroyedWaiterGoesOn) {
  Mutex mutex(env());
  ASSERT_TRUE(mutex.TryLock());
  auto doomed = std::make_unique<TaskScope>(env().ready());
  doomed->Spawn(Locker(mutex, 'a', 1s, 10ms));
  scope_->Spawn(Locker(mutex, 'b', 1s, 10ms));
  runtime_.RunFor(1ms);
  mutex.Unlock();  // It is a's now, who was not yet told.
  doomed = nullptr;
  runtime_.RunFor(1s);
  EXPECT_EQ(log_, Log{"1 b locked"});
  EXPECT_FALSE(mutex.locked());
}

TEST_F(WaitingTest, ATaskThatIsDestroyedUnlocks) {
  Mutex mutex(env());
  scope_->Spawn(Locker(mutex, 'a', 1s, 1h));
  runtime_.RunFor(1s);
  EXPECT_TRUE(mutex.locked());
  scope_ = nullptr;
  EXPECT_FALSE(mutex.locked());
}

TEST_F(WaitingTest, ASecondWaiterOfASignalIsABug) {
  EXPECT_EXIT(
      {
        Signal signal(env());
        scope_->Spawn(SignalWaiter(signal, 1s));
        scope_->Spawn(SignalWaiter(signal, 1s));
        runtime_.RunFor(1ms);
      },
      testing::ExitedWithCode(70), "a signal has one waiter");
}

}  // namespace
}  // namespace groupsim
