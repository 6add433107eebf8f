// An application that pulls and deals itself with what it gets.
#ifndef GROUPSIM_MODEL_CLIENT_APPLICATION_H_
#define GROUPSIM_MODEL_CLIENT_APPLICATION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/name.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/task.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// It deals with messages as a listener does with a call. Whether they succeed
// or fail, nobody asks, not even whether their queue is still the consumer's:
// what failed is logged and forgotten.
class Application {
 public:
  // With so many threads to which others hand over, if any. `env` must outlive
  // it.
  Application(Env& env, Name group, int32_t workers = 0);

  // Deals with messages of one queue, of which there is one at least, on the
  // thread that waits for this.
  Task<void> DealWith(MessageQueue queue, std::vector<Message> messages);
  // Has a worker do so when one is free, in the order of these calls. There are
  // workers.
  void HandOver(MessageQueue queue, std::vector<Message> messages);
  bool has_workers() const { return workers_.has_value(); }

  // Messages that it has taken and not dealt with to the end.
  int64_t at_work() const { return at_work_; }

 private:
  Task<void> Work(MessageQueue queue, std::vector<Message> messages);

  Env& env_;
  const Name group_;
  int64_t at_work_ = 0;
  std::optional<Lane> workers_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_APPLICATION_H_
