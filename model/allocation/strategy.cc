#include "model/allocation/strategy.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/base/name.h"

namespace groupsim {

absl::Status CheckAllocationInput(Name client_id, const AllocationView& view) {
  if (client_id.empty()) {
    return absl::InvalidArgumentError("the client id is empty");
  }
  if (view.queues == nullptr || view.queues->empty()) {
    return absl::InvalidArgumentError("there are no queues to allocate");
  }
  if (view.client_ids == nullptr || view.client_ids->empty()) {
    return absl::InvalidArgumentError(
        "there are no client ids to allocate queues to");
  }
  return absl::OkStatus();
}

ClientPositions::ClientPositions(const AllocationView& view)
    : view_(view),
      sorted_(
          view.client_ids != nullptr &&
          std::is_sorted(view.client_ids->begin(), view.client_ids->end())) {}

absl::StatusOr<std::optional<size_t>> ClientPositions::Find(
    Name client_id) const {
  absl::Status status = CheckAllocationInput(client_id, view_);
  if (!status.ok()) return status;
  const std::vector<Name>& ids = *view_.client_ids;
  const auto found = sorted_
                         ? std::lower_bound(ids.begin(), ids.end(), client_id)
                         : std::find(ids.begin(), ids.end(), client_id);
  if (found == ids.end() || *found != client_id) return std::optional<size_t>();
  return std::optional<size_t>(static_cast<size_t>(found - ids.begin()));
}

}  // namespace groupsim
