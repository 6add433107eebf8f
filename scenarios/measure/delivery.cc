#include "scenarios/measure/delivery.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/time.h"
#include "model/facts/fact.h"

namespace groupsim {

DeliveryMeasure::DeliveryMeasure(const Subjects& subjects, Window window,
                                 Duration total, int columns, Audit* audit)
    : subjects_(subjects),
      window_(window),
      audit_(audit),
      queues_(subjects.queues().size()),
      consumers_(subjects.consumers().size()) {
  for (size_t i = 0; i < subjects.groups().size(); ++i) {
    GroupState group(Columns(total, columns));
    group.flow.resize(static_cast<size_t>(columns));
    groups_.push_back(std::move(group));
  }
  for (size_t i = 0; i < queues_.size(); ++i) {
    for (const GroupIndex group : subjects.queues()[i].groups) {
      QueueGroup state;
      state.group = group;
      queues_[i].groups.push_back(state);
    }
  }
}

void DeliveryMeasure::OnFact(const SeenFact& seen) {
  switch (seen.fact.kind) {
    case FactKind::SENT:
      if (seen.queue != kNoSubject) OnSent(seen);
      return;
    case FactKind::STORED:
      if (seen.queue != kNoSubject) OnStored(seen);
      return;
    case FactKind::DELIVERED:
      if (seen.queue != kNoSubject) OnDelivered(seen);
      return;
    case FactKind::FINISHED:
      if (seen.queue != kNoSubject) OnFinished(seen);
      return;
    case FactKind::COMMITTED:
      if (seen.queue != kNoSubject) OnCommitted(seen);
      return;
    case FactKind::PROCESS_STOPPED:
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
      if (seen.consumer != kNoSubject) {
        EndAllCalls(seen.consumer, seen.fact.time);
      }
      return;
    default:
      return;
  }
}

void DeliveryMeasure::OnSent(const SeenFact& seen) {
  const QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  audit_->Count(AuditLaw::kSentIsStored);
  const bool lost =
      seen.fact.offset < queue.first || seen.fact.offset >= queue.end;
  if (lost) {
    audit_->Fail(AuditLaw::kSentIsStored, seen.fact.time,
                 absl::StrCat("offset ", seen.fact.offset,
                              " was acknowledged but not stored"));
  }
  if (!window_.Contains(seen.fact.time)) return;
  for (const QueueGroup& group : queue.groups) {
    GroupState& total = groups_[static_cast<size_t>(group.group)];
    ++total.sent;
    if (lost) ++total.lost;
  }
}

DeliveryMeasure::Chunk* DeliveryMeasure::ChunkOf(QueueState& queue,
                                                 int64_t offset) {
  const int64_t number = offset / kChunk - queue.first_chunk;
  if (number < 0 || number >= static_cast<int64_t>(queue.chunks.size())) {
    return nullptr;
  }
  return queue.chunks[static_cast<size_t>(number)].get();
}

DeliveryMeasure::QueueGroup* DeliveryMeasure::Find(QueueState& queue,
                                                   GroupIndex group,
                                                   size_t* slot) {
  for (size_t i = 0; i < queue.groups.size(); ++i) {
    if (queue.groups[i].group == group) {
      *slot = i;
      return &queue.groups[i];
    }
  }
  return nullptr;
}

void DeliveryMeasure::OnStored(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  const int64_t offset = seen.fact.offset;
  audit_->Count(AuditLaw::kStoredWithoutGaps);
  if (queue.first < 0) {
    queue.first = queue.end = offset;
    queue.first_chunk = offset / kChunk;
  }
  if (offset != queue.end) {
    audit_->Fail(AuditLaw::kStoredWithoutGaps, seen.fact.time,
                 absl::StrCat("offset ", offset, " stored where ", queue.end,
                              " was next"));
    return;
  }
  ++queue.end;
  const int64_t number = offset / kChunk - queue.first_chunk;
  if (number >= static_cast<int64_t>(queue.chunks.size())) {
    auto chunk = std::make_unique<Chunk>();
    chunk->groups.resize(queue.groups.size());
    queue.chunks.push_back(std::move(chunk));
  }
  queue.chunks[static_cast<size_t>(number)]
      ->stored[static_cast<size_t>(offset % kChunk)] = seen.fact.time.nanos();
  for (QueueGroup& group : queue.groups) {
    GroupState& total = groups_[static_cast<size_t>(group.group)];
    ++group.counts.stored;
    ++total.counts.stored;
    // What was there before the run flowed in no column.
    if (seen.fact.time >= Instant::Start()) {
      ++FlowAt(total, seen.fact.time).stored;
    }
    AddLag(group.group, 1, seen.fact.time);
  }
}

void DeliveryMeasure::OnDelivered(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen.group, &slot);
  if (group == nullptr) return;
  const int64_t offset = seen.fact.offset;
  audit_->Count(AuditLaw::kDeliveredIsStored);
  if (offset < queue.first || offset >= queue.end) {
    audit_->Fail(AuditLaw::kDeliveredIsStored, seen.fact.time,
                 absl::StrCat("offset ", offset, " delivered, stored are ",
                              queue.first, " to ", queue.end - 1));
    return;
  }
  GroupState& total = groups_[static_cast<size_t>(seen.group)];
  bool again = true;  // In a chunk given back everything was delivered.
  if (Chunk* chunk = ChunkOf(queue, offset); chunk != nullptr) {
    GroupChunk& mine = chunk->groups[slot];
    uint8_t& state = mine.state[static_cast<size_t>(offset % kChunk)];
    again = (state & kDelivered) != 0;
    if (!again) {
      state |= kDelivered;
      ++mine.delivered;
    }
  }
  if (!again) ++group->known;
  if (seen.consumer != kNoSubject) {
    BeginCall(*group, seen.consumer, seen.fact.time);
  }
  Flow& flow = FlowAt(total, seen.fact.time);
  ++flow.deliveries;
  if (!window_.Contains(seen.fact.time)) return;
  ++group->counts.deliveries;
  ++total.counts.deliveries;
  if (seen.consumer != kNoSubject) {
    ++consumers_[static_cast<size_t>(seen.consumer)].deliveries;
  }
  if (!again) {
    ++group->counts.distinct;
    ++total.counts.distinct;
    return;
  }
  if (seen.fact.count > 0) {
    ++group->counts.retries;
    ++total.counts.retries;
  } else {
    ++group->counts.duplicates;
    ++total.counts.duplicates;
    ++flow.duplicates;
    if (seen.consumer != kNoSubject) {
      ++consumers_[static_cast<size_t>(seen.consumer)].duplicates;
    }
    total.duplicates_watch.Update(seen.fact.time, total.counts.duplicates,
                                  seen.queue);
  }
}

