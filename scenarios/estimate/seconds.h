// Durations of a scenario in seconds.
#ifndef GROUPSIM_SCENARIOS_ESTIMATE_SECONDS_H_
#define GROUPSIM_SCENARIOS_ESTIMATE_SECONDS_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "scenarios/reader/values.h"

namespace groupsim {

// Of a field that may be empty or wrong, or what to take instead.
inline double SecondsOr(absl::string_view text, double otherwise) {
  const std::optional<Duration> duration = DurationOf(text);
  return duration ? static_cast<double>(duration->nanos()) / 1e9 : otherwise;
}

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_ESTIMATE_SECONDS_H_
