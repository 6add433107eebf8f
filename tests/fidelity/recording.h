// What was observed of a real cluster, as kept in recorded/.
#ifndef GROUPSIM_TESTS_FIDELITY_RECORDING_H_
#define GROUPSIM_TESTS_FIDELITY_RECORDING_H_

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace groupsim {

// What was timed: after which action ("c2 starts", "c2 is killed") or over the
// "whole run", what ("first pull"), and of which queue or consumer.
struct Quantity {
  std::string after;
  std::string what;
  std::string subject;

  friend auto operator<=>(const Quantity&, const Quantity&) = default;
};

// A client that pulled in vain since the broker had not heard of the latest
// version of its subscription. Milliseconds count from its start.
struct StaleSubscription {
  std::string consumer;
  double first_refusal_ms = 0;
  double last_refusal_ms = 0;
};

// One scenario, played several times.
struct Recording {
  std::string name;
  size_t runs = 0;

  // By consumer and run: the shares of the topic that it computed, each one
  // unlike the one before; as "a0 a1 b0", queue 0 and 1 of broker-a and queue 0
  // of broker-b.
  std::map<std::string, std::vector<std::vector<std::string>>> allocations;

  // By run, in milliseconds; nothing where the run had no such moment.
  std::map<Quantity, std::vector<std::optional<double>>> ms;

  // By run; what was timed contains nothing of the deliveries it delayed.
  std::map<size_t, StaleSubscription> stale;
};

// `text` is a file of recorded/; a malformed one stops the program.
Recording ParseRecording(const std::string& text);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_RECORDING_H_
