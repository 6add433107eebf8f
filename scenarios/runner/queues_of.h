// Queues of a scenario's topics.
#ifndef GROUPSIM_SCENARIOS_RUNNER_QUEUES_OF_H_
#define GROUPSIM_SCENARIOS_RUNNER_QUEUES_OF_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/wire/message_queue.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// Everything in a scenario was validated before; a failure here is a fault of
// the reader.
template <class T>
T Valid(absl::StatusOr<T> value) {
  CHECK(value.ok()) << value.status().ToString();
  return *std::move(value);
}

inline Duration Parsed(const std::string& text) {
  return Valid(ParseDuration(text));
}
inline Instant TimeOf(const std::string& text) {
  return Instant::Start() + Parsed(text);
}

// Queues of a topic that a list in the scenario's notation means, in the order
// written; for "" all that it has at the beginning.
std::vector<MessageQueue> QueuesOf(const Scenario& scenario,
                                   const std::string& topic,
                                   const std::string& queues, NameTable& names);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_QUEUES_OF_H_
