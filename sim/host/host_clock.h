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
    return kWallEpochMillis + engine_.now().since_start().millis();
  }

 private:
  const Engine& engine_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_HOST_CLOCK_H_
