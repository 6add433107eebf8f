#include "model/allocation/machine_room_nearby.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/allocation/room_resolver.h"
#include "model/allocation/strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

// As Java's TreeMap of strings.
struct JavaOrder {
  using is_transparent = void;
  bool operator()(absl::string_view a, absl::string_view b) const {
    return CompareAsJavaStrings(a, b) < 0;
  }
};

struct Room {
  std::vector<MessageQueue> queues;
  std::vector<Name> clients;
};
using RoomMap = absl::btree_map<std::string, Room, JavaOrder>;

// Queues first, as upstream.
absl::StatusOr<RoomMap> GroupByRoom(const AllocationView& view,
                                    const RoomResolver& resolver) {
  RoomMap rooms;
  const auto room = [&](absl::string_view name) -> Room& {
    const auto found = rooms.find(name);
    return found != rooms.end() ? found->second : rooms[std::string(name)];
  };
  for (const MessageQueue& queue : *view.queues) {
    const absl::string_view name = resolver.RoomOfQueue(queue);
    if (name.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("no machine room is known of ", ToString(queue)));
    }
    room(name).queues.push_back(queue);
  }
  for (const Name client : *view.client_ids) {
    const absl::string_view name = resolver.RoomOfClient(client);
    if (name.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "no machine room is known of the client id ", client.text()));
    }
    room(name).clients.push_back(client);
  }
  return rooms;
}

class NearbyPlan final : public AllocationPlan {
 public:
  NearbyPlan(AllocationView view, const AllocationStrategy& inner,
             std::shared_ptr<const RoomResolver> resolver)
      : view_(std::move(view)),
        positions_(view_),
        resolver_(std::move(resolver)) {
    if (view_.queues == nullptr || view_.client_ids == nullptr) return;
    absl::StatusOr<RoomMap> rooms = GroupByRoom(view_, *resolver_);
    if (!rooms.ok()) {
      status_ = rooms.status();
      return;
    }
    for (auto& [name, room] : *rooms) {
      if (room.queues.empty()) continue;
      AllocationView part;
      part.queues = std::make_shared<const std::vector<MessageQueue>>(
          std::move(room.queues));
      if (room.clients.empty()) {
        part.client_ids = view_.client_ids;
        for_all_.push_back(inner.Prepare(part));
      } else {
        part.client_ids =
            std::make_shared<const std::vector<Name>>(std::move(room.clients));
        by_room_.emplace(name, inner.Prepare(part));
      }
    }
  }

  absl::StatusOr<std::vector<MessageQueue>> For(Name client_id) const override {
    const absl::StatusOr<std::optional<size_t>> position =
        positions_.Find(client_id);
    if (!position.ok()) return position.status();
    std::vector<MessageQueue> share;
    if (!position->has_value()) return share;
    if (!status_.ok()) return status_;
    const auto own = by_room_.find(resolver_->RoomOfClient(client_id));
    if (own != by_room_.end()) {
      absl::StatusOr<std::vector<MessageQueue>> part =
          own->second->For(client_id);
      if (!part.ok()) return part;
      share = *std::move(part);
    }
    for (const AllocationPlanPtr& plan : for_all_) {
      const absl::StatusOr<std::vector<MessageQueue>> part =
          plan->For(client_id);
      if (!part.ok()) return part;
      share.insert(share.end(), part->begin(), part->end());
    }
    return share;
  }

 private:
  const AllocationView view_;
  const ClientPositions positions_;
  const std::shared_ptr<const RoomResolver> resolver_;
  absl::Status status_;
  // Of rooms with queues and clients, and of those with queues only.
  absl::btree_map<std::string, AllocationPlanPtr, JavaOrder> by_room_;
  std::vector<AllocationPlanPtr> for_all_;
};

}  // namespace

AllocateMachineRoomNearby::AllocateMachineRoomNearby(
    std::shared_ptr<const AllocationStrategy> inner,
    std::shared_ptr<const RoomResolver> rooms)
    : inner_(std::move(inner)),
      rooms_(std::move(rooms)),
      name_(absl::StrCat("MACHINE_ROOM_NEARBY-",
                         inner_ == nullptr ? "" : inner_->name())) {
  CHECK(inner_ != nullptr && rooms_ != nullptr);
}

AllocationPlanPtr AllocateMachineRoomNearby::Prepare(
    const AllocationView& view) const {
  return std::make_shared<const NearbyPlan>(view, *inner_, rooms_);
}

}  // namespace groupsim
