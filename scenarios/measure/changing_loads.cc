#include "scenarios/measure/changing_loads.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "model/base/check.h"

namespace groupsim {

int64_t ChangingLoads::DifferencesTo(int64_t load) const {
  // |x - load| is x - load, and twice what is missing where x is smaller; or
  // the other way round. The shorter of both walks.
  int64_t differences = 0;
  if (load - fairness_.min <= fairness_.max - load) {
    differences = fairness_.sum - load * fairness_.consumers;
    for (int64_t x = fairness_.min; x < load; ++x) {
      differences += 2 * (load - x) * members_[static_cast<size_t>(x)];
    }
  } else {
    differences = load * fairness_.consumers - fairness_.sum;
    for (int64_t x = fairness_.max; x > load; --x) {
      differences += 2 * (x - load) * members_[static_cast<size_t>(x)];
    }
  }
  return differences;
}

void ChangingLoads::AddMember(int64_t load) {
  CHECK_GE(load, 0);
  const auto at = static_cast<size_t>(load);
  if (at >= members_.size()) members_.resize(at + 1);
  if (fairness_.consumers > 0) score_ += DifferencesTo(load);
  const bool first = fairness_.consumers == 0;
  fairness_.min = first ? load : std::min(fairness_.min, load);
  fairness_.max = first ? load : std::max(fairness_.max, load);
  ++members_[at];
  ++fairness_.consumers;
  fairness_.sum += load;
  fairness_.squares += static_cast<__int128>(load) * load;
  if (load == 0) ++fairness_.idle;
}

void ChangingLoads::RemoveMember(int64_t load) {
  const auto at = static_cast<size_t>(load);
  CHECK(load >= 0 && at < members_.size() && members_[at] > 0)
      << "no member of load " << load;
  --members_[at];
  --fairness_.consumers;
  fairness_.sum -= load;
  fairness_.squares -= static_cast<__int128>(load) * load;
  if (load == 0) --fairness_.idle;
  if (fairness_.consumers == 0) {
    fairness_.min = fairness_.max = 0;
    score_ = 0;
    return;
  }
  while (members_[static_cast<size_t>(fairness_.min)] == 0) ++fairness_.min;
  while (members_[static_cast<size_t>(fairness_.max)] == 0) --fairness_.max;
  score_ -= DifferencesTo(load);
}

double ChangingLoads::gini() const {
  if (fairness_.sum == 0) return 0.0;
  return static_cast<double>(score_) /
         (static_cast<double>(fairness_.consumers) *
          static_cast<double>(fairness_.sum));
}

}  // namespace groupsim
