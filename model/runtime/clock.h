// The seam through which the model reads time.
#ifndef GROUPSIM_MODEL_RUNTIME_CLOCK_H_
#define GROUPSIM_MODEL_RUNTIME_CLOCK_H_

#include <cstdint>

#include "model/base/time.h"

namespace groupsim {

// Time as one process sees it.
class Clock {
 public:
  virtual ~Clock() = default;

  // Never goes back. For intervals and scheduled jobs (System.nanoTime).
  virtual Instant Now() const = 0;

  // Wall-clock milliseconds since 1970 (System.currentTimeMillis). May be
  // skewed against other processes, and may jump.
  virtual int64_t WallMillis() const = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_CLOCK_H_
