#include "model/wire/message_queue.h"

#include <compare>
#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"

namespace groupsim {

std::strong_ordering operator<=>(const MessageQueue& a, const MessageQueue& b) {
  if (const auto by_topic = a.topic <=> b.topic; by_topic != 0) return by_topic;
  if (const auto by_broker = a.broker <=> b.broker; by_broker != 0) {
    return by_broker;
  }
  return a.queue_id <=> b.queue_id;
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
