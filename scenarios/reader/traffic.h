// How many messages the producers of a scenario send.
#ifndef GROUPSIM_SCENARIOS_READER_TRAFFIC_H_
#define GROUPSIM_SCENARIOS_READER_TRAFFIC_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/base/time.h"
#include "scenarios/reader/arrivals.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// The rates of all producers, with what the timeline makes of them, each read
// once. Times are those of the run.
class Traffic {
 public:
  // The scenario is complete, need not be valid, and outlives this. Of a rate
  // that is wrong nothing comes.
  explicit Traffic(const Scenario& scenario);

  // How many messages arrive at all processes of a producer, at most: exactly
  // where arrivals are evenly spaced and rates change at given times, about
  // where they are random. A change of rate that waits for a fact may come at
  // any time, or never. Where the changes are too many to follow, the highest
  // rate counts.
  double MostMessages(const schema::Producer& producer) const;

  // How many seconds a producer sends; 0 if its times are wrong.
  double LengthOf(const schema::Producer& producer) const;

 private:
  // A rate as arrivals have it.
  struct Rate {
    ArrivalPlan plan;
    bool sends = false;  // The rate makes sense.
    // The ramp that lasts to the end of its producer; null for other rates.
    const schema::Rate* until_end = nullptr;
    __int128 highest = 0;  // Units a second.
  };
  // A rate from `time` on, until the next one.
  struct Change {
    Duration time;
    const Rate* rate = nullptr;
    size_t event = 0;  // Its place in the timeline.
  };
  struct Changes {
    std::vector<Change> timed;     // In the order of time and place.
    std::vector<Change> whenever;  // At `time` or later, or never.
    int64_t count = 0;             // Of all, also of those not followed.
    __int128 highest = 0;          // Of any of them.
  };
  class Segments;

  static Rate Read(const schema::Rate& written);
  void Collect(const schema::Event& event, const Rate& rate, Changes& changes);
  Changes ChangesOf(const std::string& producer) const;
  // Of one process, which may have changes of its own.
  double MostMessages(const schema::Producer& producer, const Rate& usual,
                      const std::string& process) const;
  static __int128 Follow(const Rate& usual, const Changes& changes,
                         Duration from, Duration until);

  const Scenario& scenario_;
  const Duration end_;
  std::deque<Rate> rates_;  // Of the timeline.
  Changes of_all_;
  absl::flat_hash_map<std::string, Changes> of_;  // By producer.
  size_t most_changes_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_TRAFFIC_H_
