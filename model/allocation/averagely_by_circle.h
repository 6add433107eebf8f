// Queues dealt out in turn, like cards.
#ifndef GROUPSIM_MODEL_ALLOCATION_AVERAGELY_BY_CIRCLE_H_
#define GROUPSIM_MODEL_ALLOCATION_AVERAGELY_BY_CIRCLE_H_

#include "absl/strings/string_view.h"
#include "model/allocation/strategy.h"

namespace groupsim {

// AllocateMessageQueueAveragelyByCircle.allocate, 5.3.3: of C clients, the one
// at position i gets the queues at i, i + C, i + 2C and so on. Sizes differ by
// at most one. The first occurrence of a client id counts; the queues of a
// second one are nobody's.
class AllocateAveragelyByCircle final : public AllocationStrategy {
 public:
  absl::string_view name() const override { return "AVG_BY_CIRCLE"; }
  AllocationPlanPtr Prepare(const AllocationView& view) const override;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_AVERAGELY_BY_CIRCLE_H_
