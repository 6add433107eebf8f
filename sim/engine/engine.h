// Virtual time and the events that make it pass.
//
//   Engine engine;
//   const EventType wake = engine.Register<&Host::OnWake>("host.wake", &host);
//   EventHandle handle = engine.After(20ms, wake, Wake{host_number});
//   engine.Cancel(handle);
//   engine.RunUntil(Instant::Start() + 10min);
#ifndef GROUPSIM_SIM_ENGINE_ENGINE_H_
#define GROUPSIM_SIM_ENGINE_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/base/time.h"
#include "sim/engine/event.h"
#include "sim/engine/event_pool.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/fingerprint.h"

namespace groupsim {

struct EngineOptions {
  // How many events may fire at one instant before the engine calls it a
  // livelock. At least 1.
  uint64_t max_events_at_one_instant = 10'000'000;

  // A test mode: events of equal time fire in an order drawn from this seed
  // instead of the order of scheduling, the same one in every run. Shows what
  // depends on ties.
  std::optional<uint64_t> shuffle_ties = std::nullopt;

  // When time begins; may lie before Instant::Start().
  Instant start = Instant::Start();
};

// What one step did.
enum class StepOutcome {
  kFired,     // One event fired.
  kNothing,   // No event was due.
  kLivelock,  // The next event would be one too many at this instant.
};

// Why a run ended.
enum class RunOutcome {
  kTimeReached,   // now() is the time asked for; all events up to it fired.
  kConditionMet,  // The condition held after an event, or from the start.
  kIdle,          // No event is left.
  kLivelock,      // See Engine::livelock().
};

// A type of event that took part in a livelock.
struct LivelockEvent {
  EventType type;
  uint64_t count;  // Of the last events at the instant, at most 1,024.
};

// A handler without a payload takes this one.
struct NoPayload {};

namespace internal {

// What a handler takes: the class it belongs to and its payload.
template <class Method>
struct HandlerTraits;
template <class C, class P>
struct HandlerTraits<void (C::*)(P)> {
  using Class = C;
  using Payload = std::remove_cvref_t<P>;
};
template <class C>
struct HandlerTraits<void (C::*)()> {
  using Class = C;
  using Payload = NoPayload;
};

}  // namespace internal

// The event queue, virtual time and the fingerprint of the schedule.
//
// Time begins at the start given and never goes back. Events of equal time
// fire in the order in which they were scheduled. One event fires at a time and
// to its end; whatever it schedules, even for now, fires later.
class Engine {
 public:
  // Gets the context given at registration, and the payload, which lives until
  // the handler returns.
  using Handler = void (*)(void* context, void* payload);
  // Gets the context given with it.
  using Hook = void (*)(void* context);

  explicit Engine(const EngineOptions& options = {});
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The virtual time: that of the event being fired, or of the last one, or
  // what RunUntil was given where nothing was left before it.
  Instant now() const { return TimeOf(queue_.now()); }

  // Makes a type of event known: by its name, which becomes part of the
  // schedule fingerprint, and by who handles it. At most 65,535 types.
  EventType Register(absl::string_view name, Handler handler, void* context);

  // The same for a member function `void Class::Method(const Payload&)`, or
  // `void Class::Method()`; events of this type must carry such a payload.
  template <auto kMethod>
  EventType Register(
      absl::string_view name,
      typename internal::HandlerTraits<decltype(kMethod)>::Class* object);

  // The name of a type.
  absl::string_view NameOf(EventType type) const { return types_[type].name; }

  // Schedules an event of `type` at `time`, which must not be before now().
  // `payload` is copied: a plain value of at most kMaxEventPayload bytes. `tag`
  // tells events of a type apart in the schedule fingerprint; it must not come
  // from an address.
  template <class Payload>
  EventHandle At(Instant time, EventType type, const Payload& payload,
                 uint64_t tag = 0);
  EventHandle At(Instant time, EventType type) {
    return At(time, type, NoPayload{});
  }

  // The same `delay` after now(); not negative.
  template <class Payload>
  EventHandle After(Duration delay, EventType type, const Payload& payload,
                    uint64_t tag = 0) {
    return At(now() + delay, type, payload, tag);
  }
  EventHandle After(Duration delay, EventType type) {
    return At(now() + delay, type, NoPayload{});
  }

  // Takes an event of this engine back; false if it is no longer pending, which
  // it is neither while nor after it fires.
  bool Cancel(EventHandle handle);

  // Whether an event of this engine is still to fire.
  bool IsPending(EventHandle handle) const {
    return pool_.IsLive(handle.word_);
  }

  // The time of the next event, if there is one.
  std::optional<Instant> NextTime();

  // Fires the next event.
  StepOutcome Step();

  // Fires all events up to `time` and those at it, those that they schedule
  // included, and leaves now() at `time`, which must not be before now().
  RunOutcome RunUntil(Instant time);

  // Fires events until `condition()` holds, looking after each one, but none
  // after `limit`.
  template <class Condition>
  RunOutcome RunUntil(Condition condition, Instant limit);

  // Fires events until none is left; now() stays at the last one.
  RunOutcome RunUntilIdle();

  // Calls `hook` after each event, before the next one: for work that belongs
  // to the event's turn. Null for none.
  void AfterEachEvent(Hook hook, void* context) {
    after_event_ = hook;
    after_event_context_ = context;
  }

  // Calls `hook` after every kCheckpointEvents-th event and the hook above.
  static constexpr uint64_t kCheckpointEvents = 4'096;
  void AtEachCheckpoint(Hook hook, void* context) {
    checkpoint_ = hook;
    checkpoint_context_ = context;
  }

