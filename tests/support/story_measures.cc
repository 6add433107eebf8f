#include "tests/support/story_measures.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"
#include "sim/trace/trace.h"

namespace groupsim {

void StoryMeasures::ObserveIn(Trace& trace) {
  for (const FactKind kind :
       {FactKind::STORED, FactKind::DELIVERED, FactKind::FINISHED,
        FactKind::COMMITTED, FactKind::QUEUE_ADDED, FactKind::QUEUE_DROPPED,
        FactKind::QUEUE_REMOVED, FactKind::PROCESS_CRASHED,
        FactKind::PROCESS_VANISHED, FactKind::PROCESS_STOPPED,
        FactKind::START_FAILED}) {
    trace.Observe(kind, this);
  }
}

void StoryMeasures::OnFact(const Fact& fact) {
  switch (fact.kind) {
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
    case FactKind::PROCESS_STOPPED:
    case FactKind::START_FAILED:
      for (auto& [key, queue] : queues_) {
        Settle(queue, fact.time);
        queue.owners.erase(fact.host);
      }
      return;
    default:
      break;
  }
  if (fact.topic != topic_.id()) return;
  if (fact.kind != FactKind::STORED && fact.group != group_.id()) return;
  QueueRecord& queue = queues_[{fact.broker, fact.queue}];
  const auto message = [&]() -> MessageRecord& {
    const auto offset = static_cast<size_t>(fact.offset);
    if (queue.messages.size() <= offset) queue.messages.resize(offset + 1);
    return queue.messages[offset];
  };
  switch (fact.kind) {
    case FactKind::STORED:
      message();
      return;
    case FactKind::DELIVERED:
      ++message().deliveries;
      return;
    case FactKind::FINISHED:
      if (fact.count == static_cast<int64_t>(ConsumeStatus::kSuccess)) {
        message().finished = true;
      }
      return;
    case FactKind::COMMITTED:
      queue.committed = fact.offset;
      return;
    case FactKind::QUEUE_ADDED:
      Settle(queue, fact.time);
      if (queue.begin < 0) queue.begin = fact.offset;
      queue.owned = true;
      queue.owners.insert(fact.host);
      return;
    case FactKind::QUEUE_DROPPED:
    case FactKind::QUEUE_REMOVED:
      Settle(queue, fact.time);
      queue.owners.erase(fact.host);
      return;
    default:
      return;
  }
}

void StoryMeasures::Settle(QueueRecord& queue, Instant now) {
  const Duration passed = now - queue.since;
  queue.since = now;
  if (queue.owned && queue.owners.empty()) queue.unowned += passed;
  if (queue.owners.size() > 1) queue.owned_twice += passed;
}

int64_t StoryMeasures::stored() const {
  int64_t count = 0;
  for (const auto& [key, queue] : queues_) {
    count += static_cast<int64_t>(queue.messages.size());
  }
  return count;
}

int64_t StoryMeasures::delivered() const {
  int64_t count = 0;
  for (const auto& [key, queue] : queues_) {
    for (const MessageRecord& message : queue.messages) {
      if (message.deliveries > 0) ++count;
    }
  }
  return count;
}

int64_t StoryMeasures::duplicates() const {
  int64_t count = 0;
  for (const auto& [key, queue] : queues_) {
    for (const MessageRecord& message : queue.messages) {
      count += std::max(message.deliveries - 1, 0);
    }
  }
  return count;
}

int64_t StoryMeasures::lost() const {
  int64_t count = 0;
  for (const auto& [key, queue] : queues_) {
    const int64_t end =
        std::min(queue.committed, static_cast<int64_t>(queue.messages.size()));
    for (int64_t i = std::max<int64_t>(queue.begin, 0); i < end; ++i) {
      if (!queue.messages[static_cast<size_t>(i)].finished) ++count;
    }
  }
  return count;
}

int64_t StoryMeasures::skipped() const {
  int64_t count = 0;
  for (const auto& [key, queue] : queues_) {
    count += std::min(std::max<int64_t>(queue.begin, 0),
                      static_cast<int64_t>(queue.messages.size()));
  }
  return count;
}

Duration StoryMeasures::unowned(Instant now) const {
  Duration sum;
  for (auto [key, queue] : queues_) {
    Settle(queue, now);
    sum += queue.unowned;
  }
  return sum;
}

Duration StoryMeasures::owned_twice(Instant now) const {
  Duration sum;
  for (auto [key, queue] : queues_) {
    Settle(queue, now);
    sum += queue.owned_twice;
  }
  return sum;
}

std::vector<std::pair<uint32_t, int>> StoryMeasures::queues_of(
    Name process) const {
  std::vector<std::pair<uint32_t, int>> result;
  for (const auto& [key, queue] : queues_) {
    if (queue.owners.count(process.id()) == 0) continue;
    result.emplace_back(std::get<0>(key), static_cast<int>(std::get<1>(key)));
  }
  return result;
}

int64_t StoryMeasures::queues_owned() const {
  return std::count_if(queues_.begin(), queues_.end(), [](const auto& entry) {
    return !entry.second.owners.empty();
  });
}

}  // namespace groupsim
