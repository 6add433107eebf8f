// Tasks of queues on a few threads.
#ifndef GROUPSIM_MODEL_CLIENT_QUEUE_TASKS_H_
#define GROUPSIM_MODEL_CLIENT_QUEUE_TASKS_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "model/base/time.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// A ScheduledThreadPoolExecutor whose tasks are of one queue each and run again
// and again. A run keeps its thread for as long as it waits for something; who
// is due while all threads are kept waits for one, in the order of being due.
class QueueTasks {
 public:
  using Number = uint64_t;  // Of a task; none has 0.
  // One run: how long until the next one, or nothing if the task ends.
  using Run = absl::AnyInvocable<Task<std::optional<Duration>>(
      const MessageQueue& queue, Number number)>;

  // `env` must outlive it. `run` must not itself be a coroutine that uses its
  // captures; it may keep the reference until its task ends.
  QueueTasks(Env& env, int32_t threads, Run run);
  ~QueueTasks();
  QueueTasks(const QueueTasks&) = delete;
  QueueTasks& operator=(const QueueTasks&) = delete;

  // A new task, due at once.
  Number Begin(const MessageQueue& queue);

  // Ends a task wherever it stands, and what it waits for; its thread is free
  // then (Thread.interrupt). Not from its own run; nothing if it has ended.
  void Interrupt(Number number);

  // Ends all of them.
  void Clear();

 private:
  // Due later, waiting for a thread, or on one.
  struct Entry final : TimerTarget {
    Entry(QueueTasks& t, const MessageQueue& q, Number n);
    ~Entry();
    void OnTimer() override;

    QueueTasks& tasks;
    const MessageQueue queue;
    const Number number;
    TimerId timer = 0;
    bool running = false;
    bool ended = false;
    TaskScope scope;  // Of its run.
  };

  void Enqueue(Entry& entry);
  Task<void> RunOnce(Entry& entry);
  // A thread is free.
  void Release();
  // Forgets those that have ended and whose last run is gone.
  void Sweep();

  Env& env_;
  const int32_t threads_;
  Run run_;
  Number last_number_ = 0;
  int32_t busy_ = 0;
  std::deque<Entry*> waiting_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_QUEUE_TASKS_H_
