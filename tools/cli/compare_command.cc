// groupsim compare: one scenario under several strategies or settings.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "model/base/check.h"
#include "scenarios/reader/finding.h"
#include "scenarios/runner/runner.h"
#include "scenarios/schema/group.pb.h"
#include "tools/cli/command.h"
#include "tools/cli/comparison.h"
#include "tools/cli/console.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/progress.h"
#include "tools/cli/report_json.h"
#include "tools/cli/scenario_files.h"

namespace groupsim {
namespace {

// Seeds where none are asked for: enough to see what is chance.
constexpr SeedRange kUsualSeeds = {.first = 1, .last = 5};

struct ComparePlan {
  std::string path;
  std::vector<std::string> settings;  // Of all variants.
  std::vector<Variant> variants;
  bool quiet = false;
};

// The reason that the first error gives. Of a part that is not supported yet,
// which the name of the variant says.
std::string WhyNot(const Reading& reading) {
  constexpr absl::string_view kNotYet = "not supported yet";
  for (const Finding* finding : reading.findings.Sorted()) {
    if (finding->severity != Finding::Severity::kError) continue;
    const size_t not_yet = finding->message.find(kNotYet.data());
    return not_yet == std::string::npos ? finding->message
                                        : finding->message.substr(not_yet);
  }
  return "it is not valid";
}

// Gives every consumer a strategy that the reader refuses, since no client can
// compute it.
void SetWhatIf(const std::string& strategy, Scenario& scenario) {
  if (strategy.empty()) return;
  const auto* field = schema::Strategy::descriptor()->FindFieldByName(strategy);
  CHECK(field != nullptr) << strategy;
  for (schema::Group& group : *scenario.mutable_group()) {
    schema::Strategy& chosen = *group.mutable_strategy();
    chosen.GetReflection()->MutableMessage(&chosen, field);
    for (schema::Consumer& consumer : *group.mutable_consumer()) {
      consumer.clear_strategy();
    }
  }
}

class Runs {
 public:
  explicit Runs(ComparePlan plan) : plan_(std::move(plan)) {}

  // Of all variants. What is wrong is printed.
  ExitCode All(Comparison& comparison) {
    // All are read before the first one runs.
    std::vector<std::pair<std::string, ScenarioFile>> files;
    for (const Variant& variant : plan_.variants) {
      std::vector<std::string> settings = plan_.settings;
      settings.insert(settings.end(), variant.settings.begin(),
                      variant.settings.end());
      absl::StatusOr<Reading> reading = ReadScenarioFile(plan_.path, settings);
      if (!reading.ok()) {
        PrintError(CannotRead(plan_.path, reading.status()));
        return ExitCode::kFileError;
      }
      if (!reading->ok() && variant.optional) {
        comparison.left_out.push_back({variant.name, WhyNot(*reading)});
        continue;
      }
      if (!reading->ok()) {
        PrintFindings(reading->FormatFindings());
        return ExitCode::kInvalidInput;
      }
      files.emplace_back(variant.name, MakeScenarioFile(plan_.path, settings,
                                                        *std::move(reading)));
      SetWhatIf(variant.what_if, files.back().second.scenario);
    }
    const uint64_t seeds = comparison.seeds.last - comparison.seeds.first + 1;
    for (size_t i = 0; i < files.size(); ++i) {
      ScenarioFile& file = files[i].second;
      std::vector<Report> reports;
      for (uint64_t j = 0; j < seeds; ++j) {
        file.scenario.set_seed(comparison.seeds.first + j);
        const std::string what =
            absl::StrCat(files[i].first, " (", i * seeds + j + 1, " of ",
                         files.size() * seeds, ")");
        Report report;
        if (!One(file, what, report)) {
          PrintError("interrupted");
          return ExitCode::kInterrupted;
        }
        Shorten(report);
        reports.push_back(std::move(report));
      }
      comparison.duration = ToString(DurationOf(reports[0]));
      AddRows(files[i].first, reports, comparison);
    }
    return ExitCode::kPassed;
  }

 private:
  static Duration DurationOf(const Report& report) {
    return Duration::Nanos(
        static_cast<int64_t>(report.run().duration_seconds() * 1e9 + 0.5));
  }

