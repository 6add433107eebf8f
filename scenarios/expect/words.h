// How expectations and their subjects are written for people.
#ifndef GROUPSIM_SCENARIOS_EXPECT_WORDS_H_
#define GROUPSIM_SCENARIOS_EXPECT_WORDS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "scenarios/measure/occurrence.h"
#include "scenarios/measure/subjects.h"

namespace groupsim {

// Whole where it is whole, else three decimals.
std::string NumberInWords(double value);

// The bounds of a number; at least one is set.
struct Bounds {
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::optional<double> equals;

  // Of a message with fields of these names; not all need exist.
  template <class Message>
  static Bounds Of(const Message& message) {
    Bounds bounds;
    if (message.has_at_least()) {
      bounds.at_least = static_cast<double>(message.at_least());
    }
    if (message.has_at_most()) {
      bounds.at_most = static_cast<double>(message.at_most());
    }
    if constexpr (requires { message.has_equals(); }) {
      if (message.has_equals()) {
        bounds.equals = static_cast<double>(message.equals());
      }
    }
    return bounds;
  }

  bool Hold(double value) const;
  // What the number must not exceed; nothing if it may be any.
  std::optional<double> most() const { return equals ? equals : at_most; }
  // "at least 3, at most 5 s"; the unit stands at the end.
  std::string InWords(absl::string_view unit) const;
};

// "orders broker-a#3"; "" for none.
std::string QueueInWords(const Subjects& subjects, QueueIndex queue);
// "broker-a#0,broker-a#1"; "nothing" for none.
std::string QueuesInWords(const Subjects& subjects,
                          const std::vector<QueueIndex>& queues);
// "orders broker-a#3, offset 17, at pod-2", or what there is of it.
std::string SubjectInWords(const Subjects& subjects, const Occurrence& what);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_WORDS_H_
