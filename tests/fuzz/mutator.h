// Inputs made from other inputs, the same ones on every machine.
#ifndef GROUPSIM_TESTS_FUZZ_MUTATOR_H_
#define GROUPSIM_TESTS_FUZZ_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace groupsim {

class Mutator {
 public:
  // `corpus` is not empty. Inputs are at most `most_bytes` long.
  Mutator(std::vector<std::string> corpus, size_t most_bytes, uint64_t seed);

  // The next input: one of the corpus, changed in one to eight places.
  std::string Next();

 private:
  // From 0 to `end` - 1; 0 if `end` is 0.
  size_t Below(size_t end);
  void Change(std::string& input);

  const std::vector<std::string> corpus_;
  const size_t most_bytes_;
  uint64_t state_;
};

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_FUZZ_MUTATOR_H_
