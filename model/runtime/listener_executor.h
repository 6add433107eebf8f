// The seam to user code: message listeners.
#ifndef GROUPSIM_MODEL_RUNTIME_LISTENER_EXECUTOR_H_
#define GROUPSIM_MODEL_RUNTIME_LISTENER_EXECUTOR_H_

#include <cstdint>
#include <limits>
#include <optional>

#include "absl/types/span.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// One call of a listener.
struct ListenerCall {
  Name group;
  MessageQueue queue;
  absl::Span<const Message> messages;  // Valid only during Run.
  bool orderly = false;  // MessageListenerOrderly, else ...Concurrently.
};

// What the listener answered, and what it set in the context of the call
// (ConsumeConcurrentlyContext, ConsumeOrderlyContext).
struct ListenerResult {
  ConsumeStatus status = ConsumeStatus::kSuccess;
  // Messages up to this position succeeded; only with kSuccess, and only where
  // consumption is concurrent (ackIndex).
  int32_t ack_index = std::numeric_limits<int32_t>::max();
  // Of messages that did not succeed, only where consumption is concurrent:
  // below 0 straight to the dead letters, 0 as the broker likes
  // (delayLevelWhenNextConsume).
  int32_t delay_level = 0;
  // Whether success commits what was taken; only where consumption is orderly
  // (autoCommit).
  bool auto_commit = true;
  // How long the queue rests after it was suspended or rolled back; only where
  // consumption is orderly. None for as long as the consumer's setting says
  // (suspendCurrentQueueTimeMillis of the context).
  std::optional<Duration> suspend_time = {};
  // What each body is afterwards, in bytes, where the listener changed its
  // messages; only where consumption is concurrent.
  std::optional<int32_t> body_size = {};
};

// Told when a listener call ends.
class ListenerDone {
 public:
  virtual void OnListenerDone(const ListenerResult& result) = 0;

 protected:
  ~ListenerDone() = default;
};

// Identifies a running listener call; 0 for none.
using ListenerRunId = uint64_t;

// Runs listener calls aside, as many at once as asked: how many may run is the
// caller's business. The end comes back as a turn of its own, or never if the
// listener hangs.
class ListenerExecutor {
 public:
  virtual ~ListenerExecutor() = default;
  virtual ListenerRunId Run(const ListenerCall& call, ListenerDone* done) = 0;
  // The thread of the call is interrupted (Thread.interrupt). A listener that
  // does not care goes on; one that does ends now, in a turn of its own, with
  // what it answers then. Nothing happens if the call ended before.
  virtual void Interrupt(ListenerRunId id) = 0;
  // `done` is not called any more. Nothing happens if the call ended before.
  virtual void Abandon(ListenerRunId id) = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_LISTENER_EXECUTOR_H_
