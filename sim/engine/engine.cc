#include "sim/engine/engine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/base/time.h"

namespace groupsim {
namespace {

// Maps the numbers below 2^40 to each other, one to one, as the seed says.
uint64_t Permute(uint64_t number, uint64_t seed) {
  constexpr uint64_t kMask = EventWord::kMaxGeneration;
  uint64_t x = (number ^ seed) & kMask;
  x = x * 0x9E3779B185EBCA87 & kMask;
  x ^= x >> 21;
  x ^= seed >> 24;
  x = x * 0xC2B2AE3D27D4EB4F & kMask;
  x ^= x >> 19;
  x = x * 0x165667B19E3779F9 & kMask;
  return x ^ x >> 20;
}

// What the schedule fingerprint sees of an event.
struct FiredEvent {
  uint64_t time;
  uint64_t tag;
  uint64_t type;
};

}  // namespace

Engine::Engine(const EngineOptions& options)
    : queue_(pool_, options.shuffle_ties.has_value()),
      start_(options.start),
      shuffle_(options.shuffle_ties),
      max_at_instant_(options.max_events_at_one_instant),
      watch_from_(max_at_instant_ - std::min(max_at_instant_, kWatched)) {
  CHECK_GE(max_at_instant_, uint64_t{1});
}

EventType Engine::Register(absl::string_view name, Handler handler,
                           void* context) {
  return AddType(name, handler, context, kAnySize);
}

EventType Engine::AddType(absl::string_view name, Handler handler,
                          void* context, uint16_t payload_size) {
  CHECK(types_.size() < UINT16_MAX) << "too many types of event";
  CHECK(handler != nullptr) << "event " << name;
  types_.push_back({handler, context, payload_size, std::string(name)});
  schedule_.FoldText(name);
  return static_cast<EventType>(types_.size() - 1);
}

std::optional<Instant> Engine::NextTime() {
  const std::optional<uint64_t> time = queue_.NextTime();
  if (!time.has_value()) return std::nullopt;
  return TimeOf(*time);
}

inline StepOutcome Engine::Fire(uint64_t limit) {
  CHECK(!running_.has_value()) << "a handler runs the engine that runs it";
  if (at_instant_ >= max_at_instant_ && queue_.NextTime() == instant_)
      [[unlikely]] {
    return StepOutcome::kLivelock;
  }
  const std::optional<EventKey> key = queue_.Pop(limit);
  if (!key.has_value()) return StepOutcome::kNothing;

  const uint32_t number = EventWord::SlotOf(key->word);
  EventSlot& slot = pool_.At(number);
  const EventType type = slot.type();
  slot.state = EventSlot::kFree;  // No longer pending, but not given back yet.
  ++fired_;
  if (key->time != instant_) {
    instant_ = key->time;
    at_instant_ = 0;
  }
  if (++at_instant_ > watch_from_) [[unlikely]] {
    Watch(type);
  }
  schedule_.Fold(FiredEvent{key->time, slot.tag, type});

  running_ = type;
  const Type& what = types_[type];
  what.handler(what.context, slot.payload);
  pool_.Free(number);
  if (after_event_ != nullptr) after_event_(after_event_context_);
  running_ = std::nullopt;
  if (fired_ % kCheckpointEvents == 0 && checkpoint_ != nullptr) {
    checkpoint_(checkpoint_context_);
  }
  return StepOutcome::kFired;
}

RunOutcome Engine::Run(uint64_t limit) {
  for (;;) {
    switch (Fire(limit)) {
      case StepOutcome::kFired:
        break;
      case StepOutcome::kNothing:
        return RunOutcome::kIdle;
      case StepOutcome::kLivelock:
        return RunOutcome::kLivelock;
    }
  }
}

StepOutcome Engine::Step() { return Fire(UINT64_MAX); }

RunOutcome Engine::RunUntil(Instant time) {
  CHECK_GE(time, now()) << "time cannot go back";
  const uint64_t limit = TicksOf(time);
  if (Run(limit) == RunOutcome::kLivelock) return RunOutcome::kLivelock;
  queue_.AdvanceTo(limit);
  return RunOutcome::kTimeReached;
}

RunOutcome Engine::RunUntilIdle() { return Run(UINT64_MAX); }

void Engine::Watch(EventType type) {
  if (at_instant_ == watch_from_ + 1) watched_.clear();
  if (type >= watched_.size()) watched_.resize(types_.size());
  ++watched_[type];
}

std::vector<LivelockEvent> Engine::livelock() const {
  std::vector<LivelockEvent> events;
  for (size_t type = 0; type < watched_.size(); ++type) {
    if (watched_[type] == 0) continue;
    events.push_back({static_cast<EventType>(type), watched_[type]});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const LivelockEvent& a, const LivelockEvent& b) {
                     return a.count > b.count;
                   });
  return events;
}

std::string Engine::DescribeLivelock() const {
  std::string text =
      absl::StrCat(at_instant_, " events fired at ", ToString(now()),
                   " and time did not move on; the last ones were");
  absl::string_view separator = " ";
  for (const LivelockEvent& event : livelock()) {
    absl::StrAppend(&text, separator, event.count, " x ", NameOf(event.type));
    separator = ", ";
  }
  return text;
}

uint64_t Engine::Shuffled(uint64_t generation) const {
  return Permute(generation, *shuffle_);
}

void Engine::RefuseEvent(Instant time, EventType type,
                         size_t payload_size) const {
  CHECK(scheduled_ < EventWord::kMaxGeneration) << "too many events in a run";
  CHECK(type < types_.size()) << "no event has the type " << type;
  CHECK(time >= now()) << "event " << NameOf(type) << " scheduled at " << time
                       << " (" << time.nanos() << " ns), in the past";
  CHECK(payload_size == types_[type].payload_size)
      << "event " << NameOf(type) << " takes a payload of "
      << types_[type].payload_size << " bytes, not " << payload_size;
  CHECK(false);
  __builtin_unreachable();
}

}  // namespace groupsim
