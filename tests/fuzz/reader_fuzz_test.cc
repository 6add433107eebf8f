// The reader and 100,000 inputs that nobody wrote. What clang's libFuzzer does
// better (reader_fuzzer.cc), every compiler can do like this.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "gtest/gtest.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/reader_entry.h"

namespace groupsim {
namespace {

constexpr size_t kMostBytes = 2'000;

// g++ says by a macro that a sanitizer is at work, clang by a feature.
#if defined(__SANITIZE_ADDRESS__)
#define GROUPSIM_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GROUPSIM_SANITIZED
#endif
#endif

// How many inputs; the environment may say another number. The sanitizers take
// ten times as long.
int64_t Executions() {
#if defined(GROUPSIM_SANITIZED)
  int64_t executions = 10'000;
#else
  int64_t executions = 100'000;
#endif
  const char* wanted = std::getenv("GROUPSIM_FUZZ_EXECUTIONS");
  if (wanted != nullptr) {
    EXPECT_TRUE(absl::SimpleAtoi(wanted, &executions)) << wanted;
  }
  return executions;
}

std::vector<std::string> Corpus() {
  std::vector<std::filesystem::path> paths;
  for (const char* const folder : {"tests/fuzz/corpus", "scenarios/catalog",
                                   "tests/scenarios/reader/mistakes"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".expected")
        paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    corpus.push_back(text.str().substr(0, kMostBytes));
  }
  return corpus;
}

TEST(ReaderFuzzTest, WhatIsInTheCorpusIsReadOrRefused) {
  const std::vector<std::string> corpus = Corpus();
  EXPECT_GT(corpus.size(), 60);
  for (const std::string& input : corpus) ReadAnything(input);
}

TEST(ReaderFuzzTest, WhateverComesIsReadOrRefused) {
  Mutator mutator(Corpus(), kMostBytes, /*seed=*/1);
  for (int64_t left = Executions(); left > 0; --left) {
    ReadAnything(mutator.Next());
  }
}

}  // namespace
}  // namespace groupsim
