// Who may consume which queue in order.
#ifndef GROUPSIM_MODEL_BROKER_QUEUE_LOCK_TABLE_H_
#define GROUPSIM_MODEL_BROKER_QUEUE_LOCK_TABLE_H_

#include <cstdint>

#include "absl/container/btree_map.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// The table of RebalanceLockManager, 5.3.3. A lock belongs to a client id, so
// that two clients of one id share it. Nothing but its holder's request ends
// it: neither the end of a connection nor an unregistration. One that was not
// renewed for longer than the limit stays in the table and is its holder's
// until somebody asks for it.
//
// Times are wall-clock milliseconds.
class QueueLockTable {
 public:
  enum class Outcome {
    kGranted,    // Nobody held it.
    kRenewed,    // The client held it.
    kTakenOver,  // Its holder, maybe the client itself, was too late.
    kRefused,    // Another client holds it.
  };
  struct Answer {
    Outcome outcome = Outcome::kGranted;
    // Where somebody held it: who, and how long ago it was last renewed.
    Name holder;
    int64_t age_millis = 0;
  };

  // A lock lives for `max_live_time` after its last renewal.
  explicit QueueLockTable(Duration max_live_time)
      : max_live_millis_(max_live_time.millis()) {}

  // Gives the queue's lock to the client or renews it, if it may have it
  // (tryLockBatch of one queue).
  Answer Lock(Name group, const MessageQueue& queue, Name client_id,
              int64_t now_millis);

  // Ends the client's lock, expired or not. False if it is not the client's
  // (unlockBatch of one queue).
  bool Unlock(Name group, const MessageQueue& queue, Name client_id);

  // Ends all locks; false if there were none.
  bool Clear();

  // Whether the group has a lock that is not expired (isLockAllExpired,
  // negated).
  bool HoldsAny(Name group, int64_t now_millis) const;

 private:
  struct Entry {
    Name client_id;
    int64_t renewed_millis = 0;
  };
  bool Expired(const Entry& entry, int64_t now_millis) const {
    return now_millis - entry.renewed_millis > max_live_millis_;
  }

  const int64_t max_live_millis_;
  absl::btree_map<Name, absl::btree_map<MessageQueue, Entry>> groups_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_QUEUE_LOCK_TABLE_H_
