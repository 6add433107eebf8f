// The queues that a producer sends to, and whose turn it is.
#ifndef GROUPSIM_MODEL_CLIENT_PUBLISH_INFO_H_
#define GROUPSIM_MODEL_CLIENT_PUBLISH_INFO_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// TopicPublishInfo with its ThreadLocalIndex, and MQFaultStrategy without the
// latency table (5.3.3). Upstream keeps one index per thread; here all sends
// of a producer share one, as those of one thread do.
class PublishInfo {
 public:
  PublishInfo() = default;
  // `start` is where the index begins; upstream draws it.
  PublishInfo(std::vector<MessageQueue> queues, uint32_t start)
      : queues_(std::move(queues)), index_(start) {}

  // Whether there is a queue to send to.
  bool ok() const { return !queues_.empty(); }

  // The next queue in the round whose broker is not `last_broker`, the one
  // that failed before; failing that, simply the next. `last_broker` is empty
  // at the first attempt. Only while ok().
  const MessageQueue& Select(Name last_broker) {
    CHECK(ok());
    for (size_t i = 0; i < queues_.size(); ++i) {
      const MessageQueue& queue = Next();
      if (last_broker.empty() || queue.broker != last_broker) return queue;
    }
    return Next();
  }

 private:
  const MessageQueue& Next() {
    ++index_;
    return queues_[(index_ & 0x7fffffffu) % queues_.size()];
  }

  std::vector<MessageQueue> queues_;
  uint32_t index_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PUBLISH_INFO_H_
