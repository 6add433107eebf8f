// Prints how the simulator compares with recordings of a real cluster.
//
//   bazel run -c opt //tests/fidelity:compare -- [--recorded=FOLDER]
//       [--seeds=20] [--markdown] [--write=FOLDER]
//
// --recorded: recordings, as played.h says; those of this project if not given.
// --seeds: runs of each, with the seeds from 1.
// --markdown: rows of a table in Markdown instead.
// --write: only writes, of each recording NAME, NAME.textproto, the scenario,
// and recorded/NAME.json, what counts of it, into a folder like this one.
//
// Exits with 1 if anything is outside.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "model/base/check.h"
#include "tests/fidelity/comparison.h"
#include "tests/fidelity/derivation.h"
#include "tests/fidelity/played.h"
#include "tests/fidelity/recording.h"
#include "tests/fidelity/script.h"

namespace groupsim {
namespace {

// Bazel runs programs elsewhere than where it was called.
std::string FromHere(absl::string_view path) {
  const char* here = std::getenv("BUILD_WORKING_DIRECTORY");
  if (here == nullptr || absl::StartsWith(path, "/")) return std::string(path);
  return absl::StrCat(here, "/", path);
}

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  CHECK(out.good()) << path << " cannot be written";
}

void Write(const Recording& recording, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "recorded");
  WriteFile(folder / "recorded" / absl::StrCat(recording.name, ".json"),
            RecordingText(recording));
  WriteFile(folder / absl::StrCat(recording.name, ".textproto"),
            DeriveScenario(Script::Parse(recording.input), recording.declared)
                .scenario);
}

int Main(int argc, char** argv) {
  std::string recorded = kRecorded;
  std::string write;
  int seeds = kSeeds;
  bool markdown = false;
  for (int i = 1; i < argc; ++i) {
    absl::string_view flag = argv[i];
    if (absl::ConsumePrefix(&flag, "--recorded=")) {
      recorded = FromHere(flag);
    } else if (absl::ConsumePrefix(&flag, "--write=")) {
      write = FromHere(flag);
    } else if (absl::ConsumePrefix(&flag, "--seeds=")) {
      if (!absl::SimpleAtoi(flag, &seeds) || seeds < 1) {
        std::cerr << "--seeds=" << flag << " is no number of runs\n";
        return 2;
      }
    } else if (flag == "--markdown") {
      markdown = true;
    } else {
      std::cerr << flag << ": unknown; there are --recorded=FOLDER, --seeds=N, "
                << "--markdown, --write=FOLDER\n";
      return 2;
    }
  }
  if (markdown) {
    std::cout
        << "| recording | quantity | recorded | simulated: median (spread "
           "over seeds) | verdict |\n| --- | --- | --- | --- | --- |\n";
  }
  bool ok = true;
  for (const Recording& recording : LoadRecordings(recorded)) {
    if (!write.empty()) {
      Write(recording, write);
      continue;
    }
    const Comparison comparison = Play(recording, seeds);
    ok = ok && comparison.ok();
    std::cout << (markdown ? comparison.Markdown()
                           : absl::StrCat(comparison.Table(), "\n"))
              << std::flush;
  }
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) { return groupsim::Main(argc, argv); }
