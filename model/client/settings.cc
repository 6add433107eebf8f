#include "model/client/settings.h"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "model/client/lite_pull_settings.h"
#include "model/client/pull_settings.h"

namespace groupsim {
namespace {

// Collects the first field that is out of range.
class RangeCheck {
 public:
  RangeCheck& Positive(absl::string_view field, Duration value) {
    if (status_.ok() && value <= Duration::Zero()) {
      status_ = absl::InvalidArgumentError(absl::StrCat(
          field, " is ", ToString(value), "; it must be more than 0"));
    }
    return *this;
  }
  RangeCheck& NotNegative(absl::string_view field, Duration value) {
    if (status_.ok() && value < Duration::Zero()) {
      status_ = absl::InvalidArgumentError(absl::StrCat(
          field, " is ", ToString(value), "; it must not be negative"));
    }
    return *this;
  }
  RangeCheck& AtMost(absl::string_view field, Duration value, Duration limit) {
    if (status_.ok() && value > limit) {
      status_ = absl::InvalidArgumentError(
          absl::StrCat(field, " is ", ToString(value), "; it must be at most ",
                       ToString(limit)));
    }
    return *this;
  }
  RangeCheck& AtLeast(absl::string_view field, int32_t value, int32_t low) {
    if (status_.ok() && value < low) {
      status_ = absl::InvalidArgumentError(
          absl::StrCat(field, " is ", value, "; it must be at least ", low));
    }
    return *this;
  }
  RangeCheck& Within(absl::string_view field, int32_t value, int32_t low,
                     int32_t high) {
    if (status_.ok() && (value < low || value > high)) {
      status_ = absl::InvalidArgumentError(absl::StrCat(
          field, " is ", value, "; it must be ", low, " to ", high));
    }
    return *this;
  }
  RangeCheck& WithinOrOff(absl::string_view field, int32_t value,
                          int32_t high) {
    if (value == -1) return *this;
    if (status_.ok() && (value < 1 || value > high)) {
      status_ = absl::InvalidArgumentError(absl::StrCat(
          field, " is ", value, "; it must be 1 to ", high, ", or -1 for off"));
    }
    return *this;
  }
  absl::Status status() const { return status_; }

