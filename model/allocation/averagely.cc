#include "model/allocation/averagely.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/allocation/strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {
namespace {

class AveragelyPlan final : public AllocationPlan {
 public:
  explicit AveragelyPlan(AllocationView view)
      : view_(std::move(view)), positions_(view_) {}

  absl::StatusOr<std::vector<MessageQueue>> For(Name client_id) const override {
    const absl::StatusOr<std::optional<size_t>> position =
        positions_.Find(client_id);
    if (!position.ok()) return position.status();
    const std::vector<MessageQueue>& queues = *view_.queues;
    if (!position->has_value()) return std::vector<MessageQueue>();
    const QueueShare share = AveragelyShare(
        {.queues = queues.size(), .clients = view_.client_ids->size()},
        **position);
    const auto first =
        queues.begin() + static_cast<std::ptrdiff_t>(share.first);
    return std::vector<MessageQueue>(
        first, first + static_cast<std::ptrdiff_t>(share.count));
  }

 private:
  const AllocationView view_;
  const ClientPositions positions_;
};

}  // namespace

QueueShare AveragelyShare(const GroupSize& size, size_t position) {
  CHECK_LT(position, size.clients);
  const size_t share = size.queues / size.clients;
  const size_t larger = size.queues % size.clients;  // How many get one more.
  return QueueShare{.first = position * share + std::min(position, larger),
                    .count = share + (position < larger ? 1 : 0)};
}

AllocationPlanPtr AllocateAveragely::Prepare(const AllocationView& view) const {
  return std::make_shared<const AveragelyPlan>(view);
}

}  // namespace groupsim
