// How evenly something is spread, and what a change of members has to move.
//
// Everything is about the loads x of the members of a group at one instant:
// queues owned, messages per second, lag.
#ifndef GROUPSIM_SCENARIOS_MEASURE_BALANCE_H_
#define GROUPSIM_SCENARIOS_MEASURE_BALANCE_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"

namespace groupsim {

// What it takes to judge an instant at little cost.
struct Fairness {
  int64_t consumers = 0;
  int64_t sum = 0;  // Of x.
  // Of x squared: as many bits again as the sum has.
  __int128 squares = 0;
  int64_t max = 0;
  int64_t min = 0;
  int64_t idle = 0;  // Consumers with x = 0.

  // Loads are not negative; their sum is below 2^63.
  static Fairness Of(absl::Span<const int64_t> loads);

  // (sum x)^2 / (n * sum x^2): from 1/n to 1; 1 if all loads are 0.
  double Jain() const;
  // max * n / sum; nothing if all loads are 0.
  std::optional<double> MaxOverMean() const;
  // Standard deviation of the population over the mean; nothing if all loads
  // are 0.
  std::optional<double> VariationCoefficient() const;

  friend bool operator==(const Fairness&, const Fairness&) = default;
};

// Sum of |x_i - x_j| over all pairs: what Kafka's sticky assignor compares.
int64_t BalanceScore(absl::Span<const int64_t> loads);

// Sum of |x_i - x_j| over all i and j, over 2 n^2 times the mean: from 0 to
// 1 - 1/n; 0 if all loads are 0.
double Gini(absl::Span<const int64_t> loads);

// The most even spread of `queues` over `consumers`: nobody has more than one
// queue more than another. Both >= 0.
struct EvenSpread {
  int64_t queues = 0;
  int64_t consumers = 0;
};
Fairness FairnessOf(const EvenSpread& spread);

// The fewest queues that must change hands for an even result: each of those
// who stay keeps what it has up to its quota, and as many as there are queues
// left over may keep one more. `owned` is what those who stay have, `queues`
// how many there are in all, `assigned` how many have an owner before the
// change, leavers counted.
struct QueueTotals {
  int64_t queues = 0;
  int64_t assigned = 0;
};
int64_t NecessaryMoves(absl::Span<const int64_t> owned,
                       const QueueTotals& totals);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_BALANCE_H_
