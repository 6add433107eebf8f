// What the measure of deliveries says at the end.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/check.h"
#include "model/base/name.h"
#include "scenarios/measure/delivery.h"

namespace groupsim {

std::vector<DeliveryMeasure::QueueResult> DeliveryMeasure::QueueResults(
    GroupIndex group) const {
  std::vector<QueueResult> results;
  for (const QueueIndex index :
       subjects_.groups()[static_cast<size_t>(group)].queues) {
    const QueueState& queue = queues_[static_cast<size_t>(index)];
    for (const QueueGroup& state : queue.groups) {
      if (state.group != group) continue;
      results.push_back(QueueResult{state.counts, queue.messages.end(),
                                    state.committed, state.peak_lag});
    }
  }
  return results;
}

DeliveryMeasure::Latencies DeliveryMeasure::LatenciesOf(
    GroupIndex group) const {
  Latencies all;
  for (const TopicState& topic : groups_[static_cast<size_t>(group)].topics) {
    all.Merge(topic.latencies);
  }
  return all;
}

const DeliveryMeasure::Latencies& DeliveryMeasure::LatenciesOf(
    GroupIndex group, Name topic) const {
  for (const TopicState& state : groups_[static_cast<size_t>(group)].topics) {
    if (state.topic == topic) return state.latencies;
  }
  CHECK(false) << "the group has no topic " << topic.text();
  return groups_[0].topics[0].latencies;
}

int64_t DeliveryMeasure::topic_peak_lag(GroupIndex group, Name topic) const {
  for (const TopicState& state : groups_[static_cast<size_t>(group)].topics) {
    if (state.topic == topic) return state.peak_lag;
  }
  CHECK(false) << "the group has no topic " << topic.text();
  return 0;
}

}  // namespace groupsim
