// Settings of pull consumers (DefaultMQPullConsumer, 5.3.3) and of who has them
// pull, named and counted as those in settings.h.
#ifndef GROUPSIM_MODEL_CLIENT_PULL_SETTINGS_H_
#define GROUPSIM_MODEL_CLIENT_PULL_SETTINGS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "model/base/time.h"

namespace groupsim {

// Of one pull consumer and its application.
struct PullSettings {
  // Limit of a call to pull that the broker does not hold. Positive
  // (consumerPullTimeoutMillis).
  Duration consumer_pull_timeout_millis = 10s;
  // How long a broker holds a pull that may be held and finds nothing. Positive
  // (brokerSuspendMaxTimeMillis).
  Duration broker_suspend_max_time_millis = 20s;
  // Limit of a call to pull that may be held; not below
  // broker_suspend_max_time_millis (consumerTimeoutMillisWhenSuspend).
  Duration consumer_timeout_millis_when_suspend = 30s;

  // ---- The application's own

  // Threads that run its tasks, each of which waits for the broker and for what
  // the application does; at least 1 (MQPullConsumerScheduleService
  // .pullThreadNums).
  int32_t pull_thread_nums = 20;
  // Whether brokers may hold its pulls (pullBlockIfNotFound instead of pull).
  bool block_if_not_found = false;
  // Messages of one pull at most, 1 to 1,024 (the argument maxNums).
  int32_t max_nums = 32;
  // From the end of one run of a queue's task to the next. Not negative
  // (PullTaskContext.pullNextDelayTimeMillis).
  Duration pull_next_delay_time_millis = 200ms;
};

// Constants of one release that no setting changes.
struct PullProfile {
  // To the next run after one that ended with an exception.
  Duration pull_delay_after_exception;
};

// The 5.3 line.
inline constexpr PullProfile kPullRocketMq53 = {
    .pull_delay_after_exception = 1s,
};

// OK, or which field is out of range and what is allowed.
absl::Status Validate(const PullSettings& settings);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PULL_SETTINGS_H_
