// How fair an allocation was over time.
#ifndef GROUPSIM_SCENARIOS_MEASURE_FAIRNESS_H_
#define GROUPSIM_SCENARIOS_MEASURE_FAIRNESS_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/base/time.h"
#include "scenarios/measure/changing_loads.h"

namespace groupsim {

// The balance at one instant.
struct BalanceNow {
  Fairness fairness;
  double gini = 0;
  int64_t score = 0;
  int64_t cross_room = 0;  // Queues with an owner in another room.

  static BalanceNow Of(const ChangingLoads& loads, int64_t cross_room) {
    return {loads.fairness(), loads.gini(), loads.balance_score(), cross_room};
  }
};

// Means over time of what BalanceNow says, and extremes.
class FairnessOverTime {
 public:
  // It was like this for `nanos` > 0, with at least one consumer. `counts`:
  // each queue has had an owner by then, so that the means count it.
  // `at_rest`: each has exactly one.
  void Hold(int64_t nanos, const ChangingLoads& loads, int64_t cross_room,
            bool counts, bool at_rest);

  // Nothing where nothing counted.
  std::optional<double> jain() const { return Mean(jain_, weight_); }
  std::optional<double> max_over_mean() const {
    return Mean(max_over_mean_, loaded_weight_);
  }
  std::optional<double> max_minus_min() const {
    return Mean(max_minus_min_, weight_);
  }
  std::optional<double> cv() const { return Mean(cv_, loaded_weight_); }
  std::optional<double> gini() const { return Mean(gini_, weight_); }
  std::optional<double> score() const { return Mean(score_, weight_); }
  std::optional<double> idle() const { return Mean(idle_, weight_); }
  // Queues with an owner in another room.
  std::optional<double> cross_room() const {
    return Mean(cross_room_, weight_);
  }
  // The lowest Jain index at rest.
  std::optional<double> jain_min() const { return jain_min_; }
  int64_t idle_max() const { return idle_max_; }

 private:
  static std::optional<double> Mean(double sum, int64_t weight) {
    if (weight == 0) return std::nullopt;
    return sum / static_cast<double>(weight);
  }

  double jain_ = 0;
  double max_over_mean_ = 0;
  double max_minus_min_ = 0;
  double cv_ = 0;
  double gini_ = 0;
  double score_ = 0;
  double idle_ = 0;
  double cross_room_ = 0;
  int64_t weight_ = 0;
  int64_t loaded_weight_ = 0;  // While anybody owned anything.
  std::optional<double> jain_min_;
  int64_t idle_max_ = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_FAIRNESS_H_