void DeliveryMeasure::OnFinished(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen.group, &slot);
  if (group == nullptr) return;
  if (seen.consumer != kNoSubject) {
    EndCall(*group, seen.consumer, seen.fact.time);
    if (window_.Contains(seen.fact.time)) {
      ++consumers_[static_cast<size_t>(seen.consumer)].finished;
    }
  }
  Chunk* chunk = ChunkOf(queue, seen.fact.offset);
  if (chunk == nullptr) return;
  uint8_t& state =
      chunk->groups[slot].state[static_cast<size_t>(seen.fact.offset % kChunk)];
  audit_->Count(AuditLaw::kFinishedIsDelivered);
  if ((state & kDelivered) == 0) {
    audit_->Fail(
        AuditLaw::kFinishedIsDelivered, seen.fact.time,
        absl::StrCat("offset ", seen.fact.offset, " was never delivered"));
    return;
  }
  if (seen.fact.value == 0 || (state & kFinished) != 0) return;
  state |= kFinished;
  ++group->counts.finished;
  GroupState& total = groups_[static_cast<size_t>(seen.group)];
  ++total.counts.finished;
  const Instant stored = Instant::FromNanos(
      chunk->stored[static_cast<size_t>(seen.fact.offset % kChunk)]);
  // How old messages of the past are is the scenario's invention.
  if (!window_.Contains(seen.fact.time) || stored < Instant::Start()) return;
  total.latency.Add(seen.fact.time - stored);
}

void DeliveryMeasure::OnCommitted(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen.group, &slot);
  if (group == nullptr) return;
  const int64_t offset = seen.fact.offset;
  audit_->Count(AuditLaw::kCommittedWithinQueue);
  if (offset > queue.end) {
    audit_->Fail(AuditLaw::kCommittedWithinQueue, seen.fact.time,
                 absl::StrCat("offset ", offset, " committed, the maximum is ",
                              queue.end));
    return;
  }
  const int64_t before = group->committed >= 0
                             ? group->committed
                             : std::max<int64_t>(queue.first, 0);
  AddLag(seen.group, before - offset, seen.fact.time);
  group->committed = offset;
  if (seen.fact.time < Instant::Start()) group->consumed_before = offset;
  if (offset > group->max_committed) {
    group->max_committed = offset;
    if (offset / kChunk > queue.first_chunk) Release(queue);
  }
}

void DeliveryMeasure::Release(QueueState& queue) {
  while (queue.chunks.size() > 1) {
    const int64_t end = (queue.first_chunk + 1) * kChunk;
    const int64_t begin = std::max(queue.first, queue.first_chunk * kChunk);
    for (size_t i = 0; i < queue.groups.size(); ++i) {
      if (queue.groups[i].committed < end ||
          queue.chunks.front()->groups[i].delivered < end - begin) {
        return;
      }
    }
    queue.chunks.pop_front();
    ++queue.first_chunk;
  }
}

void DeliveryMeasure::BeginCall(QueueGroup& group, ConsumerIndex consumer,
                                Instant now) {
  for (QueueGroup::Active& active : group.active) {
    if (active.consumer == consumer) {
      ++active.calls;
      return;
    }
  }
  group.active.push_back({consumer, 1});
  if (group.active.size() == 2) group.twice_since = now;
}

