// Requests about offsets (ConsumerManageProcessor, AdminBrokerProcessor, 5.3.3)
// and the writing of the offset table.
#ifndef GROUPSIM_MODEL_BROKER_OFFSET_SERVICE_H_
#define GROUPSIM_MODEL_BROKER_OFFSET_SERVICE_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "model/base/name.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/offset_table.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/wire/command.h"

namespace groupsim {

class OffsetService {
 public:
  // The references outlive it. Begins with the offsets on the disk.
  OffsetService(Env& env, const BrokerConfig& config, BrokerDisk& disk);
  OffsetService(const OffsetService&) = delete;
  OffsetService& operator=(const OffsetService&) = delete;

  // Stores a group's offset, whatever it was before
  // (ConsumerOffsetManager.commitOffset).
  void Commit(const StoredQueue& queue, Name group, int64_t offset);

  // What an administrator has a group go on from. Queries answer with it, and
  // what members commit does not count, until a member's next pull of the queue
  // has taken it (ConsumerOffsetManager.resetOffset).
  void Reset(const StoredQueue& queue, Name group, int64_t offset);
  // Takes the pending reset of a queue away, if there is one
  // (eraseResetOffset).
  std::optional<int64_t> TakeReset(const StoredQueue& queue, Name group) {
    if (resets_.empty()) [[likely]] {
      return std::nullopt;
    }
    return FindReset(queue, group, /*take=*/true);
  }
  // The group's offset, or -1.
  int64_t Find(const StoredQueue& queue, Name group) const {
    return table_.Query(queue.index(), group);
  }
  // The offset of the first message stored at that wall time, in milliseconds,
  // or later.
  int64_t OffsetAt(const StoredQueue& queue, int64_t wall_millis) const;
  // Group `to` gets the offset of group `from`, or none where that has none
  // (cloneOffset).
  void Clone(const StoredQueue& queue, Name from, Name to);

  // Writes the table to the disk (ConsumerOffsetManager.persist).
  void Persist() { table_.CopyTo(disk_.offsets); }

  // Whether offsets of this group are not stored at present.
  bool Refuses(Name group) const;

  Reply Answer(const QueryConsumerOffsetRequest& request);
  Reply Answer(const UpdateConsumerOffsetRequest& request);
  Reply Answer(const GetMaxOffsetRequest& request);
  Reply Answer(const GetMinOffsetRequest& request);
  Reply Answer(const SearchOffsetRequest& request);

 private:
  std::optional<int64_t> FindReset(const StoredQueue& queue, Name group,
                                   bool take);

  Env& env_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  OffsetTable table_;
  // Pending, by queue and group; a restart forgets them.
  absl::flat_hash_map<std::pair<uint32_t, Name>, int64_t> resets_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_OFFSET_SERVICE_H_
