// groupsim allocate: who gets which queue, without a clock.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/explain.h"
#include "scenarios/laboratory/group_plan.h"
#include "scenarios/laboratory/strategy_setup.h"
#include "scenarios/laboratory/survey.h"
#include "scenarios/reader/finding.h"
#include "tools/cli/allocate_input.h"
#include "tools/cli/allocate_output.h"
#include "tools/cli/command.h"
#include "tools/cli/console.h"
#include "tools/cli/scenario_files.h"

namespace groupsim {
namespace {

ExitCode Invalid(absl::string_view message) {
  PrintError(message);
  return ExitCode::kInvalidInput;
}

// Prints the explanation of one member's share.
ExitCode PrintExplanation(const AllocateInput& input,
                          const NamedExperiment& named,
                          const Outcome& outcome) {
  const std::vector<GroupMember>& members = named.experiment.group.members;
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const GroupMember& m) {
        return named.experiment.NameOf(m.id) == *input.explain;
      });
  if (found == members.end()) {
    std::vector<absl::string_view> ids;
    for (const GroupMember& member : members) {
      ids.push_back(named.experiment.NameOf(member.id));
    }
    const std::string hint = DidYouMean(NearestName(*input.explain, ids));
    return Invalid(absl::StrCat("no consumer is called ", Quote(*input.explain),
                                hint.empty() ? "" : "; ", hint));
  }
  const std::vector<std::string> lines =
      Explain(*input.strategies[0], input.settings, named.experiment,
              outcome.assignment, static_cast<size_t>(found - members.begin()));
  return PrintResult(absl::StrCat(absl::StrJoin(lines, "\n"), "\n"));
}

ExitCode RunOne(const AllocateInput& input, const std::string& format) {
  const StrategyEntry& strategy = *input.strategies[0];
  if (const std::string missing = MissingFlags(strategy, input);
      !missing.empty()) {
    return PrintUsageError(
        "allocate", absl::StrCat(strategy.name, " needs ",
                                 ToString(strategy.needs), ": give ", missing));
  }
  const absl::StatusOr<NamedExperiment> named =
      MakeExperiment(input.plan, input.seed, 0);
  if (!named.ok()) return Invalid(named.status().message());
  const absl::StatusOr<GroupStrategyPtr> made =
      SetUp(strategy, input.settings, *named);
  if (!made.ok()) return Invalid(made.status().message());
  absl::StatusOr<Outcome> outcome = Try(**made, named->experiment);
  if (!outcome.ok()) {
    return Invalid(absl::StrCat(
        strategy.name, " refuses the group: ", outcome.status().message()));
  }
  if (input.explain.has_value()) {
    return PrintExplanation(input, *named, *outcome);
  }
  const Allocation allocation = {.strategy = &strategy,
                                 .experiment = &named->experiment,
                                 .outcome = *std::move(outcome)};
  return PrintResult(format == "json"  ? AllocationJson(allocation)
                     : format == "csv" ? AllocationCsv(allocation)
                                       : AllocationText(allocation));
}

ExitCode RunTable(const AllocateInput& input, const std::string& format) {
  std::vector<NamedExperiment> experiments;
  for (uint64_t trial = 0; trial < input.trials; ++trial) {
    absl::StatusOr<NamedExperiment> named =
        MakeExperiment(input.plan, input.seed, trial);
    if (!named.ok()) return Invalid(named.status().message());
    experiments.push_back(*std::move(named));
  }
  std::vector<SurveyRow> rows;
  for (const StrategyEntry* strategy : input.strategies) {
    SurveyRow row;
    row.strategy = strategy;
    if (const std::string missing = MissingFlags(*strategy, input);
        !missing.empty()) {
      row.why_not =
          absl::StrCat("needs ", ToString(strategy->needs), ": give ", missing);
      if (input.named) {
        return PrintUsageError("allocate",
                               absl::StrCat(strategy->name, " ", row.why_not));
      }
      rows.push_back(std::move(row));
      continue;
    }
    const absl::StatusOr<Survey> survey =
        SurveyOf(*strategy, input.settings, experiments);
    if (survey.ok()) {
      row.survey = *survey;
    } else if (input.named) {
      return Invalid(absl::StrCat(
          strategy->name, " refuses the group: ", survey.status().message()));
    } else {
      row.why_not = std::string(survey.status().message());
    }
    rows.push_back(std::move(row));
  }
  return PrintResult(format == "json"  ? SurveyJson(input, rows)
                     : format == "csv" ? SurveyCsv(rows)
                                       : SurveyText(input, rows));
}

}  // namespace

