// Maglev hashing: a look-up table filled by the members in turn.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_MAGLEV_TABLE_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_MAGLEV_TABLE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/group_strategy.h"

namespace groupsim {

// Where a member begins in the table, and how far its next choices lie apart.
struct MaglevPreference {
  uint32_t offset = 0;  // Below the size of the table.
  uint32_t skip = 1;    // 1 to size - 1.
};

// The member of each slot, by its position in `preferences`: in turn, each
// takes the next free slot of its own (Eisenbud et al., section 3.4). `size` is
// a prime, so that every member would come to every slot; there is a member.
std::vector<uint32_t> FillMaglevTable(
    absl::Span<const MaglevPreference> preferences, uint32_t size);

// A queue belongs to the member in the slot of its hash. Slots are shared out
// evenly, to within one; a handful of queues is not, as little as by other
// hashing. A change of membership moves the queues of the member concerned and
// a few more.
class MaglevTable final : public GroupStrategy {
 public:
  // InvalidArgument unless the table's size is a prime.
  static absl::StatusOr<GroupStrategyPtr> Create(uint32_t table_size);

  absl::string_view name() const override { return "maglev_table"; }
  StrategyNeeds needs() const override { return {}; }
  StrategyPromises promises() const override {
    return {.stickiness = StickinessPromise::kConsistent};
  }
  // InvalidArgument if there are more members than slots.
  absl::StatusOr<GroupAssignment> Assign(const GroupView& view) const override;

 private:
  explicit MaglevTable(uint32_t table_size) : table_size_(table_size) {}

  const uint32_t table_size_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_MAGLEV_TABLE_H_
