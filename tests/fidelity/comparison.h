// Recorded runs against simulated ones, under one rule for all of them.
//
// The spread of the recorded runs, widened at each end by 10 % or 150 ms,
// whichever is more, is where a time has to be. What one run of either kind
// shows depends on phases that nobody controls, so the rule is applied to
// spreads: the median of the simulated runs lies within the widened spread of
// the recorded ones, and each recorded time within the widened spread of the
// simulated ones. No recording has a rule of its own.
#ifndef GROUPSIM_TESTS_FIDELITY_COMPARISON_H_
#define GROUPSIM_TESTS_FIDELITY_COMPARISON_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tests/fidelity/observation.h"
#include "tests/fidelity/recording.h"

namespace groupsim {

struct Spread {
  double least = 0;
  double most = 0;

  // Whether a time lies in the widened spread.
  bool Admits(double ms) const;
};

// One quantity, in milliseconds.
struct ComparedTime {
  Quantity quantity;
  std::vector<double> recorded;   // In order of runs.
  std::vector<double> simulated;  // Sorted.
  Spread recorded_spread;
  Spread simulated_spread;
  double median = 0;  // Of the simulated.

  size_t simulated_inside = 0;  // Simulated times that the recorded admit.
  bool median_inside = false;
  bool all_recorded_inside = false;

  // Some kinds are shown only: README.md says which, and why.
  bool judged() const {
    return quantity.what != "notice" && quantity.what != "retry queue owned";
  }
  bool ok() const { return median_inside && all_recorded_inside; }
};

struct Comparison {
  std::string recording;
  size_t recorded_runs = 0;
  size_t simulated_runs = 0;

  // Consumers and seeds whose allocations differ from the recorded ones, in
  // words.
  std::vector<std::string> other_allocations;

  // Times that only one side has, in words.
  std::vector<std::string> one_sided;

  // In order of quantity.
  std::vector<ComparedTime> times;

  // Consumers of simulated runs with a stale subscription, and how many
  // consumers there were.
  size_t stale = 0;
  size_t consumers = 0;

  bool ok() const;

  // For people: a line for each kind of quantity, the queues together.
  std::string Table() const;
};

Comparison Compare(const Recording& recording,
                   const std::vector<Observation>& observations);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_COMPARISON_H_
