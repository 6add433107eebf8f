// The queues that a producer sends to, and whose turn it is.
#ifndef GROUPSIM_MODEL_CLIENT_PUBLISH_INFO_H_
#define GROUPSIM_MODEL_CLIENT_PUBLISH_INFO_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/check.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// TopicPublishInfo with its ThreadLocalIndex (5.3.3). Upstream keeps one index
// per thread; here all sends of a producer share one, as those of one thread
// do.
class PublishInfo {
 public:
  PublishInfo() = default;
  // `start` is where the index begins; upstream draws it.
  PublishInfo(std::vector<MessageQueue> queues, uint32_t start)
      : queues_(std::move(queues)), index_(start) {}

  // Whether there is a queue to send to.
  bool ok() const { return !queues_.empty(); }

  const std::vector<MessageQueue>& queues() const { return queues_; }

  // The next queue in the round that `wanted` takes, within one whole round;
  // null if it takes none. Only while ok().
  template <class Wanted>
  const MessageQueue* NextIf(Wanted wanted) {
    for (size_t i = 0; i < queues_.size(); ++i) {
      const MessageQueue& queue = Next();
      if (wanted(queue)) return &queue;
    }
    return nullptr;
  }

  // The next queue in the round. Only while ok().
  const MessageQueue& Next() {
    CHECK(ok());
    ++index_;
    return queues_[(index_ & 0x7fffffffu) % queues_.size()];
  }

  // Where the index stands. It wraps around.
  uint32_t index() const { return index_; }
  // Puts it elsewhere; upstream draws the place (resetIndex).
  void ResetIndex(uint32_t index) { index_ = index; }

 private:
  std::vector<MessageQueue> queues_;
  uint32_t index_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PUBLISH_INFO_H_
