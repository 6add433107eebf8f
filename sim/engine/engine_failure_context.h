// What an internal error says about a simulated run.
#ifndef GROUPSIM_SIM_ENGINE_ENGINE_FAILURE_CONTEXT_H_
#define GROUPSIM_SIM_ENGINE_ENGINE_FAILURE_CONTEXT_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "model/base/check.h"
#include "sim/engine/engine.h"

namespace groupsim {

// For as long as it lives, a failing CHECK of this thread prints the seed, the
// virtual time, how many events fired, which one is being fired, and the line
// that reproduces the run.
class EngineFailureContext final : public FailureContext {
 public:
  // `engine` must outlive the context. `reproduce` is a command line.
  EngineFailureContext(const Engine& engine, uint64_t seed,
                       std::string reproduce);

  void Describe(std::ostream& out) const override;

 private:
  const Engine& engine_;
  const uint64_t seed_;
  const std::string reproduce_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SIM_ENGINE_ENGINE_FAILURE_CONTEXT_H_
