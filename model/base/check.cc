#include "model/base/check.h"

#include <unistd.h>

#include <iostream>
#include <ostream>

namespace groupsim {
namespace {

// The only mutable state outside a world: where the world of this thread says
// what it was doing. lint: allow(FailureContext)
thread_local const FailureContext* current_context = nullptr;

}  // namespace

FailureContext::FailureContext() : outer_(current_context) {
  current_context = this;
}

FailureContext::~FailureContext() { current_context = outer_; }

const FailureContext* FailureContext::Current() { return current_context; }

namespace internal {

CheckFailure::CheckFailure(const char* file, int line, const char* condition) {
  stream_ << "groupsim: internal error: " << condition << " does not hold at "
          << file << ":" << line << "\n  ";
}

CheckFailure::~CheckFailure() {
  std::cout.flush();
  std::cerr << stream_.str() << "\n" << std::flush;
  if (const FailureContext* context = current_context; context != nullptr) {
    current_context = nullptr;  // A failing description must not come back.
    std::ostringstream about;
    context->Describe(about);
    std::cerr << about.str() << "\n" << std::flush;
  }
  _exit(kInternalErrorExitCode);
}

}  // namespace internal
}  // namespace groupsim
