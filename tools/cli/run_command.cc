// groupsim run: simulates, judges, prints the summary.
#include <cstdint>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "scenarios/runner/runner.h"
#include "scenarios/runner/summary.h"
#include "scenarios/schema/report.pb.h"
#include "tools/cli/command.h"
#include "tools/cli/console.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/junit.h"
#include "tools/cli/output_file.h"
#include "tools/cli/progress.h"
#include "tools/cli/report_json.h"
#include "tools/cli/scenario_files.h"

namespace groupsim {
namespace {

// What the flags ask for.
struct RunPlan {
  std::optional<SeedRange> seeds;  // Nothing: the scenario's own.
  std::string out;                 // "" for no files.
  bool events = false;
  std::string format = "text";
  bool quiet = false;
};

absl::StatusOr<RunPlan> MakePlan(const Flags& flags) {
  RunPlan plan;
  if (flags.Has("seed") && flags.Has("seeds")) {
    return absl::InvalidArgumentError("--seed and --seeds exclude each other");
  }
  if (flags.Has("seed")) {
    const absl::StatusOr<uint64_t> seed =
        ParseSeed("seed", flags.Value("seed"));
    if (!seed.ok()) return seed.status();
    plan.seeds = SeedRange{.first = *seed, .last = *seed};
  } else if (flags.Has("seeds")) {
    const absl::StatusOr<SeedRange> seeds =
        ParseSeedRange(flags.Value("seeds"));
    if (!seeds.ok()) return seeds.status();
    plan.seeds = *seeds;
  }
  plan.out = flags.Value("out");
  plan.events = flags.Has("events");
  if (flags.Has("format")) plan.format = flags.Value("format");
  plan.quiet = flags.Has("quiet");
  if (plan.events && plan.out.empty()) {
    return absl::InvalidArgumentError(
        "--events needs --out, the folder to write events.jsonl to");
  }
  return plan;
}

ExitCode ExitOf(const Report& report) {
  switch (report.verdict()) {
    case Report::PASSED:
      return ExitCode::kPassed;
    case Report::FAILED:
      return ExitCode::kFailed;
    case Report::VACUOUS:
      return ExitCode::kVacuous;
    default:
      CHECK(false) << "a run has no verdict";
      return ExitCode::kInternalError;
  }
}

class Runs {
 public:
  explicit Runs(RunPlan plan) : plan_(std::move(plan)) {}

  ExitCode All(std::vector<ScenarioFile>& files) {
    const uint64_t seeds =
        plan_.seeds ? plan_.seeds->last - plan_.seeds->first + 1 : 1;
    several_ = files.size() > 1 || seeds > 1;
    ExitCode exit = ExitCode::kPassed;
    for (ScenarioFile& file : files) {
      const SeedRange range = plan_.seeds.value_or(
          SeedRange{file.scenario.seed(), file.scenario.seed()});
      std::vector<Report> reports;
      for (uint64_t i = 0; i < seeds; ++i) {
        file.scenario.set_seed(range.first + i);
        Report report;
        const ExitCode one = One(file, report);
        exit = Worse(exit, one);
        if (one == ExitCode::kInterrupted || one == ExitCode::kFileError) {
          return exit;
        }
        if (plan_.format == "json") {
          absl::StrAppend(&json_, json_.empty() ? "" : ",\n",
                          ReportToJson(report));
          continue;
        }
        if (seeds > 1) Shorten(report);
        reports.push_back(std::move(report));
      }
      if (plan_.format == "text") AppendText(file, range, reports);
      if (plan_.format == "junit") {
        for (Report& report : reports) {
          junit_.push_back({std::move(report), file.expectations});
        }
      }
    }
    return Worse(exit, PrintResult(Output()));
  }

 private:
  void AppendText(const ScenarioFile& file, const SeedRange& range,
                  const std::vector<Report>& reports) {
    if (!text_.empty()) absl::StrAppend(&text_, "\n");
    if (reports.size() == 1) {
      absl::StrAppend(&text_, FormatSummary(reports[0]));
      return;
    }
    absl::StrAppend(&text_, FileNameOf(file.path), "   seeds ", range.first,
                    " to ", range.last, "\n\n", FormatSeedTable(reports));
  }

