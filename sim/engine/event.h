// The small types of events.
#ifndef GROUPSIM_SIM_ENGINE_EVENT_H_
#define GROUPSIM_SIM_ENGINE_EVENT_H_

#include <cstddef>
#include <cstdint>

namespace groupsim {

// Number of a kind of event, given by Engine::Register in order of
// registration, from 0.
using EventType = uint16_t;

// What an event may carry along, in bytes.
inline constexpr size_t kMaxEventPayload = 48;

// Names one scheduled event for as long as it is pending, and nothing
// afterwards: a handle whose event fired or was cancelled is stale, and stays
// so when its place is used again. The default one names no event.
class EventHandle {
 public:
  EventHandle() = default;

  explicit operator bool() const { return word_ != 0; }
  friend bool operator==(EventHandle a, EventHandle b) = default;

 private:
  friend class Engine;
  explicit EventHandle(uint64_t word) : word_(word) {}

  uint64_t word_ = 0;  // An EventKey's word; 0 is never one.
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_ENGINE_EVENT_H_
