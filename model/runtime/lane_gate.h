// Stops single threads of a process.
#ifndef GROUPSIM_MODEL_RUNTIME_LANE_GATE_H_
#define GROUPSIM_MODEL_RUNTIME_LANE_GATE_H_

#include <coroutine>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "model/runtime/ready_queue.h"

namespace groupsim {

class LaneGate;

// The gates of one process, by the names of its lanes.
class LaneGates {
 public:
  LaneGates() = default;
  LaneGates(const LaneGates&) = delete;
  LaneGates& operator=(const LaneGates&) = delete;

  // No job begins any more on the lanes with that name; what has begun goes on.
  // Returns how many lanes that stops.
  int64_t Close(absl::string_view lane);
  // The lanes with that name go on. Returns how many were stopped.
  int64_t Open(absl::string_view lane);
  // How many lanes with that name are stopped.
  int64_t CountClosed(absl::string_view lane) const;

 private:
  friend class LaneGate;
  std::vector<LaneGate*> gates_;  // In the order in which they were made.
};

// Asked by a lane, or by a loop that stands for a thread, before each job.
class LaneGate {
 public:
  // `on_open`, which may be null, is called when jobs may begin again.
  LaneGate(LaneGates& gates, ReadyQueue& ready, absl::string_view lane,
           absl::AnyInvocable<void()> on_open = nullptr);
  ~LaneGate();
  LaneGate(const LaneGate&) = delete;
  LaneGate& operator=(const LaneGate&) = delete;

  bool closed() const { return closed_; }

  // `co_await gate.Pass()`: goes on at once if the gate is open, and otherwise
  // when it opens; by then it may be closed again, so that whoever waits asks
  // once more. One waiter at a time.
  class Passage {
   public:
    explicit Passage(LaneGate& gate) : gate_(gate) {}
    ~Passage() {
      if (gate_.waiter_ == this) gate_.waiter_ = nullptr;
    }
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;

    bool await_ready() { return !gate_.closed_; }
    void await_suspend(std::coroutine_handle<> waiter) {
      resumption_.set_handle(waiter);
      gate_.waiter_ = this;
    }
    void await_resume() {}

   private:
    friend class LaneGate;
    LaneGate& gate_;
    ReadyResumption resumption_;
  };
  Passage Pass() { return Passage(*this); }

 private:
  friend class LaneGates;
  void Open();

  LaneGates& gates_;
  ReadyQueue& ready_;
  const std::string lane_;
  absl::AnyInvocable<void()> on_open_;
  bool closed_ = false;
  Passage* waiter_ = nullptr;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_LANE_GATE_H_
