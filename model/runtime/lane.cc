#include "model/runtime/lane.h"

#include <utility>
#include <variant>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/runtime/task.h"

namespace groupsim {

Lane::Lane(Env& env, int workers)
    : env_(env), workers_(workers), scope_(env.ready()) {
  CHECK_GE(workers, 1);
}

Lane::Lane(Env& env, absl::string_view name, int workers) : Lane(env, workers) {
  gate_.emplace(env.lane_gates(), env.ready(), name, [this] { Wake(); });
}

void Lane::Post(absl::AnyInvocable<void()> job) {
  queue_.emplace_back(std::move(job));
  Wake();
}

void Lane::PostTask(absl::AnyInvocable<Task<void>()> job) {
  queue_.emplace_back(std::move(job));
  Wake();
}

void Lane::Wake() {
  if (busy_ < workers_ && !queue_.empty() && !queued() && may_begin()) {
    env_.ready().Post(*this);
  }
}

void Lane::RunReady() {
  while (busy_ < workers_ && !queue_.empty() && may_begin()) {
    Job job = std::move(queue_.front());
    queue_.pop_front();
    if (auto* plain = std::get_if<absl::AnyInvocable<void()>>(&job)) {
      (*plain)();
      continue;
    }
    ++busy_;
    scope_.Spawn(
        RunTask(std::move(std::get<absl::AnyInvocable<Task<void>()>>(job))));
  }
}

Task<void> Lane::RunTask(absl::AnyInvocable<Task<void>()> job) {
  co_await job();
  --busy_;
  Wake();
}

FixedRateJob::FixedRateJob(Env& env, Lane& lane, Duration initial,
                           Duration period,
                           absl::AnyInvocable<Task<void>()> job)
    : lane_(lane),
      period_(period),
      job_(std::move(job)),
      due_(env.Now() + initial),
      timer_(env, [this] { lane_.PostTask([this] { return Run(); }); }) {
  CHECK(period > Duration::Zero());
  timer_.ArmAt(due_);
}

Task<void> FixedRateJob::Run() {
  if (cancelled_) co_return;
  co_await job_();
  if (cancelled_) co_return;
  due_ += period_;
  timer_.ArmAt(due_);
}

}  // namespace groupsim
