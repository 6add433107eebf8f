#include "tests/support/loop_runtime/loop.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace groupsim {

Loop::Loop(LoopTime time)
    : time_(time), start_(std::chrono::steady_clock::now()) {}

Instant Loop::Now() const {
  if (time_ == LoopTime::kVirtual) return virtual_now_;
  const auto passed = std::chrono::steady_clock::now() - start_;
  return Instant::FromNanos(
      std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
}

uint64_t Loop::At(Instant when, absl::AnyInvocable<void()> event) {
  ++last_number_;
  const Instant due = std::max(when, Now());
  times_[last_number_] = due;
  events_.emplace(Key(due, last_number_), std::move(event));
  return last_number_;
}

void Loop::Cancel(uint64_t number) {
  const auto it = times_.find(number);
  if (it == times_.end()) return;
  events_.erase(Key(it->second, number));
  times_.erase(it);
}

void Loop::RunFor(Duration duration) {
  const FramePool::Scope scope(frames_);
  const Instant end = Now() + duration;
  ready_.Drain();
  while (!events_.empty() && events_.begin()->first.first <= end) RunNext();
  WaitUntil(end);
}

bool Loop::Step() {
  const FramePool::Scope scope(frames_);
  ready_.Drain();
  if (events_.empty()) return false;
  RunNext();
  return true;
}

void Loop::RunNext() {
  WaitUntil(events_.begin()->first.first);
  auto node = events_.extract(events_.begin());
  times_.erase(node.key().second);
  node.mapped()();
  ready_.Drain();
}

void Loop::WaitUntil(Instant when) {
  if (time_ == LoopTime::kVirtual) {
    virtual_now_ = std::max(virtual_now_, when);
    return;
  }
  std::this_thread::sleep_until(start_ +
                                std::chrono::nanoseconds(when.nanos()));
}

}  // namespace groupsim
