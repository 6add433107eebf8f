#include "tests/fidelity/played.h"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "scenarios/reader/reader.h"
#include "tests/fidelity/observation.h"

namespace groupsim {
namespace {

std::string Contents(const std::string& file) {
  const std::string path = absl::StrCat("tests/fidelity/", file);
  std::ifstream in(path);
  CHECK(in.good()) << path << " cannot be read";
  std::stringstream contents;
  contents << in.rdbuf();
  return contents.str();
}

}  // namespace

Recording LoadRecording(const std::string& name) {
  return ParseRecording(Contents(absl::StrCat("recorded/", name, ".json")));
}

Scenario LoadScenario(const std::string& name) {
  return ScenarioFromTextOrDie(Contents(absl::StrCat(name, ".textproto")));
}

Comparison Play(const std::string& name, int seeds) {
  const Scenario scenario = LoadScenario(name);
  std::vector<Observation> observations;
  for (int seed = 1; seed <= seeds; ++seed) {
    observations.push_back(Observe(scenario, static_cast<uint64_t>(seed)));
  }
  return Compare(LoadRecording(name), observations);
}

}  // namespace groupsim
