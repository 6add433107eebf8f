#include "model/allocation/by_machine_room.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

class MachineRoomPlan final : public AllocationPlan {
 public:
  // `queues` are those of the rooms, or why there is no telling.
  MachineRoomPlan(AllocationView view,
                  absl::StatusOr<std::vector<MessageQueue>> queues)
      : view_(std::move(view)), positions_(view_), queues_(std::move(queues)) {}

  absl::StatusOr<std::vector<MessageQueue>> For(Name client_id) const override {
    const absl::StatusOr<std::optional<size_t>> position =
        positions_.Find(client_id);
    if (!position.ok()) return position.status();
    std::vector<MessageQueue> share;
    if (!position->has_value()) return share;
    if (!queues_.ok()) return queues_.status();
    const size_t place = **position;
    const size_t clients = view_.client_ids->size();
    const size_t block = queues_->size() / clients;
    const bool one_more = queues_->size() % clients > place;
    share.reserve(block + 1);
    const auto first =
        queues_->begin() + static_cast<std::ptrdiff_t>(block * place);
    share.assign(first, first + static_cast<std::ptrdiff_t>(block));
    if (one_more) share.push_back((*queues_)[block * clients + place]);
    return share;
  }

 private:
  const AllocationView view_;
  const ClientPositions positions_;
  const absl::StatusOr<std::vector<MessageQueue>> queues_;
};

}  // namespace

std::optional<absl::string_view> RoomInBrokerName(absl::string_view broker) {
  const size_t end = broker.find_last_not_of('@');
  if (end == absl::string_view::npos) return std::nullopt;
  broker = broker.substr(0, end + 1);
  const size_t sign = broker.find('@');
  if (sign == absl::string_view::npos) return std::nullopt;
  if (broker.find('@', sign + 1) != absl::string_view::npos) {
    return std::nullopt;
  }
  return broker.substr(0, sign);
}

AllocateByMachineRoom::AllocateByMachineRoom(
    std::optional<std::vector<std::string>> rooms)
    : rooms_(std::move(rooms)) {
  if (rooms_.has_value()) std::sort(rooms_->begin(), rooms_->end());
}

AllocationPlanPtr AllocateByMachineRoom::Prepare(
    const AllocationView& view) const {
  absl::StatusOr<std::vector<MessageQueue>> queues =
      std::vector<MessageQueue>();
  if (view.queues != nullptr) {
    for (const MessageQueue& queue : *view.queues) {
      const std::optional<absl::string_view> room =
          RoomInBrokerName(queue.broker.text());
      if (!room.has_value()) continue;
      if (!rooms_.has_value()) {
        queues =
            absl::InvalidArgumentError("no set of machine rooms is configured");
        break;
      }
      if (std::binary_search(rooms_->begin(), rooms_->end(), *room,
                             std::less<>())) {
        queues->push_back(queue);
      }
    }
  }
  return std::make_shared<const MachineRoomPlan>(view, std::move(queues));
}

}  // namespace groupsim
