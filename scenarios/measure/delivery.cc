#include "scenarios/measure/delivery.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/time.h"
#include "model/facts/causes.h"
#include "model/facts/fact.h"

namespace groupsim {
namespace {

// What FINISHED says of the message.
enum Finished : int64_t { kCounted = 1, kStaysCached = 2, kForgotten = 3 };

}  // namespace

void DeliveryMeasure::Counts::Add(const Counts& other) {
  stored += other.stored;
  sent += other.sent;
  acknowledged += other.acknowledged;
  lost += other.lost;
  deliveries += other.deliveries;
  distinct += other.distinct;
  duplicates += other.duplicates;
  retries += other.retries;
  out_of_order += other.out_of_order;
  finished += other.finished;
  skipped += other.skipped;
  dead_letters += other.dead_letters;
  consumed_before += other.consumed_before;
  filtered += other.filtered;
  not_yet_delivered += other.not_yet_delivered;
  at_risk += other.at_risk;
  lag_at_end += other.lag_at_end;
}

void DeliveryMeasure::Latencies::Merge(const Latencies& other) {
  total.Merge(other.total);
  queueing.Merge(other.queueing);
  processing.Merge(other.processing);
  from_schedule.Merge(other.from_schedule);
}

DeliveryMeasure::DeliveryMeasure(const Subjects& subjects, Window window,
                                 Duration total, int columns, Audit* audit,
                                 const std::vector<Occurrences>* occurrences)
    : subjects_(subjects),
      window_(window),
      audit_(audit),
      occurrences_(*occurrences),
      column_end_(Instant::Start() + Columns(total, columns).width()),
      consumers_(subjects.consumers().size()) {
  for (const Subjects::Group& group : subjects.groups()) {
    GroupState state(total, columns);
    state.flow.resize(static_cast<size_t>(columns));
    for (const QueueIndex queue : group.queues) {
      const Name topic =
          subjects.queues()[static_cast<size_t>(queue)].queue.topic;
      const bool known = std::any_of(
          state.topics.begin(), state.topics.end(),
          [topic](const TopicState& t) { return t.topic == topic; });
      if (known) continue;
      state.topics.emplace_back().topic = topic;
    }
    groups_.push_back(std::move(state));
  }
  for (const Subjects::Queue& queue : subjects.queues()) {
    std::vector<QueueGroup> parts;
    for (const GroupIndex group : queue.groups) {
      QueueGroup part;
      part.group = group;
      const std::vector<TopicState>& topics = group_of(part).topics;
      while (topics[part.topic].topic != queue.queue.topic) ++part.topic;
      const Subjects::Group& subject =
          subjects.groups()[static_cast<size_t>(group)];
      if (!subject.broadcasts) {
        part.tags = subjects.TagsOf(group, queue.queue.topic);
        group_of(part).filters |= part.tags != nullptr;
        parts.push_back(part);
        continue;
      }
      part.follows = false;
      for (const ConsumerIndex member : subject.consumers) {
        part.member = member;
        part.tags = subjects.TagsOfConsumer(member, queue.queue.topic);
        group_of(part).filters |= part.tags != nullptr;
        parts.push_back(part);
        part.counts_stored = false;
      }
    }
    QueueState state(parts.size());
    state.groups = std::move(parts);
    queues_.push_back(std::move(state));
  }
}

void DeliveryMeasure::OnFact(const SeenFact& seen) {
  switch (seen.fact.kind) {
    case FactKind::SENT:
      // One that waits is in no queue yet.
      if (seen.queue != kNoSubject && seen.fact.offset >= 0) OnSent(seen);
      return;
    case FactKind::STORED:
      if (seen.queue != kNoSubject) OnStored(seen);
      return;
    case FactKind::TAGGED:
      if (seen.queue != kNoSubject) OnTagged(seen);
      return;
    case FactKind::DELIVERED:
      AddInListener(seen, 1);
      if (seen.queue != kNoSubject) OnDelivered(seen);
      return;
    case FactKind::FINISHED:
      AddInListener(seen, -1);
      if (seen.queue != kNoSubject) OnFinished(seen);
      return;
    case FactKind::SETTLED:
      if (seen.queue != kNoSubject) OnSettled(seen);
      return;
    case FactKind::DEAD_LETTERED:
      if (seen.queue != kNoSubject) OnDeadLettered(seen);
      return;
    case FactKind::COMMITTED:
      if (seen.queue != kNoSubject) OnCommitted(seen);
      return;
    case FactKind::QUEUE_ADDED:
      if (seen.queue != kNoSubject) OnAdded(seen);
      return;
    case FactKind::PROCESS_STARTED:
    case FactKind::PROCESS_STOPPING:
    case FactKind::PROCESS_STOPPED:
    case FactKind::PROCESS_CRASHED:
    case FactKind::PROCESS_VANISHED:
      if (seen.consumer != kNoSubject) OnLife(seen);
      return;
    default:
      return;
  }
}

void DeliveryMeasure::OnLife(const SeenFact& seen) {
  const FactKind kind = seen.fact.kind;
  if (kind != FactKind::PROCESS_STARTED && kind != FactKind::PROCESS_STOPPING) {
    EndAllCalls(seen.consumer, seen.fact.time);
  }
  if (kind == FactKind::PROCESS_STARTED) {
    BeginToFollow(seen.consumer, seen.fact.time);
  }
  if (kind == FactKind::PROCESS_STOPPED) return;  // It began to stop before.
  const GroupIndex group =
      subjects_.consumers()[static_cast<size_t>(seen.consumer)].group;
  lag(group).OnMembersChanged(seen.fact.time, window_);
}

// Whoever broadcasts gets what is stored from the first start of a consumer on.
void DeliveryMeasure::BeginToFollow(ConsumerIndex consumer, Instant now) {
  const GroupIndex index =
      subjects_.consumers()[static_cast<size_t>(consumer)].group;
  const Subjects::Group& subject =
      subjects_.groups()[static_cast<size_t>(index)];
  if (!subject.broadcasts) return;
  for (const QueueIndex i : subject.queues) {
    QueueState& queue = queues_[static_cast<size_t>(i)];
    QueueGroup& group = queue.groups[SlotOf(queue, index, consumer)];
    if (!group.follows) Follow(group, i, queue.messages.end(), now);
  }
}

void DeliveryMeasure::Follow(QueueGroup& group, QueueIndex queue, int64_t from,
                             Instant now) {
  const MessageChunks& messages = queues_[static_cast<size_t>(queue)].messages;
  group.follows = true;
  group.consumed_before = from;
  if (messages.first() >= 0) AddLag(group, queue, messages.end() - from, now);
}

// One that reads from the beginning gets what was stored before it came, too.
void DeliveryMeasure::OnAdded(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen, &slot);
  if (group == nullptr || group->member == kNoSubject ||
      group->committed >= 0) {
    return;
  }
  const int64_t from = std::max(seen.fact.offset, queue.messages.first());
  const int64_t more = group->consumed_before - from;
  if (queue.messages.first() < 0 || more <= 0) return;
  group->consumed_before = from;
  AddLag(*group, seen.queue, more, seen.fact.time);
}

