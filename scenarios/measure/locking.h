// Locks of queues, where consumption is orderly: who waited for one, who lost
// one.
#ifndef GROUPSIM_SCENARIOS_MEASURE_LOCKING_H_
#define GROUPSIM_SCENARIOS_MEASURE_LOCKING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/histogram.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/measure/window.h"

namespace groupsim {

// Retry queues are left out.
class LockingMeasure {
 public:
  struct GroupResult {
    bool orderly = false;  // A lock of the group was ever granted.
    int64_t refused = 0;   // Requests for a lock that another one held.
    int64_t expired = 0;   // Locks that were not renewed in time.
    int64_t lost = 0;      // Times that a consumer found one lost.
    int64_t put_off = 0;   // Removals put off for a busy listener.
    int64_t forced = 0;    // Locks given back under a busy listener.
    Histogram waits;       // From a client's first refusal to its lock.
    // The same, also without the lock in the end: until the run ends, or until
    // the last refusal of a client that gave up.
    Duration waited;
    Duration without;  // Time of owned queues with their lock lost.
  };

  LockingMeasure(const Subjects& subjects, Window window);

  // From here on this is the window; it begins now or later.
  void SetWindow(Window window) { window_ = window; }

  void OnFact(const SeenFact& seen);
  void Finish(Instant end);

  // Complete after Finish.
  const GroupResult& group(GroupIndex group) const {
    return groups_[static_cast<size_t>(group)];
  }

 private:
  // A client asks for a lock again and again: every second or three, and at
  // each rebalance, however long those are apart. One that was silent for so
  // long, and while each consumer of its group that lives rebalanced twice, has
  // given up, and begins anew if it comes again.
  static constexpr Duration kSilence = 30s;

  struct WaitKey {
    GroupIndex group = kNoSubject;
    QueueIndex queue = kNoSubject;
    int64_t client_id = 0;
    friend auto operator<=>(const WaitKey&, const WaitKey&) = default;
  };
  struct Wait {
    Instant first;
    Instant last;
  };
  struct LossKey {
    ConsumerIndex consumer = kNoSubject;
    QueueIndex queue = kNoSubject;
    friend auto operator<=>(const LossKey&, const LossKey&) = default;
  };

  struct Rounds {
    bool alive = false;
    Instant last = Instant::FromNanos(INT64_MIN);
    Instant before = Instant::FromNanos(INT64_MIN);  // The last but one.
  };

  void OnLife(const SeenFact& seen);
  bool GaveUp(GroupIndex group, const Wait& wait, Instant now) const;
  void OnRefused(const SeenFact& seen);
  void OnGranted(const SeenFact& seen);
  void EndLoss(const LossKey& key, Instant now);
  void EndLossesOf(ConsumerIndex consumer, Instant now);
  GroupResult& of(GroupIndex group) {
    return groups_[static_cast<size_t>(group)];
  }

  const Subjects& subjects_;
  Window window_;
  std::vector<GroupResult> groups_;
  std::vector<Rounds> rounds_;  // By ConsumerIndex.
  absl::btree_map<WaitKey, Wait> waits_;
  absl::btree_map<LossKey, Instant> losses_;  // Since when.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_LOCKING_H_
