#include "model/broker/schedule_service.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "model/base/check.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/grid.h"
#include "model/wire/topics.h"

namespace groupsim {
namespace {

DelayLevels Parsed(const std::string& text) {
  absl::StatusOr<DelayLevels> levels = DelayLevels::Parse(text);
  CHECK(levels.ok()) << levels.status().message();
  return *std::move(levels);
}

}  // namespace

ScheduleService::ScheduleService(Env& env, const BrokerConfig& config,
                                 BrokerDisk& disk, MessageWriter& writer)
    : env_(env),
      config_(config),
      disk_(disk),
      writer_(writer),
      levels_(Parsed(config.settings.message_delay_level)),
      by_level_(static_cast<size_t>(levels_.max())),
      flush_(env, [this] { Flush(); }) {}

void ScheduleService::Start() {
  topic_ = env_.names().Intern(kScheduleTopic);
  started_ = env_.Now();
  running_ = true;
  for (int32_t level = 1; level <= levels_.max(); ++level) {
    const StoredQueue* queue = QueueOf(level);
    if (queue == nullptr) continue;
    const auto place = static_cast<size_t>(level - 1);
    const int64_t written =
        place < disk_.delay_offsets.size() ? disk_.delay_offsets[place] : 0;
    by_level_[place].progress =
        std::clamp(written, queue->min_offset(), queue->max_offset());
    Arm(level);
  }
}

void ScheduleService::Stop() {
  running_ = false;
  for (Level& level : by_level_) level.timer = nullptr;
  flush_.Cancel();
  Flush();
}

StoredQueue* ScheduleService::QueueOf(int32_t level) {
  return disk_.store.Find(topic_, level - 1);
}

int64_t ScheduleService::Store(int32_t level, const MessageWriter::Place& place,
                               MessageStore::NewMessage message) {
  CHECK_GE(level, 1);
  const int32_t clamped = levels_.Clamp(level);
  const Duration delay = levels_.DelayOf(clamped);
  StoredProperties properties;
  if (message.properties != nullptr) properties = *message.properties;
  properties.real_topic = place.topic;
  properties.real_queue_id = place.queue_id;
  properties.due_millis = env_.WallMillis() + delay.millis();
  message.properties = &properties;
  const int64_t offset = writer_.StoreInternal({topic_, clamped - 1}, message);

  Fact fact;
  fact.kind = FactKind::SCHEDULED;
  fact.topic = place.topic.id();
  fact.broker = NarrowId(config_.broker);
  fact.queue = static_cast<uint16_t>(place.queue_id);
  fact.count = clamped;
  fact.value = delay.nanos();
  env_.Emit(fact);
  Arm(clamped);
  return offset;
}

Duration ScheduleService::Remaining(int32_t level, const StoredQueue& queue,
                                    int64_t offset) const {
  const StoredProperties* properties = disk_.store.PropertiesOf(queue, offset);
  CHECK(properties != nullptr);
  const Duration remaining =
      Duration::Millis(properties->due_millis - env_.WallMillis());
  // The clock went back since: now (correctDeliverTimestamp).
  if (remaining > levels_.DelayOf(level)) return Duration::Zero();
  return std::max(remaining, Duration::Zero());
}

void ScheduleService::Arm(int32_t level) {
  Level& state = by_level_[static_cast<size_t>(level - 1)];
  const StoredQueue* queue = QueueOf(level);
  if (!running_ || queue == nullptr) return;
  // Messages may be deleted while they wait.
  state.progress = std::max(state.progress, queue->min_offset());
  if (state.progress >= queue->next_offset()) return;
  if (state.timer == nullptr) {
    state.timer = std::make_unique<Timer>(env_, [this, level] { Look(level); });
  }
  if (state.timer->armed()) return;  // For a message that is due earlier.
  const Grid looks{started_ + kFirstDelayTime, kDelayForAWhile};
  const Instant now = env_.Now();
  // The wall clock shows a millisecond from its beginning on; where that lies
  // in this one is not known here, and a look too early costs little.
  constexpr Duration kUnknown = 1ms - Duration::Nanos(1);
  const Duration remaining = Remaining(level, *queue, state.progress);
  state.timer->ArmAt(
      looks.Next(now, now + std::max(remaining - kUnknown, Duration::Zero())));
}

void ScheduleService::Look(int32_t level) {
  Level& state = by_level_[static_cast<size_t>(level - 1)];
  const StoredQueue* queue = QueueOf(level);
  bool moved = false;
  state.progress = std::max(state.progress, queue->min_offset());
  while (state.progress < queue->max_offset() &&
         Remaining(level, *queue, state.progress) == Duration::Zero()) {
    Deliver(level, *queue, state.progress);
    ++state.progress;
    moved = true;
  }
  if (moved) ArmFlush();
  Arm(level);
}

void ScheduleService::Deliver(int32_t level, const StoredQueue& queue,
                              int64_t offset) {
  const Message waiting = disk_.store.Read(queue, offset);
  const StoredProperties found = *disk_.store.PropertiesOf(queue, offset);
  StoredProperties kept;
  kept.origin = found.origin;
  kept.reconsume_times = found.reconsume_times;
  MessageStore::NewMessage message;
  message.born = waiting.born;
  message.key = waiting.key;
  message.tag = waiting.tag;
  message.body_size = waiting.body_size;
  if (kept != StoredProperties()) message.properties = &kept;

  Fact fact;
  fact.kind = FactKind::CAME_DUE;
  fact.topic = found.real_topic.id();
  fact.broker = NarrowId(config_.broker);
  fact.queue = static_cast<uint16_t>(found.real_queue_id);
  fact.offset = writer_.Store({found.real_topic, found.real_queue_id}, message);
  fact.count = level;
  fact.value = Duration::Millis(env_.WallMillis() - found.due_millis).nanos();
  env_.Emit(fact);
}

void ScheduleService::ArmFlush() {
  if (flush_.armed()) return;
  const Grid writes{started_ + kFirstDelayOffsetFlush,
                    config_.settings.flush_delay_offset_interval};
  const Instant now = env_.Now();
  flush_.ArmAt(writes.Next(now, now));
}

void ScheduleService::Flush() {
  disk_.delay_offsets.clear();
  for (const Level& level : by_level_) {
    disk_.delay_offsets.push_back(level.progress);
  }
}

}  // namespace groupsim
