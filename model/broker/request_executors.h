// The broker's pools of threads that handle requests.
#ifndef GROUPSIM_MODEL_BROKER_REQUEST_EXECUTORS_H_
#define GROUPSIM_MODEL_BROKER_REQUEST_EXECUTORS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <variant>

#include "absl/functional/any_invocable.h"
#include "model/base/time.h"
#include "model/broker/disturbance.h"
#include "model/broker/settings.h"
#include "model/runtime/env.h"
#include "model/runtime/lane.h"
#include "model/runtime/random.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/wire/codes.h"

namespace groupsim {

// Threads and a queue of limited length before them.
//
// Handling takes no time as a rule, so that no thread is ever busy but with
// what waits for others. On a disturbed machine each request keeps a thread for
// a time before it is handled; what comes behind it waits its turn, and is
// refused when it has waited for too long (BrokerFastFailure, 5.3.3, whose
// other part, about a busy page cache, is left out).
//
// Upstream looks at the head of each queue every 10 ms, first a second after
// the start. Here a queue costs an event only at those looks that find its head
// too old; so a leap of the wall clock is noticed at the next look that was due
// before.
class RequestExecutor {
 public:
  struct Size {
    int threads = 1;
    size_t capacity = 0;  // Of its queue, in requests.
    // How long a request may wait there (waitTimeMillsInSendQueue and others);
    // nothing for ever.
    std::optional<Duration> patience = std::nullopt;
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
    return static_cast<size_t>(at_work_) + waiting_.size() >=
           static_cast<size_t>(size_.threads) + size_.capacity;
  }

  using Handle = absl::AnyInvocable<void(Responder)>;
  using HandleTask = absl::AnyInvocable<Task<void>(Responder)>;

  // Handles a request when it is its turn, or answers it with SYSTEM_BUSY when
  // it has waited for too long. Not while full. `handle` must not itself be a
  // coroutine that uses its captures.
  void Post(Responder responder, Handle handle);
  void PostTask(Responder responder, HandleTask handle);

  // Nothing is handled or refused any more.
  void Stop() {
    stopped_ = true;
    look_.Cancel();
  }

 private:
  ServiceTime* service_time() const {
    return disturbance_ == nullptr ? nullptr : disturbance_->service_time();
  }
  struct Waiting {
    int64_t since_millis = 0;  // By the wall clock.
    Responder responder;
    std::variant<Handle, HandleTask> handle;
  };

  void Enqueue(Waiting request);
  Task<void> HandleNext();
  void ArmLook();
  void Look();

  Env& env_;
  const BrokerDisturbance* const disturbance_;
  RandomStream& service_times_;
  const Size size_;
  const Instant started_;
  bool stopped_ = false;
  int at_work_ = 0;  // Requests that have a thread.
  std::deque<Waiting> waiting_;
  Timer look_;
  // A job for each that waits, and for some that were refused.
  Lane lane_;
};

// All of them (BrokerController.initializeResources, 5.3.3).
class RequestExecutors {
 public:
  // `disturbance` may be null; it and `env` outlive this.
  RequestExecutors(Env& env, const BrokerDisturbance* disturbance,
                   const BrokerSettings& settings);

  // Which handles the requests of a code (BrokerController.registerProcessor).
  RequestExecutor& For(RequestCode code);
  // Which also handles held pulls that are woken, of whatever code.
  RequestExecutor& pull() { return pull_; }

  // Nothing is handled any more.
  void Stop();

 private:
  std::unique_ptr<RandomStream> service_times_;
  RequestExecutor send_;
  RequestExecutor pull_;
  RequestExecutor lite_pull_;
  RequestExecutor heartbeat_;
  RequestExecutor client_manage_;
  RequestExecutor consumer_manage_;
  RequestExecutor admin_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_REQUEST_EXECUTORS_H_