  uint64_t fired() const { return fired_; }          // Events since the start.
  uint64_t cancelled() const { return cancelled_; }  // Likewise.
  size_t pending() const { return queue_.live(); }

  // Cancelled events whose keys are still in memory.
  size_t stale_keys() const { return queue_.dead(); }

  // Memory held for events, in bytes.
  size_t bytes() const { return pool_.bytes() + queue_.bytes(); }

  // Of the types registered and of the time, type and tag of each event fired,
  // in order.
  uint64_t schedule_fingerprint() const { return schedule_.value(); }

  // The type of the event being fired.
  std::optional<EventType> running() const { return running_; }

  // After kLivelock: which events fired last at this instant, most frequent
  // first, and a sentence about it.
  std::vector<LivelockEvent> livelock() const;
  std::string DescribeLivelock() const;

 private:
  static constexpr uint16_t kAnySize = UINT16_MAX;
  static constexpr uint64_t kWatched = 1'024;

  struct Type {
    Handler handler;
    void* context;
    uint16_t payload_size;  // Or kAnySize.
    std::string name;
  };

  // The queue counts nanoseconds from the start on.
  uint64_t TicksOf(Instant time) const {
    return static_cast<uint64_t>(time.nanos()) -
           static_cast<uint64_t>(start_.nanos());
  }
  Instant TimeOf(uint64_t ticks) const {
    return Instant::FromNanos(
        static_cast<int64_t>(ticks + static_cast<uint64_t>(start_.nanos())));
  }
  EventType AddType(absl::string_view name, Handler handler, void* context,
                    uint16_t payload_size);
  StepOutcome Fire(uint64_t limit);
  RunOutcome Run(uint64_t limit);
  void Watch(EventType type);
  uint64_t Shuffled(uint64_t generation) const;
  [[noreturn]] void RefuseEvent(Instant time, EventType type,
                                size_t payload_size) const;

  EventPool pool_;
  EventQueue queue_;
  std::vector<Type> types_;
  Fingerprint schedule_;

  Hook after_event_ = nullptr;
  void* after_event_context_ = nullptr;
  Hook checkpoint_ = nullptr;
  void* checkpoint_context_ = nullptr;

  uint64_t scheduled_ = 0;
  uint64_t fired_ = 0;
  uint64_t cancelled_ = 0;
  std::optional<EventType> running_;

  const Instant start_;
  const std::optional<uint64_t> shuffle_;
  const uint64_t max_at_instant_;
  const uint64_t watch_from_;
  uint64_t instant_ = 0;           // The time of the last event,
  uint64_t at_instant_ = 0;        // and how many fired at it.
  std::vector<uint64_t> watched_;  // How many of each type, from watch_from_.
};

template <auto kMethod>
EventType Engine::Register(
    absl::string_view name,
    typename internal::HandlerTraits<decltype(kMethod)>::Class* object) {
  using Traits = internal::HandlerTraits<decltype(kMethod)>;
  using Class = typename Traits::Class;
  using Payload = typename Traits::Payload;
  const Handler handler = [](void* context, void* payload) {
    auto* self = static_cast<Class*>(context);
    if constexpr (std::is_same_v<decltype(kMethod), void (Class::*)()>) {
      (self->*kMethod)();
    } else {
      (self->*kMethod)(*static_cast<const Payload*>(payload));
    }
  };
  return AddType(name, handler, object, sizeof(Payload));
}

template <class Payload>
EventHandle Engine::At(Instant time, EventType type, const Payload& payload,
                       uint64_t tag) {
  static_assert(std::is_trivially_copyable_v<Payload> &&
                std::is_trivially_destructible_v<Payload>);
  static_assert(sizeof(Payload) <= kMaxEventPayload);
  static_assert(alignof(Payload) <= alignof(uint64_t));
  if (time < now() || scheduled_ == EventWord::kMaxGeneration ||
      type >= types_.size() ||
      (types_[type].payload_size != sizeof(Payload) &&
       types_[type].payload_size != kAnySize)) [[unlikely]] {
    RefuseEvent(time, type, sizeof(Payload));
  }
  uint64_t generation = ++scheduled_;
  if (shuffle_.has_value()) [[unlikely]] {
    generation = Shuffled(generation);
  }
  const uint32_t number = pool_.Take();
  EventSlot& slot = pool_.At(number);
  std::memcpy(slot.payload, &payload, sizeof(Payload));
  slot.tag = tag;
  slot.state = generation << 16 | type;
  const uint64_t word = EventWord::Make(generation, number);
  queue_.Push(TicksOf(time), word);
  return EventHandle(word);
}

inline bool Engine::Cancel(EventHandle handle) {
  if (!pool_.IsLive(handle.word_)) return false;
  pool_.Free(EventWord::SlotOf(handle.word_));
  queue_.Cancelled();
  ++cancelled_;
  return true;
}

template <class Condition>
RunOutcome Engine::RunUntil(Condition condition, Instant limit) {
  for (;;) {
    if (condition()) return RunOutcome::kConditionMet;
    switch (Fire(TicksOf(limit))) {
      case StepOutcome::kFired:
        break;
      case StepOutcome::kNothing:
        return RunUntil(limit);
      case StepOutcome::kLivelock:
        return RunOutcome::kLivelock;
    }
  }
}

}  // namespace groupsim

#endif  // GROUPSIM_SIM_ENGINE_ENGINE_H_
