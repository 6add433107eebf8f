// Philox4x32 with ten rounds: a block cipher of small words, used as a random
// function of a counter. Described by Salmon, Moraes, Dror and Shaw in
// "Parallel random numbers: as easy as 1, 2, 3" (2011).
#ifndef GROUPSIM_SIM_RANDOM_PHILOX_H_
#define GROUPSIM_SIM_RANDOM_PHILOX_H_

#include <array>
#include <cstdint>

namespace groupsim {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

// 128 random bits that depend on nothing but the arguments. Under one key no
// two counters give the same block.
constexpr PhiloxCounter Philox4x32(PhiloxCounter counter, PhiloxKey key) {
  constexpr int kRounds = 10;
  constexpr uint64_t kMultiplier0 = 0xD2511F53;
  constexpr uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9;  // Golden ratio.
  constexpr uint32_t kWeyl1 = 0xBB67AE85;  // Square root of three, less one.
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = kMultiplier0 * counter[0];
    const uint64_t product1 = kMultiplier1 * counter[2];
    const auto high0 = static_cast<uint32_t>(product0 >> 32);
    const auto high1 = static_cast<uint32_t>(product1 >> 32);
    counter = {high1 ^ counter[1] ^ key[0], static_cast<uint32_t>(product1),
               high0 ^ counter[3] ^ key[1], static_cast<uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

}  // namespace groupsim

#endif  // GROUPSIM_SIM_RANDOM_PHILOX_H_
