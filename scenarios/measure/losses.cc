#include "scenarios/measure/losses.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/facts/causes.h"
#include "model/wire/message_queue.h"

namespace groupsim {

LossMeasure::LossMeasure(const Subjects& subjects, Window window,
                         DeliveryMeasure* delivery, RetryMeasure* retrying)
    : subjects_(subjects),
      window_(window),
      delivery_(*delivery),
      retrying_(*retrying),
      closed_(subjects.queues().size()) {}

void LossMeasure::OnFact(const Fact& fact) {
  switch (fact.kind) {
    case FactKind::PROCESS_STARTED:
      down_.erase(fact.host);
      return;
    case FactKind::PROCESS_STOPPED:
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
      if (fact.value != static_cast<int64_t>(ProcessRole::kBroker)) return;
      down_.try_emplace(fact.host, fact.time);
      return;
    case FactKind::TOPIC_CHANGED:
      for (size_t i = 0; i < closed_.size(); ++i) {
        const MessageQueue& queue = subjects_.queues()[i].queue;
        if (queue.topic.id() != fact.topic ||
            queue.broker.id() != fact.broker) {
          continue;
        }
        if (Subjects::IsReadable(queue, fact)) {
          closed_[i].reset();
        } else if (!closed_[i].has_value()) {
          closed_[i] = fact.time;
        }
      }
      return;
    default:
      return;
  }
}

std::optional<Instant> LossMeasure::GoneSince(size_t queue) const {
  std::optional<Instant> since = closed_[queue];
  const auto down = down_.find(subjects_.queues()[queue].queue.broker.id());
  if (down == down_.end()) return since;
  return since.has_value() ? std::min(*since, down->second) : down->second;
}

void LossMeasure::Finish() {
  for (size_t i = 0; i < closed_.size(); ++i) {
    const std::optional<Instant> since = GoneSince(i);
    if (!since.has_value() || !window_.Contains(*since)) continue;
    delivery_.LoseUndelivered(static_cast<QueueIndex>(i), *since);
  }
  for (const RetryMeasure::Stranded& one : retrying_.FindStranded(down_)) {
    if (window_.Contains(one.since)) delivery_.Lose(one.id, one.since);
  }
}

}  // namespace groupsim
