// Task<T>: work that waits, as a coroutine. TaskScope: who owns it.
//
//   Task<int64_t> Puller::FirstOffset(MessageQueue queue) {
//     QueryConsumerOffsetRequest request;
//     request.queue = queue;
//     const CallResult result = co_await remoting_.Call(address, request, 5s);
//     ...
//     co_return offset;
//   }
//
// A task does nothing until it is awaited or given to a scope. Awaiting runs
// it at once, as a call would; when it ends, its waiter goes on by way of the
// loop's ready queue, in the same turn.
//
// Destroying a scope destroys its tasks, newest first, wherever they wait, and
// with them everything that they wait for; nothing of them runs again. A scope
// is destroyed between turns or by code that no task of it runs.
//
// Parameters of a coroutine are values or outlive its scope. Name what you
// pass before you await: g++ 12 destroys an aggregate temporary twice that is
// made inside a co_await expression.
// Name what you get, too: a co_await inside the condition of an `if`, or one
// operand of &&, can make g++ 12 lose the coroutine's end at -O2.
#ifndef GROUPSIM_MODEL_RUNTIME_TASK_H_
#define GROUPSIM_MODEL_RUNTIME_TASK_H_

#include <coroutine>
#include <cstddef>
#include <optional>
#include <utility>

#include "model/base/check.h"
#include "model/runtime/frame_pool.h"
#include "model/runtime/ready_queue.h"

namespace groupsim {

template <class T>
class Task;

namespace internal {

class TaskPromiseBase {
 public:
  static void* operator new(size_t size) { return FramePool::Allocate(size); }
  static void operator delete(void* frame) { FramePool::Free(frame); }

  std::suspend_always initial_suspend() noexcept { return {}; }

  struct FinalAwaiter {
    bool await_ready() noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> handle) noexcept {
      TaskPromiseBase& promise = handle.promise();
      if (promise.waiter_ != nullptr) promise.queue_->Post(*promise.waiter_);
    }
    void await_resume() noexcept {}
  };
  FinalAwaiter final_suspend() noexcept { return {}; }

  void unhandled_exception() {
    CHECK(false) << "an exception left a coroutine";
  }

  // Tells where the task runs and what is posted there when it ends.
  void SetWaiter(ReadyQueue& queue, ReadyNode* waiter) {
    queue_ = &queue;
    waiter_ = waiter;
  }
  ReadyQueue& queue() { return *queue_; }

 private:
  ReadyQueue* queue_ = nullptr;
  ReadyNode* waiter_ = nullptr;
};

template <class T>
class TaskPromise final : public TaskPromiseBase {
 public:
  Task<T> get_return_object();
  template <class U>
  void return_value(U&& value) {
    value_.emplace(std::forward<U>(value));
  }
  T Take() { return std::move(*value_); }

 private:
  std::optional<T> value_;
};

template <>
class TaskPromise<void> final : public TaskPromiseBase {
 public:
  Task<void> get_return_object();
  void return_void() {}
  void Take() {}
};

}  // namespace internal

template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = internal::TaskPromise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;
  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      Destroy();
      handle_ = std::exchange(other.handle_, {});
    }
    return *this;
  }
  ~Task() { Destroy(); }

  class Awaiter {
   public:
    explicit Awaiter(Handle handle) : handle_(handle) {}
    bool await_ready() { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> waiter) {
      resumption_.set_handle(waiter);
      handle_.promise().SetWaiter(waiter.promise().queue(), &resumption_);
      handle_.resume();
    }
    T await_resume() { return handle_.promise().Take(); }

   private:
    Handle handle_;
    ReadyResumption resumption_;
  };
  Awaiter operator co_await() && { return Awaiter(handle_); }

 private:
  friend class TaskScope;
  void Destroy() {
    if (handle_) handle_.destroy();
  }

  Handle handle_;
};

namespace internal {

template <class T>
Task<T> TaskPromise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<TaskPromise<T>>::from_promise(*this));
}
inline Task<void> TaskPromise<void>::get_return_object() {
  return Task<void>(
      std::coroutine_handle<TaskPromise<void>>::from_promise(*this));
}

}  // namespace internal

// Owns tasks that nobody awaits.
class TaskScope {
 public:
  explicit TaskScope(ReadyQueue& queue) : queue_(queue) {}
  ~TaskScope() { Clear(); }
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;

  // Starts `task` in this turn, after what is ready already.
  void Spawn(Task<void> task);

  // Destroys all tasks, newest first.
  void Clear();

  bool empty() const { return newest_ == nullptr; }

 private:
  class Root;

  ReadyQueue& queue_;
  Root* newest_ = nullptr;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_TASK_H_
