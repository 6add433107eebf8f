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

// Wall clocks can be wrong, and be set; nothing moves Now().
class HostClock final : public Clock {
 public:
  explicit HostClock(const Engine& engine) : engine_(engine) {}

  Instant Now() const override { return engine_.now(); }
  int64_t WallMillis() const override {
    // Rounded down, before the start as well.
    const int64_t nanos = engine_.now().nanos() + Ahead().nanos();
    const int64_t millis = nanos / 1'000'000 - (nanos % 1'000'000 < 0 ? 1 : 0);
    return kWallEpochMillis + millis;
  }

  // How far the wall clock is ahead of the true time; negative if behind.
  Duration Ahead() const {
    if (parts_per_million_ == 0) return ahead_;
    const __int128 nanos = (engine_.now() - since_).nanos();
    return ahead_ + Duration::Nanos(static_cast<int64_t>(
                        nanos * parts_per_million_ / 1'000'000));
  }

  // From now on the wall clock is ahead by that much, and gains so much more in
  // a million parts of time; both may be negative.
  void SetSkew(Duration ahead, int64_t parts_per_million) {
    ahead_ = ahead;
    parts_per_million_ = parts_per_million;
    since_ = engine_.now();
  }

  int64_t parts_per_million() const { return parts_per_million_; }

 private:
  const Engine& engine_;
  Duration ahead_;  // At `since_`.
  int64_t parts_per_million_ = 0;
  Instant since_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_HOST_CLOCK_H_
