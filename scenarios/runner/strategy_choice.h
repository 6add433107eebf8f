// Which allocation strategy each consumer of a scenario runs.
#ifndef GROUPSIM_SCENARIOS_RUNNER_STRATEGY_CHOICE_H_
#define GROUPSIM_SCENARIOS_RUNNER_STRATEGY_CHOICE_H_

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "model/allocation/strategy.h"
#include "model/base/name.h"
#include "scenarios/reader/growth.h"
#include "scenarios/schema/scenario.pb.h"
#include "scenarios/strategies/scenario_rooms.h"

namespace groupsim {

// Makes the strategies, and tells them who is in which room. The scenario is
// valid; it and `names` outlive this.
class StrategyChoice {
 public:
  StrategyChoice(const Scenario& scenario, NameTable& names);

  // All consumers of a group with equal strategies have one. One that needs the
  // previous assignment, which only a comparison sets, thus works as if
  // somebody knew that.
  //
  // Of a consumer whose generated client ids begin with `address`: the
  // consumer's own, or that of its group.
  std::shared_ptr<const AllocationStrategy> For(
      const schema::Group& group, const schema::Consumer& consumer,
      const std::string& address);

 private:
  std::shared_ptr<const AllocationStrategy> Make(
      const schema::Group& group, const schema::Strategy& chosen) const;

  const Scenario& scenario_;
  const Growth growth_;
  NameTable& names_;
  const std::shared_ptr<ScenarioRooms> rooms_;
  // By group and the strategy as it is written.
  std::map<std::pair<std::string, std::string>,
           std::shared_ptr<const AllocationStrategy>>
      made_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_RUNNER_STRATEGY_CHOICE_H_
