// Offsets of a group: what a consumer knows of them, and where they are kept.
#ifndef GROUPSIM_MODEL_CLIENT_OFFSET_STORE_H_
#define GROUPSIM_MODEL_CLIENT_OFFSET_STORE_H_

#include <cstdint>

#include "model/client/consumed_offsets.h"
#include "model/client/owned_queues.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// OffsetStore, 5.3.3. What is consumed is first noted in offsets(); Persist
// puts it where it outlives the process.
class OffsetStore {
 public:
  // Answers of Read besides offsets.
  static constexpr int64_t kNotFound = -1;  // None is stored.
  static constexpr int64_t kFailed = -2;    // It was not to be learnt.

  virtual ~OffsetStore() = default;

  ConsumedOffsets& offsets() { return offsets_; }
  const ConsumedOffsets& offsets() const { return offsets_; }

  // Before anything else, at the start of the consumer; false if that has to
  // be given up (load).
  virtual bool Load() = 0;

  // Looks up the stored offset, notes it and returns it; else kNotFound or
  // kFailed (readOffset, READ_FROM_STORE).
  virtual Task<int64_t> Read(MessageQueue queue) = 0;

  // Stores the offset of one queue, if there is one (persist).
  virtual Task<void> Persist(MessageQueue queue) = 0;

  // The same, and forgets it: the queue is given up
  // (RebalancePushImpl.removeUnnecessaryMessageQueue of a concurrent consumer).
  Task<void> PersistAndForget(MessageQueue queue);

  // Stores the offsets of all queues in the table; nothing at all if the table
  // is empty (persistAll).
  virtual Task<void> PersistAll(const OwnedQueues& owned) = 0;

 private:
  ConsumedOffsets offsets_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_OFFSET_STORE_H_
