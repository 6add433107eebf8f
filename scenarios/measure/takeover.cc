#include "scenarios/measure/takeover.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/base/time.h"

namespace groupsim {

void Takeovers::Set(ConsumerIndex& who, ConsumerIndex to, int64_t& count) {
  count += (to != kNoSubject ? 1 : 0) - (who != kNoSubject ? 1 : 0);
  who = to;
}

void Takeovers::OnAdded(size_t queue, const Adoption& adoption, Instant now) {
  Queue& state = queues_[queue];
  Set(state.adopter, adoption.owner, adopters_);
  Set(state.receiver, adoption.owner, receivers_);
  state.adopted = now;
  state.moved = adoption.moved;
  if (adoption.others) state.released.reset();
}

void Takeovers::OnRemoved(size_t queue, ConsumerIndex owner, Instant now) {
  Queue& state = queues_[queue];
  if (state.adopter == owner) Set(state.adopter, kNoSubject, adopters_);
  if (state.receiver == owner) Set(state.receiver, kNoSubject, receivers_);
  state.released = now;
}

// An old owner that still holds the queue leaves no gap.
Duration Takeovers::GapBefore(const Queue& queue, const Step& step,
                              Instant now) {
  return queue.released.has_value() && step.alone ? now - *queue.released
                                                  : Duration::Zero();
}

std::optional<Duration> Takeovers::OnDelivered(size_t queue, const Step& step,
                                               Instant now) {
  Queue& state = queues_[queue];
  if (state.receiver == kNoSubject || state.receiver != step.consumer) {
    return std::nullopt;
  }
  Set(state.receiver, kNoSubject, receivers_);
  if (!step.counts) return std::nullopt;
  first_consume_.Add(now - state.adopted);
  if (!state.moved) return std::nullopt;
  const Duration gap = GapBefore(state, step, now);
  takeover_.Add(gap);
  state.longest = std::max(state.longest.value_or(gap), gap);
  return gap;
}

void Takeovers::OnPullSent(size_t queue, const Step& step, Instant now) {
  Queue& state = queues_[queue];
  if (state.adopter == kNoSubject || state.adopter != step.consumer) return;
  Set(state.adopter, kNoSubject, adopters_);
  if (!step.counts) return;
  first_pull_.Add(now - state.adopted);
  if (state.moved) takeover_to_pull_.Add(GapBefore(state, step, now));
}

}  // namespace groupsim
