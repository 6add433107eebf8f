// Lines of a recording, as the live cluster's recorder wrote them.
#ifndef GROUPSIM_TESTS_FIDELITY_LIVE_RUN_H_
#define GROUPSIM_TESTS_FIDELITY_LIVE_RUN_H_

#include <map>
#include <string>
#include <vector>

#include "tests/fidelity/observer.h"
#include "tests/fidelity/script.h"

namespace groupsim {

// What counts of one recorded run; `lines` is an observed-N.jsonl. Stops the
// program if a line lacks something.
Observation ObserveRecorded(const Script& script, const std::string& lines);

// Latencies in a run that are not compared but declared, in milliseconds.
struct Latencies {
  // Round trips of all requests but sends, and of those pulls that found a full
  // batch, which no broker held.
  std::vector<double> round_trips;

  // By consumer, if its listener works at all: how long calls took.
  std::map<std::string, std::vector<double>> calls;
};

// Adds those of one recorded run.
void AddLatencies(const Script& script, const std::string& lines,
                  Latencies& latencies);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_LIVE_RUN_H_
