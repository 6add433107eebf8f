// Requests about offsets (ConsumerManageProcessor, AdminBrokerProcessor, 5.3.3)
// and the writing of the offset table.
#ifndef GROUPSIM_MODEL_BROKER_OFFSET_SERVICE_H_
#define GROUPSIM_MODEL_BROKER_OFFSET_SERVICE_H_

#include <cstdint>

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

  // Writes the table to the disk (ConsumerOffsetManager.persist).
  void Persist() { table_.CopyTo(disk_.offsets); }

  Reply Answer(const QueryConsumerOffsetRequest& request);
  Reply Answer(const UpdateConsumerOffsetRequest& request);
  Reply Answer(const GetMaxOffsetRequest& request);
  Reply Answer(const GetMinOffsetRequest& request);
  Reply Answer(const SearchOffsetRequest& request);

 private:
  Env& env_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  OffsetTable table_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_OFFSET_SERVICE_H_
