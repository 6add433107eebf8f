// What `groupsim allocate` prints.
#ifndef GROUPSIM_TOOLS_CLI_ALLOCATE_OUTPUT_H_
#define GROUPSIM_TOOLS_CLI_ALLOCATE_OUTPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/catalogue.h"
#include "model/wire/message_queue.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/survey.h"
#include "tools/cli/allocate_input.h"

namespace groupsim {

// One strategy on one group.
struct Allocation {
  const StrategyEntry* strategy = nullptr;
  const Experiment* experiment = nullptr;
  Outcome outcome;
};

// A bar for each consumer, with the queues it gets, and all measures.
std::string AllocationText(const Allocation& allocation);
std::string AllocationJson(const Allocation& allocation);
// A line per queue.
std::string AllocationCsv(const Allocation& allocation);

// One strategy on average, or why it was not run.
struct SurveyRow {
  const StrategyEntry* strategy = nullptr;
  std::optional<Survey> survey;
  std::string why_not;
};

// A line per strategy; those not run are named below the table.
std::string SurveyText(const AllocateInput& input,
                       absl::Span<const SurveyRow> rows);
std::string SurveyJson(const AllocateInput& input,
                       absl::Span<const SurveyRow> rows);
std::string SurveyCsv(absl::Span<const SurveyRow> rows);

// "broker-a#0..3 broker-b#1", with the topic before each where there are
// several; at most about `width` characters, if that is not 0.
std::string QueuesInWords(const GroupView& view,
                          absl::Span<const QueuePosition> share, size_t width);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_ALLOCATE_OUTPUT_H_
