#include "model/allocation/hash_ring.h"

#include <md5.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/base/name.h"

namespace groupsim {

int64_t Md5RingHash(absl::string_view key) {
  MD5_CTX context;
  MD5Init(&context);
  MD5Update(&context, reinterpret_cast<const uint8_t*>(key.data()), key.size());
  uint8_t digest[MD5_DIGEST_LENGTH];
  MD5Final(digest, &context);
  return (int64_t{digest[0]} << 24) | (int64_t{digest[1]} << 16) |
         (int64_t{digest[2]} << 8) | int64_t{digest[3]};
}

absl::Status CheckVirtualNodes(int32_t virtual_nodes) {
  if (virtual_nodes >= 1 && virtual_nodes <= kMostVirtualNodes) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("a member cannot have ", virtual_nodes,
                   " virtual nodes; give 1 to ", kMostVirtualNodes));
}

HashRing::HashRing(const std::vector<Name>& client_ids, int32_t virtual_nodes,
                   RingHash hash) {
  CHECK_GE(virtual_nodes, 0);
  CHECK_LE(client_ids.size(), size_t{UINT32_MAX});
  absl::btree_map<int64_t, uint32_t> places;  // Hash to owner.
  // Upstream counts a client's places by a walk over the ring; here each
  // client's count is kept as places change hands.
  std::vector<int32_t> place_count(client_ids.size());
  absl::flat_hash_map<Name, uint32_t> first_occurrence;
  first_occurrence.reserve(client_ids.size());
  std::string key;
  for (uint32_t i = 0; i < client_ids.size(); ++i) {
    const uint32_t owner =
        first_occurrence.try_emplace(client_ids[i], i).first->second;
    key = client_ids[i].text();
    key += '-';
    const size_t stem = key.size();
    const int32_t first = place_count[owner];
    for (int32_t node = 0; node < virtual_nodes; ++node) {
      key.resize(stem);
      absl::StrAppend(&key, first + node);
      const auto [place, is_new] = places.try_emplace(hash(key), owner);
      if (!is_new) {
        --place_count[place->second];
        place->second = owner;
      }
      ++place_count[owner];
    }
  }
  hashes_.reserve(places.size());
  owners_.reserve(places.size());
  for (const auto& [place, owner] : places) {
    hashes_.push_back(place);
    owners_.push_back(owner);
  }
}

std::optional<HashRing::Place> HashRing::Next(int64_t hash) const {
  if (hashes_.empty()) return std::nullopt;
  const auto found = std::lower_bound(hashes_.begin(), hashes_.end(), hash);
  const size_t i =
      found == hashes_.end() ? 0 : static_cast<size_t>(found - hashes_.begin());
  return Place{.hash = hashes_[i], .owner = owners_[i]};
}

}  // namespace groupsim
