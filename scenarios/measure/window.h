// The part of a run that is measured.
#ifndef GROUPSIM_SCENARIOS_MEASURE_WINDOW_H_
#define GROUPSIM_SCENARIOS_MEASURE_WINDOW_H_

#include <algorithm>
#include <optional>

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

// Notes when a growing number first exceeds a limit.
class Watch {
 public:
  void SetLimit(int64_t limit) { limit_ = limit; }
  // `value` holds from `now` on; `subject` says what made it grow.
  void Update(Instant now, int64_t value, int32_t subject = -1) {
    if (!limit_.has_value() || value <= *limit_ || exceeded_at_.has_value()) {
      return;
    }
    exceeded_at_ = now;
    subject_ = subject;
  }
  // For an integral that was `before` at `begin` and has grown since by `rate`
  // > 0 each nanosecond: notes the instant of crossing.
  void UpdateIntegral(Instant begin, __int128 before, int64_t rate,
                      __int128 after) {
    if (!limit_.has_value() || after <= *limit_ || exceeded_at_.has_value()) {
      return;
    }
    const __int128 left = std::max<__int128>(*limit_ - before, 0);
    exceeded_at_ = begin + Duration::Nanos(static_cast<int64_t>(left / rate));
  }
  std::optional<Instant> exceeded_at() const { return exceeded_at_; }
  int32_t subject() const { return subject_; }

 private:
  std::optional<int64_t> limit_;
  std::optional<Instant> exceeded_at_;
  int32_t subject_ = -1;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_WINDOW_H_
