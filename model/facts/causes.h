// The enumerations that facts carry in `count` and `value`. Numbers are part
// of the fact fingerprint: never reused, never renumbered.
#ifndef GROUPSIM_MODEL_FACTS_CAUSES_H_
#define GROUPSIM_MODEL_FACTS_CAUSES_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace groupsim {

// What a process is.
enum class ProcessRole : int64_t {
  kNameServer = 1,
  kBroker = 2,
  kConsumer = 3,
  kProducer = 4,
};

// Why a connection ended.
enum class CloseReason : int64_t {
  kLocal = 1,    // This side closed it.
  kRemote = 2,   // The peer closed it (FIN).
  kReset = 3,    // The peer, or the network, reset it.
  kRefused = 4,  // Nobody listens at the address.
  kTimeout = 5,  // The connection was not established in time.
  kIdle = 6,     // Closed here since nothing was read or written for too long.
  kUnacknowledged = 7,  // TCP gave up: what was sent was not acknowledged.
};

// Why a name server removed a broker.
enum class BrokerRemovalCause : int64_t {
  kUnregistered = 1,
  kChannelClosed = 2,
  kExpired = 3,
};

// Why a broker removed a member's connection.
enum class MemberRemovalCause : int64_t {
  kUnregistered = 1,
  kChannelClosed = 2,
  kChannelIdle = 3,
  kExpired = 4,
};

// Why a process queue was dropped.
enum class DropCause : int64_t {
  kNotAllocated = 1,
  kPullExpired = 2,
  kOffsetIllegal = 3,
  kUnsubscribed = 4,
  kShutdown = 5,
  kOffsetReset = 6,  // An administrator had the client go back or forward.
};

// Why a pull attempt was put off.
enum class PostponeReason : int64_t {
  kNotRunning = 1,
  kSuspended = 2,
  kCount = 3,  // More than pull_threshold_for_queue messages cached.
  kSize = 4,   // More than pull_threshold_size_for_queue MiB cached.
  kSpan = 5,   // Wider than consume_concurrently_max_span.
  kNotLocked = 6,
  kNoSubscription = 7,
  kNoBroker = 8,  // No address of the broker is known.
  kNoOffset = 9,  // Where an orderly queue begins was not to be learnt.
};

// How a consumer found that it does not hold a lock.
enum class LockLossCause : int64_t {
  kRefused = 1,     // A renewal was refused: another client holds it.
  kNotRenewed = 2,  // No renewal was answered for lock_max_live_time.
};

// What a listener answered: ConsumeConcurrentlyStatus or ConsumeOrderlyStatus.
enum class ConsumeStatus : int64_t {
  kSuccess = 0,         // CONSUME_SUCCESS; SUCCESS where orderly.
  kReconsumeLater = 1,  // RECONSUME_LATER; SUSPEND_CURRENT_QUEUE_A_MOMENT.
  kException = 2,       // It threw.
  kNull = 3,            // It returned null.
  kCommit = 4,          // COMMIT; only where orderly.
  kRollback = 5,        // ROLLBACK; only where orderly.
};

// Short lower-case words for people: "closed by the peer", "count".
absl::string_view NameOf(ProcessRole role);
absl::string_view NameOf(CloseReason reason);
absl::string_view NameOf(BrokerRemovalCause cause);
absl::string_view NameOf(MemberRemovalCause cause);
absl::string_view NameOf(DropCause cause);
absl::string_view NameOf(PostponeReason reason);
absl::string_view NameOf(LockLossCause cause);
absl::string_view NameOf(ConsumeStatus status);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_FACTS_CAUSES_H_