void DeliveryMeasure::Occur(OccurrenceKind kind, const SeenFact& seen,
                            GroupIndex group, int64_t change) const {
  const Occurrences& of = occurrences_[static_cast<size_t>(group)];
  if (!of.Wanted(kind)) return;
  Occurrence what;
  what.time = seen.fact.time;
  what.queue = seen.queue;
  what.consumer = seen.consumer;
  what.offset = seen.fact.offset;
  what.change = change;
  of.Emit(kind, what);
}

void DeliveryMeasure::OnSent(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  audit_->Count(AuditLaw::kSentIsStored);
  const int64_t offset = seen.fact.offset;
  const bool lost =
      offset < queue.messages.first() || offset >= queue.messages.end();
  if (lost) {
    audit_->Fail(
        AuditLaw::kSentIsStored, seen.fact.time,
        absl::StrCat("offset ", offset, " was acknowledged but not stored"));
  }
  // Groups may have finished it before the producer hears of the store.
  const Instant scheduled = Instant::FromNanos(seen.fact.value);
  const size_t place = MessageChunks::Place(offset);
  MessageChunks::Chunk* chunk = queue.messages.Of(offset);
  if (chunk != nullptr && !lost) {
    chunk->scheduled.Set(place, scheduled);
    for (size_t slot = 0; slot < queue.groups.size(); ++slot) {
      const MessageChunks::GroupPart& part = chunk->groups[slot];
      if ((part.state[place] & MessageChunks::kFinished) == 0) continue;
      const Instant finished = Instant::FromNanos(part.moment.Get(place));
      if (!window_.Contains(finished)) continue;
      QueueGroup& group = queue.groups[slot];
      group_of(group).topics[group.topic].latencies.from_schedule.Add(
          finished - scheduled);
    }
  }
  if (seen.fact.time >= window_.to) return;
  const bool counts = window_.Contains(seen.fact.time);
  for (QueueGroup& group : queue.groups) {
    GroupState& total = group_of(group);
    if (!group.counts_stored) continue;
    ++group.counts.acknowledged;
    ++total.counts.acknowledged;
    if (!counts) continue;
    ++group.counts.sent;
    ++total.counts.sent;
    if (lost) CountLost(group, seen);
  }
}

