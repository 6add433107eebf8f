#include "tests/vectors/vector_test.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace groupsim {
namespace {

using nlohmann::json;

// {"n": 3, "square": 9}; negative ones are not run.
VectorResult CheckSquare(const json& vector) {
  const auto n = vector.at("n").get<int>();
  if (n < 0) return VectorResult::NotRun();
  const auto square = vector.at("square").get<int>();
  if (square < 0) return VectorResult::Malformed("squares are not negative");
  if (n * n == square) return VectorResult::Match();
  return VectorResult::Mismatch("expected " + std::to_string(square) +
                                "\ngot      " + std::to_string(n * n));
}

class VectorRunTest : public testing::Test {
 protected:
  std::string Write(const std::string& text) {
    const std::string path = testing::TempDir() + "vectors.jsonl";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  int Run(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    return RunVectors({.program = "squares",
                       .file = "vectors.jsonl",
                       .check = CheckSquare,
                       .not_run = "of negative numbers"},
                      arguments, environment_, out_, err_);
  }

  int RunText(const std::string& text) {
    return Run({"--vectors=" + Write(text)});
  }

  VectorEnvironment environment_;
  std::ostringstream out_;
  std::ostringstream err_;
};

constexpr char kGood[] = "{\"n\":3,\"square\":9}\n";
constexpr char kWrong[] = "{\"n\":3,\"square\":8}\n";

TEST_F(VectorRunTest, MatchingVectorsPass) {
  EXPECT_EQ(RunText(std::string(kGood) + kGood), 0);
  EXPECT_EQ(out_.str(), "2 vectors, 0 mismatches\n");
  EXPECT_EQ(err_.str(), "");
}

TEST_F(VectorRunTest, TheLastLineNeedsNoEnd) {
  EXPECT_EQ(RunText("{\"n\":3,\"square\":9}"), 0);
  EXPECT_EQ(RunText("{\"n\":3,\"square\":8}"), 1);
}

TEST_F(VectorRunTest, AMismatchFailsAndIsShownWithItsPlace) {
  EXPECT_EQ(RunText(std::string(kGood) + kWrong), 1);
  EXPECT_EQ(out_.str(), testing::TempDir() +
                            "vectors.jsonl:2: mismatch\n"
                            "  expected 8\n"
                            "  got      9\n"
                            "2 vectors, 1 mismatches\n");
}

TEST_F(VectorRunTest, OnlyTheFirstMismatchesAreShown) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += kWrong;
  EXPECT_EQ(RunText(text), 1);
  EXPECT_NE(out_.str().find(":5: mismatch"), std::string::npos);
  EXPECT_EQ(out_.str().find(":6: mismatch"), std::string::npos);
  EXPECT_NE(out_.str().find("and 45 more mismatches\n"
                            "50 vectors, 50 mismatches\n"),
            std::string::npos);
}

TEST_F(VectorRunTest, VectorsNotRunAreCountedApart) {
  EXPECT_EQ(RunText("{\"n\":-1}\n" + std::string(kGood) + "{\"n\":-2}\n"), 0);
  EXPECT_EQ(out_.str(),
            "2 vectors of negative numbers not run\n"
            "1 vectors, 0 mismatches\n");
}

TEST_F(VectorRunTest, RunningNothingIsNoPass) {
  EXPECT_EQ(RunText("{\"n\":-1}\n"), 6);
  EXPECT_NE(err_.str().find("none of its vectors can be run"),
            std::string::npos);
}

TEST_F(VectorRunTest, AMalformedFileIsRefusedWithThePlace) {
  const std::string bad[] = {"{\"n\":3,\"square\":",
                             "not json",
                             "[1,2]",
                             "{\"square\":9}",
                             "{\"n\":\"3\",\"square\":9}",
                             "{\"n\":3,\"square\":-9}",
                             "{\"n\":3} trailing",
                             std::string("\xff\xfe\0\x01", 4),
                             ""};
  for (const std::string& line : bad) {
    EXPECT_EQ(RunText(kGood + line + "\n" + kGood), 3) << line;
    EXPECT_NE(err_.str().find("vectors.jsonl:2: error: malformed vector: "),
              std::string::npos)
        << err_.str();
    EXPECT_EQ(out_.str(), "");
  }
}

TEST_F(VectorRunTest, AnEmptyFileIsRefused) {
  EXPECT_EQ(RunText(""), 3);
  EXPECT_NE(err_.str().find("error: no vectors in it"), std::string::npos);
}

TEST_F(VectorRunTest, AnUnreadableFileIsItsOwnError) {
  EXPECT_EQ(Run({"--vectors=/no/such/file"}), 4);
  EXPECT_EQ(err_.str(),
            "/no/such/file: error: cannot read the vectors: No such file or "
            "directory\n");
  EXPECT_EQ(Run({"--vectors=/tmp"}), 4);
  EXPECT_EQ(err_.str(),
            "/tmp: error: cannot read the vectors: it is a directory\n");
}

TEST_F(VectorRunTest, WrongUsageIsExplained) {
  for (const std::string argument :
       {"--vector=x", "x", "--vectors", "--vectors="}) {
    EXPECT_EQ(Run({argument}), 2);
    EXPECT_NE(err_.str().find("unexpected argument \"" + argument + "\""),
              std::string::npos);
  }
  EXPECT_EQ(Run({"--help"}), 0);
  EXPECT_NE(out_.str().find("usage: squares [--vectors=FILE]"),
            std::string::npos);
}

TEST_F(VectorRunTest, RelativePathsStartWhereTheUserStands) {
  Write(kGood);
  EXPECT_EQ(Run({"--vectors=vectors.jsonl"}), 4);
  environment_.user_directory = testing::TempDir();
  EXPECT_EQ(Run({"--vectors=vectors.jsonl"}), 0);
}

TEST_F(VectorRunTest, WithoutAFileItsOwnIsTaken) {
  Write(kWrong);
  environment_.root = testing::TempDir();
  EXPECT_EQ(Run({}), 1);
}

}  // namespace
}  // namespace groupsim