std::vector<FlagInfo> AllocateFlags() {
  return {
      {.name = "strategy",
       .value = "NAME",
       .help = "all about one strategy (default averagely)"},
      {.name = "strategies",
       .value = "A,B|all",
       .help = "one row for each of several strategies"},
      {.name = "queues",
       .value = "N|LIST",
       .help = "how many queues, or which: broker-a#0..3,broker-b#0"},
      {.name = "consumers",
       .value = "N|LIST",
       .help = "how many consumers, or their client ids"},
      {.name = "topics",
       .value = "N|LIST",
       .help = "how many topics of --queues queues each, or orders:16,bills:4"},
      {.name = "brokers",
       .value = "N|LIST",
       .help = "the brokers over which queues are spread (default 1)"},
      {.name = "rooms",
       .value = "N|LIST",
       .help = "how many rooms, taken in turn, or pod-0:east,broker-a:west"},
      {.name = "weights",
       .value = "LIST",
       .help = "a whole number for each consumer, and each joiner"},
      {.name = "lags",
       .value = "LIST",
       .help = "lag of each queue; a shorter list is repeated"},
      {.name = "virtual-nodes",
       .value = "N",
       .help = "places of a consumer on a hash ring (default 10)"},
      {.name = "inner",
       .value = "NAME",
       .help = "the strategy inside machine_room_nearby (default averagely)"},
      {.name = "config",
       .value = "LIST",
       .help = "lists for by_config: pod-0:broker-a#0..3,pod-1:broker-b#0"},
      {.name = "scenario",
       .value = "FILE",
       .help = "take queues, consumers, rooms and strategy from a scenario"},
      {.name = "group",
       .value = "NAME",
       .help = "the group of the scenario, where it has several"},
      {.name = "join", .value = "N", .help = "what moves if N consumers join"},
      {.name = "leave",
       .value = "LIST|any",
       .help = "what moves if these consumers leave"},
      {.name = "rolling-restart",
       .value = "",
       .help = "what moves if all restart, one after the other"},
      {.name = "trials",
       .value = "N",
       .help = "means over N groups with drawn client ids"},
      {.name = "seed", .value = "N", .help = "of what is drawn (default 1)"},
      {.name = "explain",
       .value = "NAME",
       .help = "show how the share of the consumer of this name comes about"},
      {.name = "format",
       .value = "FORMAT",
       .help = "text (default), json or csv",
       .choices = {"text", "json", "csv"}},
  };
}

ExitCode RunAllocate(const Flags& flags, const std::vector<std::string>& rest) {
  if (!rest.empty()) {
    return PrintUsageError(
        "allocate",
        absl::StrCat("allocate takes flags only, not ", Quote(rest[0])));
  }
  std::vector<ScenarioFile> files;
  if (flags.Has("scenario")) {
    const ExitCode exit = LoadScenarios({flags.Value("scenario")}, files);
    if (exit != ExitCode::kPassed) return exit;
  }
  AllocateInput input;
  const absl::Status status = ReadAllocateFlags(
      flags, files.empty() ? nullptr : &files[0].scenario, &input);
  if (absl::IsOutOfRange(status)) return Invalid(status.message());
  if (!status.ok()) return PrintUsageError("allocate", status.message());
  std::string format = flags.Value("format");
  return input.table ? RunTable(input, format) : RunOne(input, format);
}

}  // namespace groupsim
