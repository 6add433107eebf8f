// A recorded script as a scenario.
#ifndef GROUPSIM_TESTS_FIDELITY_DERIVATION_H_
#define GROUPSIM_TESTS_FIDELITY_DERIVATION_H_

#include <string>
#include <vector>

#include "tests/fidelity/recording.h"
#include "tests/fidelity/script.h"

namespace groupsim {

struct Derivation {
  // In text form, as it stands in this folder.
  std::string scenario;

  // What of the script is not understood, or nothing that groupsim can do, and
  // so is not played.
  std::vector<std::string> not_played;
};

// With the network and the listeners that were recorded.
Derivation DeriveScenario(const Script& script, const Declared& declared);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FIDELITY_DERIVATION_H_
