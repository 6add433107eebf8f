#include "sim/engine/engine_failure_context.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "model/base/time.h"

namespace groupsim {

EngineFailureContext::EngineFailureContext(const Engine& engine, uint64_t seed,
                                           std::string reproduce)
    : engine_(engine), seed_(seed), reproduce_(std::move(reproduce)) {}

void EngineFailureContext::Describe(std::ostream& out) const {
  out << "  seed " << seed_ << ", virtual time " << engine_.now() << " ("
      << engine_.now().nanos() << " ns), " << engine_.fired()
      << " events fired";
  if (engine_.running().has_value()) {
    out << ", in event " << engine_.NameOf(*engine_.running());
  }
  out << "\n  reproduce: " << reproduce_;
}

}  // namespace groupsim
