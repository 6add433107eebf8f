// A ring of hashes on which clients stand, some places each; whatever is looked
// up belongs to the next client clockwise.
#ifndef GROUPSIM_MODEL_ALLOCATION_HASH_RING_H_
#define GROUPSIM_MODEL_ALLOCATION_HASH_RING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"

namespace groupsim {

// A place on the ring for a key in UTF-8; any 64-bit number, the same for the
// same key everywhere and always (HashFunction.hash).
using RingHash = int64_t (*)(absl::string_view key);

// ConsistentHashRouter.MD5Hash, 5.3.3: the first four bytes of the key's MD5 as
// a big-endian number, from 0 to 2^32 - 1.
int64_t Md5RingHash(absl::string_view key);

// The most places of a client that a strategy may be set up with.
inline constexpr int32_t kMostVirtualNodes = 10'000;

// InvalidArgument, in words, unless the number is 1 to kMostVirtualNodes.
absl::Status CheckVirtualNodes(int32_t virtual_nodes);

// ConsistentHashRouter, 5.3.3.
class HashRing {
 public:
  // Client c stands at the hashes of "c-0", "c-1", ..., `virtual_nodes` of
  // them (not negative). Clients take their places in the order of the list; at
  // an equal hash a later one takes the place of an earlier one. A client id
  // that comes again goes on numbering at as many places as it then has.
  HashRing(const std::vector<Name>& client_ids, int32_t virtual_nodes,
           RingHash hash);

  struct Place {
    int64_t hash = 0;
    // Position of the client's first occurrence in the list.
    size_t owner = 0;
  };

  // The place at the hash or next behind it, the ring being closed. Nothing if
  // nobody stands on the ring.
  std::optional<Place> Next(int64_t hash) const;

  // How many places are taken.
  size_t size() const { return hashes_.size(); }

 private:
  std::vector<int64_t> hashes_;   // Ascending.
  std::vector<uint32_t> owners_;  // Of the same places.
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_HASH_RING_H_
