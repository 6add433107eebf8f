// The threads of a consumer that run its listener.
#ifndef GROUPSIM_MODEL_CLIENT_CONSUME_POOL_H_
#define GROUPSIM_MODEL_CLIENT_CONSUME_POOL_H_

#include <cstdint>

#include "model/base/check.h"

namespace groupsim {

// What waits for a worker; on at most one pool at a time.
class ConsumePoolJob {
 private:
  friend class ConsumePool;
  ConsumePoolJob* next_ = nullptr;
};

// A ThreadPoolExecutor of fixed size with an endless queue: jobs get workers in
// the order of coming. A worker stays taken until the job's result is handled,
// however long that takes. The pool only counts and queues; running is its
// user's business.
class ConsumePool {
 public:
  // `workers` is at least 1.
  explicit ConsumePool(int workers) : workers_(workers) {
    CHECK_GE(workers, 1);
  }

  // Takes a worker for the job, which is to begin now, or queues it.
  bool BeginOrQueue(ConsumePoolJob& job) {
    if (busy_ < workers_) {
      ++busy_;
      return true;
    }
    (last_ == nullptr ? first_ : last_->next_) = &job;
    last_ = &job;
    ++waiting_;
    return false;
  }

  // The worker of a job has done it. Returns the job that it has to begin next,
  // or null, and the worker is free.
  ConsumePoolJob* Next() {
    CHECK(busy_ > 0);
    ConsumePoolJob* job = PopWaiting();
    if (job == nullptr) --busy_;
    return job;
  }

  // Takes the longest waiting job off the queue; null if there is none.
  ConsumePoolJob* PopWaiting() {
    ConsumePoolJob* job = first_;
    if (job == nullptr) return nullptr;
    first_ = job->next_;
    if (first_ == nullptr) last_ = nullptr;
    job->next_ = nullptr;
    --waiting_;
    return job;
  }

  int busy() const { return busy_; }
  int64_t waiting() const { return waiting_; }

 private:
  const int workers_;
  int busy_ = 0;
  int64_t waiting_ = 0;
  ConsumePoolJob* first_ = nullptr;
  ConsumePoolJob* last_ = nullptr;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_CONSUME_POOL_H_
