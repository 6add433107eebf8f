// What a process is given: the seams, bundled.
#ifndef GROUPSIM_MODEL_RUNTIME_ENV_H_
#define GROUPSIM_MODEL_RUNTIME_ENV_H_

#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "model/runtime/clock.h"
#include "model/runtime/lane_gate.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/random.h"
#include "model/runtime/ready_queue.h"
#include "model/runtime/timer.h"
#include "model/runtime/transport.h"
#include "model/wire/message_queue.h"

namespace groupsim {

// How a process tells its host about its own life. The host acts in a later
// turn; it is the only one that destroys a process.
class Lifecycle {
 public:
  virtual ~Lifecycle() = default;
  // The start sequence ended well.
  virtual void OnReady() = 0;
  // The start sequence failed; asks to be destroyed.
  virtual void OnStartFailed() = 0;
  // The graceful shutdown ended; asks to be destroyed.
  virtual void OnStopped() = 0;
};

// The world as one process sees it. Everything it refers to outlives the
// process. Decisions do not take an Env; services do.
class Env {
 public:
  struct Parts {
    Name process;  // Name of the process; host of its facts.
    int cpus = 4;
    Clock* clock = nullptr;
    TimerQueue* timers = nullptr;
    ReadyQueue* ready = nullptr;
    Transport* transport = nullptr;
    RandomSource* random = nullptr;
    ListenerExecutor* listeners = nullptr;  // Null where nothing consumes.
    FactSink* facts = nullptr;
    NameTable* names = nullptr;
    Lifecycle* lifecycle = nullptr;
  };
  explicit Env(const Parts& parts) : parts_(parts) {}
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;

  Name process() const { return parts_.process; }
  // Processors of the host; sizes the pools that upstream sizes by them.
  int cpus() const { return parts_.cpus; }

  Instant Now() const { return parts_.clock->Now(); }
  int64_t WallMillis() const { return parts_.clock->WallMillis(); }

  Clock& clock() { return *parts_.clock; }
  TimerQueue& timers() { return *parts_.timers; }
  ReadyQueue& ready() { return *parts_.ready; }
  Transport& transport() { return *parts_.transport; }
  ListenerExecutor& listeners() { return *parts_.listeners; }
  NameTable& names() { return *parts_.names; }
  Lifecycle& lifecycle() { return *parts_.lifecycle; }

  // Threads of the process that can be stopped.
  LaneGates& lane_gates() { return lane_gates_; }

  std::unique_ptr<RandomStream> Random(absl::string_view purpose) {
    return parts_.random->Stream(purpose);
  }

  // Emits `fact` with this process as its host.
  void Emit(Fact fact) {
    fact.host = parts_.process.id();
    parts_.facts->Emit(fact);
  }

 private:
  const Parts parts_;
  LaneGates lane_gates_;
};

// Narrowing of name ids for the 16-bit fields of a Fact. Groups and brokers are
// named first in every world, so their ids are small.
inline uint16_t NarrowId(Name name) {
  CHECK(name.id() <= UINT16_MAX) << "too many names before " << name;
  return static_cast<uint16_t>(name.id());
}

// Begins a fact about one queue of a group; `group` may be empty.
inline Fact QueueFact(FactKind kind, Name group, const MessageQueue& queue) {
  Fact fact;
  fact.kind = kind;
  fact.group = NarrowId(group);
  fact.topic = queue.topic.id();
  fact.broker = NarrowId(queue.broker);
  fact.queue = static_cast<uint16_t>(queue.queue_id);
  return fact;
}

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_ENV_H_
