// A message as facts about it; a body is only a size.
#ifndef GROUPSIM_MODEL_WIRE_MESSAGE_H_
#define GROUPSIM_MODEL_WIRE_MESSAGE_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "model/base/name.h"
#include "model/base/time.h"

namespace groupsim {

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
};

// Messages of one answer to a pull: one most of the time, 32 at most.
using MessageBatch = absl::InlinedVector<Message, 1>;

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_WIRE_MESSAGE_H_