  // False if interrupted.
  bool One(const ScenarioFile& file, const std::string& what,
           Report& report) const {
    RunOptions options;
    options.scenario_name = FileNameOf(file.path);
    options.reproduce = absl::StrCat(
        "groupsim run --seed=", file.scenario.seed(), " ", file.ShellWords());
    ProgressLine line(what, !plan_.quiet);
    options.progress = [&line](const RunProgress& progress) {
      line.Update(progress);
      return !Interrupted();
    };
    RunResult result = RunScenario(file.scenario, options);
    line.Finish(result.simulated, result.events);
    if (result.interrupted || Interrupted()) return false;
    report = std::move(result.report);
    return true;
  }

  const ComparePlan plan_;
};

// Where the scenario chooses strategies; what is wrong with it is printed.
ExitCode FindStrategyPlaces(const ComparePlan& plan, StrategyPlaces& places) {
  std::vector<ScenarioFile> files;
  const ExitCode loaded = LoadScenarios({plan.path}, files, plan.settings);
  if (loaded == ExitCode::kPassed) places = StrategyPlacesOf(files[0].scenario);
  return loaded;
}

}  // namespace

std::vector<FlagInfo> CompareFlags() {
  return {
      {.name = "strategies",
       .value = "A,B",
       .help = "a variant for each allocation strategy, or for all"},
      {.name = "vary",
       .value = "PATH=v1,v2",
       .help = "a variant for each value of a field; may be repeated, then "
               "each goes with each",
       .choices = {},
       .repeats = true},
      {.name = "seeds",
       .value = "A..B",
       .help = "the seeds of each variant, 1..5 if not given"},
      {.name = "metrics",
       .value = "M1,M2",
       .help = "the metrics to show, of groupsim list metrics"},
      SetFlag(),
      {.name = "format",
       .value = "FORMAT",
       .help = "text (default), json or csv",
       .choices = {"text", "json", "csv"}},
      {.name = "quiet", .value = "", .help = "show no progress"},
  };
}

ExitCode RunCompare(const Flags& flags, const std::vector<std::string>& files) {
  if (files.size() != 1) {
    return PrintUsageError("compare", "compare needs the file of one scenario");
  }
  if (!flags.Has("strategies") && !flags.Has("vary")) {
    return PrintUsageError("compare",
                           "compare needs --strategies or --vary, to have "
                           "something to compare");
  }
  Comparison comparison;
  comparison.scenario = FileNameOf(files[0]);
  comparison.seeds = kUsualSeeds;
  if (flags.Has("seeds")) {
    const absl::StatusOr<SeedRange> seeds =
        ParseSeedRange(flags.Value("seeds"));
    if (!seeds.ok())
      return PrintUsageError("compare", seeds.status().message());
    comparison.seeds = *seeds;
  }
  absl::StatusOr<std::vector<ComparedMetric>> metrics =
      flags.Has("metrics") ? MetricsNamed(flags.Value("metrics"))
                           : UsualMetrics();
  if (!metrics.ok()) {
    return PrintUsageError("compare", metrics.status().message());
  }
  comparison.metrics = *std::move(metrics);
  ComparePlan plan{.path = files[0],
                   .settings = flags.Values("set"),
                   .variants = {},
                   .quiet = flags.Has("quiet")};

  absl::StatusOr<std::vector<Variant>> variants = std::vector<Variant>(1);
  const auto cross = [&variants](absl::StatusOr<std::vector<Variant>> more) {
    if (!variants.ok()) return;
    variants = more.ok() ? Crossed(*variants, *more) : std::move(more);
  };
  if (flags.Has("strategies")) {
    // Names are right or wrong whatever the scenario.
    if (const auto names = VariantsOfStrategies(flags.Value("strategies"), {});
        !names.ok()) {
      return PrintUsageError("compare", names.status().message());
    }
    StrategyPlaces places;
    const ExitCode found = FindStrategyPlaces(plan, places);
    if (found != ExitCode::kPassed) return found;
    cross(VariantsOfStrategies(flags.Value("strategies"), places.fields));
    comparison.replaced = std::move(places.own);
  }
  for (const std::string& field : flags.Values("vary")) {
    cross(VariantsOfField(field));
  }
  if (!variants.ok()) {
    return PrintUsageError("compare", variants.status().message());
  }
  plan.variants = *std::move(variants);

  WatchInterrupts();
  const ExitCode exit = Runs(std::move(plan)).All(comparison);
  if (exit != ExitCode::kPassed) return exit;
  const std::string format = flags.Value("format");
  return PrintResult(format == "json"  ? ComparisonJson(comparison)
                     : format == "csv" ? ComparisonCsv(comparison)
                                       : ComparisonText(comparison));
}

}  // namespace groupsim
