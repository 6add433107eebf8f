#include "model/broker/offset_table.h"

#include <algorithm>
#include <cstdint>

namespace groupsim {

int64_t OffsetTable::Commit(uint32_t queue, Name group, int64_t offset) {
  if (queue >= queues_.size()) queues_.resize(size_t{queue} + 1);
  Queue& entry_queue = queues_[queue];
  int64_t before = -1;
  Entry* found = nullptr;
  for (Entry& entry : entry_queue.entries) {
    if (entry.group == group) found = &entry;
  }
  if (found != nullptr) {
    before = found->offset;
    if (before == offset) return before;
    found->offset = offset;
  } else {
    entry_queue.entries.push_back(Entry{group, offset});
  }
  if (!entry_queue.changed) {
    entry_queue.changed = true;
    changed_.push_back(queue);
  }
  return before;
}

void OffsetTable::Erase(uint32_t queue, Name group) {
  if (Query(queue, group) < 0) return;
  Queue& of = queues_[queue];
  const auto end = std::remove_if(
      of.entries.begin(), of.entries.end(),
      [group](const Entry& entry) { return entry.group == group; });
  of.entries.erase(end, of.entries.end());
  if (of.changed) return;
  of.changed = true;
  changed_.push_back(queue);
}

void OffsetTable::CopyTo(OffsetTable& image) {
  if (image.queues_.size() < queues_.size()) {
    image.queues_.resize(queues_.size());
  }
  for (const uint32_t queue : changed_) {
    image.queues_[queue].entries = queues_[queue].entries;
    queues_[queue].changed = false;
  }
  changed_.clear();
}

void OffsetTable::LoadFrom(const OffsetTable& image) {
  queues_ = image.queues_;
  changed_.clear();
}

}  // namespace groupsim
