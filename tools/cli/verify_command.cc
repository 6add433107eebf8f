// groupsim verify: is a run the same twice, and as it was?
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "scenarios/reader/reader.h"
#include "scenarios/schema/report.pb.h"
#include "tools/cli/command.h"
#include "tools/cli/console.h"
#include "tools/cli/golden.h"
#include "tools/cli/output_file.h"
#include "tools/cli/report_json.h"
#include "tools/cli/scenario_files.h"
#include "tools/cli/subprocess.h"

namespace groupsim {
namespace {

// The most differences that are printed of one scenario.
constexpr size_t kShownDifferences = 40;

// One scenario. What it finds goes to `text`.
class Verification {
 public:
  Verification(const ScenarioFile& file, bool update, std::string golden_folder,
               std::string& text)
      : file_(file),
        update_(update),
        golden_folder_(std::move(golden_folder)),
        text_(text) {}

  ExitCode Run(uint64_t seed) {
    const std::vector<std::string> arguments = {
        "run", "--format=json", "--quiet", absl::StrCat("--seed=", seed),
        "--",  file_.path};
    // Side by side, each in an address space of its own.
    Subprocess first(arguments);
    Subprocess second(arguments);
    Report reports[2];
    ExitCode exit = ReportOf(first, reports[0]);
    exit = Worse(exit, ReportOf(second, reports[1]));
    if (exit != ExitCode::kPassed) return exit;

    absl::StrAppend(&text_, FileNameOf(file_.path), "   seed ", seed,
                    "   facts ", reports[0].fingerprints().facts(), "\n");
    if (ReportToJson(reports[0]) != ReportToJson(reports[1])) {
      absl::StrAppend(&text_, "  two runs differ: facts ",
                      reports[1].fingerprints().facts(), ", schedule ",
                      reports[0].fingerprints().schedule(), " and ",
                      reports[1].fingerprints().schedule(), "\n");
      ShowDifferences(
          DifferencesOf(GoldenLinesOf(reports[0]), GoldenLinesOf(reports[1])));
      return ExitCode::kNotReproducible;
    }
    absl::StrAppend(&text_, "  two runs are the same\n");
    return CompareWithGolden(GoldenLinesOf(reports[0]));
  }

 private:
  static ExitCode ReportOf(Subprocess& process, Report& report) {
    Subprocess::Ended ended;
    if (absl::Status waited = process.Wait(ended); !waited.ok()) {
      PrintError(waited.message());
      return ExitCode::kFileError;
    }
    for (const ExitCodeInfo& known : AllExitCodes()) {
      if (static_cast<int>(known.code) != ended.exit_code) continue;
      // Whether expectations hold is not asked here.
      if (known.code != ExitCode::kPassed && known.code != ExitCode::kFailed &&
          known.code != ExitCode::kVacuous) {
        return known.code;
      }
      absl::StatusOr<Report> parsed = ReportFromJson(ended.output);
      if (parsed.ok()) {
        report = *std::move(parsed);
        return ExitCode::kPassed;
      }
      PrintError(
          absl::StrCat("a run gave no report: ", parsed.status().message()));
      return ExitCode::kInternalError;
    }
    PrintError(
        absl::StrCat("a run ended with the exit code ", ended.exit_code));
    return ended.exit_code == 128 + 2 ? ExitCode::kInterrupted
                                      : ExitCode::kInternalError;
  }

  ExitCode CompareWithGolden(const GoldenLines& lines) {
    const std::string path =
        golden_folder_.empty()
            ? GoldenPathOf(file_.path)
            : absl::StrCat(golden_folder_, "/", file_.stem, ".txt");
    const absl::StatusOr<Source> source = LoadSource(path);
    if (absl::IsNotFound(source.status())) {
      if (!update_) {
        absl::StrAppend(&text_, "  no golden file ", path,
                        "; --update writes it\n");
        return ExitCode::kPassed;
      }
      return Write(path, lines, "written");
    }
    if (!source.ok()) {
      PrintError(
          absl::StrCat("cannot read ", path, ": ", source.status().message()));
      return ExitCode::kFileError;
    }
    const absl::StatusOr<GoldenLines> golden = ParseGolden(source->text);
    if (!golden.ok() && !update_) {
      PrintError(absl::StrCat(path, ": ", golden.status().message()));
      return ExitCode::kInvalidInput;
    }
    const std::vector<std::string> differences =
        DifferencesOf(golden.ok() ? *golden : GoldenLines(), lines);
    if (differences.empty()) {
      absl::StrAppend(&text_, "  as in ", path, "\n");
      return ExitCode::kPassed;
    }
    if (update_) {
      const ExitCode written = Write(path, lines, "updated");
      ShowDifferences(differences);
      return written;
    }
    absl::StrAppend(&text_, "  not as in ", path, ":\n");
    ShowDifferences(differences);
    return ExitCode::kNotReproducible;
  }

  ExitCode Write(const std::string& path, const GoldenLines& lines,
                 absl::string_view done) {
    const absl::Status written =
        WriteFile(path, FormatGolden(FileNameOf(file_.path), lines));
    if (!written.ok()) {
      PrintError(written.message());
      return ExitCode::kFileError;
    }
    absl::StrAppend(&text_, "  ", done, " ", path, "\n");
    return ExitCode::kPassed;
  }

  void ShowDifferences(const std::vector<std::string>& differences) {
    for (size_t i = 0; i < differences.size(); ++i) {
      if (i == kShownDifferences) {
        absl::StrAppend(&text_, "    and ", differences.size() - i, " more\n");
        return;
      }
      absl::StrAppend(&text_, "    ", differences[i], "\n");
    }
  }

  const ScenarioFile& file_;
  const bool update_;
  const std::string golden_folder_;
  std::string& text_;
};

}  // namespace

std::vector<FlagInfo> VerifyFlags() {
  return {
      {.name = "seed",
       .value = "N",
       .help = "the seed, instead of the scenario's"},
      {.name = "update",
       .value = "",
       .help = "write the golden file anew; prints what changed"},
      {.name = "golden",
       .value = "DIR",
       .help = "the folder of the golden files, instead of tests/golden"},
  };
}

ExitCode RunVerify(const Flags& flags, const std::vector<std::string>& files) {
  if (files.empty()) {
    return PrintUsageError("verify", "verify needs the file of a scenario");
  }
  absl::StatusOr<uint64_t> seed = 0;
  if (flags.Has("seed")) seed = ParseSeed("seed", flags.Value("seed"));
  if (!seed.ok()) return PrintUsageError("verify", seed.status().message());
  std::vector<ScenarioFile> scenarios;
  const ExitCode loaded = LoadScenarios(files, scenarios);
  if (loaded != ExitCode::kPassed) return loaded;
  ExitCode exit = ExitCode::kPassed;
  std::string text;
  for (const ScenarioFile& scenario : scenarios) {
    Verification verification(scenario, flags.Has("update"),
                              flags.Value("golden"), text);
    exit = Worse(
        exit,
        verification.Run(flags.Has("seed") ? *seed : scenario.scenario.seed()));
    if (exit == ExitCode::kInterrupted) break;
  }
  return Worse(exit, PrintResult(text));
}

}  // namespace groupsim
