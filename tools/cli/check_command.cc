// groupsim check: is a scenario right, is it meant, what will it cost?
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "scenarios/estimate/estimate.h"
#include "scenarios/lint/lint.h"
#include "scenarios/reader/findings_json.h"
#include "scenarios/reader/reader.h"
#include "scenarios/runner/readable.h"
#include "tools/cli/command.h"
#include "tools/cli/console.h"
#include "tools/cli/scenario_files.h"

namespace groupsim {
namespace {

void AddLints(Reading& reading) {
  for (const LintFinding& finding : RunLints(reading.scenario)) {
    reading.Warn(finding.lint->name, finding.path, finding.message,
                 std::string(finding.lint->remedy));
  }
  std::vector<absl::string_view> names;
  for (const Lint& lint : AllLints()) names.push_back(lint.name);
  reading.CheckAllowances(names, kUnusedAllow,
                          std::string(FindLint(kUnusedAllow)->remedy));
}

// Two digits are enough for what is only about right.
int64_t Rounded(double value) {
  double unit = 1;
  while (value / unit >= 100) unit *= 10;
  return static_cast<int64_t>(std::llround(std::round(value / unit) * unit));
}

std::string Seconds(double seconds) {
  return seconds < 60 ? absl::StrFormat("%.0f s", seconds)
                      : ReadableTime(seconds);
}

std::string Describe(const Estimate& estimate) {
  return absl::StrCat(
      "  about ", ReadablePlural(Rounded(estimate.messages), "message"), ", ",
      estimate.events >= 1e6
          ? absl::StrFormat("%.1f million events", estimate.events / 1e6)
          : absl::StrCat(ReadableCount(Rounded(estimate.events)), " events"),
      ", ", ReadableBytes(Rounded(estimate.memory_bytes)), " of memory, ",
      estimate.seconds < 1 ? "less than a second" : Seconds(estimate.seconds),
      "\n");
}

nlohmann::ordered_json Json(const Estimate& estimate) {
  nlohmann::ordered_json json;
  json["messages"] = std::llround(estimate.messages);
  json["deliveries"] = std::llround(estimate.deliveries);
  json["events"] = std::llround(estimate.events);
  json["memory_bytes"] = std::llround(estimate.memory_bytes);
  json["seconds"] = std::round(estimate.seconds * 100) / 100;
  return json;
}

class Check {
 public:
  explicit Check(const Flags& flags)
      : settings_(flags.Values("set")),
        strict_(flags.Has("strict")),
        json_(flags.Value("format") == "json") {}

  ExitCode One(const std::string& path) {
    absl::StatusOr<Reading> reading = ReadScenarioFile(path, settings_);
    nlohmann::ordered_json item;
    item["file"] = path;
    if (!reading.ok()) {
      const std::string message = CannotRead(path, reading.status());
      item["valid"] = false;
      item["unreadable"] = message;
      files_.push_back(std::move(item));
      PrintError(message);
      return ExitCode::kFileError;
    }
    if (reading->ok()) AddLints(*reading);
    const size_t warnings =
        reading->findings.count() - reading->findings.errors();
    if (json_) {
      item["valid"] = reading->ok();
      const auto findings = nlohmann::ordered_json::parse(
          FindingsJson(reading->findings, reading->sources));
      for (const char* name : {"errors", "warnings", "findings"}) {
        item[name] = findings[name];
      }
      if (reading->ok()) {
        item["estimate"] = Json(EstimateRun(reading->scenario));
      }
      files_.push_back(std::move(item));
    } else {
      PrintFindings(reading->FormatFindings());
      if (reading->ok()) {
        absl::StrAppend(
            &text_, path, ": valid, ",
            warnings == 0
                ? "no warnings"
                : ReadablePlural(static_cast<int64_t>(warnings), "warning"),
            "\n", Describe(EstimateRun(reading->scenario)));
      }
    }
    return !reading->ok() || (strict_ && warnings > 0) ? ExitCode::kInvalidInput
                                                       : ExitCode::kPassed;
  }

  ExitCode Print() const {
    if (!json_) return PrintResult(text_);
    nlohmann::ordered_json all;
    all["schema_version"] = 1;
    all["files"] = files_;
    // What is not UTF-8, a path say, is shown as it can be.
    return PrintResult(
        all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
        "\n");
  }

 private:
  const std::vector<std::string> settings_;
  const bool strict_;
  const bool json_;
  std::string text_;
  nlohmann::ordered_json files_ = nlohmann::ordered_json::array();
};

}  // namespace

std::vector<FlagInfo> CheckFlags() {
  return {
      {.name = "format",
       .value = "FORMAT",
       .help = "text (default), or json with all findings for editors",
       .choices = {"text", "json"}},
      SetFlag(),
      {.name = "strict", .value = "", .help = "exit code 3 for warnings too"},
  };
}

ExitCode RunCheck(const Flags& flags, const std::vector<std::string>& files) {
  if (files.empty()) {
    return PrintUsageError("check", "check needs the file of a scenario");
  }
  Check check(flags);
  ExitCode exit = ExitCode::kPassed;
  for (const std::string& path : files) exit = Worse(exit, check.One(path));
  return Worse(exit, check.Print());
}

}  // namespace groupsim
