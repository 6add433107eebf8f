// Times at which something looks again and again.
#ifndef GROUPSIM_MODEL_RUNTIME_GRID_H_
#define GROUPSIM_MODEL_RUNTIME_GRID_H_

#include <algorithm>
#include <cstdint>

#include "model/base/time.h"

namespace groupsim {

// Times from `first` on, a period apart.
struct Grid {
  Instant first;
  Duration period;  // Positive.

  // The first of them after `now` and not before `wanted`.
  Instant Next(Instant now, Instant wanted) const {
    if (wanted <= first && now < first) return first;
    const Instant from = std::max(wanted, now + Duration::Nanos(1));
    const Duration since = from - first;
    const int64_t periods = (since + period - Duration::Nanos(1)) / period;
    return first + periods * period;
  }
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_GRID_H_
