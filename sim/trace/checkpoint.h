// Points at which two runs can be compared.
#ifndef GROUPSIM_SIM_TRACE_CHECKPOINT_H_
#define GROUPSIM_SIM_TRACE_CHECKPOINT_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"

namespace groupsim {

// Both fingerprints after so many events.
struct Checkpoint {
  uint64_t events = 0;
  uint64_t schedule = 0;
  uint64_t facts = 0;

  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// Where two runs part: after the event `after` they were still equal, at the
// event `by` they no longer were.
struct RunDifference {
  uint64_t after = 0;
  uint64_t by = 0;
  bool schedule = false;  // Whether the schedule differs by then,
  bool facts = false;     // and whether the facts do.

  friend bool operator==(const RunDifference&, const RunDifference&) = default;
};

// Compares two runs by their checkpoints, which go up by event number and start
// with the first event. Nothing where they are equal. Where one run has more
// checkpoints than the other, they part after the last one in common.
std::optional<RunDifference> FirstDifference(absl::Span<const Checkpoint> a,
                                             absl::Span<const Checkpoint> b);

}  // namespace groupsim

#endif  // GROUPSIM_SIM_TRACE_CHECKPOINT_H_
