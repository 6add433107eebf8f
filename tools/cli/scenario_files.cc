#include "tools/cli/scenario_files.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "scenarios/reader/reader.h"
#include "tools/cli/console.h"

namespace groupsim {

ExitCode LoadScenarios(const std::vector<std::string>& paths,
                       std::vector<ScenarioFile>& files) {
  ExitCode exit = ExitCode::kPassed;
  for (const std::string& path : paths) {
    const absl::StatusOr<Source> source = LoadSource(path);
    if (!source.ok()) {
      const bool invalid = absl::IsInvalidArgument(source.status());
      if (invalid) {
        PrintFindings(
            absl::StrCat(path, ": error: ", source.status().message(), "\n"));
      } else {
        PrintError(absl::StrCat("cannot read ", path, ": ",
                                source.status().message()));
      }
      exit =
          Worse(exit, invalid ? ExitCode::kInvalidInput : ExitCode::kFileError);
      continue;
    }
    Reading reading = ReadScenario(*source, FormOf(path));
    if (!reading.findings.empty()) {
      PrintFindings(reading.FormatFindings());
    }
    if (!reading.ok()) {
      exit = Worse(exit, ExitCode::kInvalidInput);
      continue;
    }
    files.push_back({.path = path,
                     .stem = std::filesystem::path(path).stem().string(),
                     .scenario = std::move(reading.scenario)});
  }
  return exit;
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
