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
      closed_(subjects.queues().size()),
      pulled_(subjects.queues().size()),
      deleted_(subjects.queues().size()),
      lives_(subjects.consumers().size()) {}

void LossMeasure::OnFact(const SeenFact& seen) {
  const Fact& fact = seen.fact;
  switch (fact.kind) {
    case FactKind::PULLED:
      OnPulled(seen);
      return;
    case FactKind::QUEUE_DROPPED:
      OnDropped(seen);
      return;
    case FactKind::PROCESS_STARTED:
    case FactKind::PROCESS_STOPPED:
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
      OnLife(seen);
      return;
    case FactKind::LOG_DELETED:
      if (seen.queue != kNoSubject) {
        deleted_[static_cast<size_t>(seen.queue)].push_back(
            {fact.offset, fact.time});
      }
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

void LossMeasure::OnLife(const SeenFact& seen) {
  const bool runs = seen.fact.kind == FactKind::PROCESS_STARTED;
  if (seen.consumer != kNoSubject) {
    Life& life = lives_[static_cast<size_t>(seen.consumer)];
    if (runs) ++life.number;
    life.runs = runs;
  }
  if (runs) {
    down_.erase(seen.fact.host);
  } else if (seen.fact.value == static_cast<int64_t>(ProcessRole::kBroker)) {
    down_.try_emplace(seen.fact.host, seen.fact.time);
  }
}

void LossMeasure::OnPulled(const SeenFact& seen) {
  if (seen.queue == kNoSubject || seen.consumer == kNoSubject) return;
  const int64_t life = lives_[static_cast<size_t>(seen.consumer)].number;
  auto& all = pulled_[static_cast<size_t>(seen.queue)];
  const auto known = std::find_if(all.begin(), all.end(), [&](const Pulled& p) {
    return p.group == seen.group && p.consumer == seen.consumer;
  });
  Pulled& pulled = known == all.end() ? all.emplace_back() : *known;
  pulled = {seen.group, seen.consumer, life, seen.fact.value};
}

void LossMeasure::OnDropped(const SeenFact& seen) {
  if (seen.queue == kNoSubject) return;
  auto& all = pulled_[static_cast<size_t>(seen.queue)];
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const Pulled& p) {
                             return p.group == seen.group &&
                                    p.consumer == seen.consumer;
                           }),
            all.end());
}

int64_t LossMeasure::HeldBelow(size_t queue, GroupIndex group) const {
  int64_t end = 0;
  for (const Pulled& pulled : pulled_[queue]) {
    const Life& life = lives_[static_cast<size_t>(pulled.consumer)];
    if (pulled.group == group && life.runs && life.number == pulled.life) {
      end = std::max(end, pulled.end);
    }
  }
  return end;
}

std::optional<Instant> LossMeasure::GoneSince(size_t queue) const {
  std::optional<Instant> since = closed_[queue];
  const auto down = down_.find(subjects_.queues()[queue].queue.broker.id());
  if (down == down_.end()) return since;
  return since.has_value() ? std::min(*since, down->second) : down->second;
}

void LossMeasure::Finish() {
  for (size_t i = 0; i < closed_.size(); ++i) {
    // What was deleted before, others do not lose once more.
    int64_t begin = 0;
    const auto lose = [&](int64_t end, Instant since) {
      if (window_.Contains(since)) {
        delivery_.LoseUndelivered(
            static_cast<QueueIndex>(i), {begin, end}, since,
            [&](GroupIndex group) { return HeldBelow(i, group); });
      }
      begin = end;
    };
    for (const Deleted& deleted : deleted_[i]) lose(deleted.end, deleted.since);
    const std::optional<Instant> since = GoneSince(i);
    if (since.has_value()) lose(INT64_MAX, *since);
  }
  for (const RetryMeasure::Stranded& one : retrying_.FindStranded(down_)) {
    if (window_.Contains(one.since)) delivery_.Lose(one.id, one.since);
  }
}

}  // namespace groupsim
