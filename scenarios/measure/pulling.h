// How a group pulled: flow control, failures, what it kept in memory.
#ifndef GROUPSIM_SCENARIOS_MEASURE_PULLING_H_
#define GROUPSIM_SCENARIOS_MEASURE_PULLING_H_

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "scenarios/measure/audit.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"

namespace groupsim {

class PullingMeasure {
 public:
  struct GroupResult {
    // Time that pulls were put off, by reason (position = PostponeReason),
    // summed over queues.
    std::array<Duration, 9> postponed;
    std::array<int64_t, 9> postponements{};
    int64_t pulls = 0;  // Requests sent.
    int64_t with_messages = 0;
    int64_t empty = 0;
    int64_t failed = 0;
    int64_t corrected = 0;   // Illegal offsets replaced.
    int64_t rebalances = 0;  // Of all topics by one consumer.
    int64_t notices = 0;     // Notices of changed members received.
    // Largest cache of one consumer: messages, and bytes of bodies.
    int64_t peak_messages = 0;
    int64_t peak_bytes = 0;
  };

  struct ConsumerResult {
    int64_t pulls = 0;
    int64_t rebalances = 0;
    Duration flow_control;  // Put off by count, size or span.
    int64_t peak_messages = 0;
    int64_t peak_bytes = 0;
  };

  PullingMeasure(const Subjects& subjects, Window window, Audit* audit);

  void OnFact(const SeenFact& seen);

  const GroupResult& group(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)];
  }
  const ConsumerResult& consumer(ConsumerIndex consumer) const {
    return consumers_[static_cast<size_t>(consumer)];
  }
  // Copies that the consumer holds now: pulled, neither finished nor
  // abandoned. Retry queues included.
  int64_t cached(ConsumerIndex consumer) const {
    return cached_[static_cast<size_t>(consumer)];
  }

 private:
  const Window window_;
  Audit* const audit_;
  std::vector<GroupResult> groups_;
  std::vector<ConsumerResult> consumers_;  // By ConsumerIndex.
  std::vector<int64_t> cached_;            // Likewise.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_PULLING_H_
