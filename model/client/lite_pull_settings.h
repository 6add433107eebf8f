// Settings and constants of lite pull consumers (DefaultLitePullConsumer,
// 5.3.3), named and counted as those in settings.h.
#ifndef GROUPSIM_MODEL_CLIENT_LITE_PULL_SETTINGS_H_
#define GROUPSIM_MODEL_CLIENT_LITE_PULL_SETTINGS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "model/base/time.h"

namespace groupsim {

// Of one lite pull consumer (DefaultLitePullConsumer).
struct LitePullSettings {
  // Messages of one pull at most, 1 to 1,024 (pullBatchSize).
  int32_t pull_batch_size = 10;
  // Threads that pull, each of which waits for its broker; at least 1
  // (pullThreadNums).
  int32_t pull_thread_nums = 20;
  // Nothing is pulled while more messages are cached, by batches counted in
  // full; at least 1 (pullThresholdForAll).
  int32_t pull_threshold_for_all = 10'000;
  // A queue with more messages cached is not pulled, 1 to 65,535
  // (pullThresholdForQueue).
  int32_t pull_threshold_for_queue = 1'000;
  // A queue with more MiB of bodies cached, in whole MiB, is not pulled, 1 to
  // 1,024 (pullThresholdSizeForQueue).
  int32_t pull_threshold_size_for_queue = 100;
  // A queue whose cached offsets span more is not pulled, 1 to 65,535
  // (consumeMaxSpan).
  int32_t consume_max_span = 2'000;
  // How long a broker holds a pull that finds nothing. Positive
  // (brokerSuspendMaxTimeMillis).
  Duration broker_suspend_max_time_millis = 20s;
  // Limit of a call to pull; not below broker_suspend_max_time_millis
  // (consumerTimeoutMillisWhenSuspend).
  Duration consumer_timeout_millis_when_suspend = 30s;
  // How long a poll of the application waits for messages. Not negative
  // (pollTimeoutMillis).
  Duration poll_timeout_millis = 5s;
  // Whether polls commit what earlier polls gave away (autoCommit).
  bool auto_commit = true;
  // From one poll that does so to the next; below 1 s it stays at the default
  // (autoCommitIntervalMillis).
  Duration auto_commit_interval_millis = 5s;
  // How often the queues of topics that the application watches are looked at.
  // Positive (topicMetadataCheckIntervalMillis).
  Duration topic_metadata_check_interval_millis = 30s;
  // Time to the next pull after one that failed. Positive
  // (pullTimeDelayMillsWhenException).
  Duration pull_time_delay_mills_when_exception = 1s;
  // The application's own: threads to which the one that polls hands over what
  // it got, to poll again at once; 0 where it deals with it itself first.
  int32_t worker_threads = 0;
};

// Constants of one release that no setting changes.
struct LitePullProfile {
  // To the next attempt to pull: a queue that is paused, one that is put off
  // since enough is cached, and one whose beginning was not to be learnt.
  Duration pull_delay_paused;
  Duration pull_delay_cache_flow_control;
  Duration pull_delay_no_offset;
  // The first look at the queues of topics, from the start.
  Duration first_topic_metadata_check;
  // A shorter interval of commits is not heeded.
  Duration min_auto_commit_interval;
};

// The 5.3 line.
inline constexpr LitePullProfile kLitePullRocketMq53 = {
    .pull_delay_paused = 1s,
    .pull_delay_cache_flow_control = 50ms,
    .pull_delay_no_offset = 3s,
    .first_topic_metadata_check = 10s,
    .min_auto_commit_interval = 1s,
};

// OK, or which field is out of range and what is allowed
// (DefaultLitePullConsumerImpl.checkConfig).
absl::Status Validate(const LitePullSettings& settings);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_LITE_PULL_SETTINGS_H_
