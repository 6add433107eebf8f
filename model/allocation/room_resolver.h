// Who is in which machine room.
#ifndef GROUPSIM_MODEL_ALLOCATION_ROOM_RESOLVER_H_
#define GROUPSIM_MODEL_ALLOCATION_ROOM_RESOLVER_H_

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// AllocateMachineRoomNearby.MachineRoomResolver, 5.3.3, which every user writes
// anew. Answers are views of texts that live as long as the resolver or the
// name asked about; an empty one says that the room is not known.
class RoomResolver {
 public:
  virtual ~RoomResolver() = default;
  virtual absl::string_view RoomOfQueue(const MessageQueue& queue) const = 0;
  virtual absl::string_view RoomOfClient(Name client_id) const = 0;
};

// Rooms by tables: of brokers by broker name, of clients by client id.
class RoomTable final : public RoomResolver {
 public:
  void SetBroker(Name broker, std::string room) {
    brokers_.insert_or_assign(broker, std::move(room));
  }
  void SetClient(Name client_id, std::string room) {
    clients_.insert_or_assign(client_id, std::move(room));
  }

  absl::string_view RoomOfQueue(const MessageQueue& queue) const override {
    const auto found = brokers_.find(queue.broker);
    return found == brokers_.end() ? absl::string_view() : found->second;
  }
  absl::string_view RoomOfClient(Name client_id) const override {
    const auto found = clients_.find(client_id);
    return found == clients_.end() ? absl::string_view() : found->second;
  }

 private:
  absl::flat_hash_map<Name, std::string> brokers_;
  absl::flat_hash_map<Name, std::string> clients_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_ROOM_RESOLVER_H_
