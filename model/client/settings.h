// Settings and constants of clients (ClientConfig, DefaultMQPushConsumer,
// DefaultMQProducer, 5.3.3), and what differs in 4.9.8.
//
// Fields have upstream's names in snake case, and its defaults; upstream counts
// times in milliseconds unless said otherwise. What upstream reads from a
// system property is named after the property.
#ifndef GROUPSIM_MODEL_CLIENT_SETTINGS_H_
#define GROUPSIM_MODEL_CLIENT_SETTINGS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "model/runtime/remoting.h"

namespace groupsim {

// Of one client instance: its connections, routes and scheduled jobs
// (ClientConfig).
struct ClientSettings {
  // How often the routes of all topics are asked for (pollNameServerInterval).
  // Positive.
  Duration poll_name_server_interval = 30s;
  // How often all brokers get a heartbeat (heartbeatBrokerInterval). Positive.
  Duration heartbeat_broker_interval = 30s;
  // How often offsets are sent to the brokers (persistConsumerOffsetInterval).
  // Positive.
  Duration persist_consumer_offset_interval = 5s;
  // Limit of one call for a heartbeat, an unregistration, a route or a list of
  // members (mqClientApiTimeout). Positive.
  Duration mq_client_api_timeout = 3s;
  // Whether a connection that became active is followed by a heartbeat and a
  // rebalance (enableHeartbeatChannelEventListener, since 5.2.0).
  bool enable_heartbeat_channel_event_listener = true;

  // The longest time between two rebalances (property
  // rocketmq.client.rebalance.waitInterval). Positive.
  Duration rebalance_wait_interval = 20s;
  // The shortest time from the end of one rebalance to the next one, and the
  // time until an unbalanced one is repeated (property
  // rocketmq.client.rebalance.minInterval, since 5.2.0). Not negative.
  Duration rebalance_min_interval = 1s;

  // Limit of connecting (property
  // com.rocketmq.remoting.client.connect.timeout). Positive.
  Duration connect_timeout = 3s;
  // A connection on which nothing was read or written for so long is closed
  // (clientChannelMaxIdleTimeSeconds, seconds upstream). Positive.
  Duration client_channel_max_idle_time_seconds = 120s;
  // Whether a synchronous call that times out closes its connection
  // (clientCloseSocketIfTimeout).
  bool client_close_socket_if_timeout = true;
};

// Of one push consumer (DefaultMQPushConsumer).
struct PushConsumerSettings {
  // Threads that run the listener, 1 to 1,000 (consumeThreadMin). The pool's
  // queue has no end, so it never grows beyond this number.
  int32_t consume_thread_min = 20;
  // 1 to 1,000 and not below consume_thread_min; otherwise of no effect
  // (consumeThreadMax).
  int32_t consume_thread_max = 20;
  // A queue whose cached offsets span more is not pulled, 1 to 65,535
  // (consumeConcurrentlyMaxSpan).
  int32_t consume_concurrently_max_span = 2'000;
  // A queue with more messages cached is not pulled, 1 to 65,535
  // (pullThresholdForQueue).
  int32_t pull_threshold_for_queue = 1'000;
  // Shared out among the queues of the consumer at each changed rebalance, it
  // replaces pull_threshold_for_queue; 1 to 6,553,500, or -1 for off
  // (pullThresholdForTopic).
  int32_t pull_threshold_for_topic = -1;
  // A queue with more MiB of bodies cached, in whole MiB, is not pulled, 1 to
  // 1,024 (pullThresholdSizeForQueue).
  int32_t pull_threshold_size_for_queue = 100;
  // MiB; as pull_threshold_for_topic. 1 to 102,400, or -1 for off
  // (pullThresholdSizeForTopic).
  int32_t pull_threshold_size_for_topic = -1;
  // Time from one pull that found messages to the next, 0 to 65,535 ms
  // (pullInterval).
  Duration pull_interval = 0ms;
  // Messages of one listener call at most, 1 to 1,024
  // (consumeMessageBatchMaxSize).
  int32_t consume_message_batch_max_size = 1;
  // Messages of one pull at most, 1 to 1,024 (pullBatchSize).
  int32_t pull_batch_size = 32;
  // Time to the next pull after one that failed, or was put off because the
  // consumer does not run or has no subscription. Not negative
  // (pullTimeDelayMillsWhenException).
  Duration pull_time_delay_mills_when_exception = 1s;
  // How long a shutdown waits for the listener, twice at most. Not negative
  // (awaitTerminationMillisWhenShutdown).
  Duration await_termination_millis_when_shutdown = 0ms;
  // Deliveries after the first, before a message is a dead letter; at least -1,
  // which is 16 where consumption is concurrent (maxReconsumeTimes).
  int32_t max_reconsume_times = -1;
  // A message that is in the listener for longer is sent back, looked for as
  // often (consumeTimeout, minutes upstream). Positive.
  Duration consume_timeout = 15min;
  // A queue without an attempt to pull for longer is dropped by the next
  // rebalance (property rocketmq.client.pull.pullMaxIdleTime). Positive.
  Duration pull_max_idle_time = 120s;

