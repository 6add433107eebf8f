#include "tools/cli/interrupt.h"

#include <signal.h>

namespace groupsim {
namespace {

volatile sig_atomic_t interrupted = 0;

void Remember(int) { interrupted = 1; }

}  // namespace

void WatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = &Remember;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool Interrupted() { return interrupted != 0; }

}  // namespace groupsim
