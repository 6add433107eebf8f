// Contiguous shares of equal size, RocketMQ's default.
#ifndef GROUPSIM_MODEL_ALLOCATION_AVERAGELY_H_
#define GROUPSIM_MODEL_ALLOCATION_AVERAGELY_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "model/allocation/strategy.h"

namespace groupsim {

// A run of queues: `count` of them from position `first`.
struct QueueShare {
  size_t first = 0;
  size_t count = 0;

  friend bool operator==(const QueueShare&, const QueueShare&) = default;
};

// How many queues there are, for how many clients.
struct GroupSize {
  size_t queues = 0;
  size_t clients = 0;
};

// The share of the client at `position` (below size.clients). Shares follow
// each other in the order of clients; sizes differ by at most one, the larger
// ones come first. With more clients than queues, the last ones get none.
QueueShare AveragelyShare(const GroupSize& size, size_t position);

// AllocateMessageQueueAveragely.allocate, 5.3.3: the share of the first
// occurrence of the client id. An id that occurs twice leaves the queues of its
// second occurrence to nobody.
class AllocateAveragely final : public AllocationStrategy {
 public:
  absl::string_view name() const override { return "AVG"; }
  AllocationPlanPtr Prepare(const AllocationView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_AVERAGELY_H_
