#include "scenarios/reader/strategies.h"

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/wire/message_queue.h"
#include "scenarios/strategies/scenario_rooms.h"
#include "scenarios/strategies/strategy_of.h"

namespace groupsim {
namespace {

class StrategyChecker {
 public:
  StrategyChecker(const Scenario& scenario, ScenarioNames& names, Judge& judge)
      : scenario_(scenario), names_(names), judge_(judge) {}

  // The strategy at `path`, of a group or of one of its consumers.
  void Check(const schema::Strategy& strategy, const schema::Group& group,
             const std::string& path) {
    if (judge_.HasFindingWithin(path)) return;  // Told already.
    // What the world will give, as far as it decides whether this can be made.
    StrategyGround ground;
    ground.configured_queues.emplace_back();
    ground.rooms = std::make_shared<ScenarioRooms>();
    const absl::StatusOr<AllocationStrategyPtr> made =
        MakeStrategy(strategy, ground);
    if (!made.ok()) {
      judge_.Value(path, std::string(made.status().message()));
      return;
    }
    if (strategy.has_by_config()) CheckByConfig(strategy, group, path);
    if (strategy.has_by_machine_room()) CheckByMachineRoom(path);
    if (strategy.has_machine_room_nearby()) CheckNearby(group, path);
  }

 private:
  void CheckByConfig(const schema::Strategy& strategy,
                     const schema::Group& group, const std::string& path) {
    const std::string at = FieldPath(path, "by_config");
    const schema::ByConfig& config = strategy.by_config();
    std::string topic = config.topic();
    if (topic.empty()) {
      if (group.subscribe_size() != 1) {
        judge_.Name(at, absl::StrCat("ByConfig needs topic, as group ",
                                     Quote(group.name()), " subscribes to ",
                                     group.subscribe_size()));
        return;
      }
      topic = group.subscribe(0).topic();
    }
    names_.CheckQueues(config.queues(), names_.TopicNamed(topic),
                       FieldPath(at, "queues"));
  }

  // Otherwise nobody would get any queue.
  void CheckByMachineRoom(const std::string& path) {
    for (const schema::Broker& broker : scenario_.broker()) {
      if (absl::StrContains(broker.name(), '@')) return;
    }
    judge_.Name(FieldPath(path, "by_machine_room"),
                "by_machine_room reads the room of a queue from the name of "
                "its broker; no broker is called ROOM@NAME");
  }

  // RocketMQ's strategy fails for every client if it cannot find the room of
  // one.
  void CheckNearby(const schema::Group& group, const std::string& path) {
    const std::string at = FieldPath(path, "machine_room_nearby");
    for (const schema::Broker& broker : scenario_.broker()) {
      if (!broker.room().empty()) continue;
      judge_.Name(at, absl::StrCat("machine_room_nearby needs the room of ",
                                   "broker ", Quote(broker.name())));
      return;
    }
    for (const schema::Consumer& consumer : group.consumer()) {
      if (!consumer.room().empty()) continue;
      judge_.Name(at, absl::StrCat("machine_room_nearby needs the room of ",
                                   "consumer ", Quote(consumer.name())));
      return;
    }
  }

  const Scenario& scenario_;
  ScenarioNames& names_;
  Judge& judge_;
};

}  // namespace

void CheckStrategies(const Scenario& scenario, ScenarioNames& names,
                     Judge& judge) {
  StrategyChecker checker(scenario, names, judge);
  for (int i = 0; i < scenario.group_size() && !judge.full(); ++i) {
    const schema::Group& group = scenario.group(i);
    const std::string path = FieldPath("", "group", i);
    if (group.has_strategy()) {
      checker.Check(group.strategy(), group, FieldPath(path, "strategy"));
    }
    for (int j = 0; j < group.consumer_size() && !judge.full(); ++j) {
      const schema::Consumer& consumer = group.consumer(j);
      if (!consumer.has_strategy()) continue;
      checker.Check(consumer.strategy(), group,
                    FieldPath(FieldPath(path, "consumer", j), "strategy"));
    }
  }
}

}  // namespace groupsim
