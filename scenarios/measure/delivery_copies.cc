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
  QueueGroup* group = Find(queue, seen, &slot);
  if (group == nullptr) return;
  if (CountDelivery(*group, seen)) CountAgain(*group, seen, !again);
}

void DeliveryMeasure::FinishByCopy(const SeenFact& seen, const MessageId& id,
                                   MessageTimes times) {
  QueueState& queue = queues_[static_cast<size_t>(id.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen, &slot);
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
  QueueGroup* group = FindOf(queue, id.group, kNoSubject, &slot);
  if (group == nullptr) return;
  Fact fact;
  fact.time = since;
  fact.offset = id.offset;
  CountLost(*group, SeenFact{fact, id.group, kNoSubject, id.queue});
}

void DeliveryMeasure::LoseUndelivered(
    QueueIndex index, Offsets offsets, Instant since,
    absl::FunctionRef<int64_t(GroupIndex)> held_below) {
  QueueState& queue = queues_[static_cast<size_t>(index)];
  const MessageChunks& messages = queue.messages;
  if (messages.first() < 0) return;
  // A group that broadcasts has a slot for each consumer; what one of them got
  // is not lost.
  size_t next = 0;
  for (size_t slot = 0; slot < queue.groups.size(); slot = next) {
    const GroupIndex group = queue.groups[slot].group;
    int64_t first = std::max(messages.oldest_begin(), offsets.begin);
    first = std::max(first, held_below(group));
    for (next = slot;
         next < queue.groups.size() && queue.groups[next].group == group;
         ++next) {
      first = std::max({first, queue.groups[next].consumed_before,
                        queue.groups[next].max_committed});
    }
    const int64_t end = std::min(messages.end(), offsets.end);
    for (int64_t offset = first; offset < end; ++offset) {
      const MessageChunks::Chunk& chunk = *messages.Of(offset);
      const size_t place = MessageChunks::Place(offset);
      bool delivered = false;
      bool wanted = false;
      for (size_t of = slot; of < next; ++of) {
        const uint8_t state = chunk.groups[of].state[place];
        delivered |= (state & MessageChunks::kDelivered) != 0;
        wanted |= (state & MessageChunks::kUnwanted) == 0;
      }
      if (delivered || !wanted || chunk.stored[place] >= window_.to.nanos() ||
          chunk.scheduled.Get(place) == MessageChunks::Times::kUnknown) {
        continue;
      }
      Lose({group, index, offset}, since);
    }
  }
}

void DeliveryMeasure::OnDeadLettered(const SeenFact& seen) {
  QueueState& queue = queues_[static_cast<size_t>(seen.queue)];
  size_t slot = 0;
  QueueGroup* group = Find(queue, seen, &slot);
  if (group == nullptr || !window_.Contains(seen.fact.time)) return;
  ++group->counts.dead_letters;
  ++group_of(*group).counts.dead_letters;
  Occur(OccurrenceKind::kDeadLetter, seen, seen.group, 1);
}

}  // namespace groupsim
