// One queue of a topic on one broker.
#ifndef GROUPSIM_MODEL_WIRE_MESSAGE_QUEUE_H_
#define GROUPSIM_MODEL_WIRE_MESSAGE_QUEUE_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "model/base/name.h"

namespace groupsim {

// Equality over the three fields; order by topic, then broker name, then
// queue id, names compared as Java strings (MessageQueue.compareTo).
struct MessageQueue {
  Name topic;
  Name broker;  // Broker name, not address.
  int32_t queue_id = 0;

  friend bool operator==(const MessageQueue&, const MessageQueue&) = default;
  friend std::strong_ordering operator<=>(const MessageQueue& a,
                                          const MessageQueue& b);

  template <class H>
  friend H AbslHashValue(H state, const MessageQueue& queue) {
    return H::combine(std::move(state), queue.topic, queue.broker,
                      queue.queue_id);
  }
};

// Queues in MessageQueue order, shared by all who look at one route.
using QueueList = std::shared_ptr<const std::vector<MessageQueue>>;

// "MessageQueue [topic=T, brokerName=B, queueId=N]": the text of
// MessageQueue.toString, which consistent hashing hashes.
std::string ToString(const MessageQueue& queue);
std::ostream& operator<<(std::ostream& out, const MessageQueue& queue);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_WIRE_MESSAGE_QUEUE_H_
