// Pulls of threads that wait for the answer.
#ifndef GROUPSIM_MODEL_CLIENT_SYNC_PULL_H_
#define GROUPSIM_MODEL_CLIENT_SYNC_PULL_H_

#include <cstdint>

#include "model/base/name.h"
#include "model/base/time.h"
#include "model/client/client_instance.h"
#include "model/facts/fact.h"
#include "model/runtime/env.h"
#include "model/runtime/remoting.h"
#include "model/runtime/task.h"
#include "model/wire/codes.h"
#include "model/wire/command.h"
#include "model/wire/message_queue.h"
#include "model/wire/subscription.h"

namespace groupsim {

// PullAPIWrapper with CommunicationMode.SYNC, 5.3.3, for consumers whose
// requests say themselves what they want.
class SyncPull {
 public:
  // All references must outlive it.
  SyncPull(Env& env, Name group, ClientInstance& instance)
      : env_(env), group_(group), instance_(instance) {}

  // Asks a broker of the queue for messages that `wanted` wants, null for all;
  // it must outlive the task. Adds the group and the subscription to `request`,
  // which goes out with `code`. What the broker lets through though its tags
  // are others is taken out of the answer (pullKernelImpl, processPullResult).
  Task<CallResult> Pull(PullMessageRequest request, RequestCode code,
                        Duration timeout, const SubscriptionData* wanted);

  // A fact about pulls of the group.
  void Emit(FactKind kind, const MessageQueue& queue, int64_t offset,
            int64_t count, int64_t value) const;
  // That of a failed one; returns its code, or its negated CallError.
  int64_t EmitFailure(const MessageQueue& queue, int64_t offset,
                      const CallResult& result) const;

 private:
  Env& env_;
  const Name group_;
  ClientInstance& instance_;
};

}  // namespace groupsim

#endif  // GROUPSIM_MODEL_CLIENT_SYNC_PULL_H_
