// Messages pulled but not yet consumed, of one queue owned by one consumer.
#ifndef GROUPSIM_MODEL_CLIENT_PROCESS_QUEUE_H_
#define GROUPSIM_MODEL_CLIENT_PROCESS_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "model/base/time.h"
#include "model/client/message_window.h"
#include "model/wire/message.h"

namespace groupsim {

// What ProcessQueue tells of itself (ProcessQueueInfo). Offsets are 0 where
// there is no message.
struct ProcessQueueInfo {
  int64_t cached_min_offset = 0;
  int64_t cached_max_offset = 0;
  int64_t cached_count = 0;
  int64_t cached_size_in_mib = 0;
  int64_t in_flight_min_offset = 0;
  int64_t in_flight_max_offset = 0;
  int64_t in_flight_count = 0;
};

// ProcessQueue, 5.3.3. Concurrent consumption puts what it pulls and removes
// what is consumed; orderly consumption takes messages in order of offset and
// commits them, or puts them back.
//
// Invariant, as long as no offset is put twice: every offset below the one that
// RemoveMessages or Commit returns has been consumed, so that a restart from
// there loses nothing.
//
// Upstream counts messages and bytes apart from the messages themselves. With
// offsets that repeat, or messages removed that were never put, its counters
// drift and may become negative; so do these.
//
// Times are wall-clock milliseconds.
class ProcessQueue {
 public:
  explicit ProcessQueue(int64_t now_millis)
      : last_pull_millis_(now_millis),
        last_consume_millis_(now_millis),
        last_lock_millis_(now_millis) {}

  // ---- Both ways of consumption ----

  // Caches messages. A message whose offset is cached already replaces the
  // other and is not counted. `broker_max_offset` is the one that the last
  // message was told by the broker, if it was. True if orderly consumption
  // should be started now: there are messages, and nobody consumes
  // (ProcessQueue.putMessage).
  bool PutMessages(absl::Span<const Message> messages,
                   std::optional<int64_t> broker_max_offset);

  // Distance between the first and the last cached offset; 0 if nothing is
  // cached (getMaxSpan).
  int64_t MaxSpan() const;

  // Forgets all messages and counters (clear).
  void Clear();

  // ---- Concurrent consumption ----

  // Forgets messages that are done with; unknown ones are ignored. Returns the
  // offset from which a restart would have to begin: the first that is still
  // cached, else the one after the last that was put; -1 if nothing was cached
  // before (removeMessage).
  int64_t RemoveMessages(absl::Span<const Message> messages,
                         int64_t now_millis);

  // Whether a message with this offset is cached (containsMessage).
  bool Contains(int64_t offset) const {
    return cached_.Find(offset) != nullptr;
  }

  // ---- Orderly consumption ----

  // Whether messages wait to be taken (hasTempMessage).
  bool HasMessagesToTake() const { return !cached_.empty(); }

  // Takes up to `limit` messages with the lowest offsets. If that is none,
  // consumption has ended: the next PutMessages answers true (takeMessages).
  std::vector<Message> TakeMessages(size_t limit, int64_t now_millis);

  // Everything taken is consumed. Returns the offset after the last of it;
  // nothing, and no change, if nothing is taken (commit, which throws then).
  std::optional<int64_t> Commit();

  // Everything taken waits again (rollback).
  void Rollback();

  // These messages wait again; the other taken ones stay so
  // (makeMessageToConsumeAgain).
  void MakeMessagesConsumeAgain(absl::Span<const Message> messages);

  // ---- Being owned ----

  // Lost by its consumer: not pulled any more, and results do not count. For
  // good, but for faulty clients.
  bool dropped() const { return dropped_; }
  void MarkDropped() { dropped_ = true; }
  void TakeBack() { dropped_ = false; }

  // Whether the last attempt to pull is more than `limit` ago (isPullExpired).
  bool IsPullExpired(int64_t now_millis, Duration limit) const {
    return now_millis - last_pull_millis_ > limit.millis();
  }
  void set_last_pull_millis(int64_t millis) { last_pull_millis_ = millis; }
  int64_t last_pull_millis() const { return last_pull_millis_; }
  int64_t last_consume_millis() const { return last_consume_millis_; }

  // Whether the broker's lock on the queue is held, as far as known, and since
  // when it has not been renewed (isLockExpired).
  bool locked() const { return locked_; }
  void set_locked(bool locked) { locked_ = locked; }
  bool IsLockExpired(int64_t now_millis, Duration limit) const {
    return now_millis - last_lock_millis_ > limit.millis();
  }
  void set_last_lock_millis(int64_t millis) { last_lock_millis_ = millis; }
  int64_t last_lock_millis() const { return last_lock_millis_; }

  // How often giving the lock back had to be put off (incTryUnlockTimes).
  void CountTryUnlock() { ++try_unlock_times_; }
  int64_t try_unlock_times() const { return try_unlock_times_; }

  // ---- State ----

  // Messages and bytes of bodies, cached and taken together.
  int64_t msg_count() const { return msg_count_; }
  int64_t msg_size() const { return msg_size_; }
  // Whether an empty cache counts no bytes, whatever listeners did to bodies
  // (since 5.2.0); else those are left that were not there at the end.
  void set_empty_counts_no_bytes(bool value) { empty_counts_no_bytes_ = value; }
  // Offset of the message that was put last, not counting replacements.
  int64_t queue_offset_max() const { return queue_offset_max_; }
  // How far the last batch was behind the broker, in messages.
  int64_t msg_acc_cnt() const { return msg_acc_cnt_; }
  // Whether orderly consumption is under way or scheduled. Stays true for ever
  // where consumption is concurrent.
  bool consuming() const { return consuming_; }
  // Waiting or being consumed concurrently; taken by orderly consumption.
  const MessageWindow& cached() const { return cached_; }
  const MessageWindow& in_flight() const { return in_flight_; }
  // fillProcessQueueInfo
  ProcessQueueInfo Info() const;

 private:
  MessageWindow cached_;     // msgTreeMap
  MessageWindow in_flight_;  // consumingMsgOrderlyTreeMap
  int64_t msg_count_ = 0;
  int64_t msg_size_ = 0;
  bool empty_counts_no_bytes_ = true;
  int64_t queue_offset_max_ = 0;
  int64_t msg_acc_cnt_ = 0;
  int64_t last_pull_millis_;
  int64_t last_consume_millis_;
  int64_t last_lock_millis_;
  int64_t try_unlock_times_ = 0;
  bool dropped_ = false;
  bool locked_ = false;
  bool consuming_ = false;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PROCESS_QUEUE_H_
