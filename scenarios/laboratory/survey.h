// The same experiment with many groups: what a strategy is like on average.
#ifndef GROUPSIM_SCENARIOS_LABORATORY_SURVEY_H_
#define GROUPSIM_SCENARIOS_LABORATORY_SURVEY_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "model/allocation/catalogue.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/group_plan.h"
#include "scenarios/laboratory/strategy_setup.h"

namespace groupsim {

// A value over all trials.
struct Spread {
  double mean = 0;
  double min = 0;
  double max = 0;
};

struct ChurnSurvey {
  Spread moved;      // Queues moved, of all queues: 0.42 is 42 %.
  Spread necessary;  // Likewise.
  int64_t rounds = 1;
};

struct Survey {
  int64_t trials = 0;
  Spread jain;
  Spread max_over_mean;
  Spread max_minus_min;
  Spread gini;
  Spread idle;
  int64_t unowned = 0;  // The most queues that were nobody's.
  std::optional<Spread> load_jain;
  std::optional<Spread> weighted_jain;
  std::optional<Spread> cross_room;
  std::optional<ChurnSurvey> join;
  std::optional<ChurnSurvey> leave;
  std::optional<ChurnSurvey> restart;
};

// All experiments have the same changes; there is at least one. Errors are
// those of the strategy.
absl::StatusOr<Survey> SurveyOf(const StrategyEntry& strategy,
                                const StrategySettings& settings,
                                absl::Span<const NamedExperiment> experiments);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LABORATORY_SURVEY_H_
