// Which names of topics and groups a broker takes.
#ifndef GROUPSIM_MODEL_BROKER_VALID_NAME_H_
#define GROUPSIM_MODEL_BROKER_VALID_NAME_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace groupsim {

inline constexpr size_t kMaxTopicLength = 127;  // Validators.
inline constexpr size_t kMaxGroupLength = 255;

// Whether `name` is not empty, at most `max_length` bytes long and made of
// letters, digits and `% | _ -` only (TopicValidator.isTopicOrGroupIllegal).
inline bool IsValidTopicOrGroup(absl::string_view name, size_t max_length) {
  if (name.empty() || name.size() > max_length) return false;
  for (const char c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      (c >= '0' && c <= '9') || c == '%' || c == '|' ||
                      c == '_' || c == '-';
    if (!good) return false;
  }
  return true;
}

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_VALID_NAME_H_
