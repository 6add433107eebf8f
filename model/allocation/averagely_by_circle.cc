#include "model/allocation/averagely_by_circle.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

class CirclePlan final : public AllocationPlan {
 public:
  explicit CirclePlan(AllocationView view)
      : view_(std::move(view)), positions_(view_) {}

  absl::StatusOr<std::vector<MessageQueue>> For(Name client_id) const override {
    const absl::StatusOr<std::optional<size_t>> position =
        positions_.Find(client_id);
    if (!position.ok()) return position.status();
    std::vector<MessageQueue> share;
    if (!position->has_value()) return share;
    const std::vector<MessageQueue>& queues = *view_.queues;
    const size_t clients = view_.client_ids->size();
    share.reserve(queues.size() / clients + 1);
    for (size_t i = **position; i < queues.size(); i += clients) {
      share.push_back(queues[i]);
    }
    return share;
  }

 private:
  const AllocationView view_;
  const ClientPositions positions_;
};

}  // namespace

AllocationPlanPtr AllocateAveragelyByCircle::Prepare(
    const AllocationView& view) const {
  return std::make_shared<const CirclePlan>(view);
}

}  // namespace groupsim
