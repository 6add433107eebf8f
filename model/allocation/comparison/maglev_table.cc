#include "model/allocation/comparison/maglev_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "model/allocation/comparison/group_index.h"
#include "model/allocation/comparison/hashes.h"
#include "model/allocation/group_strategy.h"
#include "model/base/check.h"

namespace groupsim {
namespace {

constexpr uint64_t kOffsetSeed = 0;
constexpr uint64_t kSkipSeed = 1;

bool IsPrime(uint32_t number) {
  if (number < 2) return false;
  for (uint64_t factor = 2; factor * factor <= number; ++factor) {
    if (number % factor == 0) return false;
  }
  return true;
}

}  // namespace

std::vector<uint32_t> FillMaglevTable(
    absl::Span<const MaglevPreference> preferences, uint32_t size) {
  CHECK(!preferences.empty() && IsPrime(size));
  std::vector<uint32_t> next;  // The slot that each member looks at next.
  for (const MaglevPreference& preference : preferences) {
    CHECK(preference.offset < size);
    CHECK(preference.skip >= 1 && preference.skip < size);
    next.push_back(preference.offset);
  }
  std::vector<uint32_t> table(size, kNobody);
  for (uint32_t filled = 0, turn = 0; filled < size; ++filled) {
    uint64_t slot = next[turn];
    while (table[slot] != kNobody) {
      slot += preferences[turn].skip;
      if (slot >= size) slot -= size;
    }
    table[slot] = turn;
    next[turn] = static_cast<uint32_t>(slot);
    turn = turn + 1 == next.size() ? 0 : turn + 1;
  }
  return table;
}

absl::StatusOr<GroupStrategyPtr> MaglevTable::Create(uint32_t table_size) {
  if (!IsPrime(table_size) || table_size < 3) {
    return absl::InvalidArgumentError(
        absl::StrCat("a Maglev table cannot have ", table_size,
                     " slots; their number is a prime above 2, as 65537"));
  }
  return GroupStrategyPtr(new MaglevTable(table_size));
}

absl::StatusOr<GroupAssignment> MaglevTable::Assign(
    const GroupView& view) const {
  const absl::StatusOr<GroupIndex> index = GroupIndex::Of(view, {});
  if (!index.ok()) return index.status();
  if (index->member_count() > table_size_) {
    return absl::InvalidArgumentError(
        absl::StrCat("a Maglev table of ", table_size_, " slots cannot hold ",
                     index->member_count(), " members; choose a larger prime"));
  }
  std::vector<uint32_t> owner_of(index->queue_count(), kNobody);
  std::optional<uint32_t> audience;  // Whose table this is.
  std::vector<uint32_t> table;
  for (const GroupIndex::Topic& topic : index->topics()) {
    const std::vector<uint32_t>& members = index->Subscribers(topic);
    if (members.empty()) continue;
    if (audience != topic.audience) {
      std::vector<MaglevPreference> preferences;
      for (const uint32_t member : members) {
        const std::string& id = index->member(member).id.text();
        preferences.push_back(
            {.offset =
                 static_cast<uint32_t>(TextHash(id, kOffsetSeed) % table_size_),
             .skip = static_cast<uint32_t>(TextHash(id, kSkipSeed) %
                                           (table_size_ - 1)) +
                     1});
      }
      table = FillMaglevTable(preferences, table_size_);
      audience = topic.audience;
    }
    for (uint32_t i = 0; i < topic.count; ++i) {
      const uint32_t queue = topic.first + i;
      const uint64_t slot = QueueHash(index->queue(queue)) % table_size_;
      owner_of[queue] = members[table[slot]];
    }
  }
  return index->Restore(owner_of);
}

}  // namespace groupsim
