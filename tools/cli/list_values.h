// Values of flags that are lists or counts.
#ifndef GROUPSIM_TOOLS_CLI_LIST_VALUES_H_
#define GROUPSIM_TOOLS_CLI_LIST_VALUES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "scenarios/laboratory/group_plan.h"

namespace groupsim {

// InvalidArgument, naming `flag`, unless `text` is UTF-8 without control
// characters, so that it can be shown and written as JSON.
absl::Status CheckPrintable(absl::string_view flag, absl::string_view text);

// Digits only.
bool IsNumber(absl::string_view text);

// A number that counts nothing: "-2", "3.5", "+4", "1e3".
bool LooksLikeNumber(absl::string_view text);

// A whole number. InvalidArgument, naming `flag`, if it is none, OutOfRange if
// it is larger than `limit`.
absl::StatusOr<size_t> ReadCount(absl::string_view flag, absl::string_view text,
                                 size_t limit);

// "a, b,c": parts without the blanks around them. Never empty.
std::vector<std::string> SplitList(absl::string_view text);

// "pod-07": numbers have as many digits as the largest, so that the order of
// texts is that of numbers.
std::string Numbered(absl::string_view stem, size_t number, size_t largest);

struct NamedPart {
  std::string name;
  std::string value;
};

// "NAME:VALUE,NAME:VALUE"; the last colon of each counts.
absl::StatusOr<std::vector<NamedPart>> ReadNamedParts(absl::string_view flag,
                                                      absl::string_view text);

// "broker-a#3" or "broker-a#0..3".
absl::StatusOr<std::vector<QueuePlan>> ReadQueueRange(absl::string_view flag,
                                                      absl::string_view text);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_LIST_VALUES_H_
