#include "tests/tools/cli/groupsim_process.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace groupsim {

std::string ReadFile(const std::string& path) {
  std::ostringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  return contents.str();
}

Ended Groupsim(const std::string& words) {
  const std::string out = testing::TempDir() + "/stdout";
  const std::string err = testing::TempDir() + "/stderr";
  // "exec", so that the process measured is groupsim's.
  const std::string line = absl::StrCat("exec ", kProgram, " ", words,
                                        " </dev/null >", out, " 2>", err);
  const pid_t process = fork();
  if (process == 0) {
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  struct rusage usage = {};
  EXPECT_EQ(wait4(process, &status, 0, &usage), process);
  Ended ended;
  ended.exit_code =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ended.out = ReadFile(out);
  ended.err = ReadFile(err);
  ended.peak_memory_bytes = int64_t{usage.ru_maxrss} * 1024;
  return ended;
}

std::string WriteScenario(const std::string& name, const std::string& text) {
  const std::string folder = absl::StrCat(
      testing::TempDir(), "/",
      testing::UnitTest::GetInstance()->current_test_info()->name());
  std::filesystem::create_directories(folder);
  const std::string path = absl::StrCat(folder, "/", name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace groupsim
