// Writes docs/scenario.md from the schema.
//
//   bazel run -c opt //tools/docs:scenario
//
// With --print the page goes to standard output instead. Exit code 1 and no
// page if the schema leaves something unsaid.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "google/protobuf/descriptor.pb.h"
#include "tools/docs/scenario_page.h"

namespace {

constexpr char kDescriptors[] = "tools/docs/scenario_descriptors.binpb";

}  // namespace

int main(int argc, char** argv) {
  const bool print = argc == 2 && std::string(argv[1]) == "--print";
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (argc > 2 || (argc == 2 && !print) || (!print && workspace == nullptr)) {
    std::cerr << "scenario: run it as bazel run -c opt //tools/docs:scenario "
                 "[-- --print]\n";
    return 2;
  }
  google::protobuf::FileDescriptorSet set;
  std::ifstream input(kDescriptors, std::ios::binary);
  if (!set.ParseFromIstream(&input)) {
    std::cerr << "scenario: cannot read " << kDescriptors << "\n";
    return 1;
  }
  const groupsim::Schema schema(set);
  const std::vector<std::string> gaps = groupsim::GapsOf(schema);
  for (const std::string& gap : gaps) std::cerr << "scenario: " << gap << "\n";
  if (!gaps.empty()) return 1;
  const std::string page = groupsim::ScenarioPage(schema);
  if (print) {
    std::cout << page;
    return 0;
  }
  const std::string path = std::string(workspace) + "/docs/scenario.md";
  std::ofstream output(path, std::ios::binary);
  output << page;
  output.close();
  if (!output) {
    std::cerr << "scenario: cannot write " << path << "\n";
    return 1;
  }
  return 0;
}
