#include "model/client/pull_step.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/client/process_queue.h"
#include "model/facts/causes.h"

namespace groupsim {
namespace {

constexpr int64_t kMebibyte = 1024 * 1024;

int32_t ShareOf(int32_t whole, int64_t parts) {
  return std::max<int32_t>(1, static_cast<int32_t>(whole / parts));
}

}  // namespace

std::optional<PostponeReason> ReasonToPostpone(const ProcessQueue& queue,
                                               const PullLimits& limits,
                                               const PullConditions& now) {
  if (!now.running) return PostponeReason::kNotRunning;
  if (now.suspended) return PostponeReason::kSuspended;
  if (queue.msg_count() > limits.messages) return PostponeReason::kCount;
  if (queue.msg_size() / kMebibyte > limits.mebibytes) {
    return PostponeReason::kSize;
  }
  if (now.orderly) {
    if (!queue.locked()) return PostponeReason::kNotLocked;
  } else if (queue.MaxSpan() > limits.span) {
    return PostponeReason::kSpan;
  }
  if (!now.subscribed) return PostponeReason::kNoSubscription;
  return std::nullopt;
}

PullLimits ShareOut(const TopicLimits& topic, int64_t queues,
                    PullLimits limits) {
  if (queues <= 0) return limits;
  if (topic.messages != -1) limits.messages = ShareOf(topic.messages, queues);
  if (topic.mebibytes != -1) {
    limits.mebibytes = ShareOf(topic.mebibytes, queues);
  }
  return limits;
}

}  // namespace groupsim
