// This program, run again in another process.
#ifndef GROUPSIM_TOOLS_CLI_SUBPROCESS_H_
#define GROUPSIM_TOOLS_CLI_SUBPROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace groupsim {

// Starts at construction; standard error is shared.
class Subprocess {
 public:
  // `arguments` without the program's name.
  explicit Subprocess(const std::vector<std::string>& arguments);
  // Ends it if it still runs.
  ~Subprocess();
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  // Waits for its end and gives what it wrote to standard output. Its exit code
  // is 128 + the signal if one ended it. Once only.
  struct Ended {
    int exit_code = 0;
    std::string output;
  };
  absl::Status Wait(Ended& ended);

 private:
  pid_t process_ = -1;
  int output_ = -1;
  absl::Status started_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_SUBPROCESS_H_
