// The queues of some machine rooms only, told apart by broker names.
#ifndef GROUPSIM_MODEL_ALLOCATION_BY_MACHINE_ROOM_H_
#define GROUPSIM_MODEL_ALLOCATION_BY_MACHINE_ROOM_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/strategy.h"

namespace groupsim {

// AllocateMessageQueueByMachineRoom.allocate, 5.3.3. Of the queues whose broker
// is called "room@name" with a room of the set, each client gets a block of
// floor(queues / clients); those left over at the end go one each to the first
// clients. The queues of other rooms are nobody's. Which room a client is in
// does not matter. The first occurrence of a client id counts.
class AllocateByMachineRoom final : public AllocationStrategy {
 public:
  // Nothing stands for a set that was never configured: upstream then fails for
  // every client as soon as a broker is called "room@name".
  explicit AllocateByMachineRoom(std::optional<std::vector<std::string>> rooms);

  absl::string_view name() const override { return "MACHINE_ROOM"; }
  AllocationPlanPtr Prepare(const AllocationView& view) const override;

 private:
  std::optional<std::vector<std::string>> rooms_;  // Sorted.
};

// The room of a broker called "room@name": the text before the only "@", which
// may be empty. Nothing for any other name; "@" signs at the end do not count
// (String.split).
std::optional<absl::string_view> RoomInBrokerName(absl::string_view broker);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_BY_MACHINE_ROOM_H_
