// groupsim as a process of its own, for tests.
#ifndef GROUPSIM_TESTS_TOOLS_CLI_GROUPSIM_PROCESS_H_
#define GROUPSIM_TESTS_TOOLS_CLI_GROUPSIM_PROCESS_H_

#include <cstdint>
#include <string>

namespace groupsim {

inline constexpr char kProgram[] = "tools/cli/groupsim";

// Small enough to run often.
inline constexpr char kScenario[] = R"(
duration: "10s"
topic { name: "t" queues_per_broker: 4 }
producer { rate { per_second: 50 } }
group { name: "g" consumer { name: "c" count: 2 } }
expect { lost { at_most: 0 } }
)";

struct Ended {
  int exit_code = 0;
  std::string out;
  std::string err;
  int64_t peak_memory_bytes = 0;
};

// Runs groupsim with words as a shell reads them.
Ended Groupsim(const std::string& words);

std::string ReadFile(const std::string& path);

// A file in a folder of the current test.
std::string WriteScenario(const std::string& name, const std::string& text);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_TOOLS_CLI_GROUPSIM_PROCESS_H_
