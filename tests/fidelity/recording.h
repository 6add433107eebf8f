// What was observed of a real cluster, as kept in recorded/.
#ifndef GROUPSIM_TESTS_FIDELITY_RECORDING_H_
#define GROUPSIM_TESTS_FIDELITY_RECORDING_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace groupsim {

// What was timed or counted: after which action ("c2 starts", "c2 is killed")
// or over the "whole run", what ("first pull"), and of which queue or consumer.
struct Quantity {
  std::string after;
  std::string what;
  std::string subject;

  // A number of messages or requests; else milliseconds.
  bool IsCount() const;

  friend auto operator<=>(const Quantity&, const Quantity&) = default;
};

// A client that pulled in vain since the broker had not heard of the latest
// version of its subscription. Milliseconds count from its start.
struct StaleSubscription {
  std::string consumer;
  double first_refusal_ms = 0;
  double last_refusal_ms = 0;
};

// What counts of one run, recorded or simulated.
struct Observation {
  uint64_t seed = 0;  // Of a simulated one.

  // By consumer: the shares of the topic that it computed, each one unlike the
  // one before; as "a0 a1 b0", queue 0 and 1 of broker-a and queue 0 of
  // broker-b.
  std::map<std::string, std::vector<std::string>> allocations;

  // Times in milliseconds, and counts.
  std::map<Quantity, double> values;

  // The deliveries that these delayed are not among the values.
  std::vector<StaleSubscription> stale;
};

// Latencies that a scenario declares as they were recorded, in milliseconds.
// Nothing of them is compared.
struct Declared {
  // Round trips are told by the middle one of each of these shares of them, in
  // thousandths, from the shortest to the longest.
  static constexpr std::array<int, 15> kShares = {
      100, 100, 100, 100, 100, 100, 100, 100, 100, 50, 30, 10, 5, 4, 1};
  std::array<double, kShares.size()> round_trips{};

  // By consumer: the median time of a listener's call. Those whose listener
  // does nothing are left out.
  std::map<std::string, double> calls;
};

// There is at least one round trip.
Declared DeclaredOf(std::vector<double> round_trips,
                    std::map<std::string, std::vector<double>> calls);

// One scenario, played several times.
struct Recording {
  std::string name;
  nlohmann::json input;  // The script.
  Declared declared;
  std::vector<Observation> runs;

  // By run; nothing where the run had no such moment.
  std::map<Quantity, std::vector<std::optional<double>>> Values() const;
};

// `text` is a file of recorded/; a malformed one stops the program.
Recording ParseRecording(const std::string& text);

// Such a file.
std::string RecordingText(const Recording& recording);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_RECORDING_H_
