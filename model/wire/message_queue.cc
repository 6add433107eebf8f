#include "model/wire/message_queue.h"

#include <compare>
#include <cstdint>
#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"

namespace groupsim {

std::strong_ordering operator<=>(const MessageQueue& a, const MessageQueue& b) {
  if (const auto by_topic = a.topic <=> b.topic; by_topic != 0) return by_topic;
  if (const auto by_broker = a.broker <=> b.broker; by_broker != 0) {
    return by_broker;
  }
  // A difference of 32 bits that may wrap, as upstream: an order only among
  // ids less than 2^31 apart, such as those of real queues.
  const uint32_t difference =
      static_cast<uint32_t>(a.queue_id) - static_cast<uint32_t>(b.queue_id);
  return static_cast<int32_t>(difference) <=> 0;
}

std::string ToString(const MessageQueue& queue) {
  return absl::StrCat("MessageQueue [topic=", queue.topic.text(),
                      ", brokerName=", queue.broker.text(),
                      ", queueId=", queue.queue_id, "]");
}

std::ostream& operator<<(std::ostream& out, const MessageQueue& queue) {
  return out << ToString(queue);
}

}  // namespace groupsim
