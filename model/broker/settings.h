// Settings of a broker (BrokerConfig, MessageStoreConfig and NettyServerConfig,
// 5.3.3) and of a consumer group on a broker (SubscriptionGroupConfig).
//
// Fields have upstream's names in snake case, and its defaults.
#ifndef GROUPSIM_MODEL_BROKER_SETTINGS_H_
#define GROUPSIM_MODEL_BROKER_SETTINGS_H_

#include <cstdint>
#include <string>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/wire/codes.h"
#include "model/wire/route.h"

namespace groupsim {

struct BrokerSettings {
  // ---- Registration with the name servers ----

  // How often the topics are registered anew; values outside [10 s, 60 s] count
  // as the nearer bound (registerNameServerPeriod, milliseconds upstream).
  Duration register_name_server_period = 30s;
  // How long a registration may take (registerBrokerTimeoutMills).
  Duration register_broker_timeout_mills = 24s;
  // Permission bits of the whole broker; they mask those of its topics
  // (brokerPermission).
  int32_t broker_permission = kPermRead | kPermWrite;

  // ---- Clients and groups ----

  // A client without a heartbeat for longer is removed
  // (ClientHousekeepingService, ConsumerManager.CHANNEL_EXPIRED_TIMEOUT).
  Duration channel_expired_timeout = 120s;
  // A connection on which nothing was read or written for so long is closed
  // (serverChannelMaxIdleTimeSeconds, seconds upstream).
  Duration server_channel_max_idle_time_seconds = 120s;
  // Whether members are told at all that their group changed
  // (notifyConsumerIdsChangedEnable).
  bool notify_consumer_ids_changed_enable = true;
  // Whether they are told at once. Otherwise the latest change of each group is
  // told every 15 s, first 30 s after the start (realTimeNotifyConsumerChange).
  bool real_time_notify_consumer_change = true;
  // Whether an unknown group is created when it is first heard of
  // (autoCreateSubscriptionGroup).
  bool auto_create_subscription_group = true;
  // Whether an unknown topic is created when it is first sent to, with queues
  // and permission of the topic TBW102, which is there only then
  // (autoCreateTopicEnable).
  bool auto_create_topic_enable = true;

  // ---- Pull and hold ----

  // Whether a pull that finds nothing is held until a message comes. Otherwise
  // it is held for short_polling_time_mills, and looked at as often
  // (longPollingEnable; shortPollingTimeMills, milliseconds upstream).
  bool long_polling_enable = true;
  Duration short_polling_time_mills = 1s;
  // Limits of one answer, for messages that are in memory and for others:
  // messages, and bytes of the log. The first message always passes
  // (maxTransferCountOnMessageInMemory and so on).
  int64_t max_transfer_count_on_message_in_memory = 32;
  int64_t max_transfer_bytes_on_message_in_memory = 256 * 1024;
  int64_t max_transfer_count_on_message_in_disk = 8;
  int64_t max_transfer_bytes_on_message_in_disk = 64 * 1024;
  // Bytes of consume queue, at 20 for an entry, that one pull looks through
  // (maxFilterMessageSize).
  int64_t max_filter_message_size = 16'000;
  // The newest part of the log that counts as in memory, in per cent of
  // total_physical_memory_size (accessMessageInMemoryMaxRatio).
  int64_t access_message_in_memory_max_ratio = 40;
  // Bytes of memory of the broker's machine. Upstream asks the system; this
  // default is an ordinary size, not upstream's
  // (StoreUtil.TOTAL_PHYSICAL_MEMORY_SIZE).
  int64_t total_physical_memory_size = int64_t{32} << 30;

  // ---- Fast failure ----

  // Whether the head of a queue of requests is refused with SYSTEM_BUSY when it
  // has waited for too long, and how long that is for sends, pulls, lite pulls,
  // heartbeats and administration (brokerFastFailureEnable,
  // waitTimeMillsInSendQueue and so on; milliseconds upstream).
  bool broker_fast_failure_enable = true;
  Duration wait_time_mills_in_send_queue = 200ms;
  Duration wait_time_mills_in_pull_queue = 5s;
  Duration wait_time_mills_in_lite_pull_queue = 5s;
  Duration wait_time_mills_in_heartbeat_queue = 31s;
  Duration wait_time_mills_in_admin_broker_queue = 5s;

  // ---- Store ----

