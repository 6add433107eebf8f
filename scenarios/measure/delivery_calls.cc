// Listener calls under way: whose, how many, how long.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "model/base/time.h"
#include "scenarios/measure/delivery.h"

namespace groupsim {

void DeliveryMeasure::HoldInListener(ConsumerState& state, Instant now) {
  if (state.in_listener > 0) {
    state.result.processing += static_cast<__int128>(state.in_listener) *
                               window_.Overlap(state.since, now).nanos();
  }
  state.since = now;
}

void DeliveryMeasure::AddInListener(const SeenFact& seen, int64_t messages) {
  if (seen.consumer == kNoSubject || seen.group == kNoSubject) return;
  ConsumerState& state = state_of(seen.consumer);
  HoldInListener(state, seen.fact.time);
  state.in_listener = std::max<int64_t>(state.in_listener + messages, 0);
}

void DeliveryMeasure::BeginCall(QueueGroup& group, ConsumerIndex consumer,
                                Instant now) {
  for (QueueGroup::Active& active : group.active) {
    if (active.consumer == consumer) {
      ++active.calls;
      return;
    }
  }
  group.active.push_back({consumer, 1});
  if (group.active.size() < 2) return;
  if (group.active.size() == 2) group.twice_since = now;
  if (window_.Contains(now)) ++group_of(group).overlaps;
}

void DeliveryMeasure::EndCall(QueueGroup& group, ConsumerIndex consumer,
                              Instant now) {
  for (auto it = group.active.begin(); it != group.active.end(); ++it) {
    if (it->consumer != consumer) continue;
    if (--it->calls > 0) return;
    if (group.active.size() == 2) {
      groups_[static_cast<size_t>(group.group)].processed_twice +=
          window_.Overlap(group.twice_since, now);
    }
    group.active.erase(it);
    return;
  }
}

void DeliveryMeasure::EndAllCalls(ConsumerIndex consumer, Instant now) {
  ConsumerState& state = state_of(consumer);
  HoldInListener(state, now);
  state.in_listener = 0;
  const GroupIndex index =
      subjects_.consumers()[static_cast<size_t>(consumer)].group;
  for (const QueueIndex queue :
       subjects_.groups()[static_cast<size_t>(index)].queues) {
    for (QueueGroup& group : queues_[static_cast<size_t>(queue)].groups) {
      if (group.group != index) continue;
      for (QueueGroup::Active& active : group.active) {
        if (active.consumer != consumer) continue;
        active.calls = 1;
        EndCall(group, consumer, now);
        break;
      }
    }
  }
}

}  // namespace groupsim
