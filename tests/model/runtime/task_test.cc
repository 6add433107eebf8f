#include "model/runtime/task.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/runtime/frame_pool.h"
#include "model/runtime/ready_queue.h"

namespace groupsim {
namespace {

class TaskTest : public testing::Test {
 protected:
  // Gives `value` back at once.
  static Task<int64_t> Value(int64_t value) { co_return value; }
  static Task<std::unique_ptr<std::string>> Boxed(std::string text) {
    co_return std::make_unique<std::string>(std::move(text));
  }

  FramePool pool_;
  FramePool::Scope pool_scope_{pool_};
  ReadyQueue ready_;
  TaskScope scope_{ready_};
};

Task<void> Append(std::vector<int>& log, int value) {
  log.push_back(value);
  co_return;
}

TEST_F(TaskTest, DoesNothingUntilItIsAwaitedOrSpawned) {
  std::vector<int> log;
  { Task<void> never = Append(log, 1); }
  EXPECT_TRUE(log.empty());
  scope_.Spawn(Append(log, 2));
  EXPECT_TRUE(log.empty());
  ready_.Drain();
  EXPECT_EQ(log, std::vector<int>{2});
}

TEST_F(TaskTest, SpawnedTasksBeginInTheOrderSpawnedAndLeaveTheirScope) {
  std::vector<int> log;
  for (int i = 0; i < 5; ++i) scope_.Spawn(Append(log, i));
  EXPECT_FALSE(scope_.empty());
  ready_.Drain();
  EXPECT_EQ(log, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(scope_.empty());
  EXPECT_EQ(pool_.live_frames(), 0);
}

Task<void> Outer(std::vector<int>& log) {
  log.push_back(1);
  co_await Append(log, 2);  // Runs at once, as a call would.
  log.push_back(3);
}

TEST_F(TaskTest, AwaitingRunsTheTaskAtOnceAndItsWaiterByTheReadyQueue) {
  std::vector<int> log;
  scope_.Spawn(Outer(log));
  scope_.Spawn(Append(log, 9));
  ready_.Drain();
  EXPECT_EQ(log, (std::vector<int>{1, 2, 9, 3}));
}

Task<void> Values(std::string& out, Task<int64_t> number,
                  Task<std::unique_ptr<std::string>> text) {
  const int64_t n = co_await std::move(number);
  const std::unique_ptr<std::string> t = co_await std::move(text);
  out = *t + std::to_string(n);
}

TEST_F(TaskTest, GivesValuesThatCanOnlyBeMoved) {
  std::string out;
  scope_.Spawn(Values(out, Value(7), Boxed("seven: ")));
  ready_.Drain();
  EXPECT_EQ(out, "seven: 7");
}

Task<void> Sum(int64_t& sum, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    Task<int64_t> task = [](int64_t value) -> Task<int64_t> {
      co_return value;
    }(i);
    sum += co_await std::move(task);
  }
}

TEST_F(TaskTest, AMillionFinishedTasksAreAwaitedOnOneStack) {
  int64_t sum = 0;
  scope_.Spawn(Sum(sum, 1'000'000));
  ready_.Drain();
  EXPECT_EQ(sum, int64_t{999'999} * 1'000'000 / 2);
  EXPECT_EQ(pool_.live_frames(), 0);
}

// One awaits the next, as deep as a call may reasonably go.
Task<int64_t> Depth(int64_t levels) {
  if (levels == 0) co_return 0;
  Task<int64_t> next = Depth(levels - 1);
  co_return 1 + co_await std::move(next);
}

Task<void> Store(int64_t& out, Task<int64_t> task) {
  out = co_await std::move(task);
}

TEST_F(TaskTest, ChainsOfTasksEndFromTheInnermostOne) {
  int64_t depth = 0;
  scope_.Spawn(Store(depth, Depth(1'000)));
  ready_.Drain();
  EXPECT_EQ(depth, 1'000);
}

TEST_F(TaskTest, MovingATaskOverAnotherOneDestroysThat) {
  std::vector<int> log;
  Task<void> task = Append(log, 1);
  task = Append(log, 2);
  EXPECT_EQ(pool_.live_frames(), 1);
  scope_.Spawn(std::move(task));
  ready_.Drain();
  EXPECT_EQ(log, std::vector<int>{2});
}

}  // namespace
}  // namespace groupsim
