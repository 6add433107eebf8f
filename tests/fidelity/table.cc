// Prints how the simulator compares with the recordings.
//
//   bazel run -c opt //tests/fidelity:table [-- SEEDS]
#include <cstdlib>
#include <iostream>

#include "tests/fidelity/comparison.h"
#include "tests/fidelity/played.h"

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::atoi(argv[1]) : groupsim::kSeeds;
  for (const char* name : groupsim::kRecordings) {
    std::cout << groupsim::Play(name, seeds).Table() << "\n";
  }
}
