// What administrators do to the offsets of groups (AdminBrokerProcessor,
// Broker2Client, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_OFFSET_ADMIN_H_
#define GROUPSIM_MODEL_BROKER_OFFSET_ADMIN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/name.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/consumer_table.h"
#include "model/broker/offset_service.h"
#include "model/runtime/remoting.h"

namespace groupsim {

class OffsetAdmin {
 public:
  // The references outlive it.
  OffsetAdmin(const BrokerConfig& config, BrokerDisk& disk,
              OffsetService& offsets, const ConsumerTable& consumers,
              Remoting& remoting)
      : config_(config),
        disk_(disk),
        offsets_(offsets),
        consumers_(consumers),
        remoting_(remoting) {}

  // What a group is to go on from.
  struct Target {
    Name group;
    Name topic;
    // Each once; empty for all that can be read, or, where the members reset
    // them, be written.
    std::vector<int32_t> queues;
    // An offset, from the first to one beyond the end of a queue; without one,
    // the first message stored at that wall time, in milliseconds, or later.
    std::optional<int64_t> offset;
    int64_t wall_millis = 0;
  };
  // Resets the offsets, or tells the members to (use_server_side_reset_offset).
  // Returns for how many queues: 0 where the topic or the group is unknown, or,
  // where members have to be told, none is there or the group has no offset of
  // some queue (resetOffset, INVOKE_BROKER_TO_RESET_OFFSET).
  int64_t Reset(const Target& target);

  // Group `to` gets the offsets that group `from` has in the topic. Members of
  // `to` do not learn of it and commit what they have. Returns of how many
  // queues `from` had one (cloneGroupOffset).
  struct Copying {
    Name from;
    Name to;
    Name topic;
  };
  int64_t Clone(const Copying& copying);

 private:
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  OffsetService& offsets_;
  const ConsumerTable& consumers_;
  Remoting& remoting_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_OFFSET_ADMIN_H_
