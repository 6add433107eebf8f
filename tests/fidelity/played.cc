#include "tests/fidelity/played.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "nlohmann/json.hpp"
#include "scenarios/reader/finding.h"
#include "scenarios/reader/form.h"
#include "scenarios/reader/reader.h"
#include "tests/fidelity/derivation.h"
#include "tests/fidelity/live_run.h"
#include "tests/fidelity/observation.h"
#include "tests/fidelity/script.h"

namespace groupsim {
namespace {

namespace fs = std::filesystem;

std::string Contents(const fs::path& path) {
  std::ifstream in(path);
  CHECK(in.good()) << path << " cannot be read";
  std::stringstream contents;
  contents << in.rdbuf();
  return contents.str();
}

Recording ReadLive(const fs::path& folder) {
  Recording recording;
  recording.input = nlohmann::json::parse(Contents(folder / "input.json"));
  const Script script = Script::Parse(recording.input);
  recording.name = script.name();
  Latencies latencies;
  for (int run = 1;; ++run) {
    const fs::path file = folder / absl::StrCat("observed-", run, ".jsonl");
    if (!fs::exists(file)) break;
    const std::string lines = Contents(file);
    recording.runs.push_back(ObserveRecorded(script, lines));
    AddLatencies(script, lines, latencies);
  }
  CHECK(!recording.runs.empty()) << folder << " has no observed-1.jsonl";
  recording.declared =
      DeclaredOf(std::move(latencies.round_trips), std::move(latencies.calls));
  return recording;
}

}  // namespace

std::vector<Recording> LoadRecordings(const std::string& folder) {
  std::vector<Recording> recordings;
  if (fs::exists(fs::path(folder) / "input.json")) {
    recordings.push_back(ReadLive(folder));
    return recordings;
  }
  std::vector<fs::path> paths;
  CHECK(fs::is_directory(folder)) << folder << " is no folder";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    if (path.extension() == ".json") {
      recordings.push_back(ParseRecording(Contents(path)));
    } else if (fs::exists(path / "input.json")) {
      recordings.push_back(ReadLive(path));
    }
  }
  CHECK(!recordings.empty()) << folder << " has no recordings";
  return recordings;
}

Recording LoadRecording(const std::string& name) {
  return ParseRecording(Contents(absl::StrCat(kRecorded, "/", name, ".json")));
}

std::string FidelityFile(const std::string& name) {
  return Contents(absl::StrCat("tests/fidelity/", name));
}

Comparison Play(const Recording& recording, int seeds) {
  const Script script = Script::Parse(recording.input);
  Derivation derivation = DeriveScenario(script, recording.declared);
  const Source source{.name = recording.name, .text = derivation.scenario};
  const Reading reading = ReadScenario(source, ScenarioForm::kText);
  std::vector<Observation> observations;
  for (int seed = 1; seed <= seeds; ++seed) {
    if (!reading.ok()) break;
    observations.push_back(
        Observe(script, reading.scenario, static_cast<uint64_t>(seed)));
  }
  Comparison comparison = Compare(recording, script, observations);
  comparison.not_played = std::move(derivation.not_played);
  if (!reading.ok()) {
    comparison.not_played.push_back(reading.FormatFindings());
  }
  return comparison;
}

}  // namespace groupsim
