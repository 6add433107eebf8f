// How far the queues of a consumer are consumed, as it knows itself.
#ifndef GROUPSIM_MODEL_CLIENT_CONSUMED_OFFSETS_H_
#define GROUPSIM_MODEL_CLIENT_CONSUMED_OFFSETS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// The offset table of RemoteBrokerOffsetStore, with its ControllableOffset
// (5.3.3). An offset is that of the next message to consume.
class ConsumedOffsets {
 public:
  // The offset, or -1 if there is none (readOffset, READ_FROM_MEMORY).
  int64_t Find(const MessageQueue& queue) const {
    const auto it = offsets_.find(queue);
    return it == offsets_.end() ? -1 : it->second.offset;
  }

  // Sets the offset, unless it is frozen (updateOffset without increaseOnly).
  void Set(const MessageQueue& queue, int64_t offset) {
    Entry& entry =
        offsets_.try_emplace(queue, Entry{offset, false}).first->second;
    if (!entry.frozen) entry.offset = offset;
  }

  // The same, but never lowers it (updateOffset with increaseOnly).
  void Raise(const MessageQueue& queue, int64_t offset) {
    Entry& entry =
        offsets_.try_emplace(queue, Entry{offset, false}).first->second;
    if (!entry.frozen && offset > entry.offset) entry.offset = offset;
  }

  // Sets the offset for good: until it is removed (updateAndFreezeOffset).
  void SetAndFreeze(const MessageQueue& queue, int64_t offset) {
    offsets_.insert_or_assign(queue, Entry{offset, true});
  }

  void Remove(const MessageQueue& queue) { offsets_.erase(queue); }

  // Forgets the offset of every queue that `keep` denies.
  void RemoveUnless(absl::FunctionRef<bool(const MessageQueue&)> keep) {
    absl::erase_if(offsets_,
                   [keep](const auto& entry) { return !keep(entry.first); });
  }

 private:
  struct Entry {
    int64_t offset = 0;
    bool frozen = false;
  };

  absl::flat_hash_map<MessageQueue, Entry> offsets_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CONSUMED_OFFSETS_H_
