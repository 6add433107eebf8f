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

absl::StatusOr<std::optional<size_t>> CheckedPosition(
    Name client_id, const AllocationView& view) {
  absl::Status status = CheckAllocationInput(client_id, view);
  if (!status.ok()) return status;
  const std::vector<Name>& ids = *view.client_ids;
  const auto found = std::find(ids.begin(), ids.end(), client_id);
  if (found == ids.end()) return std::optional<size_t>();
  return std::optional<size_t>(static_cast<size_t>(found - ids.begin()));
}

}  // namespace groupsim
