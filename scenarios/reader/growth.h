// What a scenario's timeline makes larger while the run goes on.
//
// All that there may ever be is known beforehand: consumers and queues have
// their numbers before the run begins.
#ifndef GROUPSIM_SCENARIOS_READER_GROWTH_H_
#define GROUPSIM_SCENARIOS_READER_GROWTH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// The most queues that a topic may have on one broker.
inline constexpr int64_t kMostQueuesOnBroker = 10'000;

// How often an event takes place at most. Of times that cannot be read, 1.
// What is beyond all limits is some number beyond them.
int64_t MostTimes(const schema::Event& event, const Scenario& scenario);

// Looks at the timeline once. The scenario need not be valid; its topics have
// their numbers of queues. It is not kept.
class Growth {
 public:
  explicit Growth(const Scenario& scenario);

  // The most consumers that a block ever has.
  int32_t LargestCount(const schema::Consumer& block) const;

  // The names of all these consumers, also of those that start later.
  std::vector<std::string> AllNamesOf(const schema::Consumer& block) const;

  // The queues that a topic has on a broker at most, 0 to the result - 1; and
  // on all its brokers together.
  int64_t MostQueues(const schema::Topic& topic,
                     absl::string_view broker) const;
  int64_t MostQueues(const schema::Topic& topic) const;

  // The queues of a topic that `text` names, in the order written, each range
  // with its true end; "" and "*" are all that there are at the beginning. What
  // there never is, or cannot be read, is left out.
  std::vector<QueueRange> QueuesNamed(const schema::Topic& topic,
                                      absl::string_view text) const;
  int64_t CountQueues(const schema::Topic& topic, absl::string_view text) const;

 private:
  struct Added {
    int64_t everywhere = 0;
    absl::flat_hash_map<std::string, int64_t> on;  // By broker.
  };

  absl::flat_hash_map<std::string, int32_t> scaled_to_;  // By block.
  absl::flat_hash_map<std::string, Added> added_;        // By topic.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_GROWTH_H_