  std::string Output() const {
    if (plan_.format == "junit") return FormatJunit(junit_);
    if (plan_.format == "text") return text_;
    return several_ ? absl::StrCat("[\n", json_, "\n]\n")
                    : absl::StrCat(json_, "\n");
  }

  ExitCode FileError(const absl::Status& status) {
    PrintError(status.message());
    return ExitCode::kFileError;
  }

  // One run of one scenario with the seed that it has.
  ExitCode One(const ScenarioFile& file, Report& report) {
    const std::string seed = absl::StrCat(file.scenario.seed());
    RunOptions options;
    options.scenario_name = FileNameOf(file.path);
    options.reproduce =
        absl::StrCat("groupsim run --seed=", seed, " ", file.ShellWords());
    OutputFolder folder(
        several_ ? absl::StrCat(plan_.out, "/", file.stem, "/seed-", seed)
                 : plan_.out);
    // Before the run, so that nobody waits for it in vain.
    std::vector<std::ostream*> streams;
    if (!plan_.out.empty()) {
      std::vector<std::string> names = {"result.json", "result.binpb",
                                        "junit.xml"};
      if (plan_.events) {
        names.push_back("events.jsonl");
      } else {
        folder.Remove("events.jsonl");
      }
      for (const std::string& name : names) {
        const absl::StatusOr<std::ostream*> stream = folder.Add(name);
        if (!stream.ok()) return FileError(stream.status());
        streams.push_back(*stream);
      }
      if (plan_.events) options.event_log = streams.back();
    }
    ProgressLine line(FileNameOf(file.path), !plan_.quiet);
    options.progress = [&line](const RunProgress& progress) {
      line.Update(progress);
      return !Interrupted();
    };
    const RunResult result = RunScenario(file.scenario, options);
    line.Finish(result.simulated, result.events);
    if (result.interrupted || Interrupted()) {
      PrintError("interrupted");
      return ExitCode::kInterrupted;
    }
    report = result.report;
    if (!plan_.out.empty()) {
      *streams[0] << ReportToJson(report) << "\n";
      report.SerializeToOstream(streams[1]);
      *streams[2] << FormatJunit({{report, file.expectations}});
      const absl::Status written = folder.Finish();
      if (!written.ok()) return FileError(written);
    }
    return ExitOf(report);
  }

  const RunPlan plan_;
  bool several_ = false;
  std::string text_;
  std::string json_;
  std::vector<JunitRun> junit_;
};

}  // namespace

std::vector<FlagInfo> RunFlags() {
  return {
      {.name = "seed",
       .value = "N",
       .help = "the seed, instead of the scenario's"},
      {.name = "seeds",
       .value = "A..B",
       .help = "one run with each seed from A to B; prints one table"},
      {.name = "format",
       .value = "FORMAT",
       .help = "text (default), json or junit, on standard output",
       .choices = {"text", "json", "junit"}},
      SetFlag(),
      {.name = "out",
       .value = "DIR",
       .help = "write result.json, result.binpb and junit.xml there; with "
               "several runs, into DIR/SCENARIO/seed-N"},
      {.name = "events",
       .value = "",
       .help = "with --out: write all facts to events.jsonl too"},
      {.name = "quiet", .value = "", .help = "show no progress"},
  };
}

ExitCode RunRun(const Flags& flags, const std::vector<std::string>& files) {
  if (files.empty()) {
    return PrintUsageError("run", "run needs the file of a scenario");
  }
  const absl::StatusOr<RunPlan> plan = MakePlan(flags);
  if (!plan.ok()) return PrintUsageError("run", plan.status().message());
  std::vector<ScenarioFile> scenarios;
  const ExitCode loaded = LoadScenarios(files, scenarios, flags.Values("set"));
  if (loaded != ExitCode::kPassed) return loaded;
  std::set<std::string> stems;
  for (const ScenarioFile& scenario : scenarios) {
    if (!plan->out.empty() && !stems.insert(scenario.stem).second) {
      return PrintUsageError(
          "run", absl::StrCat("two scenarios are called ", scenario.stem,
                              "; their results would share a folder"));
    }
  }
  WatchInterrupts();
  return Runs(*plan).All(scenarios);
}

}  // namespace groupsim
