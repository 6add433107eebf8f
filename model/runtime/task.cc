#include "model/runtime/task.h"

#include <cstddef>
#include <utility>

#include "model/runtime/frame_pool.h"
#include "model/runtime/ready_queue.h"

namespace groupsim {

// A task that nobody awaits. It is posted twice: to begin, and, by the task,
// when it has ended.
class TaskScope::Root final : public ReadyNode {
 public:
  static void* operator new(size_t size) { return FramePool::Allocate(size); }
  static void operator delete(void* root) { FramePool::Free(root); }

  Root(TaskScope& scope, Task<void> task)
      : scope_(scope), task_(std::move(task)), older_(scope.newest_) {
    if (older_ != nullptr) older_->newer_ = this;
    scope.newest_ = this;
  }

  ~Root() {
    if (newer_ == nullptr) {
      scope_.newest_ = older_;
    } else {
      newer_->older_ = older_;
    }
    if (older_ != nullptr) older_->newer_ = newer_;
  }

  void RunReady() override {
    if (started_) {
      delete this;
      return;
    }
    started_ = true;
    task_.handle_.promise().SetWaiter(scope_.queue_, this);
    task_.handle_.resume();
  }

 private:
  TaskScope& scope_;
  Task<void> task_;
  bool started_ = false;
  Root* older_;
  Root* newer_ = nullptr;
};

void TaskScope::Spawn(Task<void> task) {
  queue_.Post(*new Root(*this, std::move(task)));
}

void TaskScope::Clear() {
  while (newest_ != nullptr) delete newest_;
}

}  // namespace groupsim
