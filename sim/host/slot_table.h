// Values by ids that are never used twice.
#ifndef GROUPSIM_SIM_HOST_SLOT_TABLE_H_
#define GROUPSIM_SIM_HOST_SLOT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/check.h"

namespace groupsim {

// An id stays unknown once its value was removed, also when its place is used
// again. 0 is no id. No allocation but to grow.
template <class T>
class SlotTable {
 public:
  uint64_t Add(T value) {
    uint32_t index = 0;
    if (free_.empty()) {
      CHECK_LE(slots_.size(), size_t{kIndexMask});
      index = static_cast<uint32_t>(slots_.size());
      slots_.emplace_back();
    } else {
      index = free_.back();
      free_.pop_back();
    }
    Slot& slot = slots_[index];
    slot.generation = ++generation_;
    slot.value = std::move(value);
    CHECK(generation_ >> (64 - kIndexBits) == 0) << "too many ids in a run";
    return generation_ << kIndexBits | index;
  }

  // Null if there is none, or none any more. Valid until the next Add.
  T* Find(uint64_t id) {
    const uint32_t index = static_cast<uint32_t>(id) & kIndexMask;
    if (id == 0 || index >= slots_.size()) return nullptr;
    Slot& slot = slots_[index];
    return slot.generation == id >> kIndexBits ? &slot.value : nullptr;
  }

  // `id` must be known.
  void Remove(uint64_t id) {
    const uint32_t index = static_cast<uint32_t>(id) & kIndexMask;
    CHECK(Find(id) != nullptr);
    slots_[index].generation = 0;
    slots_[index].value = T();
    free_.push_back(index);
  }

  size_t size() const { return slots_.size() - free_.size(); }

  template <class Visit>
  void ForEach(Visit visit) {
    for (Slot& slot : slots_) {
      if (slot.generation != 0) visit(slot.value);
    }
  }

 private:
  static constexpr int kIndexBits = 24;
  static constexpr uint32_t kIndexMask = (uint32_t{1} << kIndexBits) - 1;

  struct Slot {
    uint64_t generation = 0;  // 0 while unused.
    T value{};
  };

  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
  uint64_t generation_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_SLOT_TABLE_H_
