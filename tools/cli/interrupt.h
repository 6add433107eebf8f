// Ctrl-C.
#ifndef GROUPSIM_TOOLS_CLI_INTERRUPT_H_
#define GROUPSIM_TOOLS_CLI_INTERRUPT_H_

namespace groupsim {

// From now on the first SIGINT or SIGTERM is remembered; the second one ends
// the program as usual.
void WatchInterrupts();

// Whether there was one.
bool Interrupted();

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_INTERRUPT_H_
