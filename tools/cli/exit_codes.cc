#include "tools/cli/exit_codes.h"

#include <algorithm>
#include <iterator>

namespace groupsim {
namespace {

constexpr ExitCodeInfo kCodes[] = {
    {ExitCode::kPassed, "passed: every expectation holds"},
    {ExitCode::kFailed, "an expectation failed"},
    {ExitCode::kWrongUsage, "wrong usage: unknown command, flag or value"},
    {ExitCode::kInvalidInput,
     "invalid input: a scenario, or the group that allocate is given"},
    {ExitCode::kFileError, "a file could not be read or written"},
    {ExitCode::kNotReproducible,
     "not reproducible: two runs, or a run and its golden file, differ"},
    {ExitCode::kVacuous,
     "vacuous: something that should have been tested did not happen"},
    {ExitCode::kInternalError,
     "internal error: a bug of groupsim; the line that repeats it is printed"},
    {ExitCode::kInterrupted, "interrupted"},
};

// Worst first.
constexpr ExitCode kByWeight[] = {
    ExitCode::kInternalError, ExitCode::kInterrupted,
    ExitCode::kFileError,     ExitCode::kInvalidInput,
    ExitCode::kWrongUsage,    ExitCode::kNotReproducible,
    ExitCode::kFailed,        ExitCode::kVacuous,
    ExitCode::kPassed,
};

}  // namespace

absl::Span<const ExitCodeInfo> AllExitCodes() { return kCodes; }

ExitCode Worse(ExitCode a, ExitCode b) {
  return *std::find_if(std::begin(kByWeight), std::end(kByWeight),
                       [=](ExitCode code) { return code == a || code == b; });
}

}  // namespace groupsim
