#include "sim/engine/event_pool.h"

#include <cstdint>
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
  // Not initialised: the pages of a block come into use one by one.
  blocks_.push_back(std::unique_ptr<EventSlot[]>(new EventSlot[kBlockSlots]));
}

}  // namespace groupsim
