#include "model/allocation/comparison/weighted_averagely.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/group_strategy.h"
#include "model/base/check.h"

namespace groupsim {

std::vector<uint32_t> ProportionalParts(uint32_t total,
                                        absl::Span<const int64_t> weights) {
  __int128 sum = 0;
  for (const int64_t weight : weights) {
    CHECK(weight >= 0);
    sum += weight;
  }
  CHECK(sum > 0);
  std::vector<uint32_t> parts;
  std::vector<std::pair<__int128, size_t>> fractions;  // Largest first.
  uint32_t left = total;
  for (size_t i = 0; i < weights.size(); ++i) {
    const __int128 share = static_cast<__int128>(total) * weights[i];
    parts.push_back(static_cast<uint32_t>(share / sum));
    left -= parts.back();
    fractions.emplace_back(-(share % sum), i);
  }
  CHECK_LE(left, fractions.size());
  std::sort(fractions.begin(), fractions.end());
  for (uint32_t i = 0; i < left; ++i) ++parts[fractions[i].second];
  return parts;
}

absl::StatusOr<GroupAssignment> WeightedAveragely::Assign(
    const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(view, {});
  if (!index.ok()) return index.status();
  std::vector<uint32_t> owner_of(index->queue_count(), kNobody);
  for (const GroupIndex::Topic& topic : index->topics()) {
    const std::vector<uint32_t>& members = index->Subscribers(topic);
    if (members.empty() || topic.count == 0) continue;
    std::vector<int64_t> weights;
    for (const uint32_t member : members) {
      weights.push_back(index->member(member).weight);
    }
    if (*std::max_element(weights.begin(), weights.end()) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("all subscribers of topic \"", topic.view->name.text(),
                       "\" have weight 0; give one of them a positive weight"));
    }
    const std::vector<uint32_t> parts = ProportionalParts(topic.count, weights);
    uint32_t queue = topic.first;
    for (size_t i = 0; i < parts.size(); ++i) {
      for (uint32_t taken = 0; taken < parts[i]; ++taken) {
        owner_of[queue++] = members[i];
      }
    }
  }
  return index->Restore(owner_of);
}

}  // namespace groupsim
