// Recorded runs against simulated ones, under one rule for all of them.
//
// The spread of the recorded runs is widened at each end by 10 % or 150 ms,
// whichever is more; counts, by 10 % or by what one queue gets in 150 ms.
//
// A value is *within* if the median of the simulated runs lies in the widened
// spread of the recorded ones, and each recorded value in the widened spread of
// the simulated ones.
//
// What one run of either kind shows may depend on phases that nobody controls:
// where the simulated runs differ by more than the widening, two or three
// recorded ones say little about the median. There a value is *within by phase*
// if each recorded value lies in the widened spread of the simulated ones, and
// at least a fifth of these in the widened spread of the recorded ones.
//
// All else is *outside*. No recording has a rule of its own.
#ifndef GROUPSIM_TESTS_FIDELITY_COMPARISON_H_
#define GROUPSIM_TESTS_FIDELITY_COMPARISON_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tests/fidelity/recording.h"
#include "tests/fidelity/script.h"

namespace groupsim {

enum class Verdict { kWithin, kWithinByPhase, kOutside };

struct Spread {
  double least = 0;
  double most = 0;
  // The least that each end is widened by: milliseconds, or a count.
  double least_widening = 150;

  // Whether a value lies in the widened spread.
  bool Admits(double value) const;
};

// One quantity, or one sequence of allocations.
struct Compared {
  Quantity quantity;
  std::vector<double> recorded;   // Of the runs that have it.
  std::vector<double> simulated;  // Sorted; of the runs that have it.
  Spread recorded_spread;
  Spread simulated_spread;
  double median = 0;  // Of the simulated.

  size_t simulated_inside = 0;  // Simulated values that the recorded admit.
  Verdict verdict = Verdict::kOutside;

  // Some kinds are shown only: README.md says which, and why.
  bool judged() const;
};

// The shares of one consumer.
struct ComparedShares {
  std::string consumer;
  size_t as_recorded = 0;  // Simulated runs with a recorded sequence.
  Verdict verdict = Verdict::kOutside;
  std::string words;  // An example of another sequence.
};

struct Comparison {
  std::string recording;
  std::string title;
  size_t recorded_runs = 0;
  size_t simulated_runs = 0;

  // What of the script was not played, in words.
  std::vector<std::string> not_played;

  std::vector<ComparedShares> shares;

  // Values that only one side has, in words.
  std::vector<std::string> one_sided;

  // In order of quantity.
  std::vector<Compared> values;

  // Stale subscriptions, and starts in one run.
  size_t recorded_stale = 0;
  size_t simulated_stale = 0;
  size_t starts = 0;

  // One line of the table: what, and which after which action, all subjects
  // together. In order of the actions.
  struct Line {
    std::string name;
    std::vector<const Compared*> values;
    Verdict verdict() const;
    bool judged() const { return values.front()->judged(); }
  };
  std::vector<Line> Lines() const;

  // "c3 starts: first pull", of the lines that are judged outside.
  std::vector<std::string> Outside() const;
  bool ok() const { return Outside().empty(); }

  // For people: a line for each kind of quantity, the subjects together, and
  // then what is outside one by one.
  std::string Table() const;

  // The lines that are judged as rows of Markdown; those in which nothing
  // differs are counted.
  std::string Markdown() const;

  // Actions, in the order in which they were planned.
  std::vector<std::string> actions;
};

// `observations` are of the recording's own script.
Comparison Compare(const Recording& recording, const Script& script,
                   const std::vector<Observation>& observations);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_COMPARISON_H_
