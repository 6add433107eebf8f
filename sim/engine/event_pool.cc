#include "sim/engine/event_pool.h"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "model/base/check.h"

namespace groupsim {

EventPool::EventPool() {
  AddBlock();
  // The slot of the handle that names no event: there to be looked at.
  At(0).state = EventSlot::kFree;
}

uint32_t EventPool::TakeFresh() {
  CHECK(used_ <= EventWord::kMaxSlot)
      << "more than " << EventWord::kMaxSlot << " events are pending";
  if (used_ == blocks_.size() * kBlockSlots) AddBlock();
  return used_++;
}

void EventPool::AddBlock() {
  // Not initialised: the pages of a block come into use one by one. From the
  // second block on the kernel is asked for large pages, since slots are
  // visited in no order and looking up small pages costs more than the visit.
  constexpr size_t kBytes = kBlockSlots * sizeof(EventSlot);
  static_assert(kBytes == 2 * 1'024 * 1'024, "the size of a large page");
  void* block = std::aligned_alloc(kBytes, kBytes);
  CHECK(block != nullptr) << "out of memory";
  if (!blocks_.empty()) madvise(block, kBytes, MADV_HUGEPAGE);
  blocks_.emplace_back(static_cast<EventSlot*>(block));
}

}  // namespace groupsim
