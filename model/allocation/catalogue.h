// All allocation strategies by name.
#ifndef GROUPSIM_MODEL_ALLOCATION_CATALOGUE_H_
#define GROUPSIM_MODEL_ALLOCATION_CATALOGUE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/group_strategy.h"
#include "model/base/ratio.h"

namespace groupsim {

// Settings of the strategies that have some; each strategy reads its own.
struct StrategyParameters {
  // Points on the ring per member: consistent hashing, with and without bounded
  // loads. 1..10,000.
  int32_t virtual_nodes = 10;
  // bounded_consistent_hash: by how much a share may exceed the mean.
  Ratio excess = {.numerator = 1, .denominator = 4};
  // maglev_table: slots, a prime, more than there are members.
  uint32_t table_size = 65'537;
};

// Where a strategy comes from.
enum class StrategyOrigin : uint8_t {
  kRocketMq,     // Runs in clients of RocketMQ.
  kKafkaClient,  // Runs in the leader of a Kafka group.
  kKafkaServer,  // Runs in Kafka's group coordinator.
  kLiterature,   // Known from papers, proposals and load balancers.
};

struct StrategyEntry {
  absl::string_view name;
  // One line: what it does.
  absl::string_view summary;
  StrategyOrigin origin;
  // InvalidArgument if parameters are out of range or missing.
  absl::StatusOr<GroupStrategyPtr> (*make)(const StrategyParameters&);
};

// All strategies, those of RocketMQ first, each origin in order of invention.
absl::Span<const StrategyEntry> StrategyCatalogue();

// Null if no strategy has this name.
const StrategyEntry* FindStrategy(absl::string_view name);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_CATALOGUE_H_
