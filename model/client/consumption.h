// What becomes of pulled messages.
#ifndef GROUPSIM_MODEL_CLIENT_CONSUMPTION_H_
#define GROUPSIM_MODEL_CLIENT_CONSUMPTION_H_

#include <cstdint>

#include "absl/types/span.h"
#include "model/base/time.h"
#include "model/client/owned_queues.h"
#include "model/runtime/task.h"
#include "model/wire/message.h"

namespace groupsim {

// ConsumeMessageService, 5.3.3.
class Consumption {
 public:
  virtual ~Consumption() = default;

  // The consumer starts.
  virtual void Start() = 0;

  // Messages of one queue are in its cache; `start` is what PutMessages said of
  // them. False after a shutdown, if something was to be begun: it is not
  // (submitConsumeRequest).
  virtual bool Submit(const OwnedQueuePtr& owned,
                      absl::Span<const Message> messages, bool start) = 0;

  // Takes nothing any more. Waits up to `limit` for what was submitted; then
  // forgets what has not begun, and waits up to `limit` again for what has.
  // Listeners do not care for being interrupted: they go on, and their results
  // count as long as their queues are not dropped (ThreadUtils
  // .shutdownGracefully).
  virtual Task<void> Shutdown(Duration limit) = 0;

  // Threads at work, and what waits for one.
  virtual int running() const = 0;
  virtual int64_t waiting() const = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CONSUMPTION_H_
