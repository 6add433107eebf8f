// Recordings, played again.
#ifndef GROUPSIM_TESTS_FIDELITY_PLAYED_H_
#define GROUPSIM_TESTS_FIDELITY_PLAYED_H_

#include <string>
#include <vector>

#include "tests/fidelity/comparison.h"
#include "tests/fidelity/recording.h"

namespace groupsim {

inline constexpr int kSeeds = 20;

// The recordings of this project, where Bazel puts the data of a target.
inline constexpr const char* kRecorded = "tests/fidelity/recorded";

// The recordings in a folder, in order of name: files as in recorded/, and
// folders with an input.json and one observed-N.jsonl for each run, of which it
// may be one itself. Stops the program if it has none.
std::vector<Recording> LoadRecordings(const std::string& folder);

// One of the project's own.
Recording LoadRecording(const std::string& name);

// A file of tests/fidelity.
std::string FidelityFile(const std::string& name);

// Runs the scenario derived from the script with the seeds from 1, and
// compares.
Comparison Play(const Recording& recording, int seeds);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_PLAYED_H_
