// Coroutines that can go on, first in first out.
//
// One queue serves a whole loop. The runtime drains it after each event, so
// that whatever an event made ready runs in the same turn, before any later
// event.
#ifndef GROUPSIM_MODEL_RUNTIME_READY_QUEUE_H_
#define GROUPSIM_MODEL_RUNTIME_READY_QUEUE_H_

#include <coroutine>

namespace groupsim {

class ReadyQueue;

// Something that can be put on a ReadyQueue; leaves it when destroyed.
class ReadyNode {
 public:
  ReadyNode() = default;
  ReadyNode(const ReadyNode&) = delete;
  ReadyNode& operator=(const ReadyNode&) = delete;

  bool queued() const { return next_ != nullptr; }
  // Takes it off the queue, if it is on one.
  void Unlink() {
    if (next_ == nullptr) return;
    previous_->next_ = next_;
    next_->previous_ = previous_;
    next_ = previous_ = nullptr;
  }

  // What is to be done; called by the queue after it was taken off.
  virtual void RunReady() = 0;

 protected:
  ~ReadyNode() { Unlink(); }

 private:
  friend class ReadyQueue;
  ReadyNode* next_ = nullptr;
  ReadyNode* previous_ = nullptr;
};

// Resumes one coroutine.
class ReadyResumption final : public ReadyNode {
 public:
  void set_handle(std::coroutine_handle<> handle) { handle_ = handle; }
  void RunReady() override { handle_.resume(); }

 private:
  std::coroutine_handle<> handle_;
};

class ReadyQueue {
 public:
  ReadyQueue() { head_.next_ = head_.previous_ = &head_; }
  ~ReadyQueue() {
    while (!empty()) head_.next_->Unlink();
    head_.next_ = head_.previous_ = nullptr;
  }
  ReadyQueue(const ReadyQueue&) = delete;
  ReadyQueue& operator=(const ReadyQueue&) = delete;

  bool empty() const { return head_.next_ == &head_; }

  // Appends a node that is on no queue.
  void Post(ReadyNode& node) {
    node.previous_ = head_.previous_;
    node.next_ = &head_;
    head_.previous_->next_ = &node;
    head_.previous_ = &node;
  }

  // Runs the node posted first; false if there is none.
  bool RunNext() {
    if (empty()) return false;
    ReadyNode* node = head_.next_;
    node->Unlink();
    node->RunReady();
    return true;
  }

  // Runs nodes until none is left, also those posted meanwhile.
  void Drain() {
    while (RunNext()) {
    }
  }

 private:
  class Head final : public ReadyNode {
   public:
    void RunReady() override {}
  };
  Head head_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_READY_QUEUE_H_