void DeliveryMeasure::CountLost(QueueGroup& group, const SeenFact& seen) {
  ++group.counts.lost;
  ++group_of(group).counts.lost;
  Occur(OccurrenceKind::kLost, seen, group.group, 1);
}

size_t DeliveryMeasure::SlotOf(const QueueState& queue, GroupIndex group,
                               ConsumerIndex consumer) const {
  size_t slot = 0;
  while (slot < queue.groups.size() && queue.groups[slot].group != group) {
    ++slot;
  }
  // The consumers of a group that broadcasts follow each other.
  if (slot < queue.groups.size() && consumer != kNoSubject &&
      queue.groups[slot].member != kNoSubject) {
    slot += subjects_.consumers()[static_cast<size_t>(consumer)].place;
  }
  return slot;
}

DeliveryMeasure::QueueGroup* DeliveryMeasure::FindOf(QueueState& queue,
                                                     GroupIndex group,
                                                     ConsumerIndex consumer,
                                                     size_t* slot) {
  *slot = SlotOf(queue, group, consumer);
  return *slot < queue.groups.size() ? &queue.groups[*slot] : nullptr;
}

void DeliveryMeasure::OnStored(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  const int64_t offset = seen.fact.offset;
  audit_->Count(AuditLaw::kStoredWithoutGaps);
  if (queue.messages.first() >= 0 && offset != queue.messages.end()) {
    audit_->Fail(AuditLaw::kStoredWithoutGaps, seen.fact.time,
                 absl::StrCat("offset ", offset, " stored where ",
                              queue.messages.end(), " was next"));
    return;
  }
  queue.messages.Append(offset, seen.fact.time);
  const bool counts = InWindow(seen.fact.time);
  for (size_t slot = 0; slot < queue.groups.size(); ++slot) {
    QueueGroup& group = queue.groups[slot];
    GroupState& total = group_of(group);
    // As of one without a tag.
    if (group.tags != nullptr) {
      queue.messages.Of(offset)
          ->groups[slot]
          .state[MessageChunks::Place(offset)] = MessageChunks::kUnwanted;
    }
    if (counts && group.counts_stored) {
      ++group.counts.stored;
      ++total.counts.stored;
    }
    // What was there before the run flowed in no column.
    if (group.counts_stored && seen.fact.time >= Instant::Start()) {
      ++FlowAt(total, seen.fact.time).stored;
    }
    if (group.follows) AddLag(group, seen.queue, 1, seen.fact.time);
  }
}

void DeliveryMeasure::OnTagged(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  const int64_t offset = seen.fact.offset;
  if (offset + 1 != queue.messages.end()) return;  // Not stored, as was told.
  MessageChunks::Chunk& chunk = *queue.messages.Of(offset);
  for (size_t slot = 0; slot < queue.groups.size(); ++slot) {
    const std::vector<uint32_t>* const tags = queue.groups[slot].tags;
    if (tags == nullptr ||
        !std::binary_search(tags->begin(), tags->end(), seen.fact.value)) {
      continue;
    }
    chunk.groups[slot].state[MessageChunks::Place(offset)] = 0;
  }
}

