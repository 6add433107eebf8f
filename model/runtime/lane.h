// Lane: one thread, or one pool, of the original program.
#ifndef GROUPSIM_MODEL_RUNTIME_LANE_H_
#define GROUPSIM_MODEL_RUNTIME_LANE_H_

#include <cstddef>
#include <deque>
#include <optional>
#include <variant>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "model/runtime/env.h"
#include "model/runtime/lane_gate.h"
#include "model/runtime/ready_queue.h"
#include "model/runtime/task.h"
#include "model/runtime/timer.h"

namespace groupsim {

// Runs jobs in the order posted, at most `workers` waiting ones at a time. A
// plain job takes no time; a waiting job (a task) keeps its worker busy until
// it ends, as a synchronous call keeps a thread.
//
// A job begins in the turn in which it was posted if a worker is free, but
// never before Post returns. Destroying the lane destroys its jobs.
class Lane final : private ReadyNode {
 public:
  explicit Lane(Env& env, int workers = 1);
  // One that can be stopped, by its name: no job begins then (LaneGates).
  Lane(Env& env, absl::string_view name, int workers = 1);
  ~Lane() = default;

  void Post(absl::AnyInvocable<void()> job);
  // `job` makes the task when a worker takes it. It is kept until the task
  // ends; it must not itself be a coroutine that uses its captures.
  void PostTask(absl::AnyInvocable<Task<void>()> job);

  // Jobs not yet begun.
  size_t waiting() const { return queue_.size(); }
  // Workers kept by waiting jobs.
  int busy() const { return busy_; }
  bool idle() const { return busy_ == 0 && queue_.empty(); }

 private:
  using Job = std::variant<absl::AnyInvocable<void()>,
                           absl::AnyInvocable<Task<void>()>>;

  void RunReady() override;
  void Wake();
  bool may_begin() const { return !gate_.has_value() || !gate_->closed(); }
  Task<void> RunTask(absl::AnyInvocable<Task<void>()> job);

  Env& env_;
  const int workers_;
  int busy_ = 0;
  std::deque<Job> queue_;
  TaskScope scope_;
  std::optional<LaneGate> gate_;
};

// A job at a fixed rate on a lane (scheduleAtFixedRate): due at `initial`,
// `initial + period`, … from the construction on. A run that is late does not
// move the later ones: missed runs follow back to back.
class FixedRateJob {
 public:
  FixedRateJob(Env& env, Lane& lane, Duration initial, Duration period,
               absl::AnyInvocable<Task<void>()> job);

  // No further run begins.
  void Cancel() {
    cancelled_ = true;
    timer_.Cancel();
  }

 private:
  Task<void> Run();

  Lane& lane_;
  const Duration period_;
  absl::AnyInvocable<Task<void>()> job_;
  Instant due_;
  bool cancelled_ = false;
  Timer timer_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_LANE_H_
