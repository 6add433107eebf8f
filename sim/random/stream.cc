#include "sim/random/stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "model/runtime/random.h"
#include "sim/random/philox.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace groupsim {
namespace {

// Low byte first, so that the key does not depend on the machine.
void AppendNumber(uint64_t number, std::string* bytes) {
  for (int shift = 0; shift < 64; shift += 8) {
    bytes->push_back(static_cast<char>((number >> shift) & 0xFF));
  }
}

// The length goes first: what follows cannot be read in two ways.
void AppendText(absl::string_view text, std::string* bytes) {
  AppendNumber(text.size(), bytes);
  bytes->append(text.data(), text.size());
}

constexpr uint64_t Join(uint32_t low, uint32_t high) {
  return (static_cast<uint64_t>(high) << 32) | low;
}

}  // namespace

StreamKey StreamKey::For(uint64_t seed, absl::string_view entity,
                         absl::string_view purpose) {
  std::string bytes;
  bytes.reserve(3 * sizeof(uint64_t) + entity.size() + purpose.size());
  AppendNumber(seed, &bytes);
  AppendText(entity, &bytes);
  AppendText(purpose, &bytes);
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return StreamKey{.low = hash.low64, .high = hash.high64};
}

uint64_t CounterStream::Next() {
  const uint64_t draw = position_++;
  if (draw % 2 != 0) return second_half_;
  const uint64_t block = draw / 2;
  const PhiloxCounter out = Philox4x32(
      {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
       static_cast<uint32_t>(key_.high),
       static_cast<uint32_t>(key_.high >> 32)},
      {static_cast<uint32_t>(key_.low), static_cast<uint32_t>(key_.low >> 32)});
  second_half_ = Join(out[2], out[3]);
  return Join(out[0], out[1]);
}

std::unique_ptr<RandomStream> SeededSource::Stream(absl::string_view purpose) {
  return std::make_unique<CounterStream>(
      StreamKey::For(seed_, entity_, purpose));
}

}  // namespace groupsim
