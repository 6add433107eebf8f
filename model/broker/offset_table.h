// How far groups have consumed (ConsumerOffsetManager, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_OFFSET_TABLE_H_
#define GROUPSIM_MODEL_BROKER_OFFSET_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "model/base/check.h"
#include "model/base/name.h"

namespace groupsim {

// Offsets by queue, given as its index in the broker's MessageStore, and group.
class OffsetTable {
 public:
  // The group's offset, or -1.
  int64_t Query(uint32_t queue, Name group) const {
    if (queue >= queues_.size()) return -1;
    for (const Entry& entry : queues_[queue].entries) {
      if (entry.group == group) return entry.offset;
    }
    return -1;
  }

  // Overwrites the group's offset, also by a smaller one, and returns the one
  // before, -1 for none. `offset` is not checked against anything.
  int64_t Commit(uint32_t queue, Name group, int64_t offset);

  // Forgets the group's offset.
  void Erase(uint32_t queue, Name group);

  // Brings `image` up to date with this table. `image` must be a copy of this
  // table as of the last CopyTo or LoadFrom.
  void CopyTo(OffsetTable& image);
  // Takes everything over from `image`.
  void LoadFrom(const OffsetTable& image);

 private:
  struct Entry {
    Name group;
    int64_t offset;
  };
  struct Queue {
    absl::InlinedVector<Entry, 1> entries;
    bool changed = false;  // Since the last CopyTo; then in changed_.
  };

  std::vector<Queue> queues_;
  std::vector<uint32_t> changed_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_OFFSET_TABLE_H_
