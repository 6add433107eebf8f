// A simulated world: time, a network, and hosts with processes.
//
//   World world({.seed = 7});
//   const Name address = world.names().Intern("10.0.0.1:9876");
//   Host& host = world.AddHost(std::move(spec));
//   host.Start();
//   world.At(Instant::Start() + 10s, [&] { host.Crash(); });
//   world.RunUntil(Instant::Start() + 60s);
//
// A run is a function of its options and of what is done to the world: nothing
// else, and nothing of another world, has any influence on it.
#ifndef GROUPSIM_SIM_HOST_WORLD_H_
#define GROUPSIM_SIM_HOST_WORLD_H_

#include <cstdint>
#include <deque>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/runtime/frame_pool.h"
#include "model/runtime/ready_queue.h"
#include "sim/engine/engine.h"
#include "sim/engine/engine_failure_context.h"
#include "sim/host/host.h"
#include "sim/host/slot_table.h"
#include "sim/network/network.h"
#include "sim/trace/trace.h"

namespace groupsim {

struct WorldOptions {
  uint64_t seed = 1;
  // The command line that repeats the run, for internal errors.
  std::string reproduce = "(not known)";
  // A test mode: events of one instant fire in an order drawn from the seed.
  bool shuffle_ties = false;
  // When its time begins; before Instant::Start() where something has to be up
  // when the run proper begins.
  Instant start = Instant::Start();
  // More events than these at one instant are a livelock.
  uint64_t max_events_at_one_instant = 10'000'000;
};

class World {
 public:
  explicit World(WorldOptions options);
  // Processes that are alive are destroyed where they stand.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Names are numbered in the order in which they are interned, and each is
  // told by a fact NAMED: observers come first, then brokers and groups, whose
  // numbers are narrow, then all the rest.
  NameTable& names() { return names_; }
  Trace& trace() { return trace_; }

  // Latencies; before the first connection.
  void SetNetwork(NetworkSettings settings) {
    network_.Configure(std::move(settings));
  }

  // Adds a host with nothing running on it; also while the world runs. It lives
  // as long as the world.
  Host& AddHost(HostSpec spec);
  // Null if there is none.
  Host* FindHost(Name name) const;
  // In the order in which they were added.
  std::deque<Host>& hosts() { return hosts_; }

  // Calls `action` at a time, which is not before now(), in a turn that belongs
  // to no process.
  void At(Instant when, absl::AnyInvocable<void()> action);
  void After(Duration delay, absl::AnyInvocable<void()> action) {
    At(now() + delay, std::move(action));
  }

  // Runs all events up to and at `time`. kTimeReached, or kLivelock.
  RunOutcome RunUntil(Instant time);
  RunOutcome RunFor(Duration length) { return RunUntil(now() + length); }
  // Runs until `condition()` holds, which is asked after each turn, but not
  // beyond `limit`. kConditionMet, kTimeReached or kLivelock.
  template <class Condition>
  RunOutcome RunUntil(Condition condition, Instant limit) {
    Running running(*this);
    return engine_.RunUntil(std::move(condition), limit);
  }

  Instant now() const { return engine_.now(); }
  uint64_t seed() const { return options_.seed; }
  Engine& engine() { return engine_; }
  Network& network() { return network_; }
  const FramePool& frame_pool() const { return frame_pool_; }

 private:
  // What holds while events fire.
  class Running {
   public:
    explicit Running(World& world);

   private:
    FramePool::Scope frames_;
    EngineFailureContext context_;
  };

  struct ActionEvent {
    uint64_t id;
  };

  void OnAction(const ActionEvent& event);
  void FinishTurn();

  const WorldOptions options_;
  NameTable names_;
  Engine engine_;
  Trace trace_;
  FramePool frame_pool_;
  ReadyQueue ready_;
  Network network_;
  const EventType action_;
  uint64_t actions_given_ = 0;
  SlotTable<absl::AnyInvocable<void()>> actions_;
  HostGround ground_;
  std::deque<Host> hosts_;  // Addresses stay valid as it grows.
  absl::flat_hash_map<Name, Host*> hosts_by_name_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_WORLD_H_
