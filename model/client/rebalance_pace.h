// When the rebalance loop of a client works.
#ifndef GROUPSIM_MODEL_CLIENT_REBALANCE_PACE_H_
#define GROUPSIM_MODEL_CLIENT_REBALANCE_PACE_H_

#include <cstdint>

#include "model/base/time.h"

namespace groupsim {

// The loop waits, at most for wait(), until somebody wakes it, asks IsDue, and
// if so rebalances and says OnEnd. A wake-up that comes too early is not lost:
// it makes the next wait shorter (RebalanceService.run, 5.3.3).
//
// Times are wall-clock milliseconds, as upstream reads them here.
class RebalancePace {
 public:
  struct Limits {
    Duration wait_interval;  // rebalance_wait_interval
    Duration min_interval;   // rebalance_min_interval
    // False before 5.2.0: every wake-up is due at once, and an unbalanced
    // rebalance is not repeated before wait_interval.
    bool paced = true;
  };

  // The time of creation counts as the end of a rebalance.
  RebalancePace(const Limits& limits, int64_t created_millis)
      : limits_(limits),
        last_end_millis_(created_millis),
        wait_(limits.wait_interval) {}

  Duration wait() const { return wait_; }

  // Asked after each wait.
  bool IsDue(int64_t now_millis) {
    if (!limits_.paced) return true;
    const Duration elapsed = Duration::Millis(now_millis - last_end_millis_);
    if (elapsed >= limits_.min_interval) return true;
    wait_ = limits_.min_interval - elapsed;
    return false;
  }

  void OnEnd(int64_t now_millis, bool balanced) {
    last_end_millis_ = now_millis;
    wait_ = balanced || !limits_.paced ? limits_.wait_interval
                                       : limits_.min_interval;
  }

 private:
  const Limits limits_;
  int64_t last_end_millis_;
  Duration wait_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_REBALANCE_PACE_H_