  // The largest body, in bytes (maxMessageSize).
  int64_t max_message_size = 4 * 1024 * 1024;
  // Bytes of one file of the log, which is deleted as a whole
  // (mappedFileSizeCommitLog).
  int64_t mapped_file_size_commit_log = int64_t{1} << 30;
  // How long a file is kept to which nothing is written any more
  // (fileReservedTime, hours upstream).
  Duration file_reserved_time = 72h;
  // Hours of the day in which older files are deleted, as "04" or "04;16", by
  // the broker's wall clock (deleteWhen).
  std::string delete_when = "04";

  // ---- Delayed messages ----

  // The delays of the levels from 1 on, each a whole number with one of the
  // units s, m, h, d, separated by spaces (messageDelayLevel).
  std::string message_delay_level =
      "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h";
  // How often the progress of the levels is written to disk
  // (flushDelayOffsetInterval, milliseconds upstream).
  Duration flush_delay_offset_interval = 10s;

  // ---- Offsets ----

  // How often the table of offsets is written to disk
  // (flushConsumerOffsetInterval, milliseconds upstream).
  Duration flush_consumer_offset_interval = 5s;

  // ---- Queue locks ----

  // A lock that was not renewed for longer may go to another client (property
  // rocketmq.broker.rebalance.lockMaxLiveTime).
  Duration lock_max_live_time = 60s;

  // ---- Offsets ----

  // Whether offsets are reset here, so that members learn of it at their next
  // pulls; else all members are told to do it (useServerSideResetOffset, true
  // since 5.2.0).
  bool use_server_side_reset_offset = true;
};

// What a broker knows of a group by configuration.
struct SubscriptionGroupConfig {
  Name group_name;
  // Whether the group may pull (consumeEnable).
  bool consume_enable = true;
  // Whether it may do so as a broadcasting one (consumeBroadcastEnable).
  bool consume_broadcast_enable = true;
  // Queues of its retry topic; without any, what is sent back is lost
  // (retryQueueNums).
  int32_t retry_queue_nums = 1;
  // Deliveries after the first, before a message is a dead letter, where the
  // consumer does not say (retryMaxTimes).
  int32_t retry_max_times = 16;
  // Whether heartbeats and unregistrations make its members be told
  // (notifyConsumerIdsChangedEnable).
  bool notify_consumer_ids_changed_enable = true;

  friend bool operator==(const SubscriptionGroupConfig&,
                         const SubscriptionGroupConfig&) = default;
};

// Choices of one release of the broker that no setting changes.
struct BrokerProfile {
  // Whether a message that a consumer sends to its retry topic itself is a dead
  // letter from the limit of reconsume times on, or beyond it only
  // (SendMessageProcessor.handleRetryAndDLQ; beyond since 5.0.0).
  bool dead_letter_at_limit;
  // Whether all such messages are dead letters while anybody of the group holds
  // the lock of a queue (since 5.1.1).
  bool dead_letter_while_locked;
  // Whether such a dead letter waits for its delay level once more (before
  // 4.9.2).
  bool dead_letter_is_delayed;

