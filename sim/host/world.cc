#include "sim/host/world.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/base/time.h"
#include "model/facts/fact.h"
#include "sim/engine/engine.h"
#include "sim/engine/fingerprint.h"
#include "sim/host/host.h"
#include "sim/host/host_listeners.h"
#include "sim/host/host_timers.h"

namespace groupsim {
namespace {

// Far more than any turn makes ready: a turn that gets there does not end.
constexpr uint64_t kMaxResumptionsInOneTurn = 10'000'000;

EngineOptions EngineOptionsOf(const WorldOptions& options) {
  EngineOptions engine;
  engine.max_events_at_one_instant = options.max_events_at_one_instant;
  engine.start = options.start;
  if (options.shuffle_ties) engine.shuffle_ties = options.seed;
  return engine;
}

}  // namespace

World::World(WorldOptions options)
    : options_(std::move(options)),
      engine_(EngineOptionsOf(options_)),
      trace_(engine_),
      network_(engine_, trace_, options_.seed),
      action_(engine_.Register<&World::OnAction>("world.action", this)) {
  names_.OnNewName([this](Name name) {
    Fact fact;
    fact.kind = FactKind::NAMED;
    fact.offset = name.id();
    fact.value = static_cast<int64_t>(Fingerprint::HashOf(name.text()));
    trace_.Emit(fact);
  });
  ground_.seed = options_.seed;
  ground_.engine = &engine_;
  ground_.facts = &trace_;
  ground_.names = &names_;
  ground_.ready = &ready_;
  ground_.network = &network_;
  ground_.timer = HostTimers::RegisterEvent(engine_);
  ground_.listener_end = HostListeners::RegisterEvent(engine_);
  ground_.command = Host::RegisterCommand(engine_);
  engine_.AfterEachEvent(
      [](void* world) { static_cast<World*>(world)->FinishTurn(); }, this);
}

World::~World() = default;

Host& World::AddHost(HostSpec spec) {
  const Name name = spec.name;
  Host& host = hosts_.emplace_back(ground_, std::move(spec));
  hosts_by_name_.emplace(name, &host);
  return host;
}

Host* World::FindHost(Name name) const {
  const auto found = hosts_by_name_.find(name);
  return found == hosts_by_name_.end() ? nullptr : found->second;
}

void World::At(Instant when, absl::AnyInvocable<void()> action) {
  ActionEvent event;
  event.id = actions_.Add(std::move(action));
  ++actions_given_;
  engine_.At(when, action_, event, actions_given_);
}

RunOutcome World::RunUntil(Instant time) {
  Running running(*this);
  return engine_.RunUntil(time);
}

World::Running::Running(World& world)
    : frames_(world.frame_pool_),
      context_(world.engine_, world.options_.seed, world.options_.reproduce) {
  world.FinishTurn();
}

void World::OnAction(const ActionEvent& event) {
  absl::AnyInvocable<void()> action = std::move(*actions_.Find(event.id));
  actions_.Remove(event.id);
  action();
}

void World::FinishTurn() {
  uint64_t left = kMaxResumptionsInOneTurn;
  while (ready_.RunNext()) {
    --left;
    CHECK(left > 0) << "a turn does not end: coroutines go on without time";
  }
}

}  // namespace groupsim