  // ---- Orderly consumption ----

  // How long a queue rests after a listener that asked for it and did not say
  // for how long; below 10 ms and above 30 s counts as these. Not negative
  // (suspendCurrentQueueTimeMillis).
  Duration suspend_current_queue_time_millis = 1s;
  // From one renewal of all queue locks to the next (property
  // rocketmq.client.rebalance.lockInterval). Positive.
  Duration lock_interval = 20s;
  // A queue is not consumed if its lock was not renewed for longer (property
  // rocketmq.client.rebalance.lockMaxLiveTime). Positive.
  Duration lock_max_live_time = 30s;
  // A queue that was consumed for longer at a stretch yields its thread
  // (property rocketmq.client.maxTimeConsumeContinuously). Positive.
  Duration max_time_consume_continuously = 60s;
  // The lock of a queue that its consumer has lost is given back though the
  // listener is at work on it, if its last renewal is longer ago (property
  // rocketmq.client.unlockDelayTimeMills). Positive.
  Duration unlock_delay_time_mills = 20s;
};

// How a producer waits for its acknowledgements.
enum class SendMode : int32_t {
  // DefaultMQProducer.send(Message): the calling thread waits.
  kSync = 1,
  // DefaultMQProducer.send(Message, SendCallback).
  kAsync = 2,
  // DefaultMQProducer.sendOneway(Message): nobody learns how it ends.
  kOneway = 3,
};

// Of one producer (DefaultMQProducer).
struct ProducerSettings {
  // Limit of one send, all its attempts together (sendMsgTimeout). Positive.
  Duration send_msg_timeout = 3s;
  // Further attempts of a synchronous send, 0 to 100
  // (retryTimesWhenSendFailed).
  int32_t retry_times_when_send_failed = 2;
  // Further attempts of an asynchronous send, 0 to 100
  // (retryTimesWhenSendAsyncFailed).
  int32_t retry_times_when_send_async_failed = 2;
  // Sends under way at once: each is a thread of the application, or a callback
  // outstanding. Further ones wait their turn, first come first served. 1 to
  // 100,000. Not a setting of upstream: it stands for the application.
  int32_t max_in_flight = 1'000;
  // Limit of one attempt of a synchronous send, within send_msg_timeout
  // (sendMsgMaxTimeoutPerRequest). Zero for none; upstream has -1 for that.
  Duration send_msg_max_timeout_per_request = 0ms;
  // Whether a message that is stored, but neither flushed nor replicated as the
  // broker's configuration wants it, is sent once more
  // (retryAnotherBrokerWhenNotStoreOK).
  bool retry_another_broker_when_not_store_ok = false;
  // A larger body, in bytes, is not sent; 1 to 4 MiB (maxMessageSize).
  int32_t max_message_size = 4 * 1024 * 1024;
  // Queues on each broker of a topic that is made by sending to it, 1 to 10,000
  // (defaultTopicQueueNums).
  int32_t default_topic_queue_nums = 4;

