// The allocation strategies that a scenario chooses, as the model has them.
#ifndef GROUPSIM_SCENARIOS_STRATEGIES_STRATEGY_OF_H_
#define GROUPSIM_SCENARIOS_STRATEGIES_STRATEGY_OF_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/allocation/group_adapter.h"
#include "model/allocation/room_resolver.h"
#include "model/wire/message_queue.h"
#include "scenarios/schema/group.pb.h"

namespace groupsim {

// The name under which the catalogue of strategies has the one chosen, which is
// that of the field: "averagely" if none is.
std::string StrategyName(const schema::Strategy& strategy);

// Whether both are one strategy with the same settings. None chosen is
// averagely, RocketMQ's default.
bool SameStrategy(const schema::Strategy& a, const schema::Strategy& b);

// What some strategies have to be told of the world around them.
struct StrategyGround {
  // Those that by_config names.
  std::vector<MessageQueue> configured_queues;
  // Who is in which machine room; for machine_room_nearby.
  std::shared_ptr<const RoomResolver> rooms;
};

// Whether all that the strategy called `name` lacks, in a client, is the
// previous assignment.
bool NeedsOnlyThePast(const std::string& name);

// A strategy that needs only the past, for all members of one group of one
// world: what_if_allocation.h.
std::shared_ptr<const AllocationStrategy> MakeWhatIf(const std::string& name);

// The strategy as each client computes it alone. InvalidArgument, in words that
// say what to change, where its settings do not fit or where it needs what no
// client knows.
absl::StatusOr<AllocationStrategyPtr> MakeStrategy(
    const schema::Strategy& strategy, const StrategyGround& ground);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_STRATEGIES_STRATEGY_OF_H_
