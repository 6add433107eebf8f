#include "sim/trace/checkpoint.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"

namespace groupsim {

std::optional<RunDifference> FirstDifference(absl::Span<const Checkpoint> a,
                                             absl::Span<const Checkpoint> b) {
  const size_t common = std::min(a.size(), b.size());
  uint64_t after = 0;
  for (size_t i = 0; i < common; ++i) {
    if (a[i] == b[i]) {
      after = a[i].events;
      continue;
    }
    // Runs of different lengths may end with checkpoints at different events.
    const bool same_event = a[i].events == b[i].events;
    return RunDifference{after, std::max(a[i].events, b[i].events),
                         !same_event || a[i].schedule != b[i].schedule,
                         same_event && a[i].facts != b[i].facts};
  }
  if (a.size() == b.size()) return std::nullopt;
  const absl::Span<const Checkpoint> longer = a.size() > b.size() ? a : b;
  return RunDifference{after, longer[common].events, true, false};
}

}  // namespace groupsim
