// How long a message waits, by level.
#ifndef GROUPSIM_MODEL_BROKER_DELAY_LEVELS_H_
#define GROUPSIM_MODEL_BROKER_DELAY_LEVELS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"

namespace groupsim {

// The table that ScheduleMessageService makes of messageDelayLevel, 5.3.3.
class DelayLevels {
 public:
  // Reads "1s 5s 10s 30s 1m"; an error says which part is no delay. At least
  // one level; each delay is at most 365 days.
  static absl::StatusOr<DelayLevels> Parse(absl::string_view text);

  int32_t max() const { return static_cast<int32_t>(delays_.size()); }
  // A level above the table's counts as the last one.
  int32_t Clamp(int32_t level) const { return level > max() ? max() : level; }
  // `level` is at least 1.
  Duration DelayOf(int32_t level) const {
    return delays_[static_cast<size_t>(Clamp(level) - 1)];
  }

 private:
  explicit DelayLevels(std::vector<Duration> delays)
      : delays_(std::move(delays)) {}

  std::vector<Duration> delays_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_DELAY_LEVELS_H_
