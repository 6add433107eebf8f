// Loads that change one by one, and how even they are all the time.
#ifndef GROUPSIM_SCENARIOS_MEASURE_CHANGING_LOADS_H_
#define GROUPSIM_SCENARIOS_MEASURE_CHANGING_LOADS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/measure/balance.h"

namespace groupsim {

// The loads of the members of a group. A change takes time in proportion to the
// spread of the loads, however many members there are.
class ChangingLoads {
 public:
  // Loads are not negative. There must be a member of what is removed or
  // changed.
  void AddMember(int64_t load);
  void RemoveMember(int64_t load);
  void Change(int64_t before, int64_t after) {
    RemoveMember(before);
    AddMember(after);
  }

  const Fairness& fairness() const { return fairness_; }
  // As the functions of these names say.
  int64_t balance_score() const { return score_; }
  double gini() const;

 private:
  // Sum of the differences between `load` and the loads of all members.
  int64_t DifferencesTo(int64_t load) const;

  Fairness fairness_;
  int64_t score_ = 0;
  std::vector<int64_t> members_;  // By load.
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_MEASURE_CHANGING_LOADS_H_
