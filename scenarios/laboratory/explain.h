// Why a member gets the queues it gets, as arithmetic that can be followed with
// pencil and paper.
#ifndef GROUPSIM_SCENARIOS_LABORATORY_EXPLAIN_H_
#define GROUPSIM_SCENARIOS_LABORATORY_EXPLAIN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "model/allocation/catalogue.h"
#include "model/wire/message_queue.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/strategy_setup.h"

namespace groupsim {

// Lines of text without newlines. `member` is a position in the experiment's
// group, `assignment` what the strategy made of that. Of strategies without an
// explanation of their own it says what they promise.
std::vector<std::string> Explain(const StrategyEntry& strategy,
                                 const StrategySettings& settings,
                                 const Experiment& experiment,
                                 const GroupAssignment& assignment,
                                 size_t member);

// "broker-a#0..3 broker-b#1": neighbours of one broker together.
std::string QueuesInShort(absl::Span<const MessageQueue> queues);

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_LABORATORY_EXPLAIN_H_
