#include "model/client/queue_tasks.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "model/base/check.h"
#include "model/base/time.h"
#include "model/runtime/env.h"
#include "model/runtime/task.h"
#include "model/wire/message_queue.h"

namespace groupsim {

QueueTasks::Entry::Entry(QueueTasks& t, const MessageQueue& q, Number n)
    : tasks(t), queue(q), number(n), scope(t.env_.ready()) {}

QueueTasks::Entry::~Entry() {
  if (timer != 0) tasks.env_.timers().Disarm(timer);
}

void QueueTasks::Entry::OnTimer() {
  timer = 0;
  tasks.Enqueue(*this);
}

QueueTasks::QueueTasks(Env& env, int32_t threads, Run run)
    : env_(env), threads_(threads), run_(std::move(run)) {
  CHECK_GT(threads_, 0);
}

QueueTasks::~QueueTasks() = default;

QueueTasks::Number QueueTasks::Begin(const MessageQueue& queue) {
  Sweep();
  entries_.push_back(std::make_unique<Entry>(*this, queue, ++last_number_));
  Enqueue(*entries_.back());
  return last_number_;
}

void QueueTasks::Enqueue(Entry& entry) {
  if (busy_ == threads_) {
    waiting_.push_back(&entry);
    return;
  }
  ++busy_;
  entry.running = true;
  entry.scope.Spawn(RunOnce(entry));
}

Task<void> QueueTasks::RunOnce(Entry& entry) {
  const std::optional<Duration> next = co_await run_(entry.queue, entry.number);
  entry.running = false;
  // Who waits for a thread comes before one that is to run again.
  Release();
  if (!next.has_value()) {
    entry.ended = true;
  } else if (*next == Duration::Zero()) {
    Enqueue(entry);
  } else {
    entry.timer = env_.timers().Arm(env_.Now() + *next, &entry);
  }
}

void QueueTasks::Release() {
  --busy_;
  if (waiting_.empty()) return;
  Entry* const first = waiting_.front();
  waiting_.pop_front();
  Enqueue(*first);
}

void QueueTasks::Interrupt(Number number) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [number](const std::unique_ptr<Entry>& e) {
                                    return e->number == number;
                                  });
  if (found == entries_.end() || (*found)->ended) return;
  const std::unique_ptr<Entry> entry = std::move(*found);
  entries_.erase(found);
  std::erase(waiting_, entry.get());
  entry->scope.Clear();
  if (entry->running) Release();
}

void QueueTasks::Clear() {
  waiting_.clear();
  entries_.clear();
  busy_ = 0;
}

void QueueTasks::Sweep() {
  std::erase_if(entries_, [](const std::unique_ptr<Entry>& entry) {
    return entry->ended && entry->scope.empty();
  });
}

}  // namespace groupsim
