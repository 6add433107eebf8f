// Holds the events of a paused host.
#ifndef GROUPSIM_SIM_NETWORK_PAUSE_GATE_H_
#define GROUPSIM_SIM_NETWORK_PAUSE_GATE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/engine.h"

namespace groupsim {

// Whoever would call into the process of a host asks closed() first, and if so,
// hands the event over with Hold() instead. Once the gate is opened the events
// fire at that time, each as a turn of its own, in the order in which they
// came. What comes up while they do is held too, so that it comes after them.
class PauseGate {
 public:
  // Where held events come from, and where they go.
  class Source {
   public:
    // Does what the event would have done; it may be out of date by now.
    virtual void OnReleased(uint64_t id) = 0;
    // The process is gone.
    virtual void OnDropped(uint64_t id) = 0;

   protected:
    ~Source() = default;
  };

  // The type of its events; one for all hosts of an engine.
  static EventType RegisterEvent(Engine& engine);

  // `tag` goes into the schedule fingerprint.
  PauseGate(Engine& engine, EventType release, uint64_t tag)
      : engine_(engine), release_(release), tag_(tag) {}
  PauseGate(const PauseGate&) = delete;
  PauseGate& operator=(const PauseGate&) = delete;

  bool closed() const { return closed_; }
  // Closed, and not to be opened by itself.
  bool paused() const { return paused_; }

  void Close();
  void Open();
  // Only while closed. The source must live until the event fired, or Clear.
  void Hold(Source& source, uint64_t id);
  // Abandons what is held, and opens.
  void Clear();

  // Events held.
  size_t held() const { return held_.size() - next_; }

 private:
  struct Held {
    Source* source;
    uint64_t id;
  };
  struct Release {
    PauseGate* gate;
  };

  void ScheduleRelease();
  void OnRelease();

  bool closed_ = false;
  bool paused_ = false;
  Engine& engine_;
  const EventType release_;
  const uint64_t tag_;
  std::vector<Held> held_;
  size_t next_ = 0;  // Those before it fired.
  EventHandle next_release_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_NETWORK_PAUSE_GATE_H_
