// Storage of pending events.
#ifndef GROUPSIM_SIM_ENGINE_EVENT_POOL_H_
#define GROUPSIM_SIM_ENGINE_EVENT_POOL_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "sim/engine/event.h"

namespace groupsim {

// How an event is named in 64 bits: the generation in the upper 40, the number
// of its slot in the lower 24. No two events of an engine share a generation,
// so that a word is never used twice, and words order events as generations do.
class EventWord {
 public:
  static constexpr int kSlotBits = 24;
  static constexpr int kGenerationBits = 40;
  static constexpr uint32_t kMaxSlot = (uint32_t{1} << kSlotBits) - 1;
  static constexpr uint64_t kMaxGeneration =
      (uint64_t{1} << kGenerationBits) - 1;

  static constexpr uint64_t Make(uint64_t generation, uint32_t slot) {
    return generation << kSlotBits | slot;
  }
  static constexpr uint32_t SlotOf(uint64_t word) {
    return static_cast<uint32_t>(word) & kMaxSlot;
  }
  static constexpr uint64_t GenerationOf(uint64_t word) {
    return word >> kSlotBits;
  }
};

// One pending event: a cache line.
struct alignas(64) EventSlot {
  alignas(8) unsigned char payload[kMaxEventPayload];
  uint64_t tag;    // The scheduler's word for the schedule fingerprint.
  uint64_t state;  // Generation << 16 | type, or kFree.

  static constexpr uint64_t kFree = ~uint64_t{0};
  EventType type() const { return static_cast<EventType>(state); }
};
static_assert(sizeof(EventSlot) == 64);

// Slots by number. A slot's address never changes; the slot freed last is taken
// first, since it is still in the cache. Memory is kept until the pool dies.
class EventPool {
 public:
  EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  // The number of a free slot, from 1: no event has slot 0. More than
  // EventWord::kMaxSlot pending events are a bug.
  uint32_t Take() {
    if (last_free_ == 0) [[unlikely]] {
      return TakeFresh();
    }
    const uint32_t slot = last_free_;
    last_free_ = static_cast<uint32_t>(At(slot).tag);
    return slot;
  }

  // Gives a slot back.
  void Free(uint32_t slot) {
    EventSlot& freed = At(slot);
    freed.state = EventSlot::kFree;
    freed.tag = last_free_;  // Free slots are chained by their tags.
    last_free_ = slot;
  }

  EventSlot& At(uint32_t slot) {
    return blocks_[slot >> kBlockBits][slot & kBlockMask];
  }
  const EventSlot& At(uint32_t slot) const {
    return blocks_[slot >> kBlockBits][slot & kBlockMask];
  }

  // Whether the event of this word is still pending.
  bool IsLive(uint64_t word) const {
    return At(EventWord::SlotOf(word)).state >> 16 ==
           EventWord::GenerationOf(word);
  }

  // Asks the cache for the slot of a word. Always inline: GCC takes a function
  // that only prefetches for one without effect and drops the call.
  [[gnu::always_inline]] void Prefetch(uint64_t word) const {
    __builtin_prefetch(&At(EventWord::SlotOf(word)), 1);
  }

  // Memory of the slots that were ever taken, in bytes. The rest of a block is
  // address space.
  size_t bytes() const { return used_ * sizeof(EventSlot); }

 private:
  static constexpr int kBlockBits = 15;
  static constexpr uint32_t kBlockSlots = uint32_t{1} << kBlockBits;
  static constexpr uint32_t kBlockMask = kBlockSlots - 1;

  struct FreeBlock {
    void operator()(EventSlot* slots) const { std::free(slots); }
  };

  uint32_t TakeFresh();
  void AddBlock();

  std::vector<std::unique_ptr<EventSlot[], FreeBlock>> blocks_;
  uint32_t last_free_ = 0;  // Head of the chain of free slots; 0 ends it.
  uint32_t used_ = 1;       // Slots from 1 to below this were taken once.
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_ENGINE_EVENT_POOL_H_
