// A small event loop on the real clock, or on one that jumps.
#ifndef GROUPSIM_TESTS_SUPPORT_LOOP_RUNTIME_LOOP_H_
#define GROUPSIM_TESTS_SUPPORT_LOOP_RUNTIME_LOOP_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "model/base/time.h"
#include "model/runtime/frame_pool.h"
#include "model/runtime/ready_queue.h"

namespace groupsim {

// Which time the loop goes by.
enum class LoopTime {
  kReal,     // The machine's steady clock.
  kVirtual,  // Stands still within an event and jumps to the next one.
};

// Runs events by time, those of equal times in the order of their scheduling,
// on the thread that calls RunFor. After each event it drains the ready queue.
class Loop {
 public:
  explicit Loop(LoopTime time);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  Instant Now() const;
  // Schedules `event`; returns a number to cancel it by, never 0.
  uint64_t At(Instant when, absl::AnyInvocable<void()> event);
  void Cancel(uint64_t number);

  // Drains what is ready, then runs the events of the next `duration`.
  void RunFor(Duration duration);

  // Drains what is ready, then runs the next event; false if there is none.
  bool Step();

  // Events scheduled and not yet run.
  size_t pending() const { return events_.size(); }

  ReadyQueue& ready() { return ready_; }
  FramePool& frames() { return frames_; }

 private:
  using Key = std::pair<Instant, uint64_t>;

  void RunNext();
  void WaitUntil(Instant when);

  const LoopTime time_;
  const std::chrono::steady_clock::time_point start_;
  Instant virtual_now_;
  FramePool frames_;
  ReadyQueue ready_;
  uint64_t last_number_ = 0;
  std::map<Key, absl::AnyInvocable<void()>> events_;
  absl::flat_hash_map<uint64_t, Instant> times_;  // Of events, by number.
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SUPPORT_LOOP_RUNTIME_LOOP_H_
