#include "scenarios/strategies/scenario_rooms.h"

namespace groupsim {
namespace {

absl::string_view Find(
    const absl::flat_hash_map<std::string, std::string>& rooms,
    absl::string_view key) {
  const auto found = rooms.find(key);
  return found == rooms.end() ? absl::string_view() : found->second;
}

}  // namespace

void ScenarioRooms::SetBroker(absl::string_view broker,
                              absl::string_view room) {
  brokers_.insert_or_assign(std::string(broker), std::string(room));
}

void ScenarioRooms::SetAddress(absl::string_view address,
                               absl::string_view room) {
  addresses_.insert_or_assign(std::string(address), std::string(room));
}

void ScenarioRooms::SetClientId(absl::string_view client_id,
                                absl::string_view room) {
  client_ids_.insert_or_assign(std::string(client_id), std::string(room));
}

absl::string_view ScenarioRooms::RoomOfQueue(const MessageQueue& queue) const {
  return Find(brokers_, queue.broker.text());
}

absl::string_view ScenarioRooms::RoomOfClient(Name client_id) const {
  const absl::string_view text = client_id.text();
  const absl::string_view own = Find(client_ids_, text);
  return own.empty() ? Find(addresses_, text.substr(0, text.find('@'))) : own;
}

}  // namespace groupsim
