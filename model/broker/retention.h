// Deletes old files of a broker's commit log.
#ifndef GROUPSIM_MODEL_BROKER_RETENTION_H_
#define GROUPSIM_MODEL_BROKER_RETENTION_H_

#include <cstdint>

#include "model/base/time.h"
#include "model/broker/broker_config.h"
#include "model/broker/broker_disk.h"
#include "model/runtime/env.h"
#include "model/runtime/timer.h"

namespace groupsim {

// DefaultMessageStore.CleanCommitLogService, 5.3.3: 60 s after the start, and
// then every 10 s, files are deleted to which nothing was written for the
// reserved time, oldest first, ten at most, and never the last one; but only in
// the hours of the day that are set for it, or after an administrator asked for
// it. Then each queue begins at its first message that is left, so that the
// minimum offsets of many queues leap at once.
//
// The disk is never full: what upstream deletes or refuses because of that is
// left out. A look costs an event only where a file may be old enough.
class Retention {
 public:
  // The references outlive it.
  Retention(Env& env, const BrokerConfig& config, BrokerDisk& disk);
  Retention(const Retention&) = delete;
  Retention& operator=(const Retention&) = delete;

  void Start();
  void Stop() { look_.Cancel(); }

  // To be called after each message that was appended.
  void OnAppended() {
    if (disk_.store.log_end() >= next_file_) OnNewFile();
  }

  // Looks at any hour for the next 200 s (executeDeleteFilesManually). Returns
  // how many files are old enough now.
  int64_t DeleteExpiredFiles();

 private:
  int64_t FileSize() const;
  // Complete files that are kept.
  int64_t Files() const;
  // Since when the oldest file is old enough to go.
  Instant OldestExpires() const;
  void OnNewFile();
  void Arm();
  void Look();
  void DeleteOldest();
  bool IsHour() const;
  // How long until such an hour begins; a day at most.
  Duration UntilHour() const;

  Env& env_;
  const BrokerConfig& config_;
  BrokerDisk& disk_;
  Instant started_;
  bool running_ = false;
  int64_t next_file_ = 0;  // Where the log's next file begins.
  Instant manual_until_;
  Timer look_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_RETENTION_H_
