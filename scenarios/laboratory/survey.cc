#include "scenarios/laboratory/survey.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "model/allocation/catalogue.h"
#include "model/allocation/group_strategy.h"
#include "model/base/check.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/group_plan.h"
#include "scenarios/laboratory/strategy_setup.h"

namespace groupsim {
namespace {

// `mean` is the sum until the end.
class Collector {
 public:
  void Add(double value) {
    if (count_ == 0 || value < spread_.min) spread_.min = value;
    if (count_ == 0 || value > spread_.max) spread_.max = value;
    spread_.mean += value;
    ++count_;
  }
  void Add(const std::optional<double>& value) {
    if (value.has_value()) Add(*value);
  }

  Spread Get() const {
    Spread spread = spread_;
    if (count_ == 0) return spread;
    // Sums of equal numbers are not quite exact.
    spread.mean = std::clamp(spread.mean / static_cast<double>(count_),
                             spread.min, spread.max);
    return spread;
  }
  std::optional<Spread> GetIfAny() const {
    return count_ == 0 ? std::nullopt : std::make_optional(Get());
  }

 private:
  Spread spread_;
  int64_t count_ = 0;
};

class ChurnCollector {
 public:
  void Add(const std::optional<Churn>& churn) {
    if (!churn.has_value()) return;
    moved_.Add(churn->MovedPerQueue());
    necessary_.Add(churn->NecessaryPerQueue());
    rounds_ = std::max(rounds_, churn->rounds);
  }

  std::optional<ChurnSurvey> Get() const {
    if (!moved_.GetIfAny().has_value()) return std::nullopt;
    return ChurnSurvey{.moved = moved_.Get(),
                       .necessary = necessary_.Get(),
                       .rounds = rounds_};
  }

 private:
  Collector moved_;
  Collector necessary_;
  int64_t rounds_ = 1;
};

}  // namespace

absl::StatusOr<Survey> SurveyOf(const StrategyEntry& strategy,
                                const StrategySettings& settings,
                                absl::Span<const NamedExperiment> experiments) {
  CHECK(!experiments.empty());
  Survey survey;
  Collector jain, max_over_mean, max_minus_min, gini, idle;
  Collector load_jain, weighted_jain, cross_room;
  ChurnCollector join, leave, restart;
  for (const NamedExperiment& named : experiments) {
    const absl::StatusOr<GroupStrategyPtr> made =
        SetUp(strategy, settings, named);
    if (!made.ok()) return made.status();
    const absl::StatusOr<Outcome> outcome = Try(**made, named.experiment);
    if (!outcome.ok()) return outcome.status();
    const Balance& balance = outcome->balance;
    ++survey.trials;
    jain.Add(balance.queues.Jain());
    max_over_mean.Add(balance.queues.MaxOverMean());
    max_minus_min.Add(
        static_cast<double>(balance.queues.max - balance.queues.min));
    gini.Add(balance.gini);
    idle.Add(static_cast<double>(balance.queues.idle));
    survey.unowned = std::max(survey.unowned, balance.unowned);
    if (balance.loads.has_value()) load_jain.Add(balance.loads->Jain());
    weighted_jain.Add(balance.weighted_jain);
    cross_room.Add(balance.cross_room);
    join.Add(outcome->join);
    leave.Add(outcome->leave);
    restart.Add(outcome->restart);
  }
  survey.jain = jain.Get();
  survey.max_over_mean = max_over_mean.Get();
  survey.max_minus_min = max_minus_min.Get();
  survey.gini = gini.Get();
  survey.idle = idle.Get();
  survey.load_jain = load_jain.GetIfAny();
  survey.weighted_jain = weighted_jain.GetIfAny();
  survey.cross_room = cross_room.GetIfAny();
  survey.join = join.Get();
  survey.leave = leave.Get();
  survey.restart = restart.Get();
  return survey;
}

}  // namespace groupsim
