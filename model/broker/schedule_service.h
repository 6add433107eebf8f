// Messages that wait for a delay level (ScheduleMessageService, 5.3.3).
#ifndef GROUPSIM_MODEL_BROKER_SCHEDULE_SERVICE_H_
#define GROUPSIM_MODEL_BROKER_SCHEDULE_SERVICE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/broker/delay_levels.h"
#include "model/broker/message_store.h"
#include "model/broker/message_writer.h"
#include "model/runtime/env.h"
#include "model/runtime/timer.h"

namespace groupsim {

// Each level is a queue of SCHEDULE_TOPIC_XXXX, first in, first out. Upstream
// looks at the head of each every 100 ms, first a second after the start. Here
// a level costs an event only at those looks that find a message due; so a leap
// of the wall clock is noticed at the next look that was due before.
class ScheduleService {
 public:
  // The references outlive it. The settings' delay levels must be valid.
  ScheduleService(Env& env, const BrokerConfig& config, BrokerDisk& disk,
                  MessageWriter& writer);
  ScheduleService(const ScheduleService&) = delete;
  ScheduleService& operator=(const ScheduleService&) = delete;

  // Goes on from the progress on the disk, kept within what each queue holds.
  void Start();
  // Writes the progress, and ends.
  void Stop();

  const DelayLevels& levels() const { return levels_; }

  // Stores a message that is to be in `place` when the time of the level, from
  // 1 on, is over, and returns its offset among those that wait. A level above
  // the last one counts as that.
  int64_t Store(int32_t level, const MessageWriter::Place& place,
                MessageStore::NewMessage message);

 private:
  struct Level {
    int64_t progress = 0;  // The next message to deliver.
    std::unique_ptr<Timer> timer;
  };

  StoredQueue* QueueOf(int32_t level);
  // How long the message at the head waits still; zero if it is due.
  Duration Remaining(int32_t level, const StoredQueue& queue,
                     int64_t offset) const;
  // Sees to it that the level is looked at when its head is due, after `now`.
  void Arm(int32_t level);
  void Look(int32_t level);
  void Deliver(int32_t level, const StoredQueue& queue, int64_t offset);
  void ArmFlush();
  void Flush();

  Env& env_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  MessageWriter& writer_;
  const DelayLevels levels_;
  Name topic_;
  Instant started_;
  bool running_ = false;
  std::vector<Level> by_level_;  // From level 1 on.
  Timer flush_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_SCHEDULE_SERVICE_H_
