// Named streams of random numbers.
//
//   CounterStream arrivals(StreamKey::For(seed, "checkout", "arrivals"));
//   const uint64_t draw = arrivals.Next();
//
// A stream is a function of its key and of how often it was drawn from. Nobody
// shares one: whoever draws is named, and so is what for, so that a new drawer
// moves no draw of the others.
#ifndef GROUPSIM_SIM_RANDOM_STREAM_H_
#define GROUPSIM_SIM_RANDOM_STREAM_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "model/runtime/random.h"

namespace groupsim {

// What tells one stream from all others: 128 bits.
struct StreamKey {
  uint64_t low = 0;
  uint64_t high = 0;

  // The key of what `entity` draws for `purpose` in the run with this seed.
  // Any texts will do, empty ones too; ("a", "bc") and ("ab", "c") differ.
  static StreamKey For(uint64_t seed, absl::string_view entity,
                       absl::string_view purpose);

  friend bool operator==(const StreamKey&, const StreamKey&) = default;
};

// Draw number n (from 0) is half n % 2 of the Philox block numbered n / 2; the
// low half of the key is the cipher's, the high half the upper half of its
// counter. A copy goes on from where the original stands.
class CounterStream final : public RandomStream {
 public:
  explicit CounterStream(const StreamKey& key) : key_(key) {}

  // All 64 bits are random.
  uint64_t Next() override;

  // How many draws there have been.
  uint64_t position() const { return position_; }

 private:
  StreamKey key_;
  uint64_t position_ = 0;
  uint64_t second_half_ = 0;  // Of the last block, when position_ is odd.
};

// The streams of one entity, one per purpose.
class SeededSource final : public RandomSource {
 public:
  SeededSource(uint64_t seed, absl::string_view entity)
      : seed_(seed), entity_(entity) {}

  std::unique_ptr<RandomStream> Stream(absl::string_view purpose) override;

 private:
  uint64_t seed_;
  std::string entity_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_RANDOM_STREAM_H_
