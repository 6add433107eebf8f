#include "model/runtime/frame_pool.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace groupsim {
namespace {

TEST(FramePoolTest, GivesFreedFramesOfASizeAgain) {
  FramePool pool;
  const FramePool::Scope scope(pool);
  void* first = FramePool::Allocate(100);
  FramePool::Free(first);
  EXPECT_EQ(FramePool::Allocate(128), first);  // The same class of 64 bytes.
  FramePool::Free(first);
  void* other = FramePool::Allocate(129);
  EXPECT_NE(other, first);
  FramePool::Free(other);
}

TEST(FramePoolTest, CountsTheFramesThatAreOut) {
  FramePool pool;
  const FramePool::Scope scope(pool);
  std::vector<void*> frames;
  for (size_t size = 1; size < 10'000; size += 97) {
    void* frame = FramePool::Allocate(size);
    std::memset(frame, 0xab, size);  // All of it is ours.
    EXPECT_EQ(reinterpret_cast<uintptr_t>(frame) % alignof(std::max_align_t),
              0u);
    frames.push_back(frame);
  }
  EXPECT_GT(pool.live_frames(), 0);
  for (void* frame : frames) FramePool::Free(frame);
  EXPECT_EQ(pool.live_frames(), 0);
}

TEST(FramePoolTest, TheInnermostScopeOfTheThreadServes) {
  FramePool outer;
  FramePool inner;
  const FramePool::Scope outer_scope(outer);
  void* a = nullptr;
  {
    const FramePool::Scope inner_scope(inner);
    a = FramePool::Allocate(64);
    EXPECT_EQ(inner.live_frames(), 1);
  }
  void* b = FramePool::Allocate(64);
  EXPECT_EQ(outer.live_frames(), 1);
  FramePool::Free(a);  // Goes back to where it came from.
  EXPECT_EQ(inner.live_frames(), 0);
  EXPECT_EQ(outer.live_frames(), 1);
  FramePool::Free(b);
}

TEST(FramePoolTest, WithoutAScopeFramesComeFromTheHeap) {
  void* frame = FramePool::Allocate(64);
  FramePool pool;
  const FramePool::Scope scope(pool);
  FramePool::Free(frame);
  EXPECT_EQ(pool.live_frames(), 0);
}

TEST(FramePoolDeathTest, DyingBeforeAFrameIsABug) {
  EXPECT_EXIT(
      {
        FramePool pool;
        const FramePool::Scope scope(pool);
        FramePool::Allocate(64);
      },
      testing::ExitedWithCode(70), "coroutines outlive their frame pool");
}

}  // namespace
}  // namespace groupsim
