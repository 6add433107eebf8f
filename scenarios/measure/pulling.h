// How a group pulled: flow control, failures, what it kept in memory.
#ifndef GROUPSIM_SCENARIOS_MEASURE_PULLING_H_
#define GROUPSIM_SCENARIOS_MEASURE_PULLING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "scenarios/measure/audit.h"
#include "scenarios/measure/occurrence.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"

namespace groupsim {

class PullingMeasure {
 public:
  static constexpr size_t kReasons = 10;
  // Time that pulls were put off, by PostponeReason.
  using Postponed = std::array<Duration, kReasons>;

  struct GroupResult {
    // Summed over queues. A pull is put off until its next attempt, or until
    // the consumer loses the queue or dies.
    Postponed postponed;
    std::array<int64_t, kReasons> postponements{};
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
    Postponed postponed;
    int64_t peak_messages = 0;
    int64_t peak_bytes = 0;
  };

  // `occurrences`, by group, outlive the measure.
  PullingMeasure(const Subjects& subjects, Window window, Audit* audit,
                 const std::vector<Occurrences>* occurrences);

  // From here on this is the window; it begins now or later.
  void SetWindow(Window window);

  void OnFact(const SeenFact& seen);

  const GroupResult& group(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)];
  }
  const ConsumerResult& consumer(ConsumerIndex consumer) const {
    return consumers_[static_cast<size_t>(consumer)];
  }
  // Of all consumers of a group.
  const Postponed& queue(GroupIndex group, QueueIndex queue) const {
    return queues_[static_cast<size_t>(group)][static_cast<size_t>(queue)];
  }
  // Put off because of what is cached, by count, size or span, or since the
  // queue was not locked.
  static bool IsFlowControl(PostponeReason reason);
  static Duration FlowControl(const Postponed& postponed);

  // Copies that the consumer holds now: pulled, neither finished nor
  // abandoned. Retry queues included.
  int64_t cached(ConsumerIndex consumer) const {
    return cached_[static_cast<size_t>(consumer)];
  }

 private:
  // A pull of a consumer that is put off.
  struct Open {
    uint64_t key = 0;  // Of the queue, retry queues included.
    QueueIndex queue = kNoSubject;
    size_t reason = 0;
    Instant until;
  };

  void OnPostponed(const SeenFact& seen);
  // Ends what is open of a consumer, of one queue or of all, now.
  void CutOpen(ConsumerIndex consumer, const uint64_t* key, Instant now);
  void AddPostponed(GroupIndex group, ConsumerIndex consumer, const Open& open,
                    Instant from, bool back);
  void OnLife(const SeenFact& seen);

  const Subjects& subjects_;
  Window window_;
  Audit* const audit_;
  const std::vector<Occurrences>& occurrences_;
  std::vector<GroupResult> groups_;
  std::vector<ConsumerResult> consumers_;       // By ConsumerIndex.
  std::vector<std::vector<Postponed>> queues_;  // By group and QueueIndex.
  std::vector<std::vector<Open>> open_;         // By ConsumerIndex.
  std::vector<int64_t> cached_;                 // Likewise.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_PULLING_H_
