// Whether a queue is pulled now.
#ifndef GROUPSIM_MODEL_CLIENT_PULL_STEP_H_
#define GROUPSIM_MODEL_CLIENT_PULL_STEP_H_

#include <cstdint>
#include <optional>

#include "model/client/process_queue.h"
#include "model/facts/causes.h"

namespace groupsim {

// How much may be cached of one queue. The limits are tested before a pull, so
// one batch may come on top.
struct PullLimits {
  int32_t messages = 0;   // pull_threshold_for_queue
  int32_t mebibytes = 0;  // pull_threshold_size_for_queue
  int32_t span = 0;       // consume_concurrently_max_span
};

// What else decides about a pull.
struct PullConditions {
  bool running = false;     // The consumer's start has ended, its shutdown not.
  bool suspended = false;   // By the application.
  bool subscribed = false;  // The topic is among its subscriptions.
  bool orderly = false;     // How messages are consumed.
};

// The reason to put the pull off, or none to pull: the first that holds of not
// running, suspended, too many messages, too many bytes, too wide a span or,
// where consumption is orderly, not locked, no subscription
// (DefaultMQPushConsumerImpl.pullMessage, 5.3.3). Whether the lock has been
// renewed lately is not asked.
std::optional<PostponeReason> ReasonToPostpone(const ProcessQueue& queue,
                                               const PullLimits& limits,
                                               const PullConditions& now);

// The limits per queue of a consumer with `queues` queues, all its topics
// together, where it has limits per topic; a limit of -1 is none
// (RebalancePushImpl.messageQueueChanged).
struct TopicLimits {
  int32_t messages = -1;   // pull_threshold_for_topic
  int32_t mebibytes = -1;  // pull_threshold_size_for_topic
};
PullLimits ShareOut(const TopicLimits& topic, int64_t queues,
                    PullLimits limits);

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_PULL_STEP_H_
