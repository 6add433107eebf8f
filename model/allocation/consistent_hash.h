// Queues to the next client on a ring of hashes.
#ifndef GROUPSIM_MODEL_ALLOCATION_CONSISTENT_HASH_H_
#define GROUPSIM_MODEL_ALLOCATION_CONSISTENT_HASH_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/allocation/hash_ring.h"
#include "model/allocation/strategy.h"

namespace groupsim {

// AllocateMessageQueueConsistentHash.allocate, 5.3.3: a queue belongs to the
// client that the ring has for the queue's text (ToString of MessageQueue).
// Every queue has exactly one owner, also where a client id occurs twice, but
// for an empty ring; sizes are as chance has it. Upstream builds the ring in
// every call; here Prepare() does, for all clients.
class AllocateByConsistentHash final : public AllocationStrategy {
 public:
  struct Options {
    int32_t virtual_nodes = 10;    // Places on the ring for each client.
    RingHash hash = &Md5RingHash;  // Not null.
  };

  // InvalidArgument if the number of virtual nodes is negative. With none, no
  // client gets any queue.
  static absl::StatusOr<std::shared_ptr<const AllocateByConsistentHash>> Create(
      const Options& options);

  // With the defaults.
  AllocateByConsistentHash() : options_() {}

  absl::string_view name() const override { return "CONSISTENT_HASH"; }
  AllocationPlanPtr Prepare(const AllocationView& view) const override;

 private:
  explicit AllocateByConsistentHash(const Options& options)
      : options_(options) {}

  const Options options_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_ALLOCATION_CONSISTENT_HASH_H_
