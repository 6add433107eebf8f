#include "tools/cli/scenario_files.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "scenarios/reader/line_table.h"
#include "tools/cli/console.h"

namespace groupsim {

FlagInfo SetFlag() {
  return {.name = "set",
          .value = "PATH=VALUE",
          .help =
              "change a field, as --set=group[0].consumer[0].count=12; may "
              "be repeated",
          .choices = {},
          .repeats = true};
}

absl::StatusOr<Reading> ReadScenarioFile(
    const std::string& path, const std::vector<std::string>& settings) {
  absl::StatusOr<Source> source = LoadSource(path);
  if (absl::IsInvalidArgument(source.status())) {
    Reading reading;
    reading.sources.Add({.name = path, .text = ""});
    Finding finding;
    finding.message = std::string(source.status().message());
    reading.findings.Add(std::move(finding));
    return reading;
  }
  if (!source.ok()) return source.status();
  ReadOptions options;
  options.settings = settings;
  return ReadScenario(*source, FormOf(path), options);
}

ExitCode LoadScenarios(const std::vector<std::string>& paths,
                       std::vector<ScenarioFile>& files,
                       const std::vector<std::string>& settings) {
  ExitCode exit = ExitCode::kPassed;
  for (const std::string& path : paths) {
    absl::StatusOr<Reading> reading = ReadScenarioFile(path, settings);
    if (!reading.ok()) {
      PrintError(CannotRead(path, reading.status()));
      exit = Worse(exit, ExitCode::kFileError);
      continue;
    }
    PrintFindings(reading->FormatFindings());
    if (!reading->ok()) {
      exit = Worse(exit, ExitCode::kInvalidInput);
      continue;
    }
    files.push_back(MakeScenarioFile(path, settings, *std::move(reading)));
  }
  return exit;
}

ScenarioFile MakeScenarioFile(const std::string& path,
                              const std::vector<std::string>& settings,
                              Reading reading) {
  ScenarioFile file{.path = path,
                    .stem = std::filesystem::path(path).stem().string(),
                    .scenario = std::move(reading.scenario),
                    .settings = settings,
                    .expectations = {}};
  for (int i = 0; i < file.scenario.expect_size(); ++i) {
    FilePlace& place = file.expectations.emplace_back();
    place.file = path;
    const FieldPlaces::Place* const written =
        reading.places.Find(absl::StrCat("expect[", i, "]"));
    if (written == nullptr) continue;
    const Source& source = reading.sources[written->name.source];
    place.file = source.name;
    place.line = LineTable(source.text).LineAt(written->name.begin) + 1;
  }
  return file;
}

std::string CannotRead(absl::string_view path, const absl::Status& status) {
  return absl::StrCat("cannot read ", path, ": ", status.message());
}

std::string ScenarioFile::ShellWords() const {
  std::string words;
  for (const std::string& setting : settings) {
    absl::StrAppend(&words, ShellWord("--set=" + setting), " ");
  }
  return words + ShellWord(path);
}

std::string FileNameOf(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string ShellWord(const std::string& word) {
  constexpr absl::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-./=:,+@%";
  if (!word.empty() &&
      word.find_first_not_of(kPlain.data(), 0, kPlain.size()) ==
          std::string::npos) {
    return word;
  }
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

}  // namespace groupsim
