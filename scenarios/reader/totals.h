// What a scenario adds up to, and whether its distributions can be sampled.
#ifndef GROUPSIM_SCENARIOS_READER_TOTALS_H_
#define GROUPSIM_SCENARIOS_READER_TOTALS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "scenarios/reader/growth.h"
#include "scenarios/reader/judge.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// The queues, subscribed queues and messages of a complete scenario keep the
// limits that its schema states. Consumers are counted with their names.
void CheckTotals(const Scenario& scenario, const Growth& growth, Judge& judge);

// The parameters of each distribution fit each other.
void CheckDistributions(const Scenario& scenario, Judge& judge);

// The messages that are stored beforehand in the queues of a complete topic.
class StoredBefore {
 public:
  // Both outlive this.
  StoredBefore(const schema::Topic& topic, const Growth& growth);

  // The fewest in any of `queues`; "" is all of them.
  int64_t FewestIn(const std::string& queues) const;

 private:
  const schema::Topic& topic_;
  const Growth& growth_;
  absl::flat_hash_map<std::string, std::vector<int64_t>> counts_;  // By broker.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_TOTALS_H_