void DeliveryMeasure::OnDelivered(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen, &slot);
  if (group == nullptr) return;
  const int64_t offset = seen.fact.offset;
  audit_->Count(AuditLaw::kDeliveredIsStored);
  if (offset < queue.messages.first() || offset >= queue.messages.end()) {
    audit_->Fail(
        AuditLaw::kDeliveredIsStored, seen.fact.time,
        absl::StrCat("offset ", offset, " delivered, stored are ",
                     queue.messages.first(), " to ", queue.messages.end() - 1));
    return;
  }
  bool again = true;  // In a chunk given back everything was delivered.
  bool failed = false;
  bool unwanted = false;
  if (MessageChunks::Chunk* chunk = queue.messages.Of(offset);
      chunk != nullptr) {
    MessageChunks::GroupPart& mine = chunk->groups[slot];
    const size_t place = MessageChunks::Place(offset);
    uint8_t& state = mine.state[place];
    again = (state & MessageChunks::kDelivered) != 0;
    failed = (state & MessageChunks::kFailed) != 0;
    unwanted = (state & MessageChunks::kUnwanted) != 0;
    state &= static_cast<uint8_t>(~MessageChunks::kFailed);
    if (!again) {
      state |= MessageChunks::kDelivered;
      ++mine.delivered;
      ++group->known;
    }
    if ((state & MessageChunks::kFinished) == 0) {
      mine.moment.Set(place, seen.fact.time);
    }
  }
  if (!again && !unwanted && offset < group->max_committed &&
      offset >= group->consumed_before) {
    AddSkipped(*group, seen, -1);  // Not skipped after all.
  }
  if (seen.consumer != kNoSubject) {
    BeginCall(*group, seen.consumer, seen.fact.time);
  }
  if (!CountDelivery(*group, seen)) return;
  GroupState& total = group_of(*group);
  if (offset < group->max_finished) {
    ++group->counts.out_of_order;
    ++total.counts.out_of_order;
    Occur(OccurrenceKind::kOutOfOrder, seen, seen.group, 1);
  }
  if (again) {
    CountAgain(*group, seen, failed);
  } else {
    ++group->counts.distinct;
    ++total.counts.distinct;
  }
}

bool DeliveryMeasure::CountDelivery(QueueGroup& group, const SeenFact& seen) {
  GroupState& total = group_of(group);
  ++FlowAt(total, seen.fact.time).deliveries;
  if (!window_.Contains(seen.fact.time)) return false;
  ++group.counts.deliveries;
  ++total.counts.deliveries;
  if (seen.consumer != kNoSubject) {
    ++state_of(seen.consumer).result.deliveries;
  }
  return true;
}

void DeliveryMeasure::CountAgain(QueueGroup& group, const SeenFact& seen,
                                 bool failed) {
  GroupState& total = group_of(group);
  const bool is_copy = seen.fact.kind == FactKind::RETRY_DELIVERED;
  if (failed || (seen.fact.count > 0 && !is_copy)) {
    ++group.counts.retries;
    ++total.counts.retries;
    return;
  }
  ++group.counts.duplicates;
  ++total.counts.duplicates;
  ++FlowAt(total, seen.fact.time).duplicates;
  if (seen.consumer != kNoSubject) {
    ++state_of(seen.consumer).result.duplicates;
  }
  Occur(OccurrenceKind::kDuplicate, seen, seen.group, 1);
}

void DeliveryMeasure::OnFinished(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen, &slot);
  if (group == nullptr) return;
  if (seen.consumer != kNoSubject) {
    EndCall(*group, seen.consumer, seen.fact.time);
  }
  CountFinished(queue, *group, slot, seen);
}

void DeliveryMeasure::OnSettled(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen, &slot);
  if (group == nullptr) return;
  if (seen.fact.count == static_cast<int64_t>(ConsumeStatus::kSuccess)) {
    CountFinished(queue, *group, slot, seen);
    return;
  }
  // Sent back: what the consumer gets from here on is a copy.
  if (MessageChunks::Chunk* chunk = queue.messages.Of(seen.fact.offset);
      chunk != nullptr) {
    chunk->groups[slot].state[MessageChunks::Place(seen.fact.offset)] &=
        static_cast<uint8_t>(~MessageChunks::kFailed);
  }
}

void DeliveryMeasure::CountFinished(QueueState& queue, QueueGroup& group,
                                    size_t slot, const SeenFact& seen) {
  const Instant now = seen.fact.time;
  const int64_t offset = seen.fact.offset;
  MessageChunks::Chunk* chunk = queue.messages.Of(offset);
  if (chunk == nullptr) return;
  MessageChunks::GroupPart& mine = chunk->groups[slot];
  const size_t place = MessageChunks::Place(offset);
  uint8_t& state = mine.state[place];
  audit_->Count(AuditLaw::kFinishedIsDelivered);
  if ((state & MessageChunks::kDelivered) == 0) {
    audit_->Fail(AuditLaw::kFinishedIsDelivered, now,
                 absl::StrCat("offset ", offset, " was never delivered"));
    return;
  }
  if (seen.fact.kind == FactKind::FINISHED && seen.fact.value != kCounted &&
      seen.fact.value != kForgotten) {
    // One that stays cached comes again, or succeeded and is settled later.
    const bool failed =
        seen.fact.value == kStaysCached &&
        seen.fact.count != static_cast<int64_t>(ConsumeStatus::kSuccess);
    if (failed) state |= MessageChunks::kFailed;
    if (seen.fact.value == kStaysCached &&
        seen.fact.count == static_cast<int64_t>(ConsumeStatus::kRollback)) {
      MarkRolledBack(queue, slot, offset);
    }
    return;
  }
  if ((state & MessageChunks::kFinished) != 0) return;
  state |= MessageChunks::kFinished;
  group.max_finished = std::max(group.max_finished, offset);
  const MessageTimes times = TimesIn(*chunk, slot, place);
  mine.moment.Set(place, now);
  if (offset >= group.committed) AddAtRisk(group, 1, now);
  CountProcessed(group, {seen.group, seen.queue, offset}, times, seen);
}

