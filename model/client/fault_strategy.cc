#include "model/client/fault_strategy.h"

#include <cstddef>
#include <cstdint>

#include "model/base/name.h"
#include "model/client/publish_info.h"
#include "model/wire/message_queue.h"

namespace groupsim {

const MessageQueue& FaultStrategy::Select(PublishInfo& info, Name last_broker,
                                          int64_t now_millis) const {
  const auto is_other = [last_broker](const MessageQueue& queue) {
    return last_broker.empty() || queue.broker != last_broker;
  };
  const MessageQueue* queue = nullptr;
  if (!config_.send_latency_enable) {
    queue = info.NextIf(is_other);
    return queue != nullptr ? *queue : info.Next();
  }
  queue = info.NextIf([&](const MessageQueue& q) {
    return is_other(q) && tolerance_.IsAvailable(q.broker, now_millis);
  });
  if (queue != nullptr) return *queue;
  queue = info.NextIf([&](const MessageQueue& q) {
    return is_other(q) && tolerance_.IsReachable(q.broker);
  });
  return queue != nullptr ? *queue : info.Next();
}

int64_t FaultStrategy::Note(Name broker, int64_t latency_millis,
                            Outcome outcome, int64_t now_millis) {
  switch (outcome) {
    case Outcome::kAnswered:
      return UpdateFaultItem(broker, latency_millis, /*isolation=*/false,
                             /*reachable=*/true, now_millis);
    case Outcome::kRefused:
      return UpdateFaultItem(broker, latency_millis, /*isolation=*/true,
                             /*reachable=*/false, now_millis);
    case Outcome::kTransport:
      // Without a detector nobody would ever find it reachable again.
      return UpdateFaultItem(broker, latency_millis, /*isolation=*/true,
                             !config_.start_detector_enable, now_millis);
    case Outcome::kAsyncFailure:
      return UpdateFaultItem(broker, latency_millis, /*isolation=*/true,
                             /*reachable=*/true, now_millis);
  }
  return 0;
}

int64_t FaultStrategy::UpdateFaultItem(Name broker, int64_t latency_millis,
                                       bool isolation, bool reachable,
                                       int64_t now_millis) {
  if (!config_.send_latency_enable) return 0;
  const int64_t not_available = NotAvailableMillis(
      isolation ? config_.failed_send_latency.millis() : latency_millis);
  return tolerance_.Update(broker, latency_millis, not_available, reachable,
                           now_millis)
             ? not_available
             : 0;
}

int64_t FaultStrategy::NotAvailableMillis(int64_t latency_millis) const {
  for (size_t i = config_.latency_max.size(); i > 0; --i) {
    if (latency_millis >= config_.latency_max[i - 1].millis()) {
      return config_.not_available_duration[i - 1].millis();
    }
  }
  return 0;
}

}  // namespace groupsim
