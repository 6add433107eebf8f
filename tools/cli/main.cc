// The program groupsim.
#include <string>
#include <vector>

#include "google/protobuf/stubs/common.h"
#include "google/protobuf/stubs/logging.h"
#include "tools/cli/command.h"

int main(int argc, char** argv) {
  // Its findings come through the reader.
  google::protobuf::SetLogHandler(nullptr);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return static_cast<int>(groupsim::RunCommandLine(arguments));
}
