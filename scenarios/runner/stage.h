// A scenario set up as a world.
#ifndef GROUPSIM_SCENARIOS_RUNNER_STAGE_H_
#define GROUPSIM_SCENARIOS_RUNNER_STAGE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/push_consumer.h"
#include "scenarios/faults/cast.h"
#include "scenarios/faults/timeline.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/runner/raise_clients.h"
#include "scenarios/schema/scenario.pb.h"
#include "scenarios/workload/scenario_listener.h"
#include "sim/host/world.h"

namespace groupsim {

// Puts the name servers, brokers, producers and consumers of a scenario on
// hosts of a world, and their starts, the traffic and the timeline on its
// schedule.
//
// The cluster has been up for a while when the scenario begins: name servers
// and brokers start before time zero, at times drawn from the seed, so that the
// phases of their periodic tasks differ from seed to seed as they do in life.
// Producers are connected at time zero as well.
class Stage {
 public:
  // When the world begins, so that the cluster can come up.
  static constexpr Duration kSettling = 60s;

  // `scenario` is complete and valid, and outlives the stage. The world is
  // given with its observers of names registered, and nothing else.
  Stage(const Scenario& scenario, World& world);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // Subjects are known; measures may be registered. Puts the messages and
  // offsets of the past where they belong and schedules everything.
  void Begin();

  const Subjects& subjects() const { return subjects_; }
  const Cast& cast() const { return cast_; }
  // Empty before Begin, but can be asked to tell of named events.
  Timeline& timeline() { return timeline_; }
  const Timeline& timeline() const { return timeline_; }

  // The tables of the consumer's present process; null while none is alive.
  const OwnedQueues* tables(ConsumerIndex index) const {
    const auto& part = cast_.consumers()[static_cast<size_t>(index)];
    if (!part.host->alive()) return nullptr;
    return part.lite_pull != nullptr ? &part.lite_pull->owned()
           : part.pull != nullptr    ? &part.pull->owned()
                                     : &part.process->owned();
  }
  // Messages that its application has taken out of them and works on.
  int64_t at_work(ConsumerIndex index) const {
    const auto& part = cast_.consumers()[static_cast<size_t>(index)];
    if (!part.host->alive()) return 0;
    return part.lite_pull != nullptr ? part.lite_pull->application().at_work()
           : part.pull != nullptr    ? part.pull->application().at_work()
                                     : 0;
  }

  // Messages stored before the run, by topic, in the order of the scenario.
  const std::vector<int64_t>& stored_before() const { return stored_before_; }

 private:
  void NameEverything();
  void SetNetwork();
  void StartEverything();
  Duration Earlier(Name process, Duration earliest, Duration latest) const;

  const Scenario& scenario_;
  World& world_;
  Subjects subjects_;
  Cast cast_;
  std::vector<std::unique_ptr<ScenarioListener>> listeners_;
  std::vector<ConsumerStart> consumer_starts_;
  Timeline timeline_;
  std::vector<int64_t> stored_before_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_STAGE_H_