// What was taken lies below, down to the committed offset; between it, what was
// sifted out by tags.
void DeliveryMeasure::MarkRolledBack(QueueState& queue, size_t slot,
                                     int64_t offset) {
  const int64_t committed = queue.groups[slot].committed;
  for (int64_t below = offset - 1; below >= committed; --below) {
    MessageChunks::Chunk* chunk = queue.messages.Of(below);
    if (chunk == nullptr) return;
    uint8_t& state = chunk->groups[slot].state[MessageChunks::Place(below)];
    if ((state & MessageChunks::kDelivered) == 0) continue;
    if ((state & MessageChunks::kFinished) != 0) return;
    state |= MessageChunks::kFailed;
  }
}

void DeliveryMeasure::CountProcessed(QueueGroup& group, const MessageId& id,
                                     const MessageTimes& times,
                                     const SeenFact& seen) {
  const Instant now = seen.fact.time;
  if (!window_.Contains(now)) return;
  ++group.counts.finished;
  GroupState& total = group_of(group);
  ++total.counts.finished;
  if (seen.consumer != kNoSubject) {
    ++state_of(seen.consumer).result.finished;
  }
  // How old messages of the past are is the scenario's invention.
  if (times.stored < Instant::Start()) return;
  Latencies& latencies = total.topics[group.topic].latencies;
  latencies.total.Add(now - times.stored);
  latencies.queueing.Add(times.delivered - times.stored);
  latencies.processing.Add(now - times.delivered);
  if (times.scheduled.has_value()) {
    latencies.from_schedule.Add(now - *times.scheduled);
  }
  const Occurrences& of = occurrences_[static_cast<size_t>(id.group)];
  if (!of.Wanted(OccurrenceKind::kLatency)) return;
  Occurrence what;
  what.time = now;
  what.queue = id.queue;
  what.consumer = seen.consumer;
  what.offset = id.offset;
  what.length = now - times.stored;
  of.Emit(OccurrenceKind::kLatency, what);
}

DeliveryMeasure::MessageTimes DeliveryMeasure::TimesIn(
    const MessageChunks::Chunk& chunk, size_t slot, size_t place) {
  MessageTimes times;
  times.stored = Instant::FromNanos(chunk.stored[place]);
  times.delivered = Instant::FromNanos(chunk.groups[slot].moment.Get(place));
  if (const int64_t scheduled = chunk.scheduled.Get(place);
      scheduled != MessageChunks::Times::kUnknown) {
    times.scheduled = Instant::FromNanos(scheduled);
  }
  return times;
}

void DeliveryMeasure::OnCommitted(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  const MessageChunks& messages = queue.messages;
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen, &slot);
  if (group == nullptr) return;
  audit_->Count(AuditLaw::kCommittedWithinQueue);
  // An administrator may reset it to one beyond the end, no further.
  const int64_t end = std::max<int64_t>(messages.end(), 0);
  if (seen.fact.offset > end + 1) {
    audit_->Fail(AuditLaw::kCommittedWithinQueue, seen.fact.time,
                 absl::StrCat("offset ", seen.fact.offset,
                              " committed, the maximum is ", end));
    return;
  }
  const int64_t offset = std::min(seen.fact.offset, end);
  const int64_t first = std::max<int64_t>(messages.first(), 0);
  // Somebody who broadcasts may have an offset before it first starts.
  if (!group->follows) Follow(*group, seen.queue, first, seen.fact.time);
  const int64_t before = group->committed >= 0
                             ? group->committed
                             : std::max(first, group->consumed_before);
  AddLag(*group, seen.queue, before - offset, seen.fact.time);
  // Everything in a chunk that was given back counts as finished.
  constexpr MessageChunks::Masked kDone = {MessageChunks::kFinished,
                                           MessageChunks::kFinished};
  const int64_t kept = messages.first() < 0 ? 0 : messages.oldest_begin();
  const int64_t low = std::min(before, offset);
  const int64_t high = std::max(before, offset);
  const int64_t done =
      messages.Count(slot, std::max(low, kept), high, kDone) +
      std::max<int64_t>(std::min(high, kept) - std::max(low, first), 0);
  AddAtRisk(*group, offset > before ? -done : done, seen.fact.time);
  group->committed = offset;
  if (seen.fact.time < Instant::Start()) group->consumed_before = offset;
  if (offset <= group->max_committed) return;
  if (seen.fact.time >= Instant::Start()) {
    constexpr MessageChunks::Masked kMissing = {
        MessageChunks::kDelivered | MessageChunks::kUnwanted, 0};
    const int64_t passed = messages.Count(
        slot, std::max({group->max_committed, group->consumed_before, kept}),
        offset, kMissing);
    if (passed > 0) AddSkipped(*group, seen, passed);
  }
  group->max_committed = offset;
  if (messages.HasOld()) Release(queue);
}

