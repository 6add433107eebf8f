// The commonest mistakes, and what is said about each: every file in mistakes/
// beside the message that it gets, NAME.expected. To write the messages anew,
// and then to read every one of them as somebody would who has a cluster on
// fire:
//
//   bazel run //tests/scenarios/reader:mistakes_test -- --update
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

constexpr char kFolder[] = "tests/scenarios/reader/mistakes";
constexpr char kExpected[] = ".expected";

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> Mistakes(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != kExpected) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string ExpectedPath(const std::string& folder, const std::string& name) {
  return absl::StrCat(folder, "/", std::filesystem::path(name).stem().string(),
                      kExpected);
}

std::string Complaint(const std::string& folder, const std::string& name) {
  ReadOptions options;
  options.load = [](const std::string&) -> absl::StatusOr<Source> {
    return absl::NotFoundError("No such file or directory");
  };
  return ReadScenario(
             {.name = name, .text = Contents(absl::StrCat(folder, "/", name))},
             FormOf(name), options)
      .FormatFindings();
}

TEST(MistakesTest, EachGetsItsMessage) {
  const std::vector<std::string> names = Mistakes(kFolder);
  EXPECT_GE(names.size(), 50);
  for (const std::string& name : names) {
    EXPECT_EQ(Complaint(kFolder, name), Contents(ExpectedPath(kFolder, name)))
        << name;
  }
}

TEST(MistakesTest, EachIsAnErrorAndShownWhereItIs) {
  for (const std::string& name : Mistakes(kFolder)) {
    const std::string complaint = Complaint(kFolder, name);
    EXPECT_THAT(complaint, testing::StartsWith(absl::StrCat(name, ":")));
    EXPECT_THAT(complaint, testing::HasSubstr(": error: ")) << name;
    if (!absl::StrContains(name, "utf16")) {
      EXPECT_THAT(complaint, testing::HasSubstr("^")) << name;
    }
  }
}

// Writes the messages into the source tree.
void Update() {
  const char* root = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  const std::string folder =
      root == nullptr ? kFolder : absl::StrCat(root, "/", kFolder);
  for (const std::string& name : Mistakes(folder)) {
    std::ofstream(ExpectedPath(folder, name), std::ios::binary)
        << Complaint(folder, name);
  }
  std::cout << "wrote the messages in " << folder << "\n";
}

}  // namespace
}  // namespace groupsim

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && std::string(argv[1]) == "--update") {
    groupsim::Update();
    return 0;
  }
  return RUN_ALL_TESTS();
}
