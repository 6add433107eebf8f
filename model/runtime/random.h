// The seam through which the model draws.
#ifndef GROUPSIM_MODEL_RUNTIME_RANDOM_H_
#define GROUPSIM_MODEL_RUNTIME_RANDOM_H_

#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/base/time.h"

namespace groupsim {

// One drawer's own sequence of 64-bit numbers. Draw once per statement: the
// order in which arguments are evaluated is the compiler's.
class RandomStream {
 public:
  virtual ~RandomStream() = default;

  virtual uint64_t Next() = 0;

  // Uniform in [0, n), without bias; n >= 1.
  uint64_t Below(uint64_t n) {
    CHECK(n >= 1);
    // Lemire's method: the high word of a product is uniform once the few
    // low words that would favour some results are drawn again.
    unsigned __int128 product = static_cast<unsigned __int128>(Next()) * n;
    if (static_cast<uint64_t>(product) < n) {
      const uint64_t limit = (0 - n) % n;
      while (static_cast<uint64_t>(product) < limit) {
        product = static_cast<unsigned __int128>(Next()) * n;
      }
    }
    return static_cast<uint64_t>(product >> 64);
  }

  // Uniform in [low, high], whole nanoseconds; low <= high.
  Duration Between(Duration low, Duration high) {
    CHECK(low <= high);
    const auto width = static_cast<uint64_t>((high - low).nanos()) + 1;
    return low + Duration::Nanos(static_cast<int64_t>(Below(width)));
  }
};

// Hands out the streams of one process. Each purpose has its own stream, so
// that a new drawer moves no other draw; asking twice for one purpose gives
// the same sequence from its beginning.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  virtual std::unique_ptr<RandomStream> Stream(absl::string_view purpose) = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_RANDOM_H_
