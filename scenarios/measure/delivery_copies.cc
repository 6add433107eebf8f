// What the measure of deliveries makes of copies of messages, which came by
// the retry topic.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/delivery.h"

namespace groupsim {

bool DeliveryMeasure::IsStored(const MessageId& id) const {
  const MessageChunks& messages =
      queues_[static_cast<size_t>(id.queue)].messages;
  return id.offset >= messages.first() && id.offset < messages.end();
}

std::optional<DeliveryMeasure::MessageTimes> DeliveryMeasure::TimesOf(
    const MessageId& id) const {
  const QueueState& queue = queues_[static_cast<size_t>(id.queue)];
  const MessageChunks::Chunk* chunk =
      IsStored(id) ? queue.messages.Of(id.offset) : nullptr;
  if (chunk == nullptr) return std::nullopt;
  const size_t place = MessageChunks::Place(id.offset);
  for (size_t slot = 0; slot < queue.groups.size(); ++slot) {
    if (queue.groups[slot].group != id.group) continue;
    if (chunk->groups[slot].moment.Get(place) ==
        MessageChunks::Times::kUnknown) {
      return std::nullopt;
    }
    return TimesIn(*chunk, slot, place);
  }
  return std::nullopt;
}

void DeliveryMeasure::CountCopy(const SeenFact& seen, bool again) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen.group, &slot);
  if (group == nullptr) return;
  if (CountDelivery(*group, seen)) CountAgain(*group, seen, !again);
}

void DeliveryMeasure::FinishByCopy(const SeenFact& seen, const MessageId& id,
                                   MessageTimes times) {
  QueueState& queue = queues_[static_cast<size_t>(id.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, id.group, &slot);
  if (group == nullptr) return;
  const Instant now = seen.fact.time;
  if (MessageChunks::Chunk* chunk = queue.messages.Of(id.offset);
      chunk != nullptr) {
    const size_t place = MessageChunks::Place(id.offset);
    uint8_t& state = chunk->groups[slot].state[place];
    if ((state & MessageChunks::kFinished) != 0) return;
    state |= MessageChunks::kFinished;
    // The acknowledgement may have come after the failure.
    times.scheduled = TimesIn(*chunk, slot, place).scheduled;
    chunk->groups[slot].moment.Set(place, now);
    if (id.offset >= group->committed) AddAtRisk(*group, 1, now);
  }
  CountProcessed(*group, id, times, seen);
}

void DeliveryMeasure::Lose(const MessageId& id, Instant since) {
  QueueState& queue = queues_[static_cast<size_t>(id.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, id.group, &slot);
  if (group == nullptr) return;
  Fact fact;
  fact.time = since;
  fact.offset = id.offset;
  CountLost(*group, SeenFact{fact, id.group, kNoSubject, id.queue});
}

void DeliveryMeasure::LoseUndelivered(
    QueueIndex index, Instant since,
    absl::FunctionRef<int64_t(GroupIndex)> held_below) {
  QueueState& queue = queues_[static_cast<size_t>(index)];
  const MessageChunks& messages = queue.messages;
  if (messages.first() < 0) return;
  for (size_t slot = 0; slot < queue.groups.size(); ++slot) {
    const QueueGroup& group = queue.groups[slot];
    const int64_t first =
        std::max({messages.oldest_begin(), group.consumed_before,
                  group.max_committed, held_below(group.group)});
    for (int64_t offset = first; offset < messages.end(); ++offset) {
      const MessageChunks::Chunk& chunk = *messages.Of(offset);
      const size_t place = MessageChunks::Place(offset);
      if ((chunk.groups[slot].state[place] & MessageChunks::kDelivered) != 0 ||
          chunk.stored[place] >= window_.to.nanos() ||
          chunk.scheduled.Get(place) == MessageChunks::Times::kUnknown) {
        continue;
      }
      Lose({group.group, index, offset}, since);
    }
  }
}

void DeliveryMeasure::OnDeadLettered(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen.group, &slot);
  if (group == nullptr || !window_.Contains(seen.fact.time)) return;
  ++group->counts.dead_letters;
  ++group_of(*group).counts.dead_letters;
  Occur(OccurrenceKind::kDeadLetter, seen, seen.group, 1);
}

}  // namespace groupsim
