#include "scenarios/measure/balance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"

namespace groupsim {

Fairness Fairness::Of(absl::Span<const int64_t> loads) {
  Fairness fairness;
  fairness.consumers = static_cast<int64_t>(loads.size());
  if (loads.empty()) return fairness;
  fairness.min = loads[0];
  for (const int64_t x : loads) {
    fairness.sum += x;
    fairness.squares += static_cast<__int128>(x) * x;
    fairness.max = std::max(fairness.max, x);
    fairness.min = std::min(fairness.min, x);
    if (x == 0) ++fairness.idle;
  }
  return fairness;
}

double Fairness::Jain() const {
  if (squares == 0) return 1.0;
  return static_cast<double>(sum) * static_cast<double>(sum) /
         (static_cast<double>(consumers) * static_cast<double>(squares));
}

std::optional<double> Fairness::MaxOverMean() const {
  if (sum == 0) return std::nullopt;
  return static_cast<double>(max) * static_cast<double>(consumers) /
         static_cast<double>(sum);
}

std::optional<double> Fairness::VariationCoefficient() const {
  if (sum == 0) return std::nullopt;
  return std::sqrt(std::max(0.0, 1.0 / Jain() - 1.0));
}

int64_t BalanceScore(absl::Span<const int64_t> loads) {
  std::vector<int64_t> sorted(loads.begin(), loads.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<int64_t>(sorted.size());
  int64_t score = 0;
  for (int64_t i = 0; i < n; ++i) {
    score += (2 * i - n + 1) * sorted[static_cast<size_t>(i)];
  }
  return score;
}

double Gini(absl::Span<const int64_t> loads) {
  const int64_t sum = Fairness::Of(loads).sum;
  if (sum == 0) return 0.0;
  return static_cast<double>(BalanceScore(loads)) /
         (static_cast<double>(loads.size()) * static_cast<double>(sum));
}

Fairness FairnessOf(const EvenSpread& spread) {
  Fairness fairness;
  fairness.consumers = spread.consumers;
  if (spread.consumers == 0) return fairness;
  const int64_t floor = spread.queues / spread.consumers;
  const int64_t more = spread.queues % spread.consumers;  // With one more.
  fairness.sum = spread.queues;
  const __int128 low = floor;
  const __int128 high = floor + 1;
  fairness.squares = (spread.consumers - more) * low * low + more * high * high;
  fairness.max = more > 0 ? floor + 1 : floor;
  fairness.min = floor;
  fairness.idle = floor == 0 ? spread.consumers - more : 0;
  return fairness;
}

int64_t NecessaryMoves(absl::Span<const int64_t> owned,
                       const QueueTotals& totals) {
  if (owned.empty()) return 0;
  const auto members = static_cast<int64_t>(owned.size());
  const int64_t floor = totals.queues / members;
  int64_t surplus = totals.queues % members;
  int64_t kept = 0;
  for (const int64_t x : owned) {
    kept += std::min(x, floor);
    if (x > floor && surplus > 0) {
      ++kept;
      --surplus;
    }
  }
  return totals.assigned - kept;
}

}  // namespace groupsim
