// Memory for coroutine frames.
#ifndef GROUPSIM_MODEL_RUNTIME_FRAME_POOL_H_
#define GROUPSIM_MODEL_RUNTIME_FRAME_POOL_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace groupsim {

// Keeps freed frames by size for the next coroutine. A loop makes its pool the
// thread's current one while it runs (Scope); without one, frames come from the
// heap. A frame goes back to the pool that it came from, which must outlive it.
class FramePool {
 public:
  FramePool() = default;
  ~FramePool();
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  class Scope {
   public:
    explicit Scope(FramePool& pool);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    FramePool* outer_;
  };

  static void* Allocate(size_t size);
  static void Free(void* frame) noexcept;

  // Frames taken and not yet given back; 0 when every task is gone.
  int64_t live_frames() const { return live_; }

 private:
  struct Header;
  static constexpr size_t kClassBytes = 64;
  static constexpr size_t kClasses = 64;  // Larger frames use the heap.

  std::array<Header*, kClasses> free_{};
  int64_t live_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_FRAME_POOL_H_
