// What may have caused something: the last thing that happened to a group.
#ifndef GROUPSIM_SCENARIOS_EXPECT_CAUSES_H_
#define GROUPSIM_SCENARIOS_EXPECT_CAUSES_H_

#include <string>
#include <vector>

#include "model/base/time.h"
#include "model/facts/fact.h"
#include "scenarios/measure/measures.h"
#include "scenarios/measure/subjects.h"
#include "scenarios/schema/scenario.pb.h"
#include "sim/trace/trace.h"

namespace groupsim {

class Causes final : public FactObserver {
 public:
  // All outlive this.
  Causes(const Scenario& scenario, Measures& whole)
      : scenario_(scenario), whole_(whole) {}

  void OnFact(const Fact& fact) override;

  // "after pod-1 crashed at 30 s": the last change of the group's members (of
  // any group for none), or the last event of the timeline if that is later;
  // "" if there was nothing until `time`.
  std::string Before(GroupIndex group, Instant time) const;

 private:
  const Scenario& scenario_;
  Measures& whole_;
  std::vector<Fact> events_;  // TIMELINE_EVENT, those that hit something.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_EXPECT_CAUSES_H_
