#include "tools/cli/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace groupsim {
namespace {

absl::Status Failed(const char* what) {
  return absl::UnavailableError(
      absl::StrCat("cannot run groupsim again: ", what, ": ", strerror(errno)));
}

}  // namespace

Subprocess::Subprocess(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    started_ = Failed("pipe");
    return;
  }
  std::vector<char*> argv;
  argv.push_back(const_cast<char*>("groupsim"));
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execv("/proc/self/exe", argv.data());
    _exit(127);
  }
  close(ends[1]);
  output_ = ends[0];
  if (process_ < 0) started_ = Failed("fork");
}

Subprocess::~Subprocess() {
  if (output_ >= 0) close(output_);
  if (process_ > 0) {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
}

absl::Status Subprocess::Wait(Ended& ended) {
  if (!started_.ok()) return started_;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = read(output_, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failed("read");
    if (count == 0) break;
    ended.output.append(buffer, static_cast<size_t>(count));
  }
  int status = 0;
  while (waitpid(process_, &status, 0) < 0) {
    if (errno != EINTR) return Failed("wait");
  }
  process_ = -1;
  ended.exit_code =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return absl::OkStatus();
}

}  // namespace groupsim
