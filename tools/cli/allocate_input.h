// What `groupsim allocate` is asked for.
#ifndef GROUPSIM_TOOLS_CLI_ALLOCATE_INPUT_H_
#define GROUPSIM_TOOLS_CLI_ALLOCATE_INPUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "model/allocation/catalogue.h"
#include "scenarios/laboratory/group_plan.h"
#include "scenarios/laboratory/strategy_setup.h"
#include "scenarios/schema/scenario.pb.h"
#include "tools/cli/flags.h"

namespace groupsim {

struct AllocateInput {
  GroupPlan plan;
  // In the order asked for; at least one.
  std::vector<const StrategyEntry*> strategies;
  StrategySettings settings;
  // What was said about the group, so that strategies can have what they need.
  bool from_scenario = false;
  bool has_rooms = false;
  bool has_weights = false;
  bool has_loads = false;
  // Whether the strategies were named one by one, so that each must run.
  bool named = true;
  // One row per strategy, or all about one strategy.
  bool table = false;
  uint64_t seed = 1;
  uint64_t trials = 1;
  std::optional<std::string> explain;  // A consumer.
};

// InvalidArgument, in words, for flags that contradict each other, lack one
// another or cannot be read, OutOfRange for sizes beyond the limits.
// `scenario` is that of --scenario, or null without it.
absl::Status ReadAllocateFlags(const Flags& flags, const Scenario* scenario,
                               AllocateInput* input);

// The flags that give the strategy what it needs and the input does not have,
// "--lags and --weights"; "" if it has all it needs. The previous assignment is
// always known.
std::string MissingFlags(const StrategyEntry& strategy,
                         const AllocateInput& input);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_ALLOCATE_INPUT_H_
