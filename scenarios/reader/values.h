// The notations of a scenario: durations, sizes, names, queues.
//
// Errors are InvalidArgument and say what is wrong and what would be right, in
// words that follow the name of a field: `is "20"; a duration needs a unit...`.
#ifndef GROUPSIM_SCENARIOS_READER_VALUES_H_
#define GROUPSIM_SCENARIOS_READER_VALUES_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/base/time.h"

namespace groupsim {

// "250us", "1.5s", "1h30m": numbers with the units d, h, m, s, ms, us, ns, each
// at most once and the largest first; only the last may have a fraction, which
// must be whole nanoseconds. Never negative.
absl::StatusOr<Duration> ParseDuration(absl::string_view text);

// In the same notation, exactly: "1h30m", "250us", "0s". Not negative.
std::string FormatDuration(Duration duration);

// A number of bytes: "1800", "4KiB", "1.5MiB"; units B, KiB, MiB, GiB, KB, MB,
// GB. A fraction must come out whole. Never negative.
absl::StatusOr<int64_t> ParseSize(absl::string_view text);

// OK for 1 to 127 letters, digits and "_-%|" (TopicValidator, 5.3.3), and "@",
// which only brokers may have.
absl::Status CheckName(absl::string_view text);

// Some queues of one broker.
struct QueueRange {
  std::string broker;
  int32_t first = 0;
  // The last one; kAllQueues: all that the broker has of the topic.
  int32_t last = 0;
  static constexpr int32_t kAllQueues = std::numeric_limits<int32_t>::max();

  friend bool operator==(const QueueRange&, const QueueRange&) = default;
};

// "broker-a#3", "broker-a#0..3", "broker-a#*", separated by commas, in the
// order written. The empty text is no queue.
absl::StatusOr<std::vector<QueueRange>> ParseQueues(absl::string_view text);

// The names of the processes that a block with `name` stands for: the name
// itself, or "NAME-0" to "NAME-(count-1)" where a count is given.
std::vector<std::string> ProcessNames(absl::string_view name);
std::vector<std::string> ProcessNames(absl::string_view name, int32_t count);

// The duration in a field that may be empty or wrong, or what to take instead.
std::optional<Duration> DurationOf(absl::string_view text);
Duration DurationOr(absl::string_view text, Duration otherwise);

// What a scenario without errors says; a failure is a fault of the reader.
template <class T>
T Valid(absl::StatusOr<T> value) {
  CHECK(value.ok()) << value.status().ToString();
  return *std::move(value);
}
inline Duration Parsed(absl::string_view text) {
  return Valid(ParseDuration(text));
}
inline Instant TimeOf(absl::string_view text) {
  return Instant::Start() + Parsed(text);
}

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_VALUES_H_