  // The default of register_broker_timeout_mills, and whether a registration
  // waits only for the name servers that can be reached (since 5.0.0)
  // (BrokerOuterAPI.registerBrokerAll).
  Duration register_broker_timeout;
  bool registers_with_available_only;
  // Whether members of a broadcasting group are told of its changes (before
  // 5.3.1), and whether real_time_notify_consumer_change is known (since 5.0.0)
  // (DefaultConsumerIdsChangeListener).
  bool notifies_broadcasting;
  bool has_batch_notices;
  // What is answered to a queue that is not there, and to an illegal name of a
  // topic (INVALID_PARAMETER since 5.3.2 and 5.0.0).
  ResponseCode bad_argument;
  // The offset of a group without one, of a queue without a message: 0, or that
  // there is none (since 5.1.0; ConsumerManageProcessor.queryConsumerOffset).
  bool empty_queue_has_offset_zero;
  // Whether commits for an unknown topic (since 5.1.0) or group (since 5.3.0)
  // are refused (ConsumerManageProcessor.updateConsumerOffset).
  bool refuses_commits_of_unknown;
  // Whether a pull from an illegal offset leaves a message in the topic
  // OFFSET_MOVED_EVENT (before 5.0.0; PullMessageProcessor
  // .generateOffsetMovedEvent).
  bool stores_offset_moved_event;
  // Whether a pull from beyond the end of a queue whose first offset is 0 is
  // corrected to 0 (4.9.0 to 4.9.3), instead of to the end.
  bool overflow_is_corrected_to_zero;
  // Whether use_server_side_reset_offset is known (since 5.0.0).
  bool has_server_side_reset;
};

// The 5.3 line.
inline constexpr BrokerProfile kBrokerRocketMq53 = {
    .dead_letter_at_limit = false,
    .dead_letter_while_locked = true,
    .dead_letter_is_delayed = false,
    .register_broker_timeout = 24s,
    .registers_with_available_only = true,
    .notifies_broadcasting = false,
    .has_batch_notices = true,
    .bad_argument = ResponseCode::kInvalidParameter,
    .empty_queue_has_offset_zero = false,
    .refuses_commits_of_unknown = true,
    .stores_offset_moved_event = false,
    .overflow_is_corrected_to_zero = false,
    .has_server_side_reset = true,
};

// The 4.9 line, as of 4.9.8.
inline constexpr BrokerProfile kBrokerRocketMq49 = {
    .dead_letter_at_limit = true,
    .dead_letter_while_locked = false,
    .dead_letter_is_delayed = false,
    .register_broker_timeout = 6s,
    .registers_with_available_only = false,
    .notifies_broadcasting = true,
    .has_batch_notices = false,
    .bad_argument = ResponseCode::kSystemError,
    .empty_queue_has_offset_zero = true,
    .refuses_commits_of_unknown = false,
    .stores_offset_moved_event = true,
    .overflow_is_corrected_to_zero = false,
    .has_server_side_reset = false,
};

// A broker's defaults in this release.
inline BrokerSettings BrokerSettingsOf(const BrokerProfile& profile) {
  BrokerSettings settings;
  settings.register_broker_timeout_mills = profile.register_broker_timeout;
  return settings;
}

// ---- Constants of upstream that are no settings ----

// From the start of a broker to its second registration, and bounds of the
// period (BrokerController.start).
inline constexpr Duration kFirstPeriodicRegistration = 10s;
inline constexpr Duration kMinRegistrationPeriod = 10s;
inline constexpr Duration kMaxRegistrationPeriod = 60s;
// The limit of one unregistration at the shutdown (BrokerOuterAPI).
inline constexpr Duration kUnregisterTimeout = 3s;

// The hold service looks at what it holds (PullRequestHoldService.run).
inline constexpr Duration kHoldInterval = 5s;
// The dispatch thread looks for new messages (ReputMessageService).
inline constexpr Duration kReputInterval = 1ms;

// ClientHousekeepingService.start: initial delay and period.
inline constexpr Duration kHousekeepingInterval = 10s;
// DefaultConsumerIdsChangeListener, where changes are not told at once.
inline constexpr Duration kFirstBatchNotification = 30s;
inline constexpr Duration kBatchNotificationInterval = 15s;

// From the start of a broker to the first writing of its offsets
// (BrokerController.initializeBrokerScheduledTasks).
inline constexpr Duration kFirstOffsetFlush = 10s;

// ScheduleMessageService: from the start to the first look at a level, from
// one look to the next, and to the first writing of the progress
// (FIRST_DELAY_TIME, DELAY_FOR_A_WHILE, ScheduleMessageService.start).
inline constexpr Duration kFirstDelayTime = 1s;
inline constexpr Duration kDelayForAWhile = 100ms;
inline constexpr Duration kFirstDelayOffsetFlush = 10s;
// The level of the first retry, where the consumer asks for none.
inline constexpr int32_t kFirstRetryLevel = 3;
// Queues of a dead-letter topic (AbstractSendMessageProcessor
// .DLQ_NUMS_PER_GROUP).
inline constexpr int32_t kDlqNumsPerGroup = 1;

// One entry of a consume queue, in bytes (ConsumeQueue.CQ_STORE_UNIT_SIZE).
inline constexpr int64_t kConsumeQueueUnit = 20;
// One file of a consume queue, in entries (mappedFileSizeConsumeQueue); a pull
// does not read on in the next one.
inline constexpr int64_t kConsumeQueueFileEntries = 300'000;
// The most bytes of one answer (MessageStoreConfig.MAX_PULL_MSG_SIZE).
inline constexpr int64_t kMaxPullMessageSize = int64_t{128} << 20;

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_BROKER_SETTINGS_H_
