// Hashes of queues and members: the same on every machine, and in every run.
#ifndef GROUPSIM_MODEL_ALLOCATION_COMPARISON_HASHES_H_
#define GROUPSIM_MODEL_ALLOCATION_COMPARISON_HASHES_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// XXH64 of the bytes.
uint64_t TextHash(absl::string_view text, uint64_t seed);

// XXH64 of "topic", NUL, "broker name", NUL and the queue id as four bytes, the
// lowest first.
uint64_t QueueHash(const MessageQueue& queue);

// The finishing steps of MurmurHash3 for 64 bits: one-to-one, and each bit of
// the input changes about half of the output.
constexpr uint64_t Scatter(uint64_t bits) {
  bits ^= bits >> 33;
  bits *= 0xff51afd7ed558ccdU;
  bits ^= bits >> 33;
  bits *= 0xc4ceb9fe1a85ec53U;
  bits ^= bits >> 33;
  return bits;
}

// The hash of a queue together with a member, from the hashes of each.
constexpr uint64_t PairHash(uint64_t queue, uint64_t member) {
  return Scatter(queue ^ member);
}

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_COMPARISON_HASHES_H_
