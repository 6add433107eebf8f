// The clients of a scenario, one by one.
#ifndef GROUPSIM_SCENARIOS_READER_ROSTER_H_
#define GROUPSIM_SCENARIOS_READER_ROSTER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "scenarios/reader/growth.h"
#include "scenarios/schema/scenario.pb.h"

namespace groupsim {

// A consumer process, also one that runs only once its block grows.
struct RosterEntry {
  std::string name;
  int group = 0;         // Its place among the groups,
  int block = 0;         // that of its block in the group,
  int32_t in_block = 0;  // and its own in the block.
  Duration start;        // If it is wanted by then.
  bool at_first = true;  // Its block is large enough from the beginning.
};

// The processes of a producer, or of one with a count.
std::vector<std::string> NamesOf(const schema::Producer& producer);

// In the order of declaration, which is that of their numbers. The scenario is
// complete and need not be valid.
std::vector<RosterEntry> RosterOf(const Scenario& scenario,
                                  const Growth& growth);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_ROSTER_H_
