// Time on a simulated host.
#ifndef GROUPSIM_SIM_HOST_HOST_CLOCK_H_
#define GROUPSIM_SIM_HOST_HOST_CLOCK_H_

#include <cstdint>

#include "model/base/time.h"
#include "model/runtime/clock.h"
#include "sim/engine/engine.h"

namespace groupsim {

// What wall clocks show at Instant::Start(): 2026-01-01T00:00:00Z. The same in
// every run, whenever it takes place.
inline constexpr int64_t kWallEpochMillis = 1'767'225'600'000;

class HostClock final : public Clock {
 public:
  explicit HostClock(const Engine& engine) : engine_(engine) {}

  Instant Now() const override { return engine_.now(); }
  int64_t WallMillis() const override {
    // Rounded down, before the start as well.
    const int64_t nanos = engine_.now().nanos();
    const int64_t millis = nanos / 1'000'000 - (nanos % 1'000'000 < 0 ? 1 : 0);
    return kWallEpochMillis + millis;
  }

 private:
  const Engine& engine_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_HOST_CLOCK_H_
