// Programs that compare this project's code with recorded results ("vectors"),
// one JSON value per line of a file.
//
//   int main(int argc, char** argv) {
//     return groupsim::VectorMain({.program = "order",
//                                  .file = "tests/vectors/data/order.jsonl",
//                                  .check = CheckOrder},
//                                 argc, argv);
//   }
//
// Such a program is a test over its own file and takes any other file by
// --vectors=FILE; a relative one is looked for in the directory in which the
// user stands, under `bazel run` too.
#ifndef GROUPSIM_TESTS_VECTORS_VECTOR_TEST_H_
#define GROUPSIM_TESTS_VECTORS_VECTOR_TEST_H_

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace groupsim {

// What became of one vector.
struct VectorResult {
  enum class Kind { kMatch, kMismatch, kNotRun, kMalformed };

  static VectorResult Match() { return {Kind::kMatch, {}}; }
  // `text` says what was expected and what came; it may have several lines.
  static VectorResult Mismatch(std::string text) {
    return {Kind::kMismatch, std::move(text)};
  }
  // The vector is about something that does not exist here.
  static VectorResult NotRun() { return {Kind::kNotRun, {}}; }
  // `text` says what is wrong with the vector itself.
  static VectorResult Malformed(std::string text) {
    return {Kind::kMalformed, std::move(text)};
  }

  Kind kind = Kind::kMatch;
  std::string text;
};

struct VectorTest {
  std::string program;
  // Path of the vectors from the root of the repository.
  std::string file;
  // Called for each line in turn. An exception of the JSON library (a missing
  // field, another type) counts as a malformed vector.
  std::function<VectorResult(const nlohmann::json&)> check;
  // Completes "12 vectors ... not run".
  std::string not_run = "of other kinds";
};

// What the surroundings add to the command line.
struct VectorEnvironment {
  // Where relative paths of the user start; none for the current directory.
  std::optional<std::string> user_directory;
  // Where VectorTest::file starts.
  std::string root = ".";
};

enum VectorExit {
  kVectorsMatch = 0,
  kVectorsMismatch = 1,
  kVectorsUsage = 2,
  kVectorsMalformed = 3,
  kVectorsUnreadable = 4,
  kVectorsNoneRun = 6,
};

// Runs the vectors; the result is the exit code. Prints "N vectors, M
// mismatches", before it the first mismatches, to `out`, and errors to `err`.
int RunVectors(const VectorTest& test,
               const std::vector<std::string>& arguments,
               const VectorEnvironment& environment, std::ostream& out,
               std::ostream& err);

// The same with the arguments and environment of the process.
int VectorMain(const VectorTest& test, int argc, char** argv);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_VECTORS_VECTOR_TEST_H_
