// A role as a process: what a host can start and stop.
#ifndef GROUPSIM_MODEL_RUNTIME_PROCESS_H_
#define GROUPSIM_MODEL_RUNTIME_PROCESS_H_

namespace groupsim {

// Implemented by the roles (Broker, NameServer, PushConsumer, Producer). The
// host destroys it, between turns: at a crash, or after the role asked for it
// through Env::lifecycle().
class Process {
 public:
  virtual ~Process() = default;

  // Begins the start sequence; ends in Lifecycle::OnReady or OnStartFailed.
  virtual void Start() = 0;

  // Begins the graceful shutdown; ends in Lifecycle::OnStopped. Allowed at any
  // time after Start, once.
  virtual void Shutdown() = 0;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_RUNTIME_PROCESS_H_
