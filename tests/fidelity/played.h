// The recordings of this folder, played again.
#ifndef GROUPSIM_TESTS_FIDELITY_PLAYED_H_
#define GROUPSIM_TESTS_FIDELITY_PLAYED_H_

#include <string>

#include "scenarios/schema/scenario.pb.h"
#include "tests/fidelity/comparison.h"
#include "tests/fidelity/recording.h"

namespace groupsim {

inline constexpr int kSeeds = 20;
inline constexpr const char* kRecordings[] = {"L01", "L05", "L15"};

// Reads the files of a recording, which stand where Bazel puts the data of a
// target; stops the program if it cannot.
Recording LoadRecording(const std::string& name);
Scenario LoadScenario(const std::string& name);

// Runs the scenario with the seeds from 1, and compares.
Comparison Play(const std::string& name, int seeds);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_PLAYED_H_
