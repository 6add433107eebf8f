// The draws of a simulated process.
#ifndef GROUPSIM_SIM_HOST_HOST_RANDOM_H_
#define GROUPSIM_SIM_HOST_HOST_RANDOM_H_

#include <cstdint>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/runtime/random.h"
#include "sim/random/stream.h"

namespace groupsim {

// Streams keyed by the seed, the process's name, and the purpose with the
// number of the incarnation: a restarted process draws anew, and the same in
// every run.
class HostRandom final : public RandomSource {
 public:
  HostRandom(uint64_t seed, Name process, int incarnation)
      : seed_(seed), process_(process), incarnation_(incarnation) {}

  std::unique_ptr<RandomStream> Stream(absl::string_view purpose) override {
    return std::make_unique<CounterStream>(StreamKey::For(
        seed_, process_.text(), absl::StrCat(purpose, " #", incarnation_)));
  }

 private:
  const uint64_t seed_;
  const Name process_;
  const int incarnation_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_HOST_HOST_RANDOM_H_
