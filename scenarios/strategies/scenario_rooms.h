// Who is in which machine room, as a scenario says it.
#ifndef GROUPSIM_SCENARIOS_STRATEGIES_SCENARIO_ROOMS_H_
#define GROUPSIM_SCENARIOS_STRATEGIES_SCENARIO_ROOMS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "model/allocation/room_resolver.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// Filled while a world is set up; read from then on. Users of RocketMQ find the
// room of a client by its address, which a generated client id begins with; so
// does this.
class ScenarioRooms final : public RoomResolver {
 public:
  void SetBroker(absl::string_view broker, absl::string_view room);
  // All clients at this address, the part of their ids before the "@".
  void SetAddress(absl::string_view address, absl::string_view room);
  // A client with an id of its own choice.
  void SetClientId(absl::string_view client_id, absl::string_view room);

  absl::string_view RoomOfQueue(const MessageQueue& queue) const override;
  absl::string_view RoomOfClient(Name client_id) const override;

 private:
  absl::flat_hash_map<std::string, std::string> brokers_;
  absl::flat_hash_map<std::string, std::string> addresses_;
  absl::flat_hash_map<std::string, std::string> client_ids_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_STRATEGIES_SCENARIO_ROOMS_H_