 private:
  absl::Status status_;
};

}  // namespace

RemotingSettings RemotingSettingsOf(const ClientSettings& settings,
                                    const ClientProfile& profile) {
  RemotingSettings remoting;
  remoting.connect_timeout = settings.connect_timeout;
  remoting.channel_max_idle = settings.client_channel_max_idle_time_seconds;
  remoting.close_channel_if_timeout = settings.client_close_socket_if_timeout;
  if (!profile.timeout_closes_only_if_time_was_left) {
    remoting.close_min_left = Duration::Nanos(-1);
  }
  remoting.fin_fails_pending = profile.fin_fails_pending;
  remoting.repeats_after_go_away = profile.repeats_after_go_away;
  return remoting;
}

ProducerSettings ProducerSettingsOf(const ClientProfile& profile) {
  ProducerSettings settings;
  settings.latency_max.assign(profile.latency_max.begin(),
                              profile.latency_max.end());
  settings.not_available_duration.assign(profile.not_available_duration.begin(),
                                         profile.not_available_duration.end());
  return settings;
}

absl::Status Validate(const ClientSettings& s) {
  RangeCheck check;
  check.Positive("poll_name_server_interval", s.poll_name_server_interval)
      .Positive("heartbeat_broker_interval", s.heartbeat_broker_interval)
      .Positive("persist_consumer_offset_interval",
                s.persist_consumer_offset_interval)
      .Positive("mq_client_api_timeout", s.mq_client_api_timeout)
      .Positive("rebalance_wait_interval", s.rebalance_wait_interval)
      .NotNegative("rebalance_min_interval", s.rebalance_min_interval)
      .Positive("connect_timeout", s.connect_timeout)
      .Positive("client_channel_max_idle_time_seconds",
                s.client_channel_max_idle_time_seconds);
  return check.status();
}

absl::Status Validate(const PushConsumerSettings& s) {
  RangeCheck check;
  check.Within("consume_thread_min", s.consume_thread_min, 1, 1'000)
      .Within("consume_thread_max", s.consume_thread_max, 1, 1'000)
      .Within("consume_concurrently_max_span", s.consume_concurrently_max_span,
              1, 65'535)
      .Within("pull_threshold_for_queue", s.pull_threshold_for_queue, 1, 65'535)
      .WithinOrOff("pull_threshold_for_topic", s.pull_threshold_for_topic,
                   6'553'500)
      .Within("pull_threshold_size_for_queue", s.pull_threshold_size_for_queue,
              1, 1'024)
      .WithinOrOff("pull_threshold_size_for_topic",
                   s.pull_threshold_size_for_topic, 102'400)
      .NotNegative("pull_interval", s.pull_interval)
      .AtMost("pull_interval", s.pull_interval, 65'535ms)
      .Within("consume_message_batch_max_size",
              s.consume_message_batch_max_size, 1, 1'024)
      .Within("pull_batch_size", s.pull_batch_size, 1, 1'024)
      .NotNegative("pull_time_delay_mills_when_exception",
                   s.pull_time_delay_mills_when_exception)
      .NotNegative("await_termination_millis_when_shutdown",
                   s.await_termination_millis_when_shutdown)
      .AtLeast("max_reconsume_times", s.max_reconsume_times, -1)
      .Positive("consume_timeout", s.consume_timeout)
      .Positive("pull_max_idle_time", s.pull_max_idle_time)
      .NotNegative("suspend_current_queue_time_millis",
                   s.suspend_current_queue_time_millis)
      .Positive("lock_interval", s.lock_interval)
      .Positive("lock_max_live_time", s.lock_max_live_time)
      .Positive("max_time_consume_continuously",
                s.max_time_consume_continuously)
      .Positive("unlock_delay_time_mills", s.unlock_delay_time_mills);
  if (!check.status().ok()) return check.status();
  if (s.consume_thread_min > s.consume_thread_max) {
    return absl::InvalidArgumentError(
        absl::StrCat("consume_thread_min is ", s.consume_thread_min,
                     "; it must not be more than consume_thread_max, which is ",
                     s.consume_thread_max));
  }
  return absl::OkStatus();
}

absl::Status Validate(const LitePullSettings& s) {
  RangeCheck check;
  check.Within("pull_batch_size", s.pull_batch_size, 1, 1'024)
      .AtLeast("pull_thread_nums", s.pull_thread_nums, 1)
      .AtLeast("pull_threshold_for_all", s.pull_threshold_for_all, 1)
      .Within("pull_threshold_for_queue", s.pull_threshold_for_queue, 1, 65'535)
      .Within("pull_threshold_size_for_queue", s.pull_threshold_size_for_queue,
              1, 1'024)
      .Within("consume_max_span", s.consume_max_span, 1, 65'535)
      .Positive("broker_suspend_max_time_millis",
                s.broker_suspend_max_time_millis)
      .NotNegative("poll_timeout_millis", s.poll_timeout_millis)
      .AtLeast("worker_threads", s.worker_threads, 0)
      .Positive("topic_metadata_check_interval_millis",
                s.topic_metadata_check_interval_millis)
      .Positive("pull_time_delay_mills_when_exception",
                s.pull_time_delay_mills_when_exception)
      .AtMost("broker_suspend_max_time_millis",
              s.broker_suspend_max_time_millis,
              s.consumer_timeout_millis_when_suspend);
  return check.status();
}

absl::Status Validate(const PullSettings& s) {
  RangeCheck check;
  check.Positive("consumer_pull_timeout_millis", s.consumer_pull_timeout_millis)
      .Positive("broker_suspend_max_time_millis",
                s.broker_suspend_max_time_millis)
      .AtMost("broker_suspend_max_time_millis",
              s.broker_suspend_max_time_millis,
              s.consumer_timeout_millis_when_suspend)
      .AtLeast("pull_thread_nums", s.pull_thread_nums, 1)
      .Within("max_nums", s.max_nums, 1, 1'024)
      .NotNegative("pull_next_delay_time_millis",
                   s.pull_next_delay_time_millis);
  return check.status();
}

absl::Status Validate(const ProducerSettings& s) {
  RangeCheck check;
  check.Positive("send_msg_timeout", s.send_msg_timeout)
      .Within("retry_times_when_send_failed", s.retry_times_when_send_failed, 0,
              100)
      .Within("retry_times_when_send_async_failed",
              s.retry_times_when_send_async_failed, 0, 100)
      .Within("max_in_flight", s.max_in_flight, 1, 100'000)
      .NotNegative("send_msg_max_timeout_per_request",
                   s.send_msg_max_timeout_per_request)
      .Within("max_message_size", s.max_message_size, 1, 4 * 1024 * 1024)
      .Within("default_topic_queue_nums", s.default_topic_queue_nums, 1, 10'000)
      .Positive("detect_interval", s.detect_interval)
      .Positive("detect_timeout", s.detect_timeout);
  for (const Duration duration : s.not_available_duration) {
    check.NotNegative("not_available_duration", duration);
  }
  if (!check.status().ok()) return check.status();
  if (s.latency_max.size() != s.not_available_duration.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("latency_max has ", s.latency_max.size(),
                     " entries; it must have as many as "
                     "not_available_duration, which has ",
                     s.not_available_duration.size()));
  }
  const auto falls = std::adjacent_find(
      s.latency_max.begin(), s.latency_max.end(), std::greater_equal<>());
  if (falls != s.latency_max.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("latency_max must rise; ", ToString(*(falls + 1)),
                     " comes after ", ToString(*falls)));
  }
  return absl::OkStatus();
}

}  // namespace groupsim