void DeliveryMeasure::AddSkipped(QueueGroup& group, const SeenFact& seen,
                                 int64_t change) {
  group.passed += change;
  if (!window_.Contains(seen.fact.time)) return;
  // One that was passed before the window does not count in it.
  if (change < 0 && group.counts.skipped == 0) return;
  group.counts.skipped += change;
  group_of(group).counts.skipped += change;
  Occur(OccurrenceKind::kSkipped, seen, group.group, change);
}

void DeliveryMeasure::AddAtRisk(QueueGroup& group, int64_t change,
                                Instant now) {
  if (change == 0) return;
  group.at_risk += change;
  GroupState& total = group_of(group);
  // What stood before the first change of the window was in it too.
  if (window_.Contains(now) && now > window_.from) {
    total.peak_at_risk = std::max(total.peak_at_risk, total.at_risk);
  }
  total.at_risk += change;
  total.at_risk_columns.Set(now, total.at_risk);
  if (window_.Contains(now)) {
    total.peak_at_risk = std::max(total.peak_at_risk, total.at_risk);
  }
}

void DeliveryMeasure::Release(QueueState& queue) {
  MessageChunks& messages = queue.messages;
  while (messages.HasOld()) {
    const int64_t size = messages.oldest_end() - messages.oldest_begin();
    for (size_t i = 0; i < queue.groups.size(); ++i) {
      if (queue.groups[i].committed < messages.oldest_end() ||
          messages.oldest().groups[i].delivered < size) {
        return;
      }
    }
    messages.GiveBackOldest();
  }
}

DeliveryMeasure::Flow& DeliveryMeasure::FlowAt(GroupState& group, Instant now) {
  const Duration width = group.lag.columns().width();
  while (now >= column_end_ && column_ + 1 < group.flow.size()) {
    ++column_;
    column_end_ += width;
  }
  return group.flow[column_];
}

void DeliveryMeasure::AddLag(QueueGroup& group, QueueIndex queue,
                             int64_t change, Instant now) {
  GroupState& total = group_of(group);
  TopicState& topic = total.topics[group.topic];
  total.lag.Add(change, now, window_);
  const bool counts = window_.Contains(now);
  if (counts && now > window_.from) {  // What it was until now.
    group.peak_lag = std::max(group.peak_lag, group.lag);
    topic.peak_lag = std::max(topic.peak_lag, topic.lag);
  }
  group.lag += change;
  topic.lag += change;
  if (group.member != kNoSubject) {
    ConsumerResult& consumer = state_of(group.member).result;
    if (counts && now > window_.from) {
      consumer.peak_lag = std::max(consumer.peak_lag, consumer.lag);
    }
    if (!closed_) consumer.lag += change;
    if (counts) consumer.peak_lag = std::max(consumer.peak_lag, consumer.lag);
  }
  if (counts) {
    group.peak_lag = std::max(group.peak_lag, group.lag);
    topic.peak_lag = std::max(topic.peak_lag, topic.lag);
  }
  const Occurrences& of = occurrences_[static_cast<size_t>(group.group)];
  if (!of.Wanted(OccurrenceKind::kLag)) return;
  Occurrence what;
  what.time = now;
  what.queue = queue;
  what.consumer = group.member;
  what.change = change;
  of.Emit(OccurrenceKind::kLag, what);
}

}  // namespace groupsim
