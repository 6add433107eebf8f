#include "model/allocation/comparison/bounded_consistent_hash.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/hashes.h"
#include "model/allocation/group_strategy.h"
#include "model/allocation/hash_ring.h"
#include "model/base/ratio.h"

namespace groupsim {
namespace {

constexpr int64_t kMostExcess = 1'000;

// A point of a member, which is a position among the subscribers.
struct Point {
  uint64_t hash;
  uint32_t member;

  friend bool operator<(const Point& a, const Point& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.member < b.member;
  }
};

std::vector<Point> MakeRing(const GroupIndex& index,
                            const std::vector<uint32_t>& members,
                            int32_t virtual_nodes) {
  std::vector<Point> ring;
  ring.reserve(members.size() * static_cast<size_t>(virtual_nodes));
  for (uint32_t i = 0; i < members.size(); ++i) {
    const std::string& id = index.member(members[i]).id.text();
    for (int32_t node = 0; node < virtual_nodes; ++node) {
      ring.push_back({TextHash(id, static_cast<uint64_t>(node)), i});
    }
  }
  std::sort(ring.begin(), ring.end());
  return ring;
}

// Walks up a ring past the points of full members.
class Walker {
 public:
  explicit Walker(const std::vector<Point>& ring)
      : ring_(ring), next_(ring.size()) {
    std::iota(next_.begin(), next_.end(), size_t{0});
  }

  // The member of the first point at or after the hash that is not full. At
  // least one is not.
  template <class IsFull>
  uint32_t Find(uint64_t hash, IsFull is_full) {
    const auto first = std::partition_point(
        ring_.begin(), ring_.end(),
        [hash](const Point& point) { return point.hash < hash; });
    size_t point = static_cast<size_t>(first - ring_.begin()) % ring_.size();
    path_.clear();
    while (true) {
      while (next_[point] != point) {
        path_.push_back(point);
        point = next_[point];
      }
      if (!is_full(ring_[point].member)) break;
      next_[point] = (point + 1) % ring_.size();
    }
    // Nobody passes the full ones again.
    for (const size_t passed : path_) next_[passed] = point;
    return ring_[point].member;
  }

 private:
  const std::vector<Point>& ring_;
  std::vector<size_t> next_;  // Of a full member's point: where to go on.
  std::vector<size_t> path_;
};

uint32_t Capacity(uint64_t queues, uint64_t members, const Ratio& excess) {
  const __int128 dividend =
      static_cast<__int128>(queues) *
      (static_cast<__int128>(excess.denominator) + excess.numerator);
  const __int128 divisor = static_cast<__int128>(members) * excess.denominator;
  const __int128 capacity = (dividend + divisor - 1) / divisor;
  return static_cast<uint32_t>(
      std::min(capacity, static_cast<__int128>(queues)));
}

}  // namespace

absl::StatusOr<GroupStrategyPtr> BoundedConsistentHash::Create(
    Options options) {
  if (absl::Status status = CheckVirtualNodes(options.virtual_nodes);
      !status.ok()) {
    return status;
  }
  const Ratio& excess = options.excess;
  if (excess.denominator < 1 || excess.numerator < 0 ||
      excess.numerator / excess.denominator > kMostExcess) {
    return absl::InvalidArgumentError(
        absl::StrCat("the excess cannot be ", excess.numerator, "/",
                     excess.denominator, "; give 0 to ", kMostExcess));
  }
  return GroupStrategyPtr(new BoundedConsistentHash(options));
}

absl::StatusOr<GroupAssignment> BoundedConsistentHash::Assign(
    const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(view, {});
  if (!index.ok()) return index.status();
  std::vector<uint32_t> owner_of(index->queue_count(), kNobody);
  std::optional<uint32_t> audience;  // Whose ring this is.
  std::vector<Point> ring;
  for (const GroupIndex::Topic& topic : index->topics()) {
    const std::vector<uint32_t>& members = index->Subscribers(topic);
    if (members.empty() || topic.count == 0) continue;
    if (audience != topic.audience) {
      ring = MakeRing(*index, members, options_.virtual_nodes);
      audience = topic.audience;
    }
    const uint32_t capacity =
        Capacity(topic.count, members.size(), options_.excess);
    std::vector<std::pair<uint64_t, uint32_t>> queues;
    for (uint32_t i = 0; i < topic.count; ++i) {
      queues.emplace_back(QueueHash(index->queue(topic.first + i)),
                          topic.first + i);
    }
    std::sort(queues.begin(), queues.end());
    Walker walker(ring);
    std::vector<uint32_t> sizes(members.size(), 0);
    for (const auto& [hash, queue] : queues) {
      const uint32_t member =
          walker.Find(hash, [&](uint32_t i) { return sizes[i] == capacity; });
      ++sizes[member];
      owner_of[queue] = members[member];
    }
  }
  return index->Restore(owner_of);
}

}  // namespace groupsim
