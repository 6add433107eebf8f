#include "scenarios/measure/fairness.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace groupsim {

void FairnessOverTime::Hold(int64_t nanos, const ChangingLoads& loads,
                            int64_t cross_room, bool counts, bool at_rest) {
  const Fairness& now = loads.fairness();
  const double jain = now.Jain();
  if (at_rest) jain_min_ = std::min(jain_min_.value_or(1.0), jain);
  if (!counts) return;
  idle_max_ = std::max(idle_max_, now.idle);
  const auto weight = static_cast<double>(nanos);
  weight_ += nanos;
  jain_ += jain * weight;
  max_minus_min_ += static_cast<double>(now.max - now.min) * weight;
  gini_ += loads.gini() * weight;
  score_ += static_cast<double>(loads.balance_score()) * weight;
  idle_ += static_cast<double>(now.idle) * weight;
  cross_room_ += static_cast<double>(cross_room) * weight;
  if (const std::optional<double> ratio = now.MaxOverMean();
      ratio.has_value()) {
    loaded_weight_ += nanos;
    max_over_mean_ += *ratio * weight;
    cv_ += *now.VariationCoefficient() * weight;
  }
}

}  // namespace groupsim
