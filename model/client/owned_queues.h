// The queues that a consumer owns.
#ifndef GROUPSIM_MODEL_CLIENT_OWNED_QUEUES_H_
#define GROUPSIM_MODEL_CLIENT_OWNED_QUEUES_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/container/btree_map.h"
#include "absl/types/span.h"
#include "model/base/name.h"
#include "model/client/process_queue.h"
#include "model/facts/causes.h"
#include "model/runtime/env.h"
#include "model/runtime/waiting.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// One queue and its messages. Pulls, listener calls and timers that belong to
// it keep it alive after its consumer has lost it; it is dropped then.
struct OwnedQueue {
  OwnedQueue(Env& env, const MessageQueue& q)
      : queue(q), process_queue(env.WallMillis()), consume_lock(env) {}

  const MessageQueue queue;
  ProcessQueue process_queue;
  // Where consumption is orderly: held while the listener runs, and by who
  // takes the queue away (ProcessQueue.consumeLock).
  Mutex consume_lock;
  // Whether the consumer noticed that it had lost the lock at the broker.
  bool lock_lost = false;
};
using OwnedQueuePtr = std::shared_ptr<OwnedQueue>;

// RebalanceImpl.processQueueTable, 5.3.3. Being in the table is owning a queue;
// whatever happens to one goes through here, so that it becomes a fact.
class OwnedQueues {
 public:
  using Map = absl::btree_map<MessageQueue, OwnedQueuePtr>;

  // `env` must outlive it.
  OwnedQueues(Env& env, Name group) : env_(env), group_(group) {}

  // Null if it is not in the table.
  OwnedQueuePtr Find(const MessageQueue& queue) const;
  // In order of queue; dropped ones that could not be removed are among them.
  const Map& all() const { return all_; }

  // A queue that is not in the table yet.
  OwnedQueuePtr Make(const MessageQueue& queue) const;
  // Puts it in the table unless its key is taken; says whether it did.
  bool Add(const OwnedQueuePtr& owned, int64_t starting_offset);

  // Marks a queue as dropped, in the table or not; nothing if it is so already.
  void Drop(OwnedQueue& owned, DropCause cause);

  // Undoes the drop of a queue that is not in the table. Upstream never does.
  void TakeBack(OwnedQueue& owned);

  // Takes the key out of the table; nothing if it is not in it.
  void Remove(const MessageQueue& queue);

  // Adds pulled messages to the cache of a queue; returns what
  // ProcessQueue::PutMessages does.
  bool PutMessages(OwnedQueue& owned, absl::Span<const Message> messages,
                   int64_t broker_max_offset);
  // Removes consumed ones; returns what ProcessQueue::RemoveMessages does.
  int64_t RemoveMessages(OwnedQueue& owned, absl::Span<const Message> messages);

  // ---- Orderly consumption ----

  // Commits everything taken; returns what ProcessQueue::Commit does.
  std::optional<int64_t> Commit(OwnedQueue& owned);
  // The lock of a queue was got or renewed, now; or it was refused.
  void NoteLocked(OwnedQueue& owned);
  void NoteRefused(OwnedQueue& owned);
  // Its renewals have gone without an answer for too long.
  void NoteNotRenewed(OwnedQueue& owned) {
    NoteLockLost(owned, LockLossCause::kNotRenewed);
  }

 private:
  void NoteLockLost(OwnedQueue& owned, LockLossCause cause);
  // What is cached of a queue that is not dropped changes in `change`.
  template <class Change>
  auto Recount(OwnedQueue& owned, Change change);
  void Abandoned(const OwnedQueue& owned, int64_t first_offset, int64_t count);

  Env& env_;
  const Name group_;
  Map all_;
  // Of all queues that are not dropped, and the largest so far.
  int64_t cached_messages_ = 0;
  int64_t cached_bytes_ = 0;
  int64_t most_messages_ = 0;
  int64_t most_bytes_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_OWNED_QUEUES_H_
