// A small scenario as a story: what it says, and the facts it leaves.
#ifndef GROUPSIM_TESTS_SCENARIOS_FAULTS_STORY_H_
#define GROUPSIM_TESTS_SCENARIOS_FAULTS_STORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "scenarios/schema/report.pb.h"

namespace groupsim {

// One line of the event log.
struct ToldFact {
  double time = 0;  // Seconds.
  std::string kind;
  std::string host;
  std::string group;
  std::string topic;
  std::string broker;
  int64_t queue = -1;  // -1 where the fact is about none.
  int64_t offset = 0;
  int64_t count = 0;
  int64_t value = 0;
};

struct Story {
  Report report;
  std::vector<ToldFact> facts;

  // Facts of a kind in [from, to) seconds, at a host if one is named.
  std::vector<ToldFact> Of(absl::string_view kind, double from = -60,
                           double to = 1e9, absl::string_view host = "") const;
  // The times of facts of a kind, as "30 35 40", rounded to whole seconds.
  std::string TimesOf(absl::string_view kind, absl::string_view host = "",
                      double from = 0) const;
  // Queues that a consumer owns at a time, as "broker-a 0 1".
  std::string OwnedBy(absl::string_view consumer, double time) const;
};

// Two brokers with a topic "orders" of four queues each, 100 messages a second
// of producer "shop", group "readers" of three consumers "pod-0" to "pod-2";
// with `more` appended.
std::string SmallScenario(absl::string_view more,
                          absl::string_view duration = "60s");

// Runs a scenario given as text; it is valid.
Story Tell(absl::string_view text, uint64_t seed = 1);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SCENARIOS_FAULTS_STORY_H_
