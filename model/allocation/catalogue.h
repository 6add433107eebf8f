// All allocation strategies by name.
//
//   for (const StrategyEntry& entry : StrategyCatalogue()) ... entry.name ...
//   absl::StatusOr<GroupStrategyPtr> sticky = MakeGroupStrategy("sticky", {});
#ifndef GROUPSIM_MODEL_ALLOCATION_CATALOGUE_H_
#define GROUPSIM_MODEL_ALLOCATION_CATALOGUE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/group_adapter.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/room_resolver.h"
#include "model/base/ratio.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// Settings of the strategies that have some; each strategy reads its own.
struct StrategyParameters {
  // consistent_hash and bounded_consistent_hash: points on the ring per member,
  // 1..10,000.
  int32_t virtual_nodes = 10;
  // bounded_consistent_hash: by how much a share may exceed the mean, 0..1,000.
  Ratio excess = {.numerator = 1, .denominator = 4};
  // maglev_table: slots, a prime not below the number of members.
  uint32_t table_size = 65'537;
  // by_config: what every client gets. Must be given.
  std::vector<MessageQueue> configured_queues = {};
  // by_machine_room: the rooms that count. Must be given.
  std::optional<std::vector<std::string>> machine_rooms = {};
  // machine_room_nearby: who is where (must be given), and which strategy
  // shares out the queues of a room: one that MakeAllocationStrategy makes of
  // these parameters, but not machine_room_nearby itself.
  std::shared_ptr<const RoomResolver> room_resolver = {};
  std::string inner = "averagely";
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
  // One line without a full stop: what it does.
  absl::string_view summary;
  StrategyOrigin origin;
  StrategyNeeds needs;
  StrategyPromises promises;
};

// All strategies, grouped by origin in its order.
absl::Span<const StrategyEntry> StrategyCatalogue();

// Null if no strategy has this name.
const StrategyEntry* FindStrategy(absl::string_view name);

// The strategy for a whole group. NotFound for an unknown name,
// InvalidArgument if parameters are out of range or missing.
absl::StatusOr<GroupStrategyPtr> MakeGroupStrategy(
    absl::string_view name, const StrategyParameters& parameters);

// The strategy as each client computes it alone. InvalidArgument, besides the
// above, for one that needs what no client knows: the previous assignment,
// loads or weights.
absl::StatusOr<AllocationStrategyPtr> MakeAllocationStrategy(
    absl::string_view name, const StrategyParameters& parameters);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_CATALOGUE_H_
