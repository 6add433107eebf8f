// Numbers as people read them.
#ifndef GROUPSIM_SCENARIOS_RUNNER_READABLE_H_
#define GROUPSIM_SCENARIOS_RUNNER_READABLE_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace groupsim {

// "1,234,567".
std::string ReadableCount(int64_t n);

// "1 queue", "1,200 queues".
std::string ReadablePlural(int64_t n, absl::string_view one);

// A length of time with three digits at most where that is exact enough:
// "1.02 s", "734 ms", "5m30s".
std::string ReadableTime(double seconds);

// "0", "1.08", "55.8", "1,234".
std::string ReadableAmount(double value);

// "512 B", "2.9 MiB".
std::string ReadableBytes(int64_t n);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_READABLE_H_
