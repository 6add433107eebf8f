#include "tests/vectors/vector_test.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace groupsim {
namespace {

constexpr int64_t kMismatchesShown = 5;
constexpr size_t kTextShown = 2'000;

struct Tally {
  int64_t run = 0;
  int64_t mismatches = 0;
  int64_t not_run = 0;
};

std::string Indented(const std::string& text) {
  std::string shown = text.substr(0, kTextShown);
  if (shown.size() < text.size()) absl::StrAppend(&shown, " ...");
  return absl::StrCat("  ", absl::StrReplaceAll(shown, {{"\n", "\n  "}}));
}

// The first words of the JSON library's message are its name and a number.
std::string ReasonOf(const std::exception& error) {
  const std::string text = error.what();
  const size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

VectorResult CheckLine(const VectorTest& test, const std::string& line) {
  try {
    return test.check(nlohmann::json::parse(line));
  } catch (const nlohmann::json::exception& error) {
    return VectorResult::Malformed(ReasonOf(error));
  }
}

int Unreadable(const std::string& path, const std::string& why,
               std::ostream& err) {
  err << path << ": error: cannot read the vectors: " << why << "\n";
  return kVectorsUnreadable;
}

int RunFile(const VectorTest& test, const std::string& path, std::ostream& out,
            std::ostream& err) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Unreadable(path, "it is a directory", err);
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Unreadable(path, errno == 0 ? "unknown error" : strerror(errno),
                      err);
  }
  Tally tally;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    const VectorResult result = CheckLine(test, line);
    switch (result.kind) {
      case VectorResult::Kind::kMalformed:
        err << path << ":" << number
            << ": error: malformed vector: " << result.text << "\n";
        return kVectorsMalformed;
      case VectorResult::Kind::kNotRun:
        ++tally.not_run;
        continue;
      case VectorResult::Kind::kMismatch:
        ++tally.mismatches;
        if (tally.mismatches <= kMismatchesShown) {
          out << path << ":" << number << ": mismatch\n"
              << Indented(result.text) << "\n";
        }
        break;
      case VectorResult::Kind::kMatch:
        break;
    }
    ++tally.run;
  }
  if (file.bad()) return Unreadable(path, "the disk failed", err);
  if (tally.run + tally.not_run == 0) {
    err << path << ": error: no vectors in it\n";
    return kVectorsMalformed;
  }
  if (tally.mismatches > kMismatchesShown) {
    out << "and " << tally.mismatches - kMismatchesShown
        << " more mismatches\n";
  }
  if (tally.not_run > 0) {
    out << tally.not_run << " vectors " << test.not_run << " not run\n";
  }
  out << tally.run << " vectors, " << tally.mismatches << " mismatches\n";
  if (tally.run == 0) {
    err << path << ": error: none of its vectors can be run here\n";
    return kVectorsNoneRun;
  }
  return tally.mismatches == 0 ? kVectorsMatch : kVectorsMismatch;
}

void PrintUsage(const VectorTest& test, std::ostream& out) {
  out << "usage: " << test.program << " [--vectors=FILE]\n"
      << "Compares this project's code with recorded results, one JSON value\n"
      << "per line of FILE (default " << test.file << ").\n";
}

}  // namespace

int RunVectors(const VectorTest& test,
               const std::vector<std::string>& arguments,
               const VectorEnvironment& environment, std::ostream& out,
               std::ostream& err) {
  std::optional<std::string> given;
  for (const std::string& argument : arguments) {
    if (argument == "--help") {
      PrintUsage(test, out);
      return kVectorsMatch;
    }
    absl::string_view value = argument;
    if (!absl::ConsumePrefix(&value, "--vectors=") || value.empty() ||
        given.has_value()) {
      err << test.program << ": error: unexpected argument \"" << argument
          << "\"\n";
      PrintUsage(test, err);
      return kVectorsUsage;
    }
    given = std::string(value);
  }
  if (!given.has_value()) {
    return RunFile(test, absl::StrCat(environment.root, "/", test.file), out,
                   err);
  }
  if (!absl::StartsWith(*given, "/") &&
      environment.user_directory.has_value()) {
    return RunFile(test, absl::StrCat(*environment.user_directory, "/", *given),
                   out, err);
  }
  return RunFile(test, *given, out, err);
}

int VectorMain(const VectorTest& test, int argc, char** argv) {
  VectorEnvironment environment;
  if (const char* directory = std::getenv("BUILD_WORKING_DIRECTORY")) {
    environment.user_directory = directory;
  }
  // Bazel starts the program where its files are; someone else may not.
  const std::string beside = absl::StrCat(argv[0], ".runfiles/groupsim");
  std::error_code ignored;
  if (!std::filesystem::exists(test.file, ignored) &&
      std::filesystem::exists(absl::StrCat(beside, "/", test.file), ignored)) {
    environment.root = beside;
  }
  return RunVectors(test, std::vector<std::string>(argv + 1, argv + argc),
                    environment, std::cout, std::cerr);
}

}  // namespace groupsim
