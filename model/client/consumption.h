// What becomes of pulled messages.
#ifndef GROUPSIM_MODEL_CLIENT_CONSUMPTION_H_
#define GROUPSIM_MODEL_CLIENT_CONSUMPTION_H_

#include <cstdint>

#include "absl/types/span.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/consume_pool.h"
#include "model/client/owned_queues.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/runtime/waiting.h"
#include "model/wire/message.h"
#include "model/wire/message_queue.h"

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
  // forgets what has not begun, interrupts the listener calls that have, and
  // waits up to `limit` again for these. Their results count as long as their
  // queues are not dropped (ThreadUtils.shutdownGracefully).
  virtual Task<void> Shutdown(Duration limit) = 0;

  // Threads at work, and what waits for one.
  virtual int running() const = 0;
  virtual int64_t waiting() const = 0;
};

// What both services have: a pool of threads that run the listener.
class PooledConsumption : public Consumption {
 public:
  int running() const final { return pool_.busy(); }
  int64_t waiting() const final { return pool_.waiting(); }

 protected:
  // `env` must outlive it.
  PooledConsumption(Env& env, Name group, int workers)
      : env_(env), group_(group), pool_(workers), idle_(env) {}

  // FINISHED: whether the result counts, and where the message is then.
  enum Counted : int64_t {
    kDroppedMeanwhile = 0,
    kCounted = 1,
    kStaysCached = 2,
    kForgotten = 3,
  };

  ConsumePool& pool() { return pool_; }
  // False from the shutdown on.
  bool accepting() const { return accepting_; }
  void StopAccepting() { accepting_ = false; }

  // The listener gets these messages of a queue now.
  void EmitDelivered(const MessageQueue& queue,
                     absl::Span<const Message> messages);
  // To be said where a worker may have become free.
  void NoteFreeWorker() {
    if (!accepting_ && pool_.busy() == 0) idle_.Set();
  }
  // Waits as Shutdown says, and forgets and interrupts in between. A worker
  // that waits for a broker is not interrupted: upstream's wait would fail, and
  // the message be sent once more.
  Task<void> EndPool(Duration limit);
  // Interrupts all listener calls, in the order in which they were made ready.
  virtual void InterruptAll() = 0;
  // A job that had to wait for a worker will not get one.
  virtual void Forget(ConsumePoolJob& job) = 0;

 private:
  Env& env_;
  const Name group_;
  ConsumePool pool_;
  bool accepting_ = true;
  Signal idle_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CONSUMPTION_H_
