#include "model/runtime/frame_pool.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#include "model/base/check.h"

namespace groupsim {
namespace {

// Where this thread's coroutines get their frames; only memory, no state of a
// world. lint: allow(FramePool)
thread_local FramePool* current_pool = nullptr;

}  // namespace

// Stands before each frame.
struct alignas(std::max_align_t) FramePool::Header {
  FramePool* pool;  // Null: from the heap.
  size_t index;     // Size class.
  Header* next;     // While free.
};

FramePool::~FramePool() {
  CHECK_EQ(live_, 0) << "coroutines outlive their frame pool";
  for (Header* head : free_) {
    while (head != nullptr) {
      Header* next = head->next;
      std::free(head);
      head = next;
    }
  }
}

FramePool::Scope::Scope(FramePool& pool) : outer_(current_pool) {
  current_pool = &pool;
}

FramePool::Scope::~Scope() { current_pool = outer_; }

void* FramePool::Allocate(size_t size) {
  const size_t index = (size + kClassBytes - 1) / kClassBytes;
  FramePool* pool = index < kClasses ? current_pool : nullptr;
  if (pool != nullptr) ++pool->live_;
  if (pool != nullptr && pool->free_[index] != nullptr) {
    Header* header = pool->free_[index];
    pool->free_[index] = header->next;
    return header + 1;
  }
  auto* header =
      static_cast<Header*>(std::malloc(sizeof(Header) + index * kClassBytes));
  CHECK(header != nullptr) << "out of memory";
  header->pool = pool;
  header->index = index;
  return header + 1;
}

void FramePool::Free(void* frame) noexcept {
  Header* header = static_cast<Header*>(frame) - 1;
  FramePool* pool = header->pool;
  if (pool == nullptr) {
    std::free(header);
    return;
  }
  --pool->live_;
  header->next = pool->free_[header->index];
  pool->free_[header->index] = header;
}

}  // namespace groupsim
