// How many messages the producers of a scenario send.
#ifndef GROUPSIM_SCENARIOS_READER_TRAFFIC_H_
#define GROUPSIM_SCENARIOS_READER_TRAFFIC_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// The rates of all producers, with what the timeline makes of them. Times are
// seconds of the run.
class Traffic {
 public:
  // The scenario is complete, need not be valid, and outlives this.
  explicit Traffic(const Scenario& scenario);

  // About how many messages arrive at all processes of a producer, at most:
  // a change of rate that waits for a fact may come at any time, or never.
  // Where the changes are too many to follow, the highest rate counts.
  double MostMessages(const schema::Producer& producer) const;

  // How long a producer sends; 0 if its times are wrong.
  double LengthOf(const schema::Producer& producer) const;

 private:
  // A rate from `time` on, until the next one.
  struct Change {
    double time = 0;
    const schema::Rate* rate = nullptr;
  };
  struct Changes {
    std::vector<Change> timed;     // In the order of time.
    std::vector<Change> whenever;  // At `time` or later, or never.
    double highest = 0;            // Messages a second of any of them.
  };

  void Collect(const schema::Event& event, Changes& changes);

  const Scenario& scenario_;
  const double end_;
  Changes of_all_;
  absl::flat_hash_map<std::string, Changes> of_;  // By producer.
  size_t most_changes_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_TRAFFIC_H_
