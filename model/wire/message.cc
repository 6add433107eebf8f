#include "model/wire/message.h"

#include <cstdint>

#include "model/base/check.h"

namespace groupsim {

MessageOrigin FirstCopyOf(const Message& message, const MessageQueue& queue) {
  if (!message.origin.topic.empty()) return message.origin;
  CHECK(message.queue_offset >= 0 && message.queue_offset <= UINT32_MAX);
  CHECK(queue.broker.id() <= UINT16_MAX && queue.queue_id <= UINT16_MAX);
  MessageOrigin origin;
  origin.topic = queue.topic;
  origin.offset = static_cast<uint32_t>(message.queue_offset);
  origin.broker = static_cast<uint16_t>(queue.broker.id());
  origin.queue = static_cast<uint16_t>(queue.queue_id);
  return origin;
}

}  // namespace groupsim
