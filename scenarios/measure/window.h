// The part of a run that is measured.
#ifndef GROUPSIM_SCENARIOS_MEASURE_WINDOW_H_
#define GROUPSIM_SCENARIOS_MEASURE_WINDOW_H_

#include <algorithm>

#include "model/base/time.h"

namespace groupsim {

// From `from` (inclusive) to `to` (exclusive).
struct Window {
  Instant from = Instant::Start();
  Instant to = Instant::Max();

  bool Contains(Instant t) const { return t >= from && t < to; }
  // Length of the part of [begin, end) inside the window.
  Duration Overlap(Instant begin, Instant end) const {
    const Instant low = std::max(begin, from);
    const Instant high = std::min(end, to);
    return high > low ? high - low : Duration::Zero();
  }
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_WINDOW_H_
