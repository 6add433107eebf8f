#include "tests/fuzz/reader_entry.h"

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "model/base/check.h"
#include "scenarios/reader/findings_json.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

// Files that can be included: one that is right, one that is wrong, and the
// input itself.
absl::StatusOr<Source> Load(const std::string& path, absl::string_view data) {
  if (path == "good") return Source{.name = path, .text = "seed: 3"};
  if (path == "bad") return Source{.name = path, .text = "seed = {"};
  if (path == "self") return Source{.name = path, .text = std::string(data)};
  return absl::NotFoundError("No such file or directory");
}

void CheckPlaces(const Reading& reading) {
  for (const Finding& finding : reading.findings.all()) {
    CHECK(!finding.message.empty()) << "a finding says what is wrong";
    if (!finding.span) continue;
    CHECK(finding.span->source < reading.sources.size())
        << "a finding is in a text that was read: " << finding.message;
    CHECK(finding.span->begin <= finding.span->end &&
          finding.span->end <=
              reading.sources[finding.span->source].text.size())
        << "a finding lies within its text: " << finding.message;
  }
}

}  // namespace

void ReadAnything(absl::string_view data) {
  ReadOptions options;
  ScenarioForm form = ScenarioForm::kText;
  if (absl::ConsumePrefix(&data, "binpb:")) {
    form = ScenarioForm::kBinary;
  } else if (absl::ConsumePrefix(&data, "--set ")) {
    const size_t end = std::min(data.find('\n'), data.size());
    options.settings.push_back(std::string(data.substr(0, end)));
    data.remove_prefix(end);
  } else if (absl::StartsWith(data, "{")) {
    form = ScenarioForm::kJson;
  }
  options.load = [data](const std::string& path) { return Load(path, data); };
  const Reading reading =
      ReadScenario({.name = "input", .text = std::string(data)}, form, options);
  CheckPlaces(reading);
  const std::string text = reading.FormatFindings();
  CHECK(text.empty() == reading.findings.empty()) << "what is wrong is printed";
  FindingsJson(reading.findings, reading.sources);
  if (!reading.ok()) return;
  const std::string bytes = reading.scenario.SerializeAsString();
  const Reading again =
      ReadScenario({.name = "again", .text = bytes}, ScenarioForm::kBinary);
  CHECK(again.ok()) << "a complete scenario is right:\n"
                    << again.FormatFindings();
  CHECK(again.scenario.SerializeAsString() == bytes)
      << "a complete scenario is complete";
}

}  // namespace groupsim
