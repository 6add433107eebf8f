// Queues of the own machine room first, around any other strategy.
#ifndef GROUPSIM_MODEL_ALLOCATION_MACHINE_ROOM_NEARBY_H_
#define GROUPSIM_MODEL_ALLOCATION_MACHINE_ROOM_NEARBY_H_

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "model/allocation/room_resolver.h"
#include "model/allocation/strategy.h"

namespace groupsim {

// AllocateMachineRoomNearby.allocate, 5.3.3. The inner strategy shares out the
// queues of each room among the clients of that room; those of a room in which
// no client is, among all clients. A client's share begins with its own room;
// the rooms without clients follow in the order of their names.
//
// A queue or a client of the view whose room is not known makes the call fail
// for every client (InvalidArgument).
class AllocateMachineRoomNearby final : public AllocationStrategy {
 public:
  // Neither may be null.
  AllocateMachineRoomNearby(std::shared_ptr<const AllocationStrategy> inner,
                            std::shared_ptr<const RoomResolver> rooms);

  // "MACHINE_ROOM_NEARBY-" and the name of the inner strategy.
  absl::string_view name() const override { return name_; }
  AllocationPlanPtr Prepare(const AllocationView& view) const override;

 private:
  const std::shared_ptr<const AllocationStrategy> inner_;
  const std::shared_ptr<const RoomResolver> rooms_;
  const std::string name_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_MACHINE_ROOM_NEARBY_H_
