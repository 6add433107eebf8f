// A rolling 64-bit fingerprint of a sequence.
#ifndef GROUPSIM_SIM_ENGINE_FINGERPRINT_H_
#define GROUPSIM_SIM_ENGINE_FINGERPRINT_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "absl/strings/string_view.h"

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

namespace groupsim {

// Equal for equal sequences of items, and different with overwhelming
// probability where an item, the order or the number of items differs. The same
// on every compiler and at every level of optimisation.
//
// Each item is hashed by XXH3 on its own, and the results are chained by the
// round of XXH64: the processor can hash the next item before it has chained
// the last one.
class Fingerprint {
 public:
  // Adds the bytes of a value, which must have neither padding nor pointers.
  template <class T>
  void Fold(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    static_assert(std::has_unique_object_representations_v<T>);
    static_assert(!std::is_pointer_v<T>);
    Chain(XXH3_64bits(&value, sizeof(T)));
  }

  // Adds a text.
  void FoldText(absl::string_view text) { Chain(HashOf(text)); }

  // The fingerprint of what was added so far.
  uint64_t value() const {
    uint64_t hash = state_;
    hash = (hash ^ hash >> 33) * kPrime2;
    hash = (hash ^ hash >> 29) * kPrime3;
    return hash ^ hash >> 32;
  }

  // The 64-bit hash of one text.
  static uint64_t HashOf(absl::string_view text) {
    return XXH3_64bits(text.data(), text.size());
  }

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;

 private:
  // The primes of XXH64.
  static constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87;
  static constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;
  static constexpr uint64_t kPrime3 = 0x165667B19E3779F9;

  void Chain(uint64_t hash) {
    state_ = std::rotl(state_ + hash * kPrime2, 31) * kPrime1;
  }

  uint64_t state_ = kPrime3;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_ENGINE_FINGERPRINT_H_
