// Waits for one call of user code.
#ifndef GROUPSIM_MODEL_CLIENT_LISTENER_RUN_H_
#define GROUPSIM_MODEL_CLIENT_LISTENER_RUN_H_

#include <coroutine>

#include "model/runtime/env.h"
#include "model/runtime/listener_executor.h"
#include "model/runtime/ready_queue.h"

namespace groupsim {

// `co_await` runs one call of the listener and gives its answer. What the call
// refers to must outlive it.
class ListenerRun final : private ListenerDone {
 public:
  ListenerRun(Env& env, const ListenerCall& call) : env_(env), call_(call) {}
  ~ListenerRun() {
    if (run_ != 0) env_.listeners().Abandon(run_);
  }
  ListenerRun(const ListenerRun&) = delete;
  ListenerRun& operator=(const ListenerRun&) = delete;

  // The thread that runs the call is interrupted, if it still runs it.
  void Interrupt() {
    if (run_ != 0) env_.listeners().Interrupt(run_);
  }

  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> waiter) {
    resumption_.set_handle(waiter);
    run_ = env_.listeners().Run(call_, this);
  }
  ListenerResult await_resume() { return result_; }

 private:
  void OnListenerDone(const ListenerResult& result) override {
    run_ = 0;
    result_ = result;
    env_.ready().Post(resumption_);
  }

  Env& env_;
  const ListenerCall call_;
  ListenerRunId run_ = 0;  // While the listener has it.
  ListenerResult result_;
  ReadyResumption resumption_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_LISTENER_RUN_H_
