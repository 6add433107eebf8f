// The broker's pools of threads that handle requests.
#ifndef GROUPSIM_MODEL_BROKER_REQUEST_EXECUTORS_H_
#define GROUPSIM_MODEL_BROKER_REQUEST_EXECUTORS_H_

#include <cstddef>
#include <memory>

#include "absl/functional/any_invocable.h"
#include "model/broker/disturbance.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/random.h"
#include "model/runtime/task.h"
#include "model/wire/codes.h"

namespace groupsim {

// Threads and a queue of limited length before them.
//
// Handling takes no time as a rule, so that no thread is ever busy but with
// what waits for others. On a disturbed machine each request keeps a thread for
// a time before it is handled; what comes behind it waits its turn.
class RequestExecutor {
 public:
  struct Size {
    int threads = 1;
    size_t capacity = 0;  // Of its queue, in requests.
  };

  // `disturbance` may be null; all three outlive it.
  RequestExecutor(Env& env, const BrokerDisturbance* disturbance,
                  RandomStream& service_times, Size size);
  RequestExecutor(const RequestExecutor&) = delete;
  RequestExecutor& operator=(const RequestExecutor&) = delete;

  // Whether a request that takes no time by itself may be handled at once, as
  // Post would have it, only dearer.
  bool immediate() const { return service_time() == nullptr && lane_.idle(); }
  // Whether it takes no more (RejectedExecutionException).
  bool full() const {
    return static_cast<size_t>(lane_.busy()) + lane_.waiting() >=
           static_cast<size_t>(size_.threads) + size_.capacity;
  }

  // Handles a request when it is its turn. Not while full. `handle` must not
  // itself be a coroutine that uses its captures.
  void Post(absl::AnyInvocable<void()> handle);
  void PostTask(absl::AnyInvocable<Task<void>()> handle);

  // Nothing is handled any more.
  void Stop() { stopped_ = true; }

 private:
  ServiceTime* service_time() const {
    return disturbance_ == nullptr ? nullptr : disturbance_->service_time();
  }
  Task<void> Run(absl::AnyInvocable<void()> handle);
  Task<void> RunTask(absl::AnyInvocable<Task<void>()> handle);

  Env& env_;
  const BrokerDisturbance* const disturbance_;
  RandomStream& service_times_;
  const Size size_;
  bool stopped_ = false;
  Lane lane_;
};

// All of them (BrokerController.initializeResources, 5.3.3).
class RequestExecutors {
 public:
  // `disturbance` may be null; it and `env` outlive this.
  RequestExecutors(Env& env, const BrokerDisturbance* disturbance);

  // Which handles the requests of a code (BrokerController.registerProcessor).
  RequestExecutor& For(RequestCode code);
  // Which also handles held pulls that are woken.
  RequestExecutor& pull() { return pull_; }

  // Nothing is handled any more.
  void Stop();

 private:
  std::unique_ptr<RandomStream> service_times_;
  RequestExecutor send_;
  RequestExecutor pull_;
  RequestExecutor heartbeat_;
  RequestExecutor client_manage_;
  RequestExecutor consumer_manage_;
  RequestExecutor admin_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_REQUEST_EXECUTORS_H_