  // Whether brokers that were slow or failed are avoided for a time
  // (sendLatencyEnable).
  bool send_latency_enable = false;
  // A send that took at least latency_max[i] isolates its broker for
  // not_available_duration[i]; the last such i counts. Of one length;
  // latency_max rises (MQFaultStrategy.latencyMax, notAvailableDuration, since
  // 5.1.4 with these values).
  std::vector<Duration> latency_max = {50ms,    100ms,   550ms,   1'800ms,
                                       3'000ms, 5'000ms, 15'000ms};
  std::vector<Duration> not_available_duration = {
      0ms, 0ms, 2'000ms, 5'000ms, 6'000ms, 10'000ms, 30'000ms};
  // Whether brokers that were sent to are probed (startDetectorEnable); how
  // often each at most, looked at every 3 s (detectInterval); and how long one
  // probe may take (detectTimeout). Positive.
  bool start_detector_enable = false;
  Duration detect_interval = 2s;
  Duration detect_timeout = 200ms;
};

// Where a list of queues begins before it is allocated.
enum class QueueOrder : int32_t {
  kAscending = 1,  // Topic, broker, number (MessageQueue.compareTo).
  // Topics and brokers from the last to the first, numbers ascending. A fault
  // of the Go client before 2.0.0.
  kDescendingNames = 2,
};

// How an orderly consumer gives up a queue whose listener is at work
// (RebalancePushImpl).
enum class OrderlyRemoval : int32_t {
  // The offset is kept until the queue is free; its lock is given back at once
  // then, and also where it is not free, unlock_delay_time_mills after the
  // lock's last renewal (tryRemoveOrderMessageQueue, since 5.2.0).
  kForced = 1,
  // The offset is sent and forgotten first. A queue that is not free stays. The
  // lock of one that is free, but has messages cached, is given back
  // unlock_delay_time_mills later (removeUnnecessaryMessageQueue, unlockDelay).
  kDelayedUnlock = 2,
};

// What an orderly consumer takes for its progress.
enum class OrderlyProgress : int32_t {
  kConsumed = 1,
  // What was pulled. A fault of the C++ client before July 2020.
  kPulled = 2,
};

// Constants and choices of one release of the client that no setting changes.
struct ClientProfile {
  absl::string_view release;

  // First runs of the jobs of an instance, counted from its start
  // (MQClientInstance.startScheduledTask).
  Duration first_poll_name_server;
  Duration first_heartbeat;
  Duration first_persist_consumer_offset;

  // From the moment at which a consumer's jobs are scheduled to its first
  // request of its own: threads start and classes are loaded. With what comes
  // before, recorded in warm processes: 15 to 30 ms. So the first run of the
  // periodic route refresh is over before the first heartbeat, and a group's
  // retry topic, which that heartbeat creates, is unknown at the first
  // rebalance.
  Duration start_up_work;

  // From the creation of its instance to that moment, uniform between these:
  // the remoting client starts. The first rebalance counts from the creation,
  // so the first periodic heartbeat comes that much later, and now and then
  // makes the one be skipped that would tell of the first share. Recorded: 2 to
  // 10 ms.
  Duration min_work_before_jobs;
  Duration max_work_before_jobs;

  // Whether a name server that cannot be reached while a consumer starts makes
  // the start fail and the consumer shut down (since 5.2.0). Else it stays
  // running without the rest of its start; here its application goes on, too.
  bool failed_start_shuts_down;
  // Whether the first rebalance is woken only if the first heartbeat was
  // allowed to run (since 5.2.0).
  bool first_wake_needs_heartbeat;
  // Whether a connection that became active makes a heartbeat at all (since
  // 5.2.0; then as enable_heartbeat_channel_event_listener says).
  bool heartbeat_on_channel_active;

  // Whether whoever sends to an address without a connection waits until it is
  // open, also a thread that pulls or sends one-way (NettyRemotingClient
  // .getAndCreateChannel before 5.3.0).
  bool connecting_blocks;
  // Whether one call to the name servers connects to one of them only (since
  // 5.3.0), or to the next one as long as that fails.
  bool one_name_server_a_call;
  // Whether the end of a connection by the peer fails what is under way on it
  // (since 5.1.3); else that waits for its time-out.
  bool fin_fails_pending;
  // Whether a synchronous call that times out closes its channel only where
  // there was time for an answer (since 5.1.4).
  bool timeout_closes_only_if_time_was_left;
  // Whether a call that was answered GO_AWAY is repeated on a new channel (in
  // full since 5.3.2); else that is an answer like others.
  bool repeats_after_go_away;

  // Longest wait for the lock of route updates
  // (MQClientInstance.LOCK_TIMEOUT_MILLIS).
  Duration lock_namesrv_timeout;
  // Calls about a group's offset, and about the offsets of a queue
  // (RemoteBrokerOffsetStore; MQAdminImpl.timeoutMillis).
  Duration consumer_offset_timeout;
  Duration queue_offset_timeout;
  // Whether only the answer that there is none counts as having no offset
  // (since 5.0.0), or any answer that is none
  // (RemoteBrokerOffsetStore.readOffset).
  bool only_not_found_is_no_offset;
  // Whether offsets go to any address of a broker whose master is not known at
  // once (since 5.0.0), or after asking for the route
  // (updateConsumeOffsetToBroker).
  bool commits_to_any_address_at_once;

  // Whether a broadcasting consumer writes its offsets into what its file has,
  // also that of one queue alone; else the file is replaced by the offsets of
  // owned queues, every five seconds only (LocalFileOffsetStore before 4.9.8
  // and 5.2.0).
  bool offset_file_is_merged;

  QueueOrder queue_order;
  // Whether a topic without a route counts as a change of its queues: a new
  // version of the subscription and a heartbeat (RebalanceImpl
  // .rebalanceByTopic, since 5.0.0).
  bool no_route_is_a_change;
  // From the end of a rebalance of one topic to the first pulls of its new
  // queues (RebalancePushImpl.dispatchPullRequest; 0 before 5.0.0).
  Duration dispatch_delay;
  // Whether an unbalanced rebalance is repeated after rebalance_min_interval,
  // and whether that interval is kept at all (since 5.2.0).
  bool paced_rebalance;
  // Whether a queue that is taken on again is another one than before. If not,
  // what was under way for the earlier one goes on (a fault of the Go client
  // before 2.1.0 and of the C++ client before 1.2.1).
  bool new_queue_is_a_new_object;

  // How long after a pull from an illegal offset that is corrected; whether no
  // listener's result may change it until the queue is taken on again; and
  // whether a rebalance follows at once (DefaultMQPushConsumerImpl,
  // OFFSET_ILLEGAL; 0, yes and yes since 5.2.0).
  Duration offset_repair_delay;
  bool offset_repair_freezes;
  bool offset_repair_wakes_rebalance;

  // Whether an empty cache counts no bytes (ProcessQueue.removeMessage, since
  // 5.2.0); else what listeners took from bodies counts as cached for ever.
  bool empty_cache_counts_no_bytes;

  // Put-offs of a pull: a suspended consumer, too much cached, and a broker
  // that asks for patience
  // (DefaultMQPushConsumerImpl.PULL_TIME_DELAY_MILLS_WHEN_*).
  Duration pull_delay_suspended;
  Duration pull_delay_cache_flow_control;
  Duration pull_delay_broker_flow_control;
  // How long a broker may hold a pull, and how long the client waits for it
  // (BROKER_SUSPEND_MAX_TIME_MILLIS, CONSUMER_TIMEOUT_MILLIS_WHEN_SUSPEND).
  Duration broker_suspend_max_time;
  Duration consumer_timeout_when_suspend;

  // Until messages come again that could not be disposed of
  // (ConsumeMessageConcurrentlyService.submitConsumeRequestLater).
  Duration resubmit_delay;
  // Call that sends a message back (DefaultMQPushConsumerImpl.sendMessageBack),
  // and a send of the producer inside each client, that stands in if it fails:
  // all attempts together, how many, and the queues on each broker of a topic
  // that has to be made for it (DefaultMQProducer).
  Duration send_message_back_timeout;
  Duration inner_send_timeout;
  int32_t inner_send_attempts;
  int32_t inner_default_topic_queue_nums;
  // Reconsume times where max_reconsume_times is -1
  // (DefaultMQPushConsumerImpl.getMaxReconsumeTimes).
  int32_t default_max_reconsume_times;
  // From one round of a producer's detector to the next
  // (LatencyFaultToleranceImpl.startDetector).
  Duration detector_round;
  // Delay level of the first retry that the client sends itself, and of expired
  // messages; and how many of these one look takes from a queue
  // (ProcessQueue.cleanExpiredMsg).
  int32_t first_retry_level;
  int32_t expired_level;
  int32_t expired_per_look;
  // Whether a failed message is sent back only while it is cached (since
  // 5.1.0): not if it was sent back as expired.
  bool sends_back_only_cached;
  // Orderly consumption. The first renewal of all locks, from the start
  // (ConsumeMessageOrderlyService.start); whether a second job does the same at
  // the same times, since the service for pop consumption is started, too
  // (since 5.0.0); and limit of a call about locks.
  Duration first_lock;
  bool locks_are_renewed_twice;
  Duration lock_timeout;
  // From a refused lock to the next rebalance (RebalanceImpl, since 5.0.0);
  // Duration::Max() where that comes when it comes.
  Duration rebalance_after_refused_lock;
  // Whether a queue counts as locked from the moment it is taken on (since
  // 4.9.5); else from the next renewal on.
  bool new_queue_counts_as_locked;
  // Whether an orderly consumer of a broadcasting group asks for the lock of a
  // queue that it takes on, too, though it neither renews it nor gives it back
  // (RebalanceImpl, before 5.3.2).
  bool broadcasting_asks_for_locks;
  // How a queue is given up, and how long a rebalance waits for the listener
  // that is at work on it.
  OrderlyRemoval orderly_removal;
  Duration removal_lock_wait;
  // Whether a queue that is lost is consumed no further than the call under way
  // (not so in the C++ client before 1.2.3, which takes giving its lock back
  // for getting it).
  bool lost_queue_rests;
  OrderlyProgress orderly_progress;
  // Whether an orderly message at its limit is sent to the retry topic with one
  // more attempt than it had (since 5.1.1). Brokers from 5.0.0 on make a dead
  // letter of it only then.
  bool dead_letter_counts_attempt;
  // Until a lock is asked for that a consumer found lost before it took
  // messages, and when it began (ConsumeMessageOrderlyService).
  Duration relock_delay_in_loop;
  Duration relock_delay_at_begin;
  // Until a queue goes on after its lock was got, and until the next attempt
  // after it was not.
  Duration resume_delay_with_lock;
  Duration resume_delay_without_lock;
  // Bounds of any rest of a queue.
  Duration min_suspend_time;
  Duration max_suspend_time;

  // Until when a default consume timestamp lies back.
  Duration consume_timestamp_back;
  // From the moment that queues are dropped for a reset of their offsets to the
  // new offsets (MQClientInstance.resetOffset).
  Duration offset_reset_wait;
  // How long a shutdown waits for a thread to end (ServiceThread.JOIN_TIME).
  Duration service_join_time;

  // Producers: the defaults of ProducerSettings' fields of these names, and the
  // latency that stands for a send that failed (MQFaultStrategy, since 5.1.4
  // and before).
  std::array<Duration, 7> latency_max;
  std::array<Duration, 7> not_available_duration;
  Duration failed_send_latency;
};

// The 5.3 line.
inline constexpr ClientProfile kClientRocketMq53 = {
    .release = "ROCKETMQ_5_3",
    .first_poll_name_server = 10ms,
    .first_heartbeat = 1s,
    .first_persist_consumer_offset = 10s,
    .start_up_work = 15ms,
    .min_work_before_jobs = 2ms,
    .max_work_before_jobs = 10ms,
    .failed_start_shuts_down = true,
    .first_wake_needs_heartbeat = true,
    .heartbeat_on_channel_active = true,
    .connecting_blocks = false,
    .one_name_server_a_call = true,
    .fin_fails_pending = true,
    .timeout_closes_only_if_time_was_left = true,
    .repeats_after_go_away = true,
    .lock_namesrv_timeout = 3s,
    .consumer_offset_timeout = 5s,
    .queue_offset_timeout = 6s,
    .only_not_found_is_no_offset = true,
    .commits_to_any_address_at_once = true,
    .offset_file_is_merged = true,
    .queue_order = QueueOrder::kAscending,
    .no_route_is_a_change = true,
    .dispatch_delay = 500ms,
    .paced_rebalance = true,
    .new_queue_is_a_new_object = true,
    .offset_repair_delay = 0ms,
    .offset_repair_freezes = true,
    .offset_repair_wakes_rebalance = true,
    .empty_cache_counts_no_bytes = true,
    .pull_delay_suspended = 1s,
    .pull_delay_cache_flow_control = 50ms,
    .pull_delay_broker_flow_control = 20ms,
    .broker_suspend_max_time = 15s,
    .consumer_timeout_when_suspend = 30s,
    .resubmit_delay = 5s,
    .send_message_back_timeout = 5s,
    .inner_send_timeout = 3s,
    .inner_send_attempts = 3,
    .inner_default_topic_queue_nums = 4,
    .default_max_reconsume_times = 16,
    .detector_round = 3s,
    .first_retry_level = 3,
    .expired_level = 3,
    .expired_per_look = 16,
    .sends_back_only_cached = true,
    .first_lock = 1s,
    .locks_are_renewed_twice = true,
    .lock_timeout = 1s,
    .rebalance_after_refused_lock = 500ms,
    .new_queue_counts_as_locked = true,
    .broadcasting_asks_for_locks = false,
    .orderly_removal = OrderlyRemoval::kForced,
    .removal_lock_wait = 500ms,
    .lost_queue_rests = true,
    .orderly_progress = OrderlyProgress::kConsumed,
    .dead_letter_counts_attempt = true,
    .relock_delay_in_loop = 10ms,
    .relock_delay_at_begin = 100ms,
    .resume_delay_with_lock = 10ms,
    .resume_delay_without_lock = 3s,
    .min_suspend_time = 10ms,
    .max_suspend_time = 30s,
    .consume_timestamp_back = 30min,
    .offset_reset_wait = 10s,
    .service_join_time = 90s,
    .latency_max = {50ms, 100ms, 550ms, 1'800ms, 3'000ms, 5'000ms, 15'000ms},
    .not_available_duration = {0ms, 0ms, 2'000ms, 5'000ms, 6'000ms, 10'000ms,
                               30'000ms},
    .failed_send_latency = 10s,
};

// The 4.9 line, as of 4.9.8: what differs.
inline constexpr ClientProfile kClientRocketMq49 = [] {
  ClientProfile profile = kClientRocketMq53;
  profile.release = "ROCKETMQ_4_9";
  profile.failed_start_shuts_down = false;
  profile.first_wake_needs_heartbeat = false;
  profile.heartbeat_on_channel_active = false;
  profile.connecting_blocks = true;
  profile.one_name_server_a_call = false;
  profile.fin_fails_pending = false;
  profile.timeout_closes_only_if_time_was_left = false;
  profile.repeats_after_go_away = false;
  profile.only_not_found_is_no_offset = false;
  profile.commits_to_any_address_at_once = false;
  profile.no_route_is_a_change = false;
  profile.dispatch_delay = 0ms;
  profile.paced_rebalance = false;
  profile.offset_repair_delay = 10s;
  profile.offset_repair_freezes = false;
  profile.offset_repair_wakes_rebalance = false;
  profile.empty_cache_counts_no_bytes = false;
  profile.sends_back_only_cached = false;
  profile.locks_are_renewed_twice = false;
  profile.rebalance_after_refused_lock = Duration::Max();
  profile.broadcasting_asks_for_locks = true;
  profile.orderly_removal = OrderlyRemoval::kDelayedUnlock;
  profile.removal_lock_wait = 1s;
  profile.dead_letter_counts_attempt = false;
  profile.latency_max = {50ms,    100ms,   550ms,   1'000ms,
                         2'000ms, 3'000ms, 15'000ms};
  profile.not_available_duration = {0ms, 0ms, 30s, 60s, 120s, 180s, 600s};
  profile.failed_send_latency = 30s;
  return profile;
}();

// The settings of the remoting layer that follow from a client's.
RemotingSettings RemotingSettingsOf(const ClientSettings& settings,
                                    const ClientProfile& profile);

// A producer's defaults in this release.
ProducerSettings ProducerSettingsOf(const ClientProfile& profile);

// OK, or which field is out of range and what is allowed, as "pull_batch_size
// is 0; it must be 1 to 1024" (DefaultMQPushConsumerImpl.checkConfig and its
// like).
absl::Status Validate(const ClientSettings& settings);
absl::Status Validate(const PushConsumerSettings& settings);
absl::Status Validate(const ProducerSettings& settings);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_SETTINGS_H_