void DeliveryMeasure::EndCall(QueueGroup& group, ConsumerIndex consumer,
                              Instant now) {
  for (auto it = group.active.begin(); it != group.active.end(); ++it) {
    if (it->consumer != consumer) continue;
    if (--it->calls > 0) return;
    if (group.active.size() == 2) {
      groups_[static_cast<size_t>(group.group)].processed_twice +=
          window_.Overlap(group.twice_since, now);
    }
    group.active.erase(it);
    return;
  }
}

void DeliveryMeasure::EndAllCalls(ConsumerIndex consumer, Instant now) {
  const GroupIndex index =
      subjects_.consumers()[static_cast<size_t>(consumer)].group;
  for (const QueueIndex queue :
       subjects_.groups()[static_cast<size_t>(index)].queues) {
    for (QueueGroup& group : queues_[static_cast<size_t>(queue)].groups) {
      if (group.group != index) continue;
      for (QueueGroup::Active& active : group.active) {
        if (active.consumer != consumer) continue;
        active.calls = 1;
        EndCall(group, consumer, now);
        break;
      }
    }
  }
}

DeliveryMeasure::Flow& DeliveryMeasure::FlowAt(GroupState& group, Instant now) {
  const auto column =
      static_cast<size_t>(now.since_start() / group.lag_columns.width());
  return group.flow[std::min(column, group.flow.size() - 1)];
}

void DeliveryMeasure::AddLag(GroupIndex index, int64_t change, Instant now) {
  GroupState& group = groups_[static_cast<size_t>(index)];
  group.lag_area += static_cast<__int128>(group.lag) *
                    window_.Overlap(group.lag_since, now).nanos();
  group.lag_since = now;
  group.lag += change;
  if (window_.Contains(now)) {
    group.peak_lag = std::max(group.peak_lag, group.lag);
  }
  group.lag_columns.Set(now, group.lag);
}

void DeliveryMeasure::Settle(QueueState& queue, QueueIndex index, size_t slot,
                             Instant end) {
  QueueGroup& group = queue.groups[slot];
  Counts& counts = group.counts;
  const int64_t base =
      std::max(queue.first, queue.first_chunk * kChunk);  // Still kept.
  int64_t delivered = base - std::max<int64_t>(queue.first, 0);
  for (int64_t offset = base; offset < queue.end; ++offset) {
    const uint8_t state = ChunkOf(queue, offset)
                              ->groups[slot]
                              .state[static_cast<size_t>(offset % kChunk)];
    if ((state & kDelivered) != 0) {
      ++delivered;
      if ((state & kFinished) != 0 && offset >= group.committed) {
        ++counts.at_risk;
      }
    } else if (offset < group.consumed_before) {
      ++counts.consumed_before;
    } else if (offset < group.max_committed) {
      ++counts.skipped;
    } else {
      ++counts.not_yet_delivered;
    }
  }
  const int64_t from = group.committed >= 0 ? group.committed
                                            : std::max<int64_t>(queue.first, 0);
  counts.lag_at_end = queue.end - from;
  audit_->Count(AuditLaw::kMessagesAreConserved);
  if (group.known != delivered ||
      counts.stored != delivered + counts.skipped + counts.consumed_before +
                           counts.not_yet_delivered) {
    audit_->Fail(
        AuditLaw::kMessagesAreConserved, end,
        absl::StrCat("queue ", index, ": stored ", counts.stored,
                     ", delivered ", group.known, " (counted again ", delivered,
                     "), skipped ", counts.skipped, ", consumed before ",
                     counts.consumed_before, ", not yet delivered ",
                     counts.not_yet_delivered));
  }
}

void DeliveryMeasure::Finish(Instant end) {
  for (size_t i = 0; i < queues_.size(); ++i) {
    QueueState& queue = queues_[i];
    for (size_t slot = 0; slot < queue.groups.size(); ++slot) {
      if (queue.first >= 0) {
        Settle(queue, static_cast<QueueIndex>(i), slot, end);
      }
      const Counts& counts = queue.groups[slot].counts;
      Counts& total =
          groups_[static_cast<size_t>(queue.groups[slot].group)].counts;
      total.skipped += counts.skipped;
      total.consumed_before += counts.consumed_before;
      total.not_yet_delivered += counts.not_yet_delivered;
      total.at_risk += counts.at_risk;
      total.lag_at_end += counts.lag_at_end;
    }
  }
  for (size_t i = 0; i < consumers_.size(); ++i) {
    EndAllCalls(static_cast<ConsumerIndex>(i), end);
  }
  for (size_t i = 0; i < groups_.size(); ++i) {
    AddLag(static_cast<GroupIndex>(i), 0, end);
    groups_[i].lag_columns.Finish();
  }
}

std::vector<DeliveryMeasure::QueueResult> DeliveryMeasure::QueueResults(
    GroupIndex group) const {
  std::vector<QueueResult> results;
  for (const QueueIndex index :
       subjects_.groups()[static_cast<size_t>(group)].queues) {
    const QueueState& queue = queues_[static_cast<size_t>(index)];
    for (const QueueGroup& state : queue.groups) {
      if (state.group == group) {
        results.push_back(
            QueueResult{state.counts, queue.end, state.committed});
      }
    }
  }
  return results;
}

}  // namespace groupsim
