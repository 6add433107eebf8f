#include "tests/sim/random/fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace groupsim {

double ChiSquareScore(const std::vector<int64_t>& counts,
                      const std::vector<double>& expected) {
  const auto total = static_cast<double>(
      std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  double statistic = 0;
  double freedom = -1;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == 0) {
      if (counts[i] != 0) return INFINITY;
      continue;
    }
    const double mean = expected[i] * total;
    statistic += (static_cast<double>(counts[i]) - mean) *
                 (static_cast<double>(counts[i]) - mean) / mean;
    freedom += 1;
  }
  if (freedom <= 0) return 0;  // Nothing but one class can occur.
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(statistic / freedom) - (1 - spread)) / std::sqrt(spread);
}

double KolmogorovScore(std::vector<double> sample,
                       const std::function<double(double)>& law) {
  std::sort(sample.begin(), sample.end());
  const auto size = static_cast<double>(sample.size());
  double distance = 0;
  for (size_t i = 0; i < sample.size(); ++i) {
    const double p = law(sample[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, p - rank / size, (rank + 1) / size - p});
  }
  return distance * std::sqrt(size);
}

}  // namespace groupsim
