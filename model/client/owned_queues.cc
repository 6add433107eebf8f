#include "model/client/owned_queues.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/types/span.h"
#include "model/client/process_queue.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

OwnedQueuePtr OwnedQueues::Find(const MessageQueue& queue) const {
  const auto it = all_.find(queue);
  return it == all_.end() ? nullptr : it->second;
}

OwnedQueuePtr OwnedQueues::Make(const MessageQueue& queue) const {
  auto owned = std::make_shared<OwnedQueue>(env_, queue);
  // Whoever is about to own the queue counts as holding its lock.
  owned->process_queue.set_locked(true);
  return owned;
}

bool OwnedQueues::Add(const OwnedQueuePtr& owned, int64_t starting_offset) {
  if (!all_.try_emplace(owned->queue, owned).second) return false;
  Fact fact = QueueFact(FactKind::QUEUE_ADDED, group_, owned->queue);
  fact.offset = starting_offset;
  env_.Emit(fact);
  return true;
}

void OwnedQueues::Drop(OwnedQueue& owned, DropCause cause) {
  ProcessQueue& queue = owned.process_queue;
  if (queue.dropped()) return;
  queue.MarkDropped();
  cached_messages_ -= queue.msg_count();
  cached_bytes_ -= queue.msg_size();
  Fact fact = QueueFact(FactKind::QUEUE_DROPPED, group_, owned.queue);
  fact.count = static_cast<int64_t>(cause);
  env_.Emit(fact);
  // What is taken is below what is cached.
  const MessageWindow& first =
      queue.in_flight().empty() ? queue.cached() : queue.in_flight();
  if (first.empty()) return;
  Abandoned(owned, first.FirstOffset(), queue.msg_count());
}

void OwnedQueues::TakeBack(OwnedQueue& owned) {
  owned.process_queue.TakeBack();
  cached_messages_ += owned.process_queue.msg_count();
  cached_bytes_ += owned.process_queue.msg_size();
}

void OwnedQueues::Remove(const MessageQueue& queue) {
  const auto it = all_.find(queue);
  if (it == all_.end()) return;
  Fact fact = QueueFact(FactKind::QUEUE_REMOVED, group_, queue);
  fact.count = it->second->process_queue.msg_count();
  all_.erase(it);
  env_.Emit(fact);
}

bool OwnedQueues::PutMessages(OwnedQueue& owned,
                              absl::Span<const Message> messages,
                              int64_t broker_max_offset) {
  ProcessQueue& queue = owned.process_queue;
  const int64_t count_before = queue.msg_count();
  const int64_t bytes_before = queue.msg_size();
  const bool start = queue.PutMessages(messages, broker_max_offset);
  if (queue.dropped()) {
    Abandoned(owned, messages.front().queue_offset,
              static_cast<int64_t>(messages.size()));
    return start;
  }
  cached_messages_ += queue.msg_count() - count_before;
  cached_bytes_ += queue.msg_size() - bytes_before;
  if (cached_messages_ <= most_messages_ && cached_bytes_ <= most_bytes_) {
    return start;
  }
  most_messages_ = std::max(most_messages_, cached_messages_);
  most_bytes_ = std::max(most_bytes_, cached_bytes_);
  Fact fact;
  fact.kind = FactKind::CACHED;
  fact.group = NarrowId(group_);
  fact.count = cached_messages_;
  fact.value = cached_bytes_;
  env_.Emit(fact);
  return start;
}

template <class Change>
auto OwnedQueues::Recount(OwnedQueue& owned, Change change) {
  ProcessQueue& queue = owned.process_queue;
  const int64_t count_before = queue.msg_count();
  const int64_t bytes_before = queue.msg_size();
  auto result = change(queue);
  if (!queue.dropped()) {
    cached_messages_ += queue.msg_count() - count_before;
    cached_bytes_ += queue.msg_size() - bytes_before;
  }
  return result;
}

int64_t OwnedQueues::RemoveMessages(OwnedQueue& owned,
                                    absl::Span<const Message> messages) {
  return Recount(owned, [&](ProcessQueue& queue) {
    return queue.RemoveMessages(messages, env_.WallMillis());
  });
}

std::optional<int64_t> OwnedQueues::Commit(OwnedQueue& owned) {
  return Recount(owned, [](ProcessQueue& queue) { return queue.Commit(); });
}

void OwnedQueues::NoteLocked(OwnedQueue& owned) {
  owned.process_queue.set_locked(true);
  owned.process_queue.set_last_lock_millis(env_.WallMillis());
  if (!owned.lock_lost) return;
  owned.lock_lost = false;
  env_.Emit(QueueFact(FactKind::LOCK_REGAINED, group_, owned.queue));
}

void OwnedQueues::NoteRefused(OwnedQueue& owned) {
  owned.process_queue.set_locked(false);
  NoteLockLost(owned, LockLossCause::kRefused);
}

void OwnedQueues::NoteLockLost(OwnedQueue& owned, LockLossCause cause) {
  if (owned.lock_lost) return;
  owned.lock_lost = true;
  Fact fact = QueueFact(FactKind::LOCK_LOST, group_, owned.queue);
  fact.count = static_cast<int64_t>(cause);
  env_.Emit(fact);
}

void OwnedQueues::Abandoned(const OwnedQueue& owned, int64_t first_offset,
                            int64_t count) {
  Fact fact = QueueFact(FactKind::DROPPED, group_, owned.queue);
  fact.offset = first_offset;
  fact.count = count;
  env_.Emit(fact);
}

}  // namespace groupsim
