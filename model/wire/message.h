// A message as facts about it; a body is only a size.
#ifndef GROUPSIM_MODEL_WIRE_MESSAGE_H_
#define GROUPSIM_MODEL_WIRE_MESSAGE_H_

#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// Which message one is a copy of that was sent back or delayed: the place of
// the first one. Upstream's messages have the property RETRY_TOPIC, the topic
// here, and an ORIGIN_MESSAGE_ID, which is an address and a position in a log.
struct MessageOrigin {
  Name topic;           // Empty where a message is no copy.
  uint32_t offset = 0;  // In its queue.
  uint16_t broker = 0;  // Name id.
  uint16_t queue = 0;

  friend bool operator==(const MessageOrigin&, const MessageOrigin&) = default;
  template <class H>
  friend H AbslHashValue(H state, const MessageOrigin& origin) {
    return H::combine(std::move(state), origin.topic, origin.offset,
                      origin.broker, origin.queue);
  }
};

// One stored message. Which queue it is in is said by what carries it.
struct Message {
  int64_t queue_offset = 0;       // Position in its queue, from 0.
  int64_t commit_log_offset = 0;  // Position in the broker's log, bytes.
  Instant born;                   // When the producer made it.
  Instant stored;                 // When the broker appended it.
  uint64_t key = 0;               // The producer's key; 0 for none.
  Name tag;                       // Empty for none.
  int32_t body_size = 0;          // Bytes; -1 for no body at all.
  int32_t reconsume_times = 0;    // How often it was sent back before.
  MessageOrigin origin;
};
// Millions are cached at once.
static_assert(sizeof(Message) <= 72);

// The first copy of the message that lies in `queue`: its origin, or itself.
MessageOrigin FirstCopyOf(const Message& message, const MessageQueue& queue);

// Messages of one answer to a pull: one most of the time, 32 at most.
using MessageBatch = absl::InlinedVector<Message, 1>;

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_WIRE_MESSAGE_H_
